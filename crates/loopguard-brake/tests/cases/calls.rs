//! Repeated calls.

use serde_json::{Value, json};

use crate::{check, last_notice};

fn every_second() -> Value {
    json!({"callWarnCount": 2, "callReWarnEvery": 2})
}

#[test]
fn a_call_is_told_at_the_sixth_time_and_each_five_further_ones() {
    check(
        &json!({}),
        &"a ".repeat(20),
        "6 a × 6, 11 a × 11, 16 a × 16",
    );
}

#[test]
fn the_count_is_cumulative_and_not_only_consecutive() {
    check(&json!({}), "a b a c a a b a a", "9 a × 6");
    check(
        &every_second(),
        "a b a b c a b a",
        "3 a × 2, 4 b × 2, 8 a × 4",
    );
}

#[test]
fn each_identity_has_a_count_of_its_own() {
    check(&every_second(), "a1 a2 a3 b1 a1", "5 a × 2");
}

#[test]
fn a_call_counts_whatever_its_outcome() {
    check(&json!({}), "a- a= a~ a! a a-", "6 a × 6");
}

#[test]
fn a_call_that_another_guard_hammers_away_is_told_again_and_again() {
    check(&every_second(), "a- a- a- a- a-", "2 a × 2, 4 a × 4");
}

#[test]
fn an_inexact_call_is_advised_about_like_any_other() {
    check(&every_second(), "a? a a? a?", "2 a × 2, 4 a × 4");
}

#[test]
fn a_human_message_resets_the_counts() {
    check(&every_second(), "a <USER a a", "4 a × 2");
    check(&every_second(), "a <mail,USER a a", "4 a × 2");
}

#[test]
fn injected_context_and_compaction_reset_nothing() {
    check(&every_second(), "a <mail a", "3 a × 2");
    check(&every_second(), "a <ASSISTANT <system COMPACT a", "5 a × 2");
}

#[test]
fn a_cleared_conversation_is_as_a_human_message() {
    check(&every_second(), "a RESET a a", "4 a × 2");
}

#[test]
fn a_pardon_forgets_the_count_of_that_call_and_no_other() {
    check(&every_second(), "a b pardon:a a b a", "5 b × 2, 6 a × 2");
}

#[test]
fn it_may_be_told_each_single_time() {
    let config = json!({"callWarnCount": 2, "callReWarnEvery": 1});
    check(&config, "a a a a", "2 a × 2, 3 a × 3, 4 a × 4");
}

#[test]
fn the_text_states_what_was_seen_and_another_way_without_the_payload() {
    let notice = last_notice(&every_second(), "b a77777 b a77777");
    assert_eq!(notice.code, "call-count");
    assert_eq!(notice.summary, "a × 2");
    assert!(
        notice.text.starts_with("a has been called 2 times"),
        "{}",
        notice.text
    );
    assert!(
        notice.text.contains("change the arguments"),
        "{}",
        notice.text
    );
    assert!(!notice.text.contains("77777"), "{}", notice.text);
    assert!(notice.text.len() < 200, "{}", notice.text);
}

#[test]
fn it_rests_on_these_facts_and_comes_from_the_row() {
    let notice = last_notice(&json!({"callWarnCount": 3}), "a b a b a");
    assert_eq!(
        serde_json::to_value(&notice.facts).unwrap(),
        json!({
            "rule": "callWarnCount",
            "limit": 3,
            "count": 3,
            "tool": "a",
            "firstCall": 1,
            "lastCall": 5,
        })
    );
    assert_eq!(
        notice.source(),
        json!({"kind": "plugin", "plugin": "dsh-brake", "form": "notice", "summary": "a × 3"})
    );
}
