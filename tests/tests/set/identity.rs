//! Volatile parts of arguments and results (`identity`), and the pardon of one identity.

use loopguard::{Arguments, Ending, Submission};
use serde_json::{Value, json};

use crate::Host;

/// A reminder at the second call, under this policy.
fn host(rule: &Value, result_aware: bool) -> Host {
    Host::new(&json!([
        {"name": "loopguard", "config": {"identity": [rule]}},
        {"name": "repeat-reminder", "config": {"thresholds": [2], "resultAware": result_aware}},
    ]))
}

/// Whether two calls with these arguments are one under a rule for all tools.
fn same(parts: &Value, one: &str, other: &str) -> bool {
    let host = host(&json!({"tools": ["*"], "arguments": parts}), false);
    let call = |text| host.call("agent", Submission::new("t", text), Ending::success(&[]));
    call(one);
    let by_text = call(other) == ["repeated-call"];
    // Parsed or not, it is the same.
    let host = self::host(&json!({"tools": ["*"], "arguments": parts}), false);
    let call = |text| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let call = Submission::new("t", Arguments::Value(&value));
        host.call("agent", call, Ending::success(&[]))
    };
    call(one);
    assert_eq!(call(other) == ["repeated-call"], by_text, "{one} {other}");
    by_text
}

/// Whether two results are one under a rule for all tools.
fn same_result(parts: &Value, one: &[&str], other: &[&str]) -> bool {
    let host = host(&json!({"tools": ["*"], "result": parts}), true);
    let call = |texts| host.call("agent", Submission::new("t", "{}"), Ending::success(texts));
    call(one);
    call(other) == ["repeated-call"]
}

#[test]
fn a_place_alone_leaves_out_whatever_is_there_and_still_differs_from_nothing() {
    let parts = json!([{"at": "/id"}]);
    assert!(same(
        &parts,
        r#"{"id":1,"q":2}"#,
        r#"{"q":2,"id":{"x":[]}}"#
    ));
    assert!(!same(&parts, r#"{"id":1,"q":2}"#, r#"{"q":2}"#));
    assert!(!same(&parts, r#"{"id":1,"q":2}"#, r#"{"id":1,"q":3}"#));
    assert!(!same(&parts, r#"{"x":{"id":1}}"#, r#"{"x":{"id":2}}"#));
}

#[test]
fn a_star_is_any_key_or_index() {
    let parts = json!([{"at": "/*/id"}]);
    assert!(same(
        &parts,
        r#"[{"id":1},{"id":2}]"#,
        r#"[{"id":3},{"id":4}]"#
    ));
    assert!(same(&parts, r#"{"a":{"id":1}}"#, r#"{"a":{"id":2}}"#));
    assert!(!same(&parts, r#"{"id":1}"#, r#"{"id":2}"#));
}

#[test]
fn a_pattern_alone_is_for_every_string_and_not_for_keys_and_numbers() {
    let parts = json!([{"match": "[0-9]+"}]);
    assert!(same(
        &parts,
        r#"{"a":"at 12","b":["7"]}"#,
        r#"{"a":"at 345","b":["8"]}"#
    ));
    assert!(!same(&parts, r#"{"1":0}"#, r#"{"2":0}"#));
    assert!(!same(&parts, r#"{"a":1}"#, r#"{"a":2}"#));
}

#[test]
fn both_are_for_the_string_at_that_place() {
    let parts = json!([{"at": "/url", "match": "token=[a-z]+"}]);
    assert!(same(
        &parts,
        r#"{"url":"/x?token=abc"}"#,
        r#"{"url":"/x?token=de"}"#
    ));
    assert!(!same(
        &parts,
        r#"{"url":"/x?token=abc"}"#,
        r#"{"url":"/y?token=abc"}"#
    ));
    assert!(!same(&parts, r#"{"q":"token=abc"}"#, r#"{"q":"token=de"}"#));
    assert!(!same(&parts, r#"{"url":1}"#, r#"{"url":2}"#));
}

#[test]
fn every_matching_part_applies_in_order() {
    // The second sees what the first has left.
    let first_then_second = json!([
        {"match": "a", "as": "b"},
        {"match": "b+", "as": "c"},
    ]);
    assert!(same(&first_then_second, r#""a""#, r#""c""#));
    let second_then_first = json!([
        {"match": "b+", "as": "c"},
        {"match": "a", "as": "b"},
    ]);
    assert!(!same(&second_then_first, r#""a""#, r#""c""#));
    assert!(same(&second_then_first, r#""a""#, r#""a""#));
}

#[test]
fn every_matching_rule_applies_and_a_rule_is_for_its_tools_alone() {
    let rows = json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["get*"], "arguments": [{"at": "/id"}]},
            {"tools": ["get_page", "list"], "arguments": [{"at": "/time"}]},
        ]}},
        {"name": "repeat-reminder", "config": {"thresholds": [2]}},
    ]);
    let twice = |tool, one, other| {
        let host = Host::new(&rows);
        host.call("agent", Submission::new(tool, one), Ending::success(&[]));
        let said = host.call("agent", Submission::new(tool, other), Ending::success(&[]));
        said == ["repeated-call"]
    };
    let (one, other) = (r#"{"id":1,"time":1}"#, r#"{"id":2,"time":2}"#);
    assert!(twice("get_page", one, other));
    assert!(!twice("get", one, other));
    assert!(twice("get", r#"{"id":1}"#, r#"{"id":2}"#));
    assert!(!twice("list", one, other));
    assert!(!twice("other", r#"{"id":1}"#, r#"{"id":2}"#));
    assert!(twice("other", one, one));
}

#[test]
fn in_a_result_a_place_needs_json() {
    let parts = json!([{"at": "/id"}]);
    assert!(same_result(
        &parts,
        &[r#"{"id":1,"q":2}"#],
        &[r#"{"id":7,"q":2}"#]
    ));
    assert!(!same_result(
        &parts,
        &[r#"{"id":1,"q":2}"#],
        &[r#"{"id":7,"q":3}"#]
    ));
    assert!(!same_result(&parts, &["id: 1"], &["id: 2"]));
    assert!(same_result(&parts, &["id: 1"], &["id: 1"]));
}

#[test]
fn in_a_result_a_pattern_is_for_the_text() {
    let parts = json!([{"match": "[0-9]{2}:[0-9]{2}"}]);
    assert!(same_result(&parts, &["done at 12:34"], &["done at 23:45"]));
    assert!(!same_result(&parts, &["done at 12:34"], &["gone at 12:34"]));
    assert!(same_result(&parts, &["a", "12:34"], &["a", "01:02"]));
    assert!(!same_result(&parts, &["a", "12:34"], &["12:34", "a"]));
    assert!(!same_result(
        &json!([{"match": "x"}]),
        &["12:34"],
        &["12:35"]
    ));
}

#[test]
fn the_result_of_a_failure_is_compared_without_them_too() {
    let host = Host::new(&json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["t"], "result": [{"match": "[0-9]+"}]},
        ]}},
        {"name": "circuit-breaker", "config": {"resultAware": true}},
    ]));
    for text in ["failed after 12 ms", "failed after 345 ms"] {
        let texts = [text];
        let ending = Ending::failure("exit 1", &texts);
        assert_eq!(
            host.call("agent", Submission::new("t", "{}"), ending),
            [""; 0]
        );
    }
    let said = host.call("agent", Submission::new("t", "{}"), Ending::cancelled());
    assert_eq!(said, ["!circuit-open"]);
}

#[test]
fn all_guards_see_the_same_identity() {
    let host = Host::new(&json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["*"], "arguments": [{"at": "/id"}]},
        ]}},
        {"name": "repeat-reminder", "config": {"thresholds": [2]}},
        {"name": "brake", "config": {"callWarnCount": 2}},
        {"name": "circuit-breaker", "config": {"maxFailures": 2}},
    ]));
    let fail = |arguments| {
        host.call(
            "agent",
            Submission::new("t", arguments),
            Ending::failure("no", &[]),
        )
    };
    assert_eq!(fail(r#"{"id":1}"#), [""; 0]);
    assert_eq!(fail(r#"{"id":2}"#), ["repeated-call", "call-count"]);
    assert_eq!(fail(r#"{"id":3}"#), ["!circuit-open"]);
}

#[test]
fn previews_show_the_arguments_as_they_came() {
    let host = Host::new(&json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["*"], "arguments": [{"at": "/id", "as": "same"}]},
        ]}},
        {"name": "repeat-reminder", "config": {
            "thresholds": [2],
            "messages": {"repeated-call": "{arguments}"},
        }},
    ]));
    let mut said = crate::Heard::Notices(Vec::new());
    for arguments in [r#"{"id":1}"#, r#"{"id":2}"#] {
        let ending = Ending::success(&[]).arguments(arguments);
        said = host.hear("agent", Submission::new("t", arguments), ending);
    }
    let crate::Heard::Notices(notices) = said else {
        panic!("nobody refuses");
    };
    assert_eq!(notices[0].text, r#"{"id":2}"#);
}

#[test]
fn the_pardon_of_a_call_holds_for_its_identity_and_no_other() {
    let rows = json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["*"], "arguments": [{"at": "/id"}]},
        ]}},
        {"name": "repeat-reminder", "config": {"thresholds": [2], "denyAt": 3}},
        {"name": "brake", "config": {"mode": "deny", "callWarnCount": 2, "callDenyCount": 3}},
        {"name": "circuit-breaker", "config": {"maxFailures": 3, "chains": 4}},
    ]);
    for (pardoned, is_refused) in [
        (r#"{"id":9,"q":1}"#, false),
        (r#"{"id":1,"q":2}"#, true),
        (r#"{"q":1}"#, true),
    ] {
        let host = Host::new(&rows);
        let fail = || {
            let call = Submission::new("t", r#"{"id":1,"q":1}"#);
            host.call("agent", call, Ending::failure("no", &[]))
        };
        (0..3).for_each(|_| drop(fail()));
        assert_eq!(fail(), ["!repeated-call-denied"]);
        host.sessions.pardon("agent", "t", pardoned);
        assert_eq!(
            fail() == ["!repeated-call-denied"],
            is_refused,
            "{pardoned}"
        );
    }
}
