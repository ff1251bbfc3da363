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

/// What `check` says of a configuration of this name and text.
fn told(name: &str, text: &str) -> String {
    let folder = folder(&format!("told-{name}"));
    std::fs::write(folder.join(name), text).expect("a file for the test");
    let mut command = super::program(&["check", name]);
    super::run_with(command.current_dir(&folder), b"").all()
}

#[test]
fn everything_is_shown_in_its_line() {
    let yaml = "# 名单\n\
        - name: circuit-breaker\n\
        \x20 config:\n\
        \x20   maxFailures: none\n\
        \x20   include: [\"查询*\", 3, '构建']\n\
        \x20   maxFailures: 2\n\
        \x20   overrides:\n\
        \x20     - maxFailures: 3\n\
        - {name: 刹车, disabled: 不}\n\
        - name: brake\n\
        \x20 config: {callWarnCount: 12, messages: {call-count: \"{count} times, {tol}\"}}\n\
        - id: dsh-brake\n\
        \x20 config:\n\
        \x20   mode: denny\n\
        \x20   callWarnCount: 3.5\n\
        \x20   minWindowCalls: 0\n";
    insta::assert_snapshot!("shown_yaml", told("guards.yaml", yaml));
    let json = "[\n\
        \t{\"name\": \"loopguard\", \"config\": {\"preset\": \"orginal\", \"redact\": [\"🦀(\"]}},\n\
        \t{\"config\": {}},\n\
        \t{\"name\": \"repeat-reminder\", \"config\": {\"thresholds\": [3, 3], \"denyat\": 4}}\n\
        ]\n";
    insta::assert_snapshot!("shown_json", told("guards.json", json));
}

#[test]
fn what_is_no_list_of_rows_is_shown_too() {
    let texts = [
        ("a.json", "[{\"name\": \"brake\",}]"),
        ("b.yaml", "- name: brake\n  config: [\n"),
        ("c.yaml", "name: brake\n"),
        ("d.yaml", ""),
        ("e.yaml", "- name: *brake\n"),
    ];
    let told: Vec<_> = texts.iter().map(|(name, text)| told(name, text)).collect();
    insta::assert_snapshot!("no_rows", told.join("\n"));
}

#[test]
fn a_warning_is_shown_in_its_line() {
    let text = "- name: brake\n  config:\n    minWindowCalls: 4\n";
    insta::assert_snapshot!("shown_warning", told("guards.yaml", text));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_force_them() {
    let escape = "\u{1b}[";
    let forced = |name: &str, value: &str| {
        let mut command = super::program(&["check", WRONG]);
        super::run_with(command.env(name, value), b"").err
    };
    assert!(!run(&["check", WRONG]).err.contains(escape));
    assert!(forced("CLICOLOR_FORCE", "1").contains(escape));
    assert!(!forced("NO_COLOR", "1").contains(escape));
}

#[test]
fn a_byte_order_mark_moves_no_place() {
    let with = told("guards.yaml", "\u{feff}- nam: brake\n");
    assert_eq!(with, told("guards.yaml", "- nam: brake\n"));
    assert!(told("guards.conf", "\u{feff}- name: brake\n").contains("fine"));
}
