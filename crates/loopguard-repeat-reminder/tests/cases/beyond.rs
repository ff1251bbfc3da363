//! What goes beyond the original, key by key.

use loopguard_repeat_reminder::config_rows::{Language, Section};
use loopguard_repeat_reminder::{KEYS, NAME, ReminderConfig};
use serde_json::{Value, json};

use crate::trace::{Agent, check_with, notice};

fn result_aware() -> Value {
    json!({"resultAware": true})
}

fn step_aware() -> Value {
    json!({"stepAware": true})
}

/// A denial after three calls in a row; told is the second.
fn denies() -> Value {
    json!({"thresholds": [2], "denyAt": 3})
}

#[test]
fn a_changed_result_starts_at_one() {
    check_with(&result_aware(), "a:x a:x a:y a:y a:y", "5 a × 3");
    check_with(&result_aware(), "a:x a:y a:x a:y a:x a:y", "");
    check_with(
        &result_aware(),
        "a:x a:x a!x a!x a!x",
        "3 a × 3, 5 a × 5 detailed",
    );
    check_with(&json!({}), "a:x a:y a:z", "3 a × 3");
}

#[test]
fn a_result_is_changed_block_by_block() {
    check_with(&result_aware(), "a:x+y a:x+y a:y+x a:x+y", "");
    check_with(&result_aware(), "a:x+y a:x+y a:x+y", "3 a × 3");
}

#[test]
fn a_denied_call_repeats_the_last_result() {
    check_with(&result_aware(), "a:x a:x a-", "3 a × 3");
    check_with(&result_aware(), "a:x a= a:x", "3 a × 3");
    check_with(&result_aware(), "a:x a- a:y", "");
    check_with(&result_aware(), "a- a- a-", "3 a × 3");
}

#[test]
fn a_cancelled_call_or_one_without_an_end_neither_counts_nor_resets() {
    check_with(&result_aware(), "a:x a:x a~ a:x", "4 a × 3");
    check_with(&result_aware(), "a:x a:x b~ a:x", "4 a × 3");
    check_with(&result_aware(), "a:x a:x b( a( a:x", "5 a × 3");
}

#[test]
fn a_new_call_that_brings_nothing_does_not_break_the_run() {
    for aside in ["b", "b:ok", "b!", "b!x", "b-", "b="] {
        check_with(&result_aware(), &format!("a:x a:x {aside} a:x"), "4 a × 3");
    }
    check_with(&result_aware(), "a:x b:ok a:x c a:x d!x", "5 a × 3");
}

#[test]
fn a_new_call_that_says_something_breaks_the_run() {
    check_with(&result_aware(), "a:x a:x b:y a:x a:x", "");
    check_with(&result_aware(), "a:x a:x b:y a:x a:x a:x", "6 a × 3");
}

#[test]
fn what_stands_aside_has_a_run_of_its_own() {
    check_with(&result_aware(), "a:x b:ok b:ok b:ok", "4 b × 3");
    check_with(&result_aware(), "a:x b! b! a:x b! a:x", "6 a × 3");
    check_with(&result_aware(), "a:x b:ok c:ok b:ok b:ok", "");
    // The run itself goes on meanwhile.
    check_with(
        &result_aware(),
        "a:x b:ok b:ok b:ok a:x a:x",
        "4 b × 3, 6 a × 3",
    );
}

#[test]
fn an_empty_result_is_told_from_the_second_threshold_on() {
    check_with(&result_aware(), "a a a a a", "5 a × 5 detailed");
    check_with(&result_aware(), "a:x b b b b b", "6 b × 5 detailed");
    check_with(&result_aware(), "a:ok a:ok a:ok", "3 a × 3");
    check_with(&result_aware(), "a! a! a!", "3 a × 3");
    // Where there is only one threshold, it is the one.
    let only = json!({"resultAware": true, "thresholds": [2]});
    check_with(&only, "a a", "2 a × 2");
}

#[test]
fn identical_calls_of_a_step_count_once() {
    check_with(&step_aware(), "| a a a a a", "");
    check_with(&step_aware(), "| a a | a | a a a", "7 a × 3");
    check_with(&json!({}), "| a a a", "4 a × 3");
}

#[test]
fn the_calls_of_a_step_are_a_set_whatever_their_order() {
    check_with(&step_aware(), "| a b | b a | a b", "9 b × 3");
    check_with(&step_aware(), "| a b a | b a a | b b a", "12 a × 3");
    check_with(&json!({}), "| a b | b a | a b", "");
}

#[test]
fn the_calls_of_a_step_count_in_the_order_in_which_they_end() {
    check_with(&step_aware(), "| a( b( ) ) | b( a( ) ) | a b", "13 b × 3");
}

#[test]
fn a_step_with_one_more_call_or_one_less_is_another() {
    check_with(&step_aware(), "| a b | a b c | a b | a b", "");
    check_with(&step_aware(), "| a b | a b c | a b | a b | a b", "16 b × 3");
    check_with(&step_aware(), "| a b | a | a b | a | a b", "");
}

#[test]
fn a_call_without_a_step_is_a_step_of_its_own() {
    check_with(&step_aware(), "a a a", "3 a × 3");
    check_with(&step_aware(), "| a a / a a", "6 a × 3");
}

#[test]
fn steps_and_results_go_together() {
    let both = json!({"resultAware": true, "stepAware": true});
    check_with(&both, "| a:x b:y | b:y a:x | a:x b:y", "9 b × 3");
    check_with(&both, "| a:x b:y | b:y a:z | a:x b:y", "");
}

#[test]
fn a_pause_longer_than_the_gap_starts_anew() {
    let gap = json!({"quietGapMs": 1000});
    check_with(&gap, "clock a a +1000 a", "5 a × 3");
    check_with(&gap, "clock a a +1001 a", "");
    check_with(&gap, "clock a a +1001 a +1000 a a", "8 a × 3");
    // Each gap by itself, not their sum.
    check_with(&gap, "clock a +900 a +900 a", "6 a × 3");
}

#[test]
fn a_slow_tool_is_no_pause() {
    let gap = json!({"quietGapMs": 1000});
    check_with(&gap, "clock a a( +60000 ) +1000 a", "7 a × 3");
    check_with(&gap, "clock a a( +60000 ) +1001 a", "");
}

#[test]
fn an_injected_message_ends_no_pause_and_the_agents_own_does() {
    let gap = json!({"quietGapMs": 1000});
    check_with(&gap, "clock a a +800 mail +201 a", "");
    check_with(&gap, "clock a a +800 ASSISTANT +201 a", "7 a × 3");
    check_with(&gap, "clock a a +800 COMPACT +201 a", "");
}

#[test]
fn a_call_that_is_refused_is_an_event_of_the_agent() {
    let gap = json!({"quietGapMs": 1000});
    check_with(
        &gap,
        "clock a a +800 a- +800 a +800 a",
        "5 a × 3, 9 a × 5 detailed",
    );
}

#[test]
fn without_times_there_is_no_pause() {
    let gap = json!({"quietGapMs": 1});
    check_with(&gap, "a a a", "3 a × 3");
    check_with(&gap, "a clock a -5000 a", "5 a × 3");
}

#[test]
fn a_pause_lets_a_denied_call_through() {
    let mut config = denies();
    config["quietGapMs"] = json!(1000);
    check_with(&config, "clock a a a +1000 a", "3 a × 2, 6 denied");
    check_with(&config, "clock a a a +1001 a a", "3 a × 2, 7 a × 2");
}

#[test]
fn past_the_highest_threshold_it_is_told_again_every_so_many() {
    let config = json!({"thresholds": [2, 3], "remindEvery": 2});
    check_with(
        &config,
        "a a a a a a a a",
        "2 a × 2, 3 a × 3 detailed, 5 a × 5 detailed, 7 a × 7 detailed",
    );
    let config = json!({"thresholds": [3], "remindEvery": 1});
    check_with(
        &config,
        "a a a a a",
        "3 a × 3, 4 a × 4 detailed, 5 a × 5 detailed",
    );
}

#[test]
fn a_run_that_is_long_enough_is_denied_from_then_on() {
    check_with(&denies(), "a a a a a", "2 a × 2, 4 denied, 5 denied");
    check_with(&denies(), "a a a b a a a a", "2 a × 2, 6 a × 2, 8 denied");
    check_with(&denies(), "a a a a2 a", "2 a × 2");
    check_with(&denies(), "a a a <USER a", "2 a × 2");
    check_with(&denies(), "a a a pardon:a a", "2 a × 2");
    check_with(&denies(), "a a a pardon:b a", "2 a × 2, 5 denied");
}

#[test]
fn refused_calls_lengthen_the_run() {
    check_with(&denies(), "a- a= a- a", "2 a × 2, 4 denied");
}

#[test]
fn an_inexact_call_is_never_denied_and_denies_none() {
    check_with(&denies(), "a a a a? a? a?", "2 a × 2");
    check_with(&denies(), "a? a a a a", "2 a × 2");
    check_with(&denies(), "a a? a a a", "2 a × 2");
}

#[test]
fn another_success_in_between_lets_it_through() {
    let mut config = denies();
    config["resultAware"] = json!(true);
    check_with(&config, "a:x a:x a:x a:x", "2 a × 2, 4 denied");
    for done in ["b:ok", "b"] {
        check_with(
            &config,
            &format!("a:x a:x a:x {done} a:x a:x a:x a:x"),
            "2 a × 2, 8 denied",
        );
    }
    // What failed or was refused has done nothing.
    for undone in ["b!x", "b-", "b=", "b~"] {
        check_with(
            &config,
            &format!("a:x a:x a:x {undone} a:x"),
            "2 a × 2, 5 denied",
        );
    }
}

#[test]
fn what_stands_aside_is_denied_too() {
    let mut config = denies();
    config["resultAware"] = json!(true);
    check_with(&config, "a:x b:ok b:ok b:ok b", "3 b × 2, 5 denied");
}

#[test]
fn only_a_step_of_that_call_alone_is_denied() {
    let mut config = denies();
    config["stepAware"] = json!(true);
    check_with(&config, "| a | a | a | a", "4 a × 2, 8 denied");
    check_with(&config, "| a b | a b | a b | a b", "6 b × 2");
    // A call more of the step that is long enough already is part of it.
    check_with(&config, "| a | a | a a a", "4 a × 2");
}

#[test]
fn overrides_give_some_tools_other_values_and_the_first_that_matches_holds() {
    let config = json!({"overrides": [
        {"tools": ["a*"], "thresholds": [2]},
        {"tools": ["ab", "c"], "thresholds": [4]},
    ]});
    check_with(&config, "ab ab ab ab", "2 ab × 2");
    check_with(&config, "c c c c", "4 c × 4");
    check_with(&config, "d d d", "3 d × 3");
}

#[test]
fn every_key_of_an_override_takes_effect() {
    let of = |key: &str, value: Value| {
        let mut values = json!({"tools": ["a"]});
        values[key] = value;
        json!({"thresholds": [2, 3], "overrides": [values]})
    };
    check_with(
        &of("remindEvery", json!(1)),
        "a a a a",
        "2 a × 2, 3 a × 3 detailed, 4 a × 4 detailed",
    );
    check_with(
        &of("denyAt", json!(4)),
        "a a a a a",
        "2 a × 2, 3 a × 3 detailed, 5 denied",
    );
    check_with(
        &of("resultAware", json!(true)),
        "a:x a:y b:x b:y",
        "4 b × 2",
    );
    check_with(&of("stepAware", json!(true)), "| a a | b b", "6 b × 2");
    check_with(
        &of("quietGapMs", json!(5)),
        "clock a +6 a +6 b +6 b",
        "8 b × 2",
    );
    let config = of("argumentsPreviewChars", json!(1));
    assert!(
        notice(&config, "a", "1234", 3)
            .text
            .contains("arguments: 1… (+3 more chars)")
    );
    assert!(
        notice(&config, "b", "1234", 3)
            .text
            .contains("arguments: 1234\n")
    );
}

#[test]
fn own_texts_are_said_to_the_letter_with_their_placeholders_filled() {
    let config = json!({
        "thresholds": [2, 3],
        "denyAt": 4,
        "messages": {
            "repeated-call": "{{{tool}}} again, {count}: {arguments}\n",
            "repeated-call-detailed": "stop",
            "repeated-call-denied": "{count} × {tool}: no",
        },
    });
    assert_eq!(
        notice(&config, "a", r#"{"x":"{tool}"}"#, 2).text,
        "{a} again, 2: {\"x\":\"{tool}\"}\n"
    );
    assert_eq!(notice(&config, "a", "{}", 3).text, "stop");
    let mut agent = Agent::new(&config);
    for _ in 0..4 {
        agent.call("a", "");
    }
    agent.play("a");
    assert_eq!(
        agent.denied.map(|denial| denial.reason).as_deref(),
        Some("4 × a: no")
    );
}

#[test]
fn a_denial_states_what_was_seen_another_way_and_its_facts() {
    let mut agent = Agent::new(&denies());
    for token in ["b", "a7", "a7", "a7", "a7"] {
        agent.play(token);
    }
    let denial = agent.denied.expect("it is denied");
    assert_eq!(
        denial.reason,
        "The identical a call has come 3 times in a row and was not run again: it would bring \
         nothing new. Change the arguments, take another way, or finish with what you have."
    );
    assert_eq!(
        serde_json::to_value(&denial.facts).unwrap(),
        json!({"rule": "denyAt", "limit": 3, "count": 3, "tool": "a", "firstCall": 2, "lastCall": 5})
    );
}

#[test]
fn chinese_is_for_the_guards_own_texts_and_not_for_those_of_the_original() {
    let section = Section::from_value(NAME, &denies(), KEYS);
    let config = ReminderConfig::read(section, Language::Zh).expect("a configuration");
    let mut agent = Agent::under(config);
    agent.play("a");
    let said = agent.play("a");
    assert!(
        said[0].text.starts_with("You are repeating"),
        "{}",
        said[0].text
    );
    agent.play("a");
    agent.play("a");
    let reason = agent.denied.expect("it is denied").reason;
    assert!(
        reason.starts_with("完全相同的 a 调用已连续出现 3 次"),
        "{reason}"
    );
}
