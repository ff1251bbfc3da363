//! The event stream itself.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fails, fixture};

const EVENTS: Format = Format::Events;
const OPEN: &str = "- main session - events Unknown";

#[test]
fn every_key_arrives_where_it_belongs() {
    let summary = check(
        EVENTS,
        &fixture("build.events.jsonl"),
        &[
            "1 main session s1 pi Failure",
            "2 main user m1 fix the build at=1000 batch=1",
            "3 main message m2 you are on Linux|be brief from=plugin:context batch=1",
            "4 main assistant a1 I will  part step=1",
            "5 main assistant a1 run make. step=1",
            "6 main call#1 c1 bash <{\"command\":\"make\", \"n\":12345678901234567890.10}> step=1 at=2000",
            "7 helper call#2 c1 read <\"a \\\"raw\\\" string\"> step=1",
            "8 helper result#2 c1 Ok one|two tool=read",
            "9 main result#1 c1 Error make: no rule tool=bash error=exit 2 at=2500",
            "10 main message - slow down from=plugin:guard notice",
            "11 main compaction",
            "12 nobody call#3 - clock <>",
            "13 nobody result#? - Cancelled ",
            "15 helper agent-end",
            "16 main reset",
            "17 main session-end",
            "18 main session - events Unknown",
            "19 main call#1 c1 bash <>",
        ],
    );
    assert_eq!(summary.lines, 19);
    assert_eq!(summary.events, 18);
    assert_eq!(summary.sessions, 2);
    assert_eq!((summary.calls, summary.results), (4, 3));
    assert_eq!(summary.unpaired_results, 1);
    assert_eq!(summary.unanswered_calls, 2);
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.total(), 1);
}

#[test]
fn blank_lines_are_counted_and_do_no_harm() {
    let summary = check(
        EVENTS,
        "\n{\"type\":\"reset\"}\r\n \t\r\n",
        &[OPEN, "2 main reset"],
    );
    assert_eq!(summary.skipped.get(SkipReason::Blank), 2);
}

#[test]
fn a_stream_without_a_session_line_is_a_session() {
    check(
        EVENTS,
        r#"{"type":"compaction","at":5}"#,
        &[&format!("{OPEN} at=5"), "1 main compaction at=5"],
    );
}

#[test]
fn a_result_answers_the_oldest_unanswered_call_of_its_agent_with_its_id() {
    check(
        EVENTS,
        r#"{"type":"call","id":"x","tool":"a"}
{"type":"call","id":"x","tool":"b"}
{"type":"call","id":"x","tool":"c","agent":"other"}
{"type":"result","id":"x","status":"ok"}
{"type":"result","id":"x","status":"ok"}
{"type":"result","id":"x","status":"ok"}
{"type":"result","id":"x","status":"ok","agent":"other"}
{"type":"call","id":"x","tool":"d"}
{"type":"result","id":"x","status":"denied"}
{"type":"result","status":"ok"}"#,
        &[
            OPEN,
            "1 main call#1 x a <>",
            "2 main call#2 x b <>",
            "3 other call#3 x c <>",
            "4 main result#1 x Ok ",
            "5 main result#2 x Ok ",
            "6 main result#? x Ok ",
            "7 other result#3 x Ok ",
            "8 main call#4 x d <>",
            "9 main result#4 x Denied ",
            "10 main result#? - Ok ",
        ],
    );
}

#[test]
fn an_agent_that_ended_takes_its_open_calls_along() {
    let summary = check(
        EVENTS,
        r#"{"type":"call","id":"x","tool":"a","agent":"h"}
{"type":"end","agent":"h"}
{"type":"result","id":"x","status":"ok","agent":"h"}"#,
        &[
            OPEN,
            "1 h call#1 x a <>",
            "2 h agent-end",
            "3 h result#? x Ok ",
        ],
    );
    assert_eq!((summary.unanswered_calls, summary.unpaired_results), (1, 1));
}

#[test]
fn arguments_are_raw_text_of_any_depth() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (written, raw) in [
        ("null", "null"),
        ("[ 1, 2 ]", "[ 1, 2 ]"),
        ("1e400", "1e400"),
        ("\"{}\"", "\"{}\""),
        ("\"\"", ""),
        ("{\"k\":\"\\u0061\"}", "{\"k\":\"\\u0061\"}"),
        (&deep, &deep),
    ] {
        let line = format!("{{\"type\":\"call\",\"tool\":\"t\",\"arguments\": {written} }}");
        check(
            EVENTS,
            &line,
            &[OPEN, &format!("1 main call#1 - t <{raw}>")],
        );
    }
}

#[test]
fn escapes_in_texts_are_undone_and_lone_surrogates_replaced() {
    let line = r#"{"type":"user","text":"a\n\u00e9\ud83d\ude00\ud800"}"#;
    check(EVENTS, line, &[OPEN, "1 main user - a\né😀\u{fffd}"]);
}

#[test]
fn null_is_absence() {
    let line =
        r#"{"type":"user","agent":null,"id":null,"at":null,"step":null,"batch":null,"text":null}"#;
    check(EVENTS, line, &[OPEN, "1 main user - "]);
    check(
        EVENTS,
        r#"{"type":"end","agent":null}"#,
        &[OPEN, "1 main session-end"],
    );
}

#[test]
fn a_malformed_line_is_an_error_with_its_line_and_key() {
    let after = |line: &str| format!("{{\"type\":\"reset\"}}\n\n{line}\n");
    for (line, message) in [
        ("42", "line 3: not a JSON object"),
        ("\"user\"", "line 3: not a JSON object"),
        (
            "{\"type\":\"user\"",
            "line 3: not JSON: at byte 14 there should be `,` or `}`",
        ),
        (
            "{\"type\":\"user\"} x",
            "line 3: not JSON: at byte 16 there should be the end of the line",
        ),
        ("{}", "line 3: every event needs the key `type`"),
        ("{\"type\":7}", "line 3: the key `type` must be a string"),
        ("{\"type\":\"call\"}", "line 3: a call needs the key `tool`"),
        (
            "{\"type\":\"call\",\"tool\":[]}",
            "line 3: the key `tool` must be a string",
        ),
        (
            "{\"type\":\"result\"}",
            "line 3: a result needs the key `status`",
        ),
        (
            "{\"type\":\"result\",\"status\":\"fine\"}",
            "line 3: the key `status` must be `ok`, `error`, `denied` or `cancelled`",
        ),
        (
            "{\"type\":\"user\",\"text\":1}",
            "line 3: the key `text` must be a string",
        ),
        (
            "{\"type\":\"user\",\"content\":\"x\"}",
            "line 3: the key `content` must be a list of strings",
        ),
        (
            "{\"type\":\"user\",\"content\":[1]}",
            "line 3: the key `content` must be a list of strings",
        ),
        (
            "{\"type\":\"user\",\"at\":1.5}",
            "line 3: the key `at` must be a whole number",
        ),
        (
            "{\"type\":\"user\",\"agent\":1}",
            "line 3: the key `agent` must be a string or null",
        ),
        (
            "{\"type\":\"call\",\"tool\":\"t\",\"step\":-1}",
            "line 3: the key `step` must be a whole number from 0 on",
        ),
        (
            "{\"type\":\"assistant\",\"part\":1}",
            "line 3: the key `part` must be true or false",
        ),
        (
            "{\"type\":\"session\"}",
            "line 3: a session needs the key `version`",
        ),
        (
            "{\"type\":\"session\",\"version\":2}",
            "line 3: version 2 of the event stream is not supported; version 1 is",
        ),
        (
            "{\"type\":\"session\",\"version\":1,\"outcome\":\"won\"}",
            "line 3: the key `outcome` must be `success`, `failure` or `unknown`",
        ),
    ] {
        fails(EVENTS, after(line), message);
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    fails(
        EVENTS,
        b"{\"type\":\"reset\"}\n{\"a\":\"\xff\"}",
        "line 2: not UTF-8 from byte 6 on",
    );
}

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    check(
        EVENTS,
        r#"{"type":"reset","at":1.0e3,"step":2.0}"#,
        &[&format!("{OPEN} at=1000"), "1 main reset step=2 at=1000"],
    );
}
