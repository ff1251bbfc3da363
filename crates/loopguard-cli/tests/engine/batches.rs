//! Messages, alone and together.

use loopguard_cli::Replay;
use loopguard_transcript::{ReadOptions, read};
use std::ops::ControlFlow;

use super::{REMINDER, call, check, line, result, setup};

/// Speaks when a text of at least two characters comes for the second time.
const BRAKE: &str = r#"[{"name":"brake","config":
    {"duplicateTextThreshold":2,"minimumDuplicateChars":2}}]"#;

fn message(text: &str, batch: &str) -> String {
    format!(r#"{{"type":"message","source":"plugin:p","text":"{text}"{batch}}}"#)
}

fn user(batch: &str) -> String {
    format!(r#"{{"type":"user","text":"go on"{batch}}}"#)
}

#[test]
fn messages_without_a_batch_are_handed_over_one_by_one() {
    let stream = [message("same", ""), user(""), message("same", "")];
    check(BRAKE, &stream, &[]);
    let stream = [user(""), message("same", ""), message("same", "")];
    check(BRAKE, &stream, &["3:0 main notice duplicate-text"]);
}

#[test]
fn a_batch_that_holds_a_human_message_is_not_counted() {
    let first = r#","batch":1"#;
    let stream = [user(first), message("same", first), message("same", "")];
    check(BRAKE, &stream, &[]);
}

#[test]
fn another_number_is_another_batch() {
    let (first, second) = (r#","batch":1"#, r#","batch":2"#);
    let stream = [user(first), message("same", second), message("same", "")];
    check(BRAKE, &stream, &["3:0 main notice duplicate-text"]);
}

#[test]
fn an_event_in_between_ends_a_batch() {
    let first = r#","batch":1"#;
    let stream = [
        user(first),
        line(r#"{"type":"compaction"}"#),
        message("same", first),
        message("same", ""),
    ];
    check(BRAKE, &stream, &["4:0 main notice duplicate-text"]);
}

#[test]
fn what_a_batch_raises_has_its_last_line_and_the_latest_call() {
    let first = r#","batch":1"#;
    let stream = [
        call("main", "a", "1"),
        message("same", first),
        message("same", first),
        result("main", "a", "ok"),
    ];
    let session = check(BRAKE, &stream, &["3:1 main notice duplicate-text"]);
    assert_eq!(session.decisions[0].call, None);
    assert_eq!(session.decisions[0].tool, None);
}

#[test]
fn the_last_batch_is_handed_over_when_the_session_ends() {
    let first = r#","batch":1"#;
    let stream = [message("same", first), message("same", first)];
    check(BRAKE, &stream, &["2:0 main notice duplicate-text"]);
}

#[test]
fn decisions_on_a_batch_can_be_told_from_those_on_the_event_that_ends_it() {
    let first = r#","batch":1"#;
    let stream = [
        message("same", first),
        message("same", first),
        line(r#"{"type":"reset"}"#),
    ]
    .join("\n");
    let mut replay = Replay::new(&setup(BRAKE));
    let mut seen = Vec::new();
    let mut sink = |event: loopguard_transcript::Event<'_>| {
        let before = replay.settle_before(&event).len();
        seen.push((before, replay.event(&event).len()));
        ControlFlow::Continue(())
    };
    read(stream.as_bytes(), &ReadOptions::new(), &mut sink).unwrap();
    assert_eq!(seen, [(0, 0), (0, 0), (0, 0), (1, 0)]);
    assert!(replay.finish().is_empty());
}

#[test]
fn a_message_with_an_id_is_looked_at_once() {
    let shown = r#"{"type":"message","id":"m","text":"same"}"#;
    check(BRAKE, &[line(shown), line(shown)], &[]);
}

#[test]
fn notices_are_never_text() {
    let notice = r#"{"type":"message","source":"plugin:p","form":"notice","text":"same"}"#;
    check(BRAKE, &[line(notice), line(notice)], &[]);
    // Neither is what comes from a guard of the set, whatever the host says of it.
    let own = r#"{"type":"message","source":"plugin:dsh-brake","text":"same"}"#;
    check(BRAKE, &[line(own), line(own)], &[]);
}

#[test]
fn the_models_own_words_are_no_injected_text() {
    let said = r#"{"type":"assistant","text":"same"}"#;
    let part = r#"{"type":"assistant","id":"m","part":true,"text":"same"}"#;
    check(BRAKE, &[line(said), line(said), line(part)], &[]);
}

#[test]
fn a_human_message_and_a_reset_start_anew_and_a_compaction_does_not() {
    let twice = |between: &str| {
        [
            call("main", "a", "1"),
            result("main", "a", "ok"),
            line(between),
            call("main", "b", "1"),
            result("main", "b", "ok"),
        ]
    };
    check(REMINDER, &twice(r#"{"type":"user","text":"again"}"#), &[]);
    check(REMINDER, &twice(r#"{"type":"reset"}"#), &[]);
    check(
        REMINDER,
        &twice(r#"{"type":"compaction"}"#),
        &["5:2 main notice repeated-call"],
    );
    check(
        REMINDER,
        &twice(r#"{"type":"user","agent":"other","text":"again"}"#),
        &["5:2 main notice repeated-call"],
    );
}
