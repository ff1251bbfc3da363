//! Near-duplicates: calls and texts that share almost all of their words.

use serde_json::{Value, json};

use crate::agent::Agent;

/// What is said of these calls, one after another: the place and the code.
fn said(config: &Value, calls: &[(&str, &str)]) -> String {
    let mut agent = Agent::new(config);
    let mut said = Vec::new();
    for (at, (tool, arguments)) in calls.iter().enumerate() {
        let heard = agent.ask(tool, arguments);
        let denial = heard.denial.iter();
        said.extend(denial.map(|denial| format!("{} {}", at + 1, denial.code)));
        let notices = heard.notices.iter();
        said.extend(notices.map(|notice| format!("{} {}", at + 1, notice.summary)));
    }
    said.join(", ")
}

fn calls(least: f64) -> Value {
    json!({"similarCalls": least, "callWarnCount": 3, "callDenyCount": 4, "callReWarnEvery": 2})
}

/// Queries of four words each, of which they share three: three of five words are common.
const QUERIES: [(&str, &str); 4] = [
    ("find", r#"{"q":"red fox runs"}"#),
    ("find", r#"{"q":"red fox sleeps"}"#),
    ("find", r#"{"q":"red fox eats"}"#),
    ("find", r#"{"q":"red fox hides"}"#),
];

#[test]
fn similar_calls_of_one_tool_are_told_as_repeated_ones_are() {
    assert_eq!(said(&calls(0.6), &QUERIES), "3 similar find × 3");
    let more = [
        QUERIES,
        QUERIES.map(|(tool, _)| (tool, r#"{"q":"red fox digs"}"#)),
    ]
    .concat();
    assert_eq!(
        said(&calls(0.6), &more[..5]),
        "3 similar find × 3, 5 similar find × 5"
    );
}

#[test]
fn what_is_less_alike_than_that_is_something_else() {
    assert_eq!(said(&calls(0.61), &QUERIES), "");
    assert_eq!(said(&json!({"callWarnCount": 3}), &QUERIES), "");
}

#[test]
fn order_case_and_punctuation_do_not_matter() {
    let calls_ = [
        ("find", r#"{"q":"Red fox, runs!"}"#),
        ("find", r#"{"q":"runs fox red"}"#),
        ("find", r#"["Q", "RED-FOX runs"]"#),
    ];
    assert_eq!(said(&calls(1.0), &calls_), "3 similar find × 3");
}

#[test]
fn another_tool_is_never_similar() {
    let other = [
        QUERIES[0],
        QUERIES[1],
        ("search", QUERIES[2].1),
        ("grep", QUERIES[3].1),
    ];
    assert_eq!(said(&calls(0.5), &other), "");
}

#[test]
fn identical_calls_are_told_as_such_and_only_once() {
    let same = [QUERIES[0]; 3];
    assert_eq!(said(&calls(0.6), &same), "3 find × 3");
}

#[test]
fn similar_calls_are_never_denied() {
    let mut config = calls(0.5);
    config["mode"] = json!("deny");
    let many: Vec<(&str, &str)> = QUERIES.iter().chain(&QUERIES).copied().collect();
    assert_eq!(
        said(&config, &many),
        "3 similar find × 3, 5 similar find × 5, 7 similar find × 7"
    );
}

#[test]
fn a_human_message_starts_anew() {
    let mut agent = Agent::new(&calls(0.6));
    agent.ask("find", QUERIES[0].1);
    agent.ask("find", QUERIES[1].1);
    agent.token("<USER");
    assert!(agent.ask("find", QUERIES[2].1).notices.is_empty());
}

#[test]
fn the_notice_carries_no_arguments_and_these_facts() {
    let mut agent = Agent::new(&calls(0.6));
    agent.ask("find", QUERIES[0].1);
    agent.ask("find", QUERIES[1].1);
    let notice = agent.ask("find", QUERIES[2].1).notices.remove(0);
    assert_eq!(notice.code, "similar-calls");
    assert!(!notice.text.contains("fox"), "{}", notice.text);
    assert!(
        notice
            .text
            .starts_with("find has been called 3 times with almost the same arguments"),
        "{}",
        notice.text
    );
    assert_eq!(
        serde_json::to_value(&notice.facts).unwrap(),
        json!({
            "rule": "similarCalls",
            "limit": 3,
            "count": 3,
            "tool": "find",
            "firstCall": 1,
            "lastCall": 3,
        })
    );
}

/// A text of ten words, the last of them this one.
fn text(last: &str) -> String {
    format!("the build of the parser has failed with an error {last} again")
}

fn texts(least: f64) -> Value {
    json!({"similarText": least, "minimumDuplicateChars": 10, "callWarnCount": 99, "callDenyCount": 100})
}

#[test]
fn similar_texts_are_told_at_the_threshold_and_each_so_many_further_ones() {
    let mut agent = Agent::new(&texts(0.8));
    let words = ["one", "two", "three", "four", "five", "six"];
    let told: Vec<_> = words
        .iter()
        .map(|word| agent.result("t", &[&text(word)]).len())
        .collect();
    assert_eq!(told, [0, 0, 1, 0, 0, 1]);
}

#[test]
fn texts_that_are_less_alike_or_too_short_are_not_told() {
    let mut agent = Agent::new(&texts(0.9));
    for word in ["one", "two", "three", "four"] {
        assert!(agent.result("t", &[&text(word)]).is_empty());
    }
    let mut config = texts(0.5);
    config["minimumDuplicateChars"] = json!(80);
    let mut agent = Agent::new(&config);
    for word in ["one", "two", "three", "four"] {
        assert!(agent.result("t", &[&text(word)]).is_empty());
    }
}

#[test]
fn a_text_that_is_the_same_is_told_as_a_duplicate_and_only_once() {
    let mut agent = Agent::new(&texts(0.8));
    agent.result("t", &[&text("one")]);
    agent.result("t", &[&text("one")]);
    let said = agent.result("t", &[&text("one")]);
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].code, "duplicate-text");
}

#[test]
fn a_similar_text_is_quoted_as_a_preview() {
    let mut agent = Agent::new(&texts(0.8));
    agent.result("t", &[&text("one")]);
    agent.result("t", &[&text("two")]);
    let said = agent.result("t", &[&text("three")]);
    assert_eq!(said[0].code, "similar-text");
    assert_eq!(said[0].summary, "similar text × 3");
    assert!(said[0].text.contains(&text("three")), "{}", said[0].text);
}
