//! What goes beyond the original and concerns all detectors: steps, pauses, some tools, texts.

use loopguard_brake::config_rows::{Language, Section};
use loopguard_brake::{BrakeConfig, KEYS, NAME};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::{check, last_notice};

/// A call is told at the third time, and no sequence is.
fn thirds(more: &Value) -> Value {
    let mut config = json!({
        "callWarnCount": 3,
        "callDenyCount": 4,
        "callReWarnEvery": 99,
        "sequenceLength": 99,
    });
    for (key, value) in more.as_object().expect("keys") {
        config[key] = value.clone();
    }
    config
}

#[test]
fn identical_calls_of_a_step_count_once() {
    let config = thirds(&json!({"stepAware": true}));
    check(&config, "| a a a a a", "");
    check(&config, "| a a | b a | a a", "8 a × 3");
    check(&thirds(&json!({})), "| a a a", "4 a × 3");
}

#[test]
fn a_call_without_a_step_is_a_step_of_its_own() {
    let config = thirds(&json!({"stepAware": true}));
    check(&config, "a a a", "3 a × 3");
    check(&config, "| a a / a a", "6 a × 3");
}

#[test]
fn calls_of_one_step_are_denied_only_after_as_many_steps() {
    let config = thirds(&json!({"stepAware": true, "mode": "deny"}));
    check(&config, "| a a a a a a", "");
    check(&config, "| a | a | a | a | a", "6 a × 3, 10 call-denied");
}

#[test]
fn a_pause_longer_than_the_gap_starts_anew() {
    let config = thirds(&json!({"quietGapMs": 1000}));
    check(&config, "clock a a +1000 a", "5 a × 3");
    check(&config, "clock a a +1001 a", "");
    check(&config, "a a a", "3 a × 3");
    check(&config, "clock a a +800 <mail +201 a", "");
    check(&config, "clock a a +800 <ASSISTANT +201 a", "7 a × 3");
}

#[test]
fn a_pause_starts_sequences_cycles_texts_and_denials_anew() {
    let gap = |more: Value| {
        let mut config = thirds(&more);
        config["quietGapMs"] = json!(1000);
        config
    };
    let pairs = gap(json!({"callWarnCount": 98, "callDenyCount": 99, "sequenceLength": 2}));
    check(&pairs, "clock a b a b +1000 a b", "8 sequence × 3 ab");
    check(&pairs, "clock a b a b +1001 a b", "");
    let mut cycles = pairs.clone();
    cycles["sequenceMaxLength"] = json!(4);
    check(&cycles, "clock a b a b +1000 a b", "8 sequence × 3 ab");
    check(&cycles, "clock a b a b +1001 a b", "");
    check(
        &gap(json!({})),
        "clock a1:T a2:T +1000 a3:T",
        "5 text × 3 a",
    );
    check(&gap(json!({})), "clock a1:T a2:T +1001 a3:T", "");
    let denies = gap(json!({"mode": "deny"}));
    check(&denies, "clock a a a a +1000 a", "4 a × 3, 7 call-denied");
    check(&denies, "clock a a a a +1001 a", "4 a × 3");
}

#[test]
fn a_tool_that_is_left_out_is_transparent() {
    let config = thirds(&json!({"exclude": ["x*"]}));
    check(&config, "a xa a xa a xa xa", "5 a × 3");
    let config = thirds(&json!({"include": ["a"], "sequenceLength": 2}));
    check(
        &config,
        "b b b b a a2 b a a2 b a a2",
        "11 a × 3, 12 a × 3, 12 sequence × 3 aa",
    );
    let config = thirds(&json!({"include": ["*"], "exclude": ["a"], "mode": "deny"}));
    check(&config, "a a a a a a", "");
}

#[test]
fn the_results_of_a_tool_that_is_left_out_are_no_text() {
    let config = thirds(&json!({"exclude": ["x"]}));
    check(&config, "x1:T x2:T x3:T x4:T", "");
    check(&config, "x1:T x2:T a1:T <mail:T a2:T", "5 text × 3 a+mail");
}

#[test]
fn a_tool_that_is_left_out_is_no_progress() {
    let config = thirds(&json!({"exclude": ["x"], "resultAware": true}));
    check(&config, "a:p a:p x:q a:p", "4 a × 3");
}

#[test]
fn overrides_give_some_tools_other_values_and_the_first_that_matches_holds() {
    let config = thirds(&json!({"overrides": [
        {"tools": ["a*"], "callWarnCount": 2},
        {"tools": ["ab", "c"], "mode": "deny"},
    ]}));
    check(&config, "ab ab ab ab ab", "2 ab × 2");
    check(&config, "c c c c c", "3 c × 3, 5 call-denied");
    check(&config, "d d d d d", "3 d × 3");
}

#[test]
fn every_key_of_an_override_takes_effect() {
    let of = |values: Value| {
        let mut values = values;
        values["tools"] = json!(["a"]);
        thirds(&json!({"overrides": [values]}))
    };
    check(
        &of(json!({"callReWarnEvery": 1})),
        "a a a a b b b b",
        "3 a × 3, 4 a × 4, 7 b × 3",
    );
    check(
        &of(json!({"mode": "deny", "callWarnCount": 2, "callDenyCount": 3})),
        "a a a a b b b b b",
        "2 a × 2, 4 call-denied, 7 b × 3",
    );
    check(
        &of(json!({"resultAware": true})),
        "a:x a:y a:x b:x b:y b:x",
        "6 b × 3",
    );
    check(&of(json!({"stepAware": true})), "| a a a b b b", "7 b × 3");
    check(
        &of(json!({"quietGapMs": 5})),
        "clock a a +6 a b b +6 b",
        "9 b × 3",
    );
    check(
        &of(json!({"duplicateTextThreshold": 2})),
        "a1:T a2:T b1:U b2:U",
        "2 text × 2 a",
    );
    check(
        &of(json!({"minimumDuplicateChars": 5})),
        "a1:t a2:t a3:t b1:t",
        "3 text × 3 a",
    );
    check(
        &of(json!({"duplicateTextCooldownMs": 0})),
        "clock a1:T a2:T a3:T a4:T b1:U b2:U b3:U b4:U",
        "4 text × 3 a, 5 text × 4 a, 8 text × 3 b",
    );
    check(
        &of(json!({"duplicateTextWindowMs": 1000})),
        "clock a1:T a2:T +1001 a3:T b1:U b2:U +1001 b3:U",
        "9 text × 3 b",
    );
}

#[test]
fn own_texts_are_said_to_the_letter_with_their_placeholders_filled() {
    let config = thirds(&json!({"messages": {"call-count": "{{{tool}}}: {count}"}}));
    assert_eq!(last_notice(&config, "a a a").text, "{a}: 3");
    let config = json!({
        "mode": "deny",
        "callWarnCount": 98,
        "callDenyCount": 99,
        "sequenceLength": 2,
        "sequenceMaxLength": 4,
        "sequenceCount": 2,
        "sequenceDenyCount": 3,
        "assistantText": true,
        "messages": {
            "sequence-loop": "{tools} / {count}",
            "sequence-denied": "{tool} of {tools}, {count}",
            "duplicate-text": "{count} in {seconds} from {sources}: {preview}",
        },
    });
    assert_eq!(last_notice(&config, "a b a b").text, "a → b / 2");
    let said = last_notice(&config, "a1:T <mail:T a2:T").text;
    assert!(
        said.starts_with("3 in 120 from a, mail: T is a text"),
        "{said}"
    );
    let mut agent = Agent::new(&config);
    agent.play("a b a b a b");
    let denial = agent.token("a").denial.expect("it is denied");
    assert_eq!(denial.reason, "a of a → b, 3");
}

#[test]
fn every_text_of_the_brake_has_a_chinese_one() {
    let config = json!({
        "mode": "deny",
        "callWarnCount": 3,
        "callDenyCount": 4,
        "sequenceLength": 2,
        "sequenceMaxLength": 4,
        "sequenceCount": 2,
        "sequenceDenyCount": 3,
        "similarCalls": 0.5,
        "similarText": 0.5,
        "assistantText": true,
    });
    let section = Section::from_value(NAME, &config, KEYS);
    let config = BrakeConfig::read(section, Language::Zh).expect("a configuration");
    let mut agent = Agent::under(config);
    let chant = "Now I will write the review and then I will check it. ".repeat(7);
    let mut said = agent.says("1", loopguard_brake::core::Form::Plain, &chant);
    let similar = |word| {
        format!(
            "the build of the parser and of all its parts has failed with an error: {word} is gone"
        )
    };
    for word in ["one", "two", "three"] {
        said.extend(agent.result("t", &[&similar(word)]));
    }
    let mut reasons = Vec::new();
    for query in ["red fox runs", "red fox eats", "red fox digs"] {
        said.extend(agent.ask("find", query).notices);
    }
    for token in "c c c c c x a b a b a b a p1:T p2:T p3:T".split(' ') {
        let heard = agent.token(token);
        said.extend(heard.notices);
        reasons.extend(heard.denial);
    }
    let mut codes: Vec<_> = said.iter().map(|it| it.code.as_str()).collect();
    codes.extend(reasons.iter().map(|it| it.code.as_str()));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(
        codes,
        [
            "call-count",
            "call-denied",
            "chanting",
            "duplicate-text",
            "sequence-denied",
            "sequence-loop",
            "similar-calls",
            "similar-text",
        ]
    );
    for text in said
        .iter()
        .map(|it| &it.text)
        .chain(reasons.iter().map(|it| &it.reason))
    {
        assert!(text.contains('。'), "{text}");
        assert!(!text.contains('{'), "{text}");
    }
}
