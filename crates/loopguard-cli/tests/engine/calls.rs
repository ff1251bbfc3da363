//! Calls and their results.

use super::{BREAKER, REMINDER, call, check, line, result, sessions};

#[test]
fn a_result_belongs_to_the_oldest_unanswered_call_of_its_id() {
    let stream = [
        call("main", "x", "1"),
        call("main", "x", "2"),
        result("main", "x", "ok"),
        result("main", "x", "error"),
        call("main", "x", "2"),
        call("main", "y", "1"),
    ];
    check(BREAKER, &stream, &["5:3 main deny circuit-open"]);
}

#[test]
fn an_id_may_come_again() {
    let stream = [
        call("main", "x", "1"),
        result("main", "x", "ok"),
        call("main", "x", "1"),
        result("main", "x", "ok"),
    ];
    check(REMINDER, &stream, &["4:2 main notice repeated-call"]);
}

#[test]
fn the_result_of_a_refused_call_is_told_to_nobody() {
    let stream = [
        call("main", "a", "1"),
        result("main", "a", "error"),
        call("main", "b", "1"),
        result("main", "b", "ok"),
        call("main", "c", "1"),
        result("main", "c", "error"),
        call("main", "d", "2"),
        result("main", "d", "ok"),
        call("main", "e", "1"),
    ];
    // The success of `b` would have closed the breaker; that of `d` does.
    let session = check(
        BREAKER,
        &stream,
        &["3:2 main deny circuit-open", "5:3 main deny circuit-open"],
    );
    assert_eq!(session.tally.denied_but_succeeded, 1);
    assert_eq!(session.tally.calls, 5);
    assert_eq!(session.tally.events, 10, "with the session that is made up");
}

#[test]
fn a_refused_call_counts_and_its_notice_comes_with_it() {
    let rows = r#"[
        {"name":"repeat-reminder","config":{"thresholds":[2]}},
        {"name":"circuit-breaker","config":{"maxFailures":1}}
    ]"#;
    let stream = [
        call("main", "a", "1"),
        result("main", "a", "error"),
        call("main", "b", "1"),
    ];
    let expected = [
        "3:2 main deny circuit-open",
        "3:2 main notice repeated-call",
    ];
    let session = check(rows, &stream, &expected);
    assert_eq!(session.decisions[1].call.as_deref(), Some("b"));
    assert_eq!(session.decisions[1].tool.as_deref(), Some("bash"));
}

#[test]
fn calls_that_run_side_by_side_are_answered_in_any_order() {
    let stream = [
        call("main", "a", "1"),
        call("main", "b", "1"),
        result("main", "b", "ok"),
        result("main", "a", "ok"),
    ];
    let session = check(REMINDER, &stream, &["4:1 main notice repeated-call"]);
    assert_eq!(session.decisions[0].call.as_deref(), Some("a"));
}

#[test]
fn the_notice_quotes_arguments_that_the_result_does_not_repeat() {
    let rows = r#"[{"name":"repeat-reminder","config":{"thresholds":[2,3]}}]"#;
    let stream: Vec<_> = (0..3)
        .flat_map(|_| [call("main", "a", r#"{"k":"v"}"#), result("main", "a", "ok")])
        .collect();
    let session = check(
        rows,
        &stream,
        &[
            "4:2 main notice repeated-call",
            "6:3 main notice repeated-call-detailed",
        ],
    );
    assert!(session.decisions[1].message.contains(r#"{"k":"v"}"#));
}

#[test]
fn a_failure_is_told_by_its_error_or_else_by_its_texts() {
    let fail = |key: &str| {
        let stream = [
            call("main", "a", "1"),
            format!(
                r#"{{"type":"result","id":"a","status":"error","content":["one","two"]{key}}}"#
            ),
            call("main", "b", "1"),
        ];
        check(BREAKER, &stream, &["3:2 main deny circuit-open"]).decisions[0]
            .message
            .clone()
    };
    assert!(fail("").contains("Last failure: one\ntwo."));
    assert!(fail(r#","error":"exit 2""#).contains("Last failure: exit 2."));
}

#[test]
fn denied_and_cancelled_results_are_neither_failure_nor_success() {
    let mut stream = Vec::new();
    for status in ["denied", "cancelled"] {
        stream.extend([call("main", "a", "1"), result("main", "a", status)]);
    }
    stream.extend([call("main", "a", "1"), result("main", "a", "error")]);
    stream.extend([call("main", "b", "2"), result("main", "b", "cancelled")]);
    stream.push(call("main", "c", "1"));
    check(BREAKER, &stream, &["9:5 main deny circuit-open"]);
}

#[test]
fn agents_do_not_affect_each_other_and_indices_count_over_all_of_them() {
    let mut stream = Vec::new();
    for _ in 0..2 {
        for agent in ["a", "b"] {
            stream.extend([call(agent, "x", "1"), result(agent, "x", "ok")]);
        }
    }
    let expected = ["6:3 a notice repeated-call", "8:4 b notice repeated-call"];
    check(REMINDER, &stream, &expected);
}

#[test]
fn where_the_scope_is_the_session_agents_share_their_counts() {
    let rows = r#"[
        {"name":"loopguard","config":{"scope":"session"}},
        {"name":"repeat-reminder","config":{"thresholds":[2]}}
    ]"#;
    let stream = [
        call("a", "x", "1"),
        call("b", "x", "1"),
        result("a", "x", "ok"),
        result("b", "x", "ok"),
    ];
    check(rows, &stream, &["4:2 b notice repeated-call"]);
}

#[test]
fn a_call_of_nobody_is_counted_and_ignored() {
    let nobody = r#"{"type":"call","agent":null,"id":"x","tool":"bash","arguments":1}"#;
    let over = r#"{"type":"result","agent":null,"id":"x","status":"error"}"#;
    let stream = [
        line(nobody),
        line(over),
        line(nobody),
        call("main", "y", "1"),
    ];
    let session = check(BREAKER, &stream, &[]);
    assert_eq!(session.tally.calls, 3);
}

#[test]
fn results_that_answer_no_call_are_ignored() {
    let stream = [
        result("main", "x", "error"),
        call("main", "x", "1"),
        result("main", "x", "ok"),
        result("main", "x", "error"),
        call("main", "x", "1"),
    ];
    check(BREAKER, &stream, &[]);
}

#[test]
fn what_other_guards_had_against_a_call_stands_on_its_denial() {
    let rows = r#"[
        {"id":"one","name":"circuit-breaker","config":{"maxFailures":1}},
        {"id":"two","name":"circuit-breaker","config":{"maxFailures":1}}
    ]"#;
    let stream = [
        call("main", "a", "1"),
        result("main", "a", "error"),
        call("main", "b", "1"),
    ];
    let session = check(rows, &stream, &["3:2 main deny circuit-open"]);
    let denial = &session.decisions[0];
    assert_eq!(denial.guard, "one");
    assert_eq!(denial.further.len(), 1);
    assert_eq!(denial.further[0].guard, "two");
}

#[test]
fn several_sessions_of_a_stream_are_replayed_each_by_itself() {
    let begin = |id| format!(r#"{{"type":"session","version":1,"id":"{id}"}}"#);
    let stream = [
        begin("one"),
        call("main", "x", "1"),
        result("main", "x", "error"),
        begin("two"),
        call("main", "x", "1"),
        result("main", "x", "error"),
        call("main", "x", "1"),
    ];
    let sessions = sessions(BREAKER, &stream);
    assert_eq!(super::words(&sessions[0]), [""; 0]);
    assert_eq!(super::words(&sessions[1]), ["7:2 main deny circuit-open"]);
    assert_eq!(sessions[1].id.as_deref(), Some("two"));
}
