//! Sequence loops.

use serde_json::{Value, json};

use crate::{check, last_notice};

/// Sequences of four that are told at the third time, and no counts of calls.
fn fours() -> Value {
    json!({"callWarnCount": 998, "callDenyCount": 999})
}

fn pairs(count: u64) -> Value {
    json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 2,
        "sequenceCount": count,
    })
}

#[test]
fn a_sequence_is_told_at_the_third_time_and_each_five_further_ones() {
    check(&fours(), "a b c d a b c d", "");
    check(
        &fours(),
        &"a b c d ".repeat(13),
        "12 sequence × 3 abcd, 32 sequence × 8 abcd, 52 sequence × 13 abcd",
    );
}

#[test]
fn occurrences_need_not_be_adjacent() {
    check(
        &fours(),
        "a b c d x a b c d y z a b c d",
        "15 sequence × 3 abcd",
    );
}

#[test]
fn the_rotations_of_one_cycle_are_one_sequence() {
    check(
        &fours(),
        "a b c d x b c d a y c d a b",
        "14 sequence × 3 cdab",
    );
    check(&pairs(3), "a b x b a y a b", "8 sequence × 3 ab");
}

#[test]
fn another_order_that_is_no_rotation_is_another_sequence() {
    check(&fours(), "a b c d x a c b d y a b d c z a b c d", "");
}

#[test]
fn occurrences_that_overlap_do_not_both_count() {
    check(&pairs(3), "a b a b a", "");
    check(&pairs(3), "a b a b a b", "6 sequence × 3 ab");
    // Two rounds and a bit more are two times, whatever rotations they hold.
    check(&fours(), "a b c d a b c d a b c", "");
}

#[test]
fn the_calls_of_a_sequence_are_all_distinct() {
    check(&fours(), &"a ".repeat(40), "");
    check(&fours(), &"a b ".repeat(20), "");
    check(&fours(), &"a b c ".repeat(20), "");
    check(&fours(), &"a a b c ".repeat(20), "");
    check(&pairs(2), &"a ".repeat(20), "");
}

#[test]
fn arguments_belong_to_it() {
    check(&fours(), "a1 b c d x a2 b c d y a3 b c d", "");
    check(
        &fours(),
        "a1 a2 a3 a4 a1 a2 a3 a4 a1 a2 a3 a4",
        "12 sequence × 3 aaaa",
    );
}

#[test]
fn refused_and_failed_calls_are_part_of_it() {
    check(
        &fours(),
        "a b- c d a b- c= d! a- b- c~ d-",
        "12 sequence × 3 abcd",
    );
}

#[test]
fn it_does_not_span_a_human_message() {
    check(&fours(), "a b c d a b c d a b <USER c d", "");
    check(&fours(), "a b c d a b c d <USER a b c d", "");
    check(
        &fours(),
        "a b <USER c d a b <USER c d a b <USER c d a b",
        "",
    );
    check(&fours(), "a b c d a b c d RESET a b c d", "");
    check(
        &fours(),
        "a b c d a b <mail c d COMPACT a b c d",
        "14 sequence × 3 abcd",
    );
}

#[test]
fn a_longer_loop_is_told_once_and_not_for_each_of_its_windows() {
    check(
        &fours(),
        &"a b c d e ".repeat(8),
        "14 sequence × 3 abcd, 39 sequence × 8 abcd",
    );
    check(
        &fours(),
        &"a b c d e f g h i ".repeat(6),
        "22 sequence × 3 abcd",
    );
}

#[test]
fn a_loop_is_over_with_the_first_call_that_differs() {
    // The window bcde comes for the third time in the loop, or behind it.
    check(
        &fours(),
        "a b c d e a b c d e a b c d e",
        "14 sequence × 3 abcd",
    );
    check(
        &fours(),
        "a b c d e a b c d e a b c d x b c d e",
        "14 sequence × 3 abcd, 19 sequence × 3 bcde",
    );
}

#[test]
fn a_loop_that_goes_on_is_not_ended_by_what_is_no_call() {
    check(
        &fours(),
        "a b c d e a b c d e a b c d <mail COMPACT pardon:a e a b c d e",
        "14 sequence × 3 abcd",
    );
}

#[test]
fn the_period_is_that_of_the_very_window() {
    // "c b" came four calls ago, as a rotation of the pair that counted five calls ago; the
    // loop of four goes on with "a", so the pair "b a" is part of it.
    check(&pairs(2), "b c b a d c b a", "7 sequence × 2 cb");
    let notice = last_notice(&pairs(2), "b c b a d c b a");
    assert_eq!(notice.facts.period, Some(4));
    // A rotation that has not come before is as far as the sequence's last coming.
    let notice = last_notice(&pairs(2), "a b x y b a");
    assert_eq!(
        (notice.summary.as_str(), notice.facts.period),
        ("sequence loop × 2", Some(4))
    );
}

#[test]
fn a_sequence_told_in_its_loop_is_told_again_in_time() {
    let config = json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 3,
        "sequenceCount": 2,
        "callReWarnEvery": 1,
    });
    check(
        &config,
        &"a b c ".repeat(4),
        "6 sequence × 2 abc, 9 sequence × 3 abc, 12 sequence × 4 abc",
    );
}

#[test]
fn what_was_due_while_another_loop_was_told_is_told_at_the_next_time() {
    // "b c" is due with its second time, inside the loop of "a b c"; told is its third.
    let mut config = pairs(2);
    config["callReWarnEvery"] = json!(1);
    check(
        &config,
        "a b c a b c x b c",
        "5 sequence × 2 ab, 9 sequence × 3 bc",
    );
}

#[test]
fn two_loops_one_after_the_other_are_told_each() {
    check(
        &fours(),
        &["a b c d ".repeat(3), "e f g h ".repeat(3)].concat(),
        "12 sequence × 3 abcd, 24 sequence × 3 efgh",
    );
}

#[test]
fn the_text_names_the_tools_in_order() {
    let notice = last_notice(&fours(), "a1 b2 c3 d4 x b2 c3 d4 a1 y c3 d4 a1 b2");
    assert_eq!(notice.code, "sequence-loop");
    assert!(
        notice.text.contains("c → d → a → b, has come 3 times"),
        "{}",
        notice.text
    );
    assert!(notice.text.contains("Leave the loop"), "{}", notice.text);
    assert_eq!(
        serde_json::to_value(&notice.facts).unwrap(),
        json!({
            "rule": "sequenceCount",
            "limit": 3,
            "count": 3,
            "tools": ["c", "d", "a", "b"],
            "period": 5,
            "firstCall": 1,
            "lastCall": 14,
        })
    );
}
