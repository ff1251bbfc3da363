//! The command line, and every exit code.

use super::{BROKEN, DEMO, DRY_RUN, HALTING, QUIET, TWO, WRONG, run};

#[test]
fn without_arguments_it_says_how_it_is_used() {
    let ran = run(&[]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("Usage: loopguard"), "{}", ran.err);
    let ran = run(&["replay"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("<PATH>"), "{}", ran.err);
}

#[test]
fn help_and_version_go_to_standard_output() {
    for arguments in [
        &["--help"][..],
        &["help", "replay"],
        &["replay", "--help"],
        &["check", "--help"],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, &*ran.err), (0, ""), "{arguments:?}");
        assert!(ran.out.contains("Examples:\n  loopguard "), "{}", ran.out);
        assert!(ran.out.ends_with('\n'), "{arguments:?}");
    }
    let ran = run(&["--version"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.out,
        format!("loopguard {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn the_help_names_every_exit_code_and_format() {
    let ran = run(&["--help"]);
    for code in ["  0  fine", "  1  ", "  2  ", "  3  "] {
        assert!(ran.out.contains(code), "{code}");
    }
    let ran = run(&["replay", "--help"]);
    for format in loopguard_transcript::Format::ALL {
        assert!(ran.out.contains(format.name()), "{format}");
    }
}

#[test]
fn wrong_use_is_exit_code_2_and_names_what_is_allowed() {
    let cases: &[(&[&str], &str)] = &[
        (&["replya", DEMO], "'replay'"),
        (&["replay", "--from", "cobol", DEMO], "claude-code"),
        (&["replay", "--output", "xml", DEMO], "jsonl"),
        (&["replay", "--fail-on", "doubt", DEMO], "halt"),
        (
            &["replay", "--preset", "orignal", DEMO],
            "original, recommended",
        ),
        (
            &["check", "--print-preset", "orignal"],
            "original, recommended",
        ),
        (&["check"], "loopguard check FILE"),
        (&["check", HALTING, "--config", HALTING], "not both"),
        (
            &["check", HALTING, "--print-preset", "original"],
            "cannot be used with",
        ),
        (&["replay", "-", "-"], "more than once"),
    ];
    for (arguments, expected) in cases {
        let ran = run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn fail_on_counts_what_it_names_and_more() {
    let replay = |fail_on: &str, config: &str, path: &str| {
        run(&["replay", "--fail-on", fail_on, "--config", config, path]).code
    };
    // Two identical failures: a notice of the one guard, a denial and a halt of the others.
    assert_eq!(replay("notice", HALTING, TWO), 3);
    assert_eq!(replay("deny", HALTING, TWO), 3);
    assert_eq!(replay("halt", HALTING, TWO), 3);
    assert_eq!(replay("notice", HALTING, QUIET), 0);
    // Denials, but no halt; a dry run counts, too.
    assert_eq!(replay("notice", DRY_RUN, TWO), 3);
    assert_eq!(replay("deny", DRY_RUN, TWO), 3);
    assert_eq!(replay("halt", DRY_RUN, TWO), 0);
}

#[test]
fn what_cannot_be_read_and_wrong_use_win_over_fail_on() {
    assert_eq!(run(&["replay", "--fail-on", "notice", TWO]).code, 3);
    assert_eq!(run(&["replay", "--fail-on", "notice", TWO, BROKEN]).code, 1);
    assert_eq!(
        run(&["replay", "--fail-on", "notice", "--config", WRONG, TWO]).code,
        2
    );
}

#[test]
fn a_wrong_configuration_is_told_whole_before_anything_is_done() {
    let ran = run(&["replay", "--config", WRONG, TWO]);
    assert_eq!((ran.code, &*ran.out), (2, ""));
    assert_eq!(ran.err, run(&["check", WRONG]).err);
    assert_eq!(ran.err.matches("error: ").count(), 3, "{}", ran.err);
}

#[test]
fn shared_options_stand_before_or_behind_the_command() {
    let behind = run(&["replay", "--config", HALTING, TWO]);
    let before = run(&["--config", HALTING, "replay", TWO]);
    assert_eq!(before.out, behind.out);
}
