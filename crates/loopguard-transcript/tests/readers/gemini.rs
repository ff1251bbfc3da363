//! Session files of Gemini CLI.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::Gemini;

#[test]
fn a_document_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.gemini.json"),
        &[
            "- main session g1 gemini Unknown at=1767225600000",
            "- main user m1 fix the build at=1767225601000",
            "- main assistant m2 I look at both. step=1 at=1767225605000",
            "- main call#1 c1 read_file <{\"path\": \"Makefile\", \"n\": 1.0}> step=1 at=1767225605000",
            "- main call#2 c2 replace <{}> step=1 at=1767225605000",
            "- main result#1 c1 Ok all: step=1 at=1767225606000",
            "- main result#2 c2 Error not found error=not found in Makefile step=1 at=1767225605000",
            "- main call#3 c3 run_shell_command <{\"command\": \"make\"}> step=2 at=1767225608000",
            "- main call#4 c4 run_shell_command <{\"command\": \"top\"}> step=2 at=1767225608000",
            "- main call#5 c5 run_shell_command <{\"command\": \"rm\"}> step=2 at=1767225608000",
            "- main call#6 c6 run_shell_command <{\"command\": \"dd\"}> step=2 at=1767225608000",
            "- main call#7 c7 run_shell_command <{\"command\": \"ls\"}> step=2 at=1767225608000",
            "- main result#3 c3 Ok Exit Code: 2 step=2 at=1767225609000",
            "- main result#4 c4 Cancelled [Operation Cancelled] Reason: User cancelled the operation. step=2 at=1767225609000",
            "- main result#5 c5 Denied [Operation Cancelled] Reason: User did not allow tool call step=2 at=1767225609000",
            "- main result#6 c6 Denied Tool execution denied by policy. Ask. step=2 at=1767225609000",
            "- main user m5 go on|please at=1767225610000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
    assert_eq!(summary.unanswered_calls, 1);
}

#[test]
fn a_message_that_is_written_again_says_only_what_is_new() {
    let summary = check(
        FORMAT,
        &fixture("lines.gemini.jsonl"),
        &[
            "1 main session g2 gemini Unknown at=1767225600000",
            "2 main user m1 fix the build at=1767225601000",
            "3 main assistant m2 I run make. step=1 at=1767225602000",
            "4 main call#1 c1 run_shell_command <{\"command\":\"make\"}> step=1 at=1767225602000",
            "5 main result#1 c1 Ok done step=1 at=1767225603000",
            "9 main assistant m3 Done. step=2 at=1767225605000",
            "9 main call#2 c2 save <[1.0]> step=2 at=1767225605000",
            "9 main result#2 c2 Ok {\"saved\":true} step=2 at=1767225605000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 1);
    assert_eq!(summary.skipped.get(SkipReason::Repeated), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
}

#[test]
fn an_id_that_another_message_uses_again_is_another_call() {
    let message = |id: &str| {
        format!(
            r#"{{"id":"{id}","type":"gemini","content":"","toolCalls":[{{"id":"c","name":"t","args":{{}},"status":"success","result":[]}}]}}"#
        )
    };
    check(
        FORMAT,
        &format!("{}\n{}\n", message("a"), message("b")),
        &[
            "- main session - gemini Unknown",
            "1 main call#1 c t <{}> step=1",
            "1 main result#1 c Ok  step=1",
            "2 main call#2 c t <{}> step=2",
            "2 main result#2 c Ok  step=2",
        ],
    );
}
