//! What results mean (`resultAware`): what is progress, and what a denial rests on.

use serde_json::{Value, json};

use crate::check;

/// A call is told at the third time, and nothing else is.
fn thirds() -> Value {
    json!({
        "resultAware": true,
        "callWarnCount": 3,
        "callDenyCount": 99,
        "sequenceLength": 99,
        "duplicateTextThreshold": 99,
    })
}

/// A call is denied after three times.
fn denies() -> Value {
    json!({
        "resultAware": true,
        "mode": "deny",
        "callWarnCount": 2,
        "callDenyCount": 3,
        "callReWarnEvery": 99,
        "sequenceLength": 99,
    })
}

#[test]
fn a_changed_result_starts_at_one() {
    check(&thirds(), "a:x a:x a:x", "3 a × 3");
    check(&thirds(), "a:x a:x a:y a:y a:y", "5 a × 3");
    check(&thirds(), "a:x a:y a:x a:y a:x a:y", "");
    check(&thirds(), "a:x! a:x! a:y! a:x! a:x! a:x!", "6 a × 3");
}

#[test]
fn it_also_clears_what_its_neighbours_had_gathered() {
    check(&thirds(), "a:x b:1 a:x b:2 a:x b:3 a:x b:4 a:x", "");
    check(&thirds(), "a:x b:1 a:x b:1 a:x b:1 a:x", "6 b × 3, 7 a × 3");
    check(&thirds(), "b:1 a:x a:x b:2 a:x a:x a:x", "7 a × 3");
}

#[test]
fn a_new_call_that_says_something_is_progress_for_the_others() {
    check(&thirds(), "a:x a:x b:y a:x a:x", "");
    check(&thirds(), "a:x a:x b:y a:x a:x a:x", "6 a × 3");
}

#[test]
fn a_new_call_that_says_nothing_acknowledges_or_fails_is_none() {
    for aside in ["b", "b:ok", "b!", "b:x!", "b-", "b=", "b~"] {
        check(&thirds(), &format!("a:x a:x {aside} a:x"), "4 a × 3");
    }
}

#[test]
fn a_failure_that_changes_is_progress() {
    check(&thirds(), "b:1! a:x a:x b:2! a:x", "");
    check(&thirds(), "b:1! a:x a:x b:1! a:x", "5 a × 3");
}

#[test]
fn a_text_that_is_known_from_another_call_is_no_progress() {
    check(&thirds(), "a:T a:T b:T a:T", "4 a × 3");
    check(&thirds(), "a:T a:T b:U a:T", "");
    // For the call itself it is: it showed something else before.
    check(&thirds(), "b:U a:T a:T b:T a:T", "");
    // What is too short to be looked at is not known.
    check(&thirds(), "a:x a:x b:x a:x", "");
}

#[test]
fn a_denied_call_repeats_the_last_result() {
    check(&thirds(), "a:x a- a=", "3 a × 3");
    check(&thirds(), "a:x a:y a- a-", "4 a × 3");
    check(&thirds(), "a- a- a-", "3 a × 3");
}

#[test]
fn a_cancelled_call_neither_counts_nor_resets() {
    check(&thirds(), "a:x a~ a:x a~ a:x", "5 a × 3");
    check(&thirds(), "a~ a~ a~ a~", "");
}

#[test]
fn without_it_results_mean_nothing() {
    let mut config = thirds();
    config["resultAware"] = json!(false);
    check(&config, "a:x b:y a:y c:z a:z", "5 a × 3");
    check(&config, "a:x a~ a~", "3 a × 3");
}

#[test]
fn a_call_that_brings_the_same_each_time_is_denied() {
    check(&denies(), "a:x a:x a:x a:x", "2 a × 2, 4 call-denied");
    check(
        &denies(),
        "a:x a:x a:x a:x a:x",
        "2 a × 2, 4 call-denied, 5 call-denied",
    );
    check(&denies(), "a:x a:x a:x a2:x a:x", "2 a × 2");
}

#[test]
fn an_acknowledged_edit_in_between_lets_the_call_through() {
    for done in ["e:ok", "e", "e:y"] {
        let trace = format!("a:x a:x a:x {done} a:x");
        let expect = "2 a × 2";
        check(&denies(), &trace, expect);
    }
    // It is denied again only after as many times as before.
    check(
        &denies(),
        "a:x a:x a:x e:ok a:x a:x a:x a:x",
        "2 a × 2, 8 call-denied",
    );
    // An edit that failed or was refused has changed nothing.
    for undone in ["e:no!", "e-", "e=", "e~"] {
        let trace = format!("a:x a:x a:x {undone} a:x");
        check(&denies(), &trace, "2 a × 2, 5 call-denied");
    }
}

#[test]
fn the_same_edit_again_has_done_nothing_new() {
    check(
        &denies(),
        "e:ok a:x a:x a:x e:ok a:x",
        "3 a × 2, 6 call-denied",
    );
}

#[test]
fn a_neighbour_that_changes_clears() {
    check(&denies(), "a:x b:1 a:x b:2 a:x b:3 a:x b:4 a:x b:5", "");
    check(&denies(), "b:1 a:x a:x a:x b:2 a:x", "3 a × 2");
}

#[test]
fn a_human_message_and_a_pardon_let_it_through() {
    check(&denies(), "a:x a:x a:x <USER a:x", "2 a × 2");
    check(&denies(), "a:x a:x a:x pardon:a a:x", "2 a × 2");
    check(
        &denies(),
        "a:x a:x a:x pardon:b a:x",
        "2 a × 2, 5 call-denied",
    );
}

#[test]
fn an_inexact_call_is_never_denied() {
    check(&denies(), "a:x a:x a:x a?:x", "2 a × 2");
    check(&denies(), "a?:x a?:x a?:x a:x", "2 a × 2");
}
