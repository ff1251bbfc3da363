//! Cycles of every period (`sequenceMaxLength`), and the denial of the next round.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::{check, last_notice};

/// Cycles of two to 32 calls that are told at the third round, and no counts of calls.
fn cycles() -> Value {
    json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 2,
        "sequenceMaxLength": 32,
    })
}

fn with(more: &Value) -> Value {
    let mut config = cycles();
    for (key, value) in more.as_object().expect("keys") {
        config[key] = value.clone();
    }
    config
}

/// Told at the second round, denied after the third.
fn denies() -> Value {
    with(&json!({"mode": "deny", "sequenceCount": 2, "sequenceDenyCount": 3}))
}

#[test]
fn a_cycle_of_every_period_is_told_once_at_its_third_round() {
    for period in 2..=32 {
        let round: String = (0..period).fold(String::new(), |mut round, call| {
            write!(round, "a{call} ").expect("a text");
            round
        });
        let names = "a".repeat(period);
        let expect = format!("{} sequence × 3 {names}", 3 * period);
        check(&cycles(), &round.repeat(7), &expect);
        let notice = last_notice(&cycles(), &round.repeat(7));
        assert_eq!(notice.facts.period, Some(period as u64));
    }
}

#[test]
fn beyond_the_longest_period_nothing_is_told() {
    let config = with(&json!({"sequenceMaxLength": 4}));
    check(&config, &"a b c d e ".repeat(9), "");
    check(&config, &"a b c d ".repeat(3), "12 sequence × 3 abcd");
    let config = with(&json!({"sequenceLength": 3}));
    check(&config, &"a b ".repeat(9), "");
}

#[test]
fn the_calls_of_a_round_need_not_be_distinct() {
    check(&cycles(), &"a a a b ".repeat(3), "12 sequence × 3 aaab");
    check(&cycles(), &"a a b b ".repeat(3), "12 sequence × 3 aabb");
    check(&cycles(), &"a b a c ".repeat(3), "12 sequence × 3 abac");
}

#[test]
fn one_call_again_and_again_is_no_cycle() {
    check(&cycles(), &"a ".repeat(200), "");
    check(&cycles(), &"| a a ".repeat(50), "");
}

#[test]
fn a_loop_has_its_shortest_period_and_no_multiple_of_it() {
    check(
        &cycles(),
        &"a b a b ".repeat(6),
        "6 sequence × 3 ab, 16 sequence × 8 ab",
    );
    // Periods of four and up are those of the pair told twice over: none of them is a loop.
    let config = with(&json!({"sequenceLength": 3}));
    check(&config, &"a b ".repeat(40), "");
}

#[test]
fn it_is_never_told_per_rotation_and_again_every_so_many_rounds() {
    check(
        &cycles(),
        &"a b c d ".repeat(14),
        "12 sequence × 3 abcd, 32 sequence × 8 abcd, 52 sequence × 13 abcd",
    );
    let config = with(&json!({"callReWarnEvery": 1, "sequenceCount": 2}));
    check(
        &config,
        "a b a b a b a b a",
        "4 sequence × 2 ab, 6 sequence × 3 ab, 8 sequence × 4 ab",
    );
}

#[test]
fn it_is_told_once_while_it_lasts_and_anew_after_it_was_left() {
    let config = with(&json!({"callReWarnEvery": 99}));
    let long = "a b c ".repeat(60);
    check(&config, &long, "9 sequence × 3 abc");
    check(
        &config,
        &format!("{long}x {}", "a b c ".repeat(3)),
        "9 sequence × 3 abc, 190 sequence × 3 abc",
    );
    check(
        &config,
        &["a b ".repeat(5), "c d ".repeat(3)].concat(),
        "6 sequence × 3 ab, 16 sequence × 3 cd",
    );
}

#[test]
fn rounds_have_to_be_adjacent() {
    check(&cycles(), "a b c d x a b c d y z a b c d w a b c d", "");
    check(&cycles(), "a b a b x a b a b", "");
    check(&cycles(), "a b a b a", "");
}

#[test]
fn it_may_begin_anywhere() {
    check(&cycles(), "x y z a b a b a b", "9 sequence × 3 ab");
    check(&cycles(), "b a b a b a", "6 sequence × 3 ba");
}

#[test]
fn refused_and_failed_calls_are_part_of_it() {
    check(&cycles(), "a b- a= b! a- b~", "6 sequence × 3 ab");
}

#[test]
fn it_does_not_span_a_human_message() {
    check(&cycles(), "a b a b <USER a b", "");
    check(&cycles(), "a b a b RESET a b a b", "");
    check(&cycles(), "a b a b <mail COMPACT a b", "8 sequence × 3 ab");
    check(&cycles(), "a b a b pardon:a a b", "");
}

#[test]
fn a_changed_result_breaks_it() {
    let config = with(&json!({"resultAware": true}));
    check(&config, "a:x b:y a:x b:y a:x b:y", "6 sequence × 3 ab");
    check(&config, "a:x b:y a:x b:y a:x b:z", "");
    check(&config, "a:1 b:y a:2 b:y a:3 b:y a:4 b:y", "");
    // From the change on it is a loop of its own.
    check(
        &config,
        "a:x b:y a:x b:z a:x b:z a:x b:z",
        "8 sequence × 3 ab",
    );
}

#[test]
fn what_stands_aside_is_no_part_of_it() {
    let config = with(&json!({"resultAware": true}));
    check(
        &config,
        "a:x b:y a:x b:y c:ok a:x d b:y",
        "8 sequence × 3 ab",
    );
    check(&config, "a:x b:y a:x b:y c:z a:x b:y", "");
}

#[test]
fn a_denied_call_repeats_its_last_result_in_it() {
    let config = with(&json!({"resultAware": true}));
    check(&config, "a:x b:y a:x b:y a- b=", "6 sequence × 3 ab");
    check(&config, "a:x b:y a~ a:x b:y a:x b:y", "7 sequence × 3 ab");
}

#[test]
fn the_steps_of_a_cycle_are_sets_whatever_their_order() {
    let config = with(&json!({"stepAware": true}));
    check(
        &config,
        "| a b | c | b a | c | a b | c",
        "15 sequence × 3 ac",
    );
    check(
        &config,
        "| a b | c d | b a a | d c | a b | c d",
        "19 sequence × 3 ac",
    );
    // A step with another call is another.
    check(&config, "| a b | c | b x | c | a b | c", "");
    // It ends the loop once it is over, and the loop may be told anew.
    let round = "| a | b ".repeat(3);
    let expect = "12 sequence × 3 ab, 27 sequence × 3 ab";
    check(&config, &format!("{round} | a c {round}"), expect);
    // The same step again and again is one call again and again.
    check(&config, &"| a b ".repeat(20), "");
}

#[test]
fn without_steps_the_order_is_part_of_it() {
    check(&cycles(), "| a b | c | b a | c | a b | c", "");
    let config = with(&json!({"stepAware": true}));
    check(&config, "a b a b a b", "6 sequence × 3 ab");
}

#[test]
fn the_call_that_would_begin_the_cycle_again_is_denied() {
    check(
        &denies(),
        "a b a b a b a",
        "4 sequence × 2 ab, 7 sequence-denied",
    );
    // The other call of the round does not begin it, nor does a new one.
    check(&denies(), "a b a b a b b", "4 sequence × 2 ab");
    check(&denies(), "a b a b a b c a b", "4 sequence × 2 ab");
    check(&denies(), &"a b c d e ".repeat(3), "10 sequence × 2 abcde");
    check(
        &denies(),
        &format!("{}a", "a b c d e ".repeat(3)),
        "10 sequence × 2 abcde, 16 sequence-denied",
    );
}

#[test]
fn a_cycle_is_denied_in_the_mode_that_denies_only() {
    let mut config = denies();
    config["mode"] = json!("remind");
    config["callReWarnEvery"] = json!(99);
    check(&config, &"a b ".repeat(20), "4 sequence × 2 ab");
}

#[test]
fn a_denied_call_is_part_of_the_loop_that_goes_on() {
    check(
        &denies(),
        "a b a b a b a a b",
        "4 sequence × 2 ab, 7 sequence-denied",
    );
    check(
        &denies(),
        "a b a b a b a b",
        "4 sequence × 2 ab, 7 sequence-denied, 8 sequence-denied",
    );
}

#[test]
fn a_message_of_a_person_and_a_pardon_let_it_go_on() {
    check(&denies(), "a b a b a b <USER a", "4 sequence × 2 ab");
    check(&denies(), "a b a b a b pardon:a a", "4 sequence × 2 ab");
}

#[test]
fn an_inexact_call_is_never_denied_and_denies_none() {
    check(&denies(), "a b a b a b a?", "4 sequence × 2 ab");
    check(&denies(), "a? b a? b a? b a", "4 sequence × 2 ab");
}

#[test]
fn an_acknowledged_edit_in_between_lets_it_go_on() {
    let mut config = denies();
    config["resultAware"] = json!(true);
    let rounds = "a:x b:y a:x b:y a:x b:y";
    check(
        &config,
        &format!("{rounds} a:x"),
        "4 sequence × 2 ab, 7 sequence-denied",
    );
    for done in ["e:ok", "e", "e:z"] {
        check(
            &config,
            &format!("{rounds} {done} a:x"),
            "4 sequence × 2 ab",
        );
    }
    check(
        &config,
        &format!("{rounds} e:no! a:x"),
        "4 sequence × 2 ab, 8 sequence-denied",
    );
    check(&config, "a:x b:1 a:x b:2 a:x b:3 a:x b:4 a:x", "");
}

#[test]
fn a_denial_rests_on_all_but_one_round_since_something_was_done() {
    let mut config = denies();
    config["resultAware"] = json!(true);
    config["callReWarnEvery"] = json!(99);
    let rounds = "a:x b:y a:x b:y a:x b:y";
    check(
        &config,
        &format!("{rounds} e:ok a:x b:y a:x b:y a:x"),
        "4 sequence × 2 ab, 12 sequence-denied",
    );
    // What the step before the loop has done is no part of it.
    check(
        &config,
        "a:x b:y a:x b:z a:x b:z a:x b:z a:x",
        "6 sequence × 2 ab, 9 sequence-denied",
    );
}

#[test]
fn a_step_of_several_calls_is_not_denied() {
    let mut config = denies();
    config["stepAware"] = json!(true);
    config["callReWarnEvery"] = json!(99);
    check(
        &config,
        &"| a b | c ".repeat(5),
        "10 sequence × 2 ac, 20 sequence-denied, 25 sequence-denied",
    );
}

#[test]
fn a_denial_says_which_cycle_and_rests_on_these_facts() {
    let mut agent = Agent::new(&denies());
    agent.play("x a1 b2 a1 b2 a1 b2");
    let denial = agent.token("a1").denial.expect("it is denied");
    assert_eq!(denial.code, "sequence-denied");
    assert!(
        denial.reason.starts_with(
            "The sequence of calls a → b has already come 3 times with identical arguments, and \
             this a call would begin it again, so it was not run."
        ),
        "{}",
        denial.reason
    );
    assert_eq!(
        serde_json::to_value(&denial.facts).unwrap(),
        json!({
            "rule": "sequenceDenyCount",
            "limit": 3,
            "count": 3,
            "tool": "a",
            "tools": ["a", "b"],
            "period": 2,
            "firstCall": 2,
            "lastCall": 8,
        })
    );
}
