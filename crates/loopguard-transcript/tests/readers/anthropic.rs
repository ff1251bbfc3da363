//! Messages of the API of Anthropic.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, collect, fixture};

const FORMAT: Format = Format::Anthropic;

#[test]
fn messages_are_read_as_what_happened() {
    let summary = check(
        FORMAT,
        &fixture("build.anthropic.json"),
        &[
            "- main session - anthropic Unknown",
            "- main user - fix the build",
            "- main assistant - I look. step=1",
            "- main call#1 c1 bash <{\"command\": \"make\", \"n\": 1.0}> step=1",
            "- main call#2 c2 read <{}> step=1",
            "- main result#1 c1 Error no rule",
            "- main result#2 c2 Ok one|two",
            "- main user - and be quick",
            "- main call#3 c4 bash <{\"command\": \"ls\"}> step=2",
            "- main assistant - And wait. step=2",
            "- main result#3 c4 Error ",
            "- main user - ",
            "- main assistant - The rule is missing. step=3",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
}

#[test]
fn a_message_a_line_is_a_session() {
    let summary = check(
        FORMAT,
        &fixture("lines.anthropic.jsonl"),
        &[
            "- main session - anthropic Unknown",
            "1 main user - fix the build",
            "2 main call#1 c1 bash <{\"command\":\"make\"}> step=1",
            "3 main result#1 c1 Error no rule",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
}

#[test]
fn blocks_in_an_answer_tell_the_api_even_without_a_tool() {
    let plain = r#"[{"role":"assistant","content":[{"type":"text","text":"hi"}]}]"#;
    let (summary, _) = collect(None, plain.as_bytes()).unwrap();
    assert_eq!(summary.format, FORMAT);
}
