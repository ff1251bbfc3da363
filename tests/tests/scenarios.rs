//! Behaviour scenarios: the recommended guards make of each what it says they should.

use std::path::{Path, PathBuf};

use loopguard_tests::scenarios::{Report, run};

fn from_the_tests(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn the_recommended_guards_do_right_in_every_scenario() {
    let report = run(&from_the_tests("scenarios"));
    assert_eq!(report.wrong().count(), 0, "{report}");
    assert_eq!(report.outcomes.len(), 46, "{report}");
}

#[test]
fn the_recommended_guards_do_right_in_the_scenarios_beside_the_workspace() {
    let beside = from_the_tests("../../shared/scenarios");
    if !beside.is_dir() {
        println!("skipped: no scenarios beside the workspace");
        return;
    }
    let report = run(&beside);
    assert_eq!(report.wrong().count(), 0, "{report}");
    assert!(!report.outcomes.is_empty());
}

/// What is wrong with a stream of eight identical calls with identical results, under these
/// words in its first line.
fn wrong_with(name: &str, config: &str, expect: &str) -> Vec<String> {
    let mut stream = format!(
        r#"{{"type":"session","version":1,"id":"x","format":"scenario","config":{config},"expect":{expect}}}"#
    );
    for call in 1..=8 {
        stream += &format!(
            r#"
{{"type":"call","id":"c{call}","tool":"read","arguments":{{"path":"a"}},"step":{call}}}
{{"type":"result","id":"c{call}","status":"ok","text":"one and the same text","step":{call}}}"#
        );
    }
    let Report { outcomes } = run_one(name, &stream);
    outcomes.into_iter().flat_map(|it| it.wrong).collect()
}

fn run_one(name: &str, stream: &str) -> Report {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scenario-{name}"));
    std::fs::create_dir_all(&dir).expect("a folder");
    std::fs::write(dir.join("stream.jsonl"), stream).expect("a file");
    let report = run(&dir);
    std::fs::remove_dir_all(&dir).expect("a folder");
    report
}

#[test]
fn a_notice_that_is_not_wanted_is_wrong_and_one_that_is_allowed_is_not() {
    let wrong = |expect| wrong_with("progress", r#""recommended""#, expect);
    let none = wrong(r#"{"loop":false,"notices":0,"denials":0}"#);
    assert!(
        none[0].contains("notices, wanted 0; first at call 3"),
        "{none:?}"
    );
    let allowed = wrong(r#"{"loop":false,"notices":"allowed","denials":0}"#);
    assert_eq!(allowed, [""; 0]);
}

#[test]
fn the_first_notice_has_its_time() {
    let wrong = |by, not_before| {
        let expect =
            format!(r#"{{"loop":true,"notice_by":{by},"notice_not_before":{not_before}}}"#);
        wrong_with("time", r#""recommended""#, &expect)
    };
    assert_eq!(wrong(3, 3), [""; 0]);
    assert_eq!(wrong(8, 1), [""; 0]);
    for (by, not_before) in [(2, 1), (8, 4), (9, 9)] {
        let said = wrong(by, not_before);
        assert!(
            said[0].starts_with("first notice at call 3 (")
                && said[0].ends_with(&format!("wanted {not_before}..={by}")),
            "{said:?}"
        );
    }
}

#[test]
fn denials_and_halts_have_their_time_too() {
    let wrong = |config, keys| {
        let expect = format!(r#"{{"loop":true,"notice_by":3,"notice_not_before":3,{keys}}}"#);
        wrong_with("denials", config, &expect)
    };
    let deny = r#""deny_by":8,"deny_not_before":4"#;
    assert_eq!(
        wrong(r#""recommended""#, deny),
        ["no first denial, wanted 4..=8"]
    );
    let halt = r#""halt_by":8"#;
    assert_eq!(wrong(r#""recommended""#, halt), ["no halt, wanted 1..=8"]);
    let needs = r#"{"needs":"brake may deny; halt after 1 denied calls"}"#;
    assert_eq!(wrong(needs, deny), [""; 0]);
    assert_eq!(wrong(needs, halt), [""; 0]);
    // The halt ends the run, so there is one denial.
    let none = wrong(needs, r#""denials":0"#);
    assert!(none[0].starts_with("1 denials, wanted 0"), "{none:?}");
}

#[test]
fn what_is_not_understood_is_wrong() {
    let progress = r#"{"loop":false,"notices":0,"denials":0}"#;
    for (config, expect, problem) in [
        (r#""original""#, progress, "unknown configuration"),
        (r#"{"needs":"sing"}"#, progress, "unknown change \"sing\""),
        (
            r#"{"needs":"resume at every line marked cut"}"#,
            progress,
            "no line is marked cut",
        ),
        (
            r#""recommended""#,
            r#"{"loop":true}"#,
            "`notice_not_before` is missing",
        ),
        (
            r#""recommended""#,
            r#"{"loop":false,"notices":0,"denials":0,"hums":1}"#,
            "`hums` is not understood",
        ),
    ] {
        let wrong = wrong_with("unknown", config, expect);
        assert!(wrong[0].contains(problem), "{wrong:?}");
    }
    let report = run_one("broken", "no JSON");
    assert!(
        report.outcomes[0].wrong[0].starts_with("line 1: "),
        "{report}"
    );
}
