//! What the reminder says to one trace after another.

mod beyond;
mod trace;

use loopguard_repeat_reminder::ReminderConfig;
use loopguard_repeat_reminder::core::{Arguments, Call, Guard, Seed, Verdict};
use serde_json::json;
use trace::{Agent, check, check_with, notice};

#[test]
fn it_speaks_at_three_five_and_eight_and_never_again() {
    check(
        "a a a a a a a a a a a a",
        "3 a × 3, 5 a × 5 detailed, 8 a × 8 detailed",
    );
}

#[test]
fn another_call_starts_a_chain_of_its_own_at_one() {
    check("a a b a a b b a a a", "10 a × 3");
}

#[test]
fn other_arguments_are_another_call() {
    check("a1 a1 a2 a1 a1 a2", "");
    check("a1 a1 a1 a2 a2 a2", "3 a × 3, 6 a × 3");
}

#[test]
fn a_call_counts_whatever_its_outcome() {
    check("a! a- a=", "3 a × 3");
    check("a a~ a!", "3 a × 3");
    check("a- a- a- a- a-", "3 a × 3, 5 a × 5 detailed");
}

#[test]
fn a_call_that_runs_has_not_been_counted_yet() {
    check("a( a( a( b )", "");
    // The others end behind it, one after another.
    check("a( a( a( ) ) )", "6 a × 3");
}

#[test]
fn calls_count_in_the_order_in_which_they_end() {
    check("a a b( a )", "4 a × 3");
    check("b( a a ) a", "");
}

#[test]
fn a_call_that_never_ends_is_never_counted() {
    check("a( a a", "");
}

#[test]
fn a_human_message_resets_the_chain() {
    check("a a USER a a", "");
    check("a a USER a a a", "6 a × 3");
    check("a a mail+USER a", "");
}

#[test]
fn injected_context_does_not_reset_it() {
    check("a a mail a", "4 a × 3");
    check("a mail a mail+mail a", "5 a × 3");
}

#[test]
fn a_cleared_conversation_is_as_a_human_message_and_compaction_is_nothing() {
    check("a a RESET a a", "");
    check("a a COMPACT a", "4 a × 3");
}

#[test]
fn a_human_message_while_a_call_runs_resets_and_the_call_counts_afterwards() {
    check("a a a( USER ) a", "");
    check("a( USER ) a a", "5 a × 3");
}

#[test]
fn a_pardon_forgets_the_chain_of_that_call_and_no_other() {
    check("a a pardon:a a a", "");
    check("a a pardon:a a a a", "6 a × 3");
    check("a a pardon:b a", "4 a × 3");
}

#[test]
fn an_inexact_call_is_advised_about_like_any_other() {
    check("a? a? a?", "3 a × 3");
    check("a? a a?", "3 a × 3");
}

#[test]
fn a_tool_that_is_left_out_is_transparent() {
    let config = json!({"exclude": ["x*"]});
    check_with(&config, "a xa a xb a x x x", "5 a × 3");
    let config = json!({"include": ["a", "b"]});
    check_with(&config, "a c a c a", "5 a × 3");
    let config = json!({"include": ["*"], "exclude": ["a"]});
    check_with(&config, "a a a b b a b", "7 b × 3");
}

#[test]
fn no_pattern_at_all_watches_every_tool_and_an_empty_one_only_the_empty_name() {
    check_with(&json!({"include": [], "exclude": []}), "a a a", "3 a × 3");
    check_with(&json!({"include": [""]}), "a a a", "");
    check_with(&json!({"exclude": [""]}), "a a a", "3 a × 3");
}

#[test]
fn thresholds_may_come_in_any_order_and_the_lowest_is_the_short_one() {
    let config = json!({"thresholds": [4, 2]});
    check_with(&config, "a a a a a", "2 a × 2, 4 a × 4 detailed");
    check_with(&json!({"thresholds": [2]}), "a a a a a", "2 a × 2");
    let config = json!({"thresholds": [4, 3, 2]});
    check_with(
        &config,
        "a a a a a b a a",
        "2 a × 2, 3 a × 3 detailed, 4 a × 4 detailed, 8 a × 2",
    );
}

#[test]
fn the_short_text_is_given_to_the_letter() {
    let notice = notice(&json!({}), "a", r#"{"x":1}"#, 3);
    assert_eq!(notice.code, "repeated-call");
    assert_eq!(
        notice.text,
        "You are repeating the exact same tool call with identical arguments. Carefully analyze \
         the previous result before calling again: if the task is not complete, try a different \
         approach or different arguments instead of repeating the call."
    );
}

#[test]
fn the_detailed_text_is_given_to_the_letter() {
    let notice = notice(&json!({}), "read file", r#"{ "b": 1e0, "a": "x" }"#, 5);
    assert_eq!(notice.code, "repeated-call-detailed");
    assert_eq!(
        notice.text,
        "Repeated tool call detected:\n- tool: read file\n- consecutive_calls: 5\n\
         - arguments: {\"a\":\"x\",\"b\":1}\nThe repeated calls are not making progress. Do not \
         call this tool with these exact arguments again. Inspect the latest result and choose a \
         different action, different arguments, or finish the task if enough evidence has been \
         gathered."
    );
}

/// The arguments that a detailed notice quotes under a cap.
fn quoted(cap: u64, arguments: &str) -> String {
    let config = json!({"thresholds": [2, 3], "argumentsPreviewChars": cap});
    let text = notice(&config, "a", arguments, 3).text;
    let (_, rest) = text.split_once("\n- arguments: ").expect("arguments");
    rest.split_once("\nThe repeated")
        .expect("advice")
        .0
        .to_owned()
}

#[test]
fn arguments_are_quoted_up_to_the_cap() {
    assert_eq!(quoted(7, r#"{"a":1}"#), r#"{"a":1}"#);
    assert_eq!(quoted(6, r#"{"a":1}"#), r#"{"a":1… (+1 more chars)"#);
    assert_eq!(quoted(1, r#"{"a":1}"#), "{… (+6 more chars)");
    assert_eq!(quoted(500, "\"line\\nbreak\""), "\"line\\nbreak\"");
}

#[test]
fn a_cut_falls_before_a_surrogate_pair_and_counts_all_that_is_not_shown() {
    assert_eq!(quoted(5, r#""ab😀c""#), "\"ab😀… (+2 more chars)");
    assert_eq!(quoted(4, r#""ab😀c""#), "\"ab… (+4 more chars)");
    assert_eq!(quoted(3, r#""ab😀c""#), "\"ab… (+4 more chars)");
}

#[test]
fn the_cap_bounds_the_text_and_never_the_comparison() {
    let config = json!({"argumentsPreviewChars": 1});
    let mut agent = Agent::new(&config);
    for tail in [1, 2, 1, 2, 1, 2] {
        let arguments = format!("{}{tail}", "7".repeat(5000));
        assert!(agent.call("a", &arguments).is_empty());
    }
}

#[test]
fn a_notice_without_arguments_at_hand_quotes_none() {
    let config = json!({"thresholds": [2, 3]});
    let mut agent = Agent::new(&config);
    let mut said = Vec::new();
    for _ in 0..3 {
        said.extend(agent.call_without_arguments("a"));
    }
    assert_eq!(said.len(), 2);
    assert!(
        said[1].text.starts_with(
            "Repeated tool call detected:\n- tool: a\n- consecutive_calls: 3\nThe repeated calls"
        ),
        "{}",
        said[1].text
    );
}

#[test]
fn a_notice_says_where_it_comes_from_and_what_it_rests_on() {
    let notice = notice(&json!({}), "a", "{}", 5);
    assert_eq!(
        notice.source(),
        json!({
            "kind": "plugin",
            "plugin": "repeat-tool-guard",
            "form": "notice",
            "summary": "a × 5",
        })
    );
    let facts = serde_json::to_value(&notice.facts).unwrap();
    assert_eq!(
        facts,
        json!({
            "rule": "thresholds",
            "limit": 5,
            "count": 5,
            "tool": "a",
            "firstCall": 1,
            "lastCall": 5,
        })
    );
}

#[test]
fn the_id_of_the_row_is_the_label() {
    let mut agent = Agent::with_id("mine", &json!({"thresholds": [2]}));
    agent.call("a", "{}");
    let said = agent.call("a", "{}");
    assert_eq!(said[0].guard.as_str(), "mine");
    assert_eq!(said[0].source()["plugin"], "mine");
}

#[test]
fn it_never_denies_by_itself() {
    let mut agent = Agent::new(&json!({"thresholds": [2]}));
    let call = Call::new(Seed::FIXED, "a", Arguments::Text("{}"));
    for _ in 0..50 {
        agent.call("a", "{}");
        assert_eq!(agent.guard.decide(&call), Verdict::Admit);
    }
}

#[test]
fn two_agents_share_a_configuration_and_nothing_else() {
    let config = json!({"thresholds": [2]});
    let (mut one, mut other) = (Agent::new(&config), Agent::new(&config));
    assert!(one.call("a", "{}").is_empty());
    assert!(other.call("a", "{}").is_empty());
    assert_eq!(one.call("a", "{}").len(), 1);
    assert_eq!(other.call("a", "{}").len(), 1);
}

#[test]
fn a_name_of_a_megabyte_leaves_nothing_behind() {
    let mut agent = Agent::new(&json!({}));
    let name = "n".repeat(1 << 20);
    for _ in 0..3 {
        agent.call(&name, "{}");
    }
    let saved = serde_json::to_string(&agent.guard.save()).unwrap();
    assert!(saved.len() < 1000, "{saved}");
}

#[test]
fn the_defaults_are_those_of_an_empty_configuration() {
    let read = ReminderConfig::from_value(&json!({})).unwrap();
    assert_eq!(read, ReminderConfig::default());
    assert_eq!(read.thresholds(), [3, 5, 8]);
    assert_eq!(read.arguments_preview_chars(), 500);
    assert!(read.filter().admits("any"));
}
