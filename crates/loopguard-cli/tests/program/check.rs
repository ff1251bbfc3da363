//! `loopguard check`.

use super::{DRY_RUN, HALTING, WRONG, folder, run};

#[test]
fn a_right_configuration_is_told_with_its_guards() {
    let ran = run(&["check", HALTING]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(
        ran.out,
        format!("{HALTING}: fine; guards that run: repeat-tool-guard, breaker, second-breaker\n")
    );
    assert_eq!(run(&["check", "--config", HALTING]).out, ran.out);
    assert!(run(&["check", DRY_RUN]).out.contains("dry run"));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    insta::assert_snapshot!("wrong_configuration", run(&["check", WRONG]).all());
}

#[test]
fn warnings_are_told_and_change_nothing() {
    let folder = folder("warnings");
    let file = folder.join("guards.json");
    std::fs::write(&file, r#"[{"name":"brake","config":{"minWindowCalls":4}}]"#).unwrap();
    let ran = run(&["check", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("warning: "), "{}", ran.err);
    assert!(ran.err.contains("minWindowCalls"), "{}", ran.err);
}

#[test]
fn a_configuration_of_which_nothing_runs_says_so() {
    let folder = folder("disabled");
    let file = folder.join("guards.yml");
    std::fs::write(&file, "- name: brake\n  disabled: true\n").unwrap();
    let ran = run(&["check", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("no guard runs"), "{}", ran.out);
}

#[test]
fn a_file_that_cannot_be_read_is_exit_code_1_and_one_that_is_no_text_2() {
    let ran = run(&["check", "tests/fixtures/none.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("none.yaml: the configuration cannot be read")
    );
    let file = folder("no-text").join("guards.yaml");
    std::fs::write(&file, b"- name: \xff").unwrap();
    let ran = run(&["check", file.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("save it as UTF-8"), "{}", ran.err);
}

#[test]
fn a_printed_preset_is_a_right_configuration() {
    for preset in loopguard::Preset::ALL {
        let ran = run(&["check", "--print-preset", preset.name()]);
        assert_eq!((ran.code, &*ran.err), (0, ""));
        assert_eq!(ran.out, preset.text());
        let file = folder("preset").join(format!("{preset}.yaml"));
        std::fs::write(&file, ran.out).unwrap();
        let ran = run(&["check", file.to_str().unwrap()]);
        assert_eq!((ran.code, &*ran.err), (0, ""));
    }
}
