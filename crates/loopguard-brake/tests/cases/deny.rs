//! The mode that denies.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::check;

fn after_three() -> Value {
    json!({"mode": "deny", "callWarnCount": 2, "callDenyCount": 3})
}

#[test]
fn a_call_that_has_come_often_enough_is_denied_from_then_on() {
    check(
        &after_three(),
        "a a a a a",
        "2 a × 2, 4 call-denied, 5 call-denied",
    );
}

#[test]
fn a_denied_call_counts_and_is_told_on() {
    check(
        &after_three(),
        "a a a a a a a",
        "2 a × 2, 4 call-denied, 5 call-denied, 6 call-denied, 7 call-denied, 7 a × 7",
    );
}

#[test]
fn only_that_exact_identity_is_denied() {
    check(&after_three(), "a a a a2 b a", "2 a × 2, 6 call-denied");
}

#[test]
fn the_mode_that_reminds_never_denies() {
    let config = json!({"mode": "remind", "callWarnCount": 2, "callDenyCount": 3});
    check(&config, "a a a a a a", "2 a × 2");
}

#[test]
fn a_human_message_a_cleared_conversation_and_a_pardon_allow_it_again() {
    for allowed in ["<USER", "RESET", "pardon:a"] {
        let trace = format!("a a a a {allowed} a a");
        check(&after_three(), &trace, "2 a × 2, 4 call-denied, 7 a × 2");
    }
    check(
        &after_three(),
        "a a a pardon:b <mail a",
        "2 a × 2, 6 call-denied",
    );
}

#[test]
fn calls_that_others_refused_count_towards_a_denial() {
    check(&after_three(), "a- a= a~ a", "2 a × 2, 4 call-denied");
}

#[test]
fn an_inexact_call_is_never_denied() {
    check(&after_three(), "a a a a? a", "2 a × 2, 5 call-denied");
    check(&after_three(), "a? a? a? a? a?", "2 a × 2");
}

#[test]
fn inexact_calls_do_not_count_towards_the_denial_of_an_exact_one() {
    check(
        &after_three(),
        "a? a? a? a a a a",
        "2 a × 2, 7 call-denied, 7 a × 7",
    );
}

#[test]
fn sequences_and_texts_stay_advice() {
    let config = json!({
        "mode": "deny",
        "callWarnCount": 98,
        "callDenyCount": 99,
        "sequenceLength": 2,
        "sequenceCount": 2,
        "duplicateTextThreshold": 2,
    });
    check(
        &config,
        "a b a b a1:T b1:T a b",
        "4 sequence × 2 ab, 6 text × 2 a+b",
    );
}

#[test]
fn the_default_is_to_deny_nothing_and_the_tenth_time_is_the_last_in_the_other_mode() {
    check(&json!({}), &"a ".repeat(12), "6 a × 6, 11 a × 11");
    check(
        &json!({"mode": "deny"}),
        &"a ".repeat(12),
        "6 a × 6, 11 call-denied, 11 a × 11, 12 call-denied",
    );
}

#[test]
fn the_reason_states_what_was_seen_and_another_way() {
    let mut agent = Agent::new(&after_three());
    agent.play("b a7777 a7777 b a7777");
    let denial = agent.token("a7777").denial.unwrap();
    assert_eq!(
        (denial.guard.as_str(), denial.code.as_str()),
        ("dsh-brake", "call-denied")
    );
    assert!(
        denial
            .reason
            .starts_with("This exact a call has already come 3 times")
    );
    assert!(
        denial.reason.contains("change the arguments"),
        "{}",
        denial.reason
    );
    assert!(!denial.reason.contains("7777"), "{}", denial.reason);
    assert_eq!(
        serde_json::to_value(&denial.facts).unwrap(),
        json!({
            "rule": "callDenyCount",
            "limit": 3,
            "count": 3,
            "tool": "a",
            "firstCall": 2,
            "lastCall": 6,
        })
    );
}
