//! Duplicate texts.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::{check, last_notice};

fn defaults() -> Value {
    json!({})
}

/// Every appearance from the third on is told.
fn no_cooldown() -> Value {
    json!({"duplicateTextCooldownMs": 0})
}

#[test]
fn the_third_appearance_is_told() {
    check(&defaults(), "a1:T a2:T", "");
    check(&defaults(), "a1:T a2:T a3:T", "3 text × 3 a");
    check(&defaults(), "a1:T a2:U a3:T a4:U a5:T", "5 text × 3 a");
}

#[test]
fn short_texts_are_not_looked_at() {
    check(&defaults(), "a1:t a2:t a3:t <mail:t <mail:t <mail:t", "");
}

#[test]
fn the_text_of_a_failed_call_counts_and_there_is_none_of_a_denied_one() {
    check(&defaults(), "a:T! b:T! c:T", "3 text × 3 a+b+c");
    check(&defaults(), "a:T b:T c=:T d~:T e-:T", "");
}

#[test]
fn results_and_injected_messages_count_together() {
    check(
        &defaults(),
        "a:T <mail:T <system:T",
        "3 text × 3 a+mail+system",
    );
}

#[test]
fn the_models_own_words_and_notices_are_no_text() {
    check(&defaults(), "<ASSISTANT:T <ASSISTANT:T <ASSISTANT:T", "");
    check(&defaults(), "<NOTICE:T <NOTICE:T <NOTICE:T <mail:T", "");
}

#[test]
fn the_window_is_still_open_at_its_exact_end() {
    check(&defaults(), "clock a1:T a2:T +120000 a3:T", "5 text × 3 a");
    check(&defaults(), "clock a1:T a2:T +120001 a3:T", "");
}

#[test]
fn the_window_opens_with_the_first_appearance_and_does_not_slide() {
    check(&defaults(), "clock a1:T +60000 a2:T +60001 a3:T", "");
}

#[test]
fn the_next_appearance_after_the_window_is_the_first_of_a_new_one() {
    check(
        &defaults(),
        "clock a1:T a2:T +120001 a3:T a4:T +120000 a5:T",
        "8 text × 3 a",
    );
}

#[test]
fn a_new_window_keeps_the_cooldown() {
    let config = json!({"duplicateTextCooldownMs": 200_000});
    let trace = "clock a1:T a2:T a3:T +120001 a4:T a5:T a6:T";
    check(&config, &format!("{trace} +79998 a7:T"), "4 text × 3 a");
    check(
        &config,
        &format!("{trace} +79999 a7:T"),
        "4 text × 3 a, 10 text × 4 a",
    );
}

#[test]
fn a_new_window_keeps_the_sources() {
    check(
        &defaults(),
        "clock x:T y:T +120001 z1:T z2:T z3:T",
        "7 text × 3 x+y+z",
    );
}

#[test]
fn the_cooldown_is_over_when_exactly_that_much_has_passed() {
    check(
        &defaults(),
        "clock a1:T a2:T a3:T +29999 a4:T +1 a5:T",
        "4 text × 3 a, 8 text × 5 a",
    );
}

#[test]
fn the_cooldown_is_one_texts_own() {
    check(
        &defaults(),
        "clock a1:T a2:T a3:T a4:U a5:U a6:U a7:T a8:U",
        "4 text × 3 a, 7 text × 3 a",
    );
}

#[test]
fn without_a_cooldown_every_appearance_is_told() {
    check(
        &no_cooldown(),
        "a1:T a2:T a3:T a4:T a5:T",
        "3 text × 3 a, 4 text × 4 a, 5 text × 5 a",
    );
}

#[test]
fn without_times_nothing_lies_in_the_past() {
    check(
        &defaults(),
        "a1:T +500000 a2:T +500000 a3:T a4:T",
        "5 text × 3 a",
    );
}

#[test]
fn a_moment_that_was_not_known_is_that_of_the_next_appearance() {
    check(
        &defaults(),
        "a1:T a2:T a3:T clock a4:T +29999 a5:T +1 a6:T",
        "3 text × 3 a, 9 text × 6 a",
    );
    check(
        &defaults(),
        "a1:T clock +500000 a2:T +120000 a3:T",
        "6 text × 3 a",
    );
    check(&defaults(), "a1:T clock +500000 a2:T +120001 a3:T", "");
}

#[test]
fn a_clock_that_goes_backwards_does_no_harm() {
    check(&defaults(), "clock a1:T -500000 a2:T a3:T", "5 text × 3 a");
    check(
        &defaults(),
        "clock a1:T a2:T a3:T -60000 a4:T +60000 a5:T +29999 a6:T +1 a7:T",
        "4 text × 3 a, 12 text × 7 a",
    );
}

#[test]
fn several_blocks_of_one_result_each_count_and_one_text_is_told_once() {
    // At the first block that warrants it, with the count reached there.
    check(
        &no_cooldown(),
        "a1:T+T+T+T+T a2:T",
        "1 text × 3 a, 2 text × 6 a",
    );
    check(&no_cooldown(), "a1:T a2:T+T+T", "2 text × 3 a");
    check(
        &no_cooldown(),
        "a1:T+U a2:U+T a3:U+T+U+T",
        "3 text × 3 a, 3 text × 3 a",
    );
}

#[test]
fn each_message_of_a_batch_is_one_of_its_own() {
    check(
        &no_cooldown(),
        "<mail:T+T+T+T,news:T,mail:t",
        "1 text × 3 mail, 1 text × 5 mail+news",
    );
}

#[test]
fn a_message_id_is_looked_at_once() {
    check(
        &no_cooldown(),
        "<mail#1:T <mail#1:T <mail#1:T <mail#2:T",
        "",
    );
    check(&no_cooldown(), "<mail#1:T,mail#1:T,mail#1:T", "");
    check(
        &no_cooldown(),
        "<mail#1:T <mail#2:T <mail#1:T <mail#3:T",
        "4 text × 3 mail",
    );
    // Several blocks inside it each count.
    check(
        &no_cooldown(),
        "<mail#1:T+T <mail#1:T+T <mail:T",
        "3 text × 3 mail",
    );
}

#[test]
fn messages_without_an_id_are_always_looked_at() {
    check(&no_cooldown(), "<mail:T <mail:T <mail:T", "3 text × 3 mail");
}

#[test]
fn a_human_message_resets_texts_and_message_ids() {
    check(&no_cooldown(), "a1:T a2:T <USER a3:T a4:T", "");
    check(
        &no_cooldown(),
        "<mail#1:T <mail#2:T <USER <mail#1:T <mail#2:T <mail#1:T <mail#3:T",
        "7 text × 3 mail",
    );
    check(&no_cooldown(), "a1:T a2:T RESET a3:T a4:T", "");
}

#[test]
fn a_human_message_resets_the_cooldown_and_the_sources() {
    check(
        &defaults(),
        "clock x:T y:T z:T <USER a1:T a2:T a3:T",
        "4 text × 3 x+y+z, 8 text × 3 a",
    );
}

#[test]
fn a_batch_with_a_human_message_is_not_counted() {
    check(&no_cooldown(), "<USER:T <USER:T <USER:T", "");
    check(&no_cooldown(), "<mail:T,USER,mail:T <mail:T <mail:T", "");
    check(
        &no_cooldown(),
        "<mail#1:T,USER <mail#1:T <mail:T <mail:T",
        "4 text × 3 mail",
    );
}

#[test]
fn the_sources_are_the_distinct_ones_of_the_last_eight_appearances() {
    let config = json!({"duplicateTextThreshold": 10});
    check(
        &config,
        "a:T b:T c:T d:T e:T f:T g:T h:T a:T i:T",
        "10 text × 10 c+d+e+f+g+h+a+i",
    );
    let config = json!({"duplicateTextThreshold": 4});
    check(&config, "a1:T b:T a2:T c:T", "4 text × 4 a+b+c");
}

/// Whether a text is told at its third appearance, in the results of one tool.
fn is_told(config: &Value, texts: [&str; 3]) -> bool {
    let mut agent = Agent::new(config);
    let said = texts.map(|text| agent.result("a", &[text]).len());
    assert_eq!(said[..2], [0, 0]);
    said[2] == 1
}

#[test]
fn the_shortest_text_has_the_minimum_of_raw_utf16_units() {
    let long = |units| "x".repeat(units);
    assert!(is_told(&defaults(), [&*long(80); 3]));
    assert!(!is_told(&defaults(), [&*long(79); 3]));
    assert!(is_told(&defaults(), [&*"😀".repeat(40); 3]));
    assert!(!is_told(&defaults(), [&*"😀".repeat(39); 3]));
    assert!(!is_told(&defaults(), [&*"中".repeat(79); 3]));
    // Blanks that do not matter for what the text is count for its length.
    assert!(is_told(
        &defaults(),
        [&*format!("{}{}", long(2), " ".repeat(78)); 3]
    ));
    assert!(is_told(&json!({"minimumDuplicateChars": 1}), ["x"; 3]));
    assert!(!is_told(&json!({"minimumDuplicateChars": 1}), [""; 3]));
}

#[test]
fn line_ends_blanks_before_them_and_outer_blanks_do_not_matter() {
    let config = json!({"minimumDuplicateChars": 5});
    assert!(is_told(&config, ["one\ntwo", "one\r\ntwo", "one\rtwo"]));
    assert!(is_told(
        &config,
        ["one\ntwo", "one \t\ntwo\n", "\u{feff} one\ntwo \u{a0}"]
    ));
    assert!(!is_told(&config, ["one two", "one  two", "one\ntwo"]));
    assert!(!is_told(&config, ["one two", "One two", "one two!"]));
    assert!(!is_told(&config, ["one\ntwo", "one\n two", "one\ntwo"]));
    assert!(!is_told(&config, ["one two", "one two\u{85}", "one two"]));
}

#[test]
fn the_notice_quotes_a_preview_the_count_the_window_and_the_sources() {
    let mut agent = Agent::new(&json!({"duplicateTextWindowMs": 1500}));
    let text = format!("first\n\n  second\t{}", "x".repeat(500));
    agent.result("read", &[&text]);
    agent.result("cat", &[&text]);
    let notice = agent.result("read", &[&text]).remove(0);
    assert_eq!(notice.code, "duplicate-text");
    assert_eq!(notice.summary, "duplicate text × 3");
    let preview = format!("\"first second {}…\"", "x".repeat(160 - 13));
    for part in [
        "3 times",
        "within 1.5 s",
        "from read, cat",
        preview.as_str(),
    ] {
        assert!(notice.text.contains(part), "{part}: {}", notice.text);
    }
    assert!(
        !notice.text.contains(&"x".repeat(160 - 12)),
        "{}",
        notice.text
    );
    let facts = serde_json::to_value(&notice.facts).unwrap();
    assert_eq!(
        facts,
        json!({
            "rule": "duplicateTextThreshold",
            "limit": 3,
            "count": 3,
            "sources": ["read", "cat"],
            "windowMs": 1500,
        })
    );
}

#[test]
fn the_window_is_told_in_seconds() {
    let notice = last_notice(&defaults(), "a1:T a2:T a3:T");
    assert!(notice.text.contains("within 120 s"), "{}", notice.text);
}

#[test]
fn what_is_raised_by_one_event_comes_in_the_order_of_the_detectors() {
    let config = json!({"callWarnCount": 3});
    check(
        &config,
        "a b c d:T a b c d:T a b c d:T+U+U+U",
        "9 a × 3, 10 b × 3, 11 c × 3, 12 d × 3, 12 sequence × 3 abcd, 12 text × 3 d, 12 text × 3 d",
    );
}
