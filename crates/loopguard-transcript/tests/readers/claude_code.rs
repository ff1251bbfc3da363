//! Session files of Claude Code.

use loopguard_transcript::{Format, SkipReason};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{check, collect, fixture};

const FORMAT: Format = Format::ClaudeCode;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.claude-code.jsonl"),
        &[
            "- main session k1 claude-code Unknown at=1767225601000",
            "2 main user u1 fix the build at=1767225601000",
            "4 main assistant msg1 I run make. step=1 at=1767225603000",
            "5 main call#1 t1 Bash <{\"command\":\"make\", \"n\": 1.0}> step=1 at=1767225604000",
            "6 main call#2 t2 Task <{\"prompt\":\"look\"}> step=1 at=1767225605000",
            "7 main result#1 t1 Error no rule at=1767225606000",
            "9 a9 message u8 look from=agent",
            "10 a9 assistant msg2 I look. step=2",
            "10 a9 call#3 t3 Read <{}> step=2",
            "11 a9 result#3 t3 Ok one|two",
            "12 main result#2 t2 Ok ",
            "12 main message u11 <system-reminder>be brief</system-reminder> from=system",
            "13 main message u12 from a hook from=system",
            "14 main message u13 <ide_opened_file>Makefile</ide_opened_file> from=system batch=14",
            "14 main user u13 this one batch=14",
            "15 main user u14 ",
            "16 main compaction",
            "17 main message u16 what was before from=system",
            "18 main call#4 t4 Edit <{}> step=3",
            "19 main result#4 t4 Denied The user doesn't want to proceed with this tool use. Keep it.",
            "20 main message u19 [Request interrupted by user for tool use] from=system",
            "21 main reset",
        ],
    );
    assert_eq!(summary.lines, 26);
    assert_eq!(summary.unanswered_calls, 0);
    let skipped = |reason| summary.skipped.get(reason);
    assert_eq!(skipped(SkipReason::Repeated), 1);
    assert_eq!(skipped(SkipReason::UnknownType), 1);
    assert_eq!(skipped(SkipReason::Broken), 3);
    assert_eq!(skipped(SkipReason::NoEvent), 3);
}

#[test]
fn a_resumed_session_says_nothing_twice() {
    let summary = check(
        FORMAT,
        &fixture("resumed.claude-code.jsonl"),
        &[
            "- main session k2 claude-code Unknown at=1767225600000",
            "1 main user o1 fix it at=1767225600000",
            "2 main assistant msg1 I run make. step=1 at=1767225601000",
            "3 main call#1 t1 Bash <{}> step=1 at=1767225601000",
            "4 main result#1 t1 Ok ok at=1767225602000",
            "9 main user n5 fix it at=1767312000000",
            "10 main assistant msg2 I run make. step=2 at=1767312001000",
            "11 main call#2 t2 Bash <{}> step=2 at=1767312001000",
            "12 main assistant n8 And wait. step=2 at=1767312001000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::Repeated), 4);
}

#[test]
fn a_file_in_which_nothing_happened_is_an_empty_session() {
    check(
        FORMAT,
        r#"{"type":"summary","summary":"a title","leafUuid":"x"}"#,
        &["- main session - claude-code Unknown"],
    );
}

#[test]
fn a_call_without_a_name_is_left_out() {
    let summary = check(
        FORMAT,
        r#"{"type":"assistant","uuid":"u","message":{"id":"m","content":[{"type":"tool_use","id":"t"},{"type":"text","text":"x"},"y"]}}"#,
        &[
            "- main session - claude-code Unknown",
            "1 main assistant m x step=1",
        ],
    );
    assert_eq!(summary.calls, 0);
}

#[test]
fn a_message_of_another_origin_is_not_the_users() {
    check(
        FORMAT,
        r#"{"type":"user","uuid":"u","origin":{"kind":"task-notification"},"message":{"content":"done"}}
{"type":"user","uuid":"v","origin":{"kind":"human"},"message":{"content":"thanks"}}"#,
        &[
            "- main session - claude-code Unknown",
            "1 main message u done from=task-notification",
            "2 main user v thanks",
        ],
    );
}

/// What one line of a session is about; its place in the session tells it from the others.
#[derive(Debug, Clone, Copy)]
enum Said {
    User,
    Assistant,
    Call,
    Result,
}

/// A session in which each message has one line, call `n` is answered by result `n`, and a
/// copy differs in session and line ids alone.
fn session(said: &[Said], session: &str) -> String {
    let mut lines = String::new();
    for (at, said) in said.iter().enumerate() {
        let call = |at: usize| format!("t{}", at / 4);
        let content = match said {
            Said::User => json!("the same words"),
            Said::Assistant => json!([{ "type": "text", "text": "the same words" }]),
            Said::Call => json!([{ "type": "tool_use", "id": call(at), "name": "T", "input": at }]),
            Said::Result => {
                json!([{ "type": "tool_result", "tool_use_id": call(at), "content": "x" }])
            }
        };
        let kind = if matches!(said, Said::User | Said::Result) {
            "user"
        } else {
            "assistant"
        };
        let line = json!({
            "type": kind,
            "sessionId": session,
            "uuid": format!("{session}-{at}"),
            "timestamp": format!("2026-01-01T00:{:02}:{:02}Z", at / 60, at % 60),
            "message": { "id": format!("m{}", at / 2), "content": content },
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}

proptest! {
    #[test]
    fn a_copy_of_the_history_adds_nothing(
        said in prop::collection::vec(
            prop_oneof![Just(Said::User), Just(Said::Assistant), Just(Said::Call), Just(Said::Result)],
            1..40,
        ),
    ) {
        let first = session(&said, "a");
        let (_, once) = collect(Some(FORMAT), first.as_bytes()).unwrap();
        let resumed = format!("{first}{}", session(&said, "b"));
        let (summary, twice) = collect(Some(FORMAT), resumed.as_bytes()).unwrap();
        prop_assert_eq!(once, twice);
        prop_assert!(summary.skipped.get(SkipReason::Repeated) >= said.len() as u64);
    }
}
