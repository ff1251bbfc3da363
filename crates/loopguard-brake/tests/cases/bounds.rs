//! What is remembered is bounded, and what was longest unseen is dropped.

use loopguard_brake::core::Guard;
use serde_json::json;

use crate::agent::Agent;
use crate::check;

/// `count` tokens like `n17`, each another call, counted from `from`.
fn others(from: usize, count: usize) -> String {
    let tokens = (from..from + count).map(|at| format!("n{at}"));
    tokens.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_thousand_and_twenty_four_calls_are_remembered() {
    let config = json!({"callWarnCount": 2, "sequenceCount": 9999});
    check(&config, &format!("a {} a", others(0, 1023)), "1025 a × 2");
    check(&config, &format!("a {} a", others(0, 1024)), "");
}

#[test]
fn a_call_that_comes_again_is_not_the_one_longest_unseen() {
    let config = json!({"callWarnCount": 3, "sequenceCount": 9999});
    let trace = format!("b a {} a {} a b", others(0, 600), others(600, 423));
    // "b" is longest unseen when the 1,025th call comes; "a" was seen in between.
    check(&config, &trace, "1027 a × 3");
}

#[test]
fn a_hundred_and_twenty_eight_sequences_are_remembered() {
    let config = json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 2,
        "sequenceCount": 2,
    });
    // Each other call makes one more pair, and so does the way back to "x".
    check(
        &config,
        &format!("x y {} x y", others(0, 126)),
        "130 sequence × 2 xy",
    );
    check(&config, &format!("x y {} x y", others(0, 127)), "");
}

/// A text of its own for each number.
fn text(number: usize) -> String {
    format!("{number} {}", "x".repeat(100))
}

/// Whether a text is told at its second appearance, with so many other ones in between.
fn is_told_after(others: usize) -> bool {
    let mut agent = Agent::new(&json!({"duplicateTextThreshold": 2}));
    agent.result("a", &[&text(0)]);
    for number in 1..=others {
        assert!(agent.result("a", &[&text(number)]).is_empty());
    }
    !agent.result("a", &[&text(0)]).is_empty()
}

#[test]
fn two_hundred_and_fifty_six_texts_are_remembered() {
    assert!(is_told_after(255));
    assert!(!is_told_after(256));
}

/// `count` messages too short to be looked at, each with another id.
fn messages(from: usize, count: usize) -> String {
    let tokens = (from..from + count).map(|at| format!("<mail#{at}:t"));
    tokens.collect::<Vec<_>>().join(" ")
}

#[test]
fn five_hundred_and_twelve_message_ids_are_remembered() {
    let config = json!({"duplicateTextThreshold": 2});
    check(
        &config,
        &format!("<mail#0:T {} <mail#0:T", messages(1, 511)),
        "",
    );
    check(
        &config,
        &format!("<mail#0:T {} <mail#0:T", messages(1, 512)),
        "514 text × 2 mail",
    );
}

#[test]
fn a_message_that_is_shown_again_is_not_the_one_longest_unseen() {
    let config = json!({"duplicateTextThreshold": 2});
    let trace = format!(
        "<mail#0:T {} <mail#0:T {} <mail#0:T",
        messages(1, 400),
        messages(500, 400)
    );
    check(&config, &trace, "");
}

#[test]
fn names_of_a_megabyte_are_cut_in_what_is_kept() {
    let config = json!({"sequenceLength": 2, "sequenceCount": 2, "duplicateTextThreshold": 2});
    let mut agent = Agent::new(&config);
    let long = |first: &str| format!("{first}{}", "n".repeat(1 << 20));
    let mut said = Vec::new();
    for _ in 0..2 {
        for name in [long("a"), long("b")] {
            said.extend(agent.token(&name).notices);
        }
    }
    assert_eq!(
        said[0].facts.tools,
        [long("a"), long("b")].map(|name| cut(&name))
    );
    assert!(said[0].text.len() < 600, "{} bytes", said[0].text.len());

    let first = agent.result(&long("c"), &[&text(0)]);
    let second = agent.result(&long("d"), &[&text(0)]);
    assert!(first.is_empty());
    assert_eq!(
        second[0].facts.sources,
        [long("c"), long("d")].map(|name| cut(&name))
    );
    let saved = serde_json::to_string(&agent.guard.save()).unwrap();
    assert!(saved.len() < 4000, "{} bytes", saved.len());
}

fn cut(name: &str) -> String {
    format!("{}…", &name[..128])
}

#[test]
fn names_that_differ_beyond_the_cut_are_still_different_calls() {
    let config = json!({"callWarnCount": 2});
    let mut agent = Agent::new(&config);
    let long = "n".repeat(300);
    assert_eq!(agent.play(&format!("{long}a {long}b")), "");
    assert_eq!(agent.token(&format!("{long}a")).notices.len(), 1);
}

#[test]
fn a_sequence_longer_than_what_is_remembered_is_never_complete() {
    let config = json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 300,
        "sequenceCount": 2,
    });
    let round = others(0, 300);
    check(&config, &format!("{round} {round} {round}"), "");
    let config = json!({
        "callWarnCount": 998,
        "callDenyCount": 999,
        "sequenceLength": 256,
        "sequenceCount": 2,
    });
    let round = others(0, 256);
    let mut agent = Agent::new(&config);
    assert_eq!(agent.play(&round), "");
    assert!(agent.play(&round).starts_with("256 sequence × 2 n"));
}
