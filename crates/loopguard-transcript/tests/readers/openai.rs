//! Messages of the chat completions API.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, collect, fixture};

const FORMAT: Format = Format::OpenAi;

#[test]
fn messages_are_read_as_what_happened() {
    let summary = check(
        FORMAT,
        &fixture("build.openai.json"),
        &[
            "- main session - openai Unknown",
            "- main message - you build from=system",
            "- main user - fix the build",
            "- main assistant - I look. step=1",
            "- main call#1 c1 bash <{\"command\": \"make\", \"n\": 1.0}> step=1",
            "- main call#2 c2 read <{\"path> step=1",
            "- main result#2 c2 Error Error: the arguments are not JSON",
            "- main result#1 c1 Ok Error: one|two tool=bash",
            "- main user - go on",
            "- main call#3 c3 read <> step=2",
            "- main result#3 c3 Ok Error: is how the file begins\nand this is how it goes on",
            "- main call#4 look look <{}> step=3",
            "- main result#4 look Error {\"error\": \"nothing there\"} tool=look",
            "- main assistant - The rule is missing. step=4",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
}

#[test]
fn every_line_may_hold_a_session_or_a_message() {
    let summary = check(
        FORMAT,
        &fixture("lines.openai.jsonl"),
        &[
            "1 main session - openai Unknown",
            "1 main user - one",
            "1 main call#1 c1 t <{}> step=1",
            "1 main result#1 c1 Ok ok",
            "2 main session - openai Unknown",
            "2 main message - be brief from=system",
            "2 main user - two",
            "2 main call#1 c1 t <{}> step=2",
            "3 main result#1 c1 Ok late",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
}

#[test]
fn a_request_is_a_session() {
    check(
        FORMAT,
        r#"{"model":"m","messages":[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"c","content":""}],"stream":true}"#,
        &[
            "- main session - openai Unknown",
            "- main user - x",
            "- main result#? c Ok ",
        ],
    );
}

#[test]
fn messages_that_show_nothing_of_their_api_are_taken_for_this_one() {
    let plain = r#"[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]"#;
    let (summary, _) = collect(None, plain.as_bytes()).unwrap();
    assert_eq!(summary.format, FORMAT);
}
