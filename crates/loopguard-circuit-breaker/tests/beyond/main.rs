//! What the breaker does beyond the original, key by key.

mod half_open;
mod trace;

use loopguard_circuit_breaker::config_rows::{Language, Section};
use loopguard_circuit_breaker::{BreakerConfig, KEYS, NAME};
use serde_json::{Value, json};
use trace::{Agent, check};

#[test]
fn several_failing_calls_are_remembered_at_once() {
    check(&json!({"chains": 1}), "a!x b!x a!x b!x a b", "");
    check(
        &json!({"chains": 2}),
        "a!x b!x a!x b!x a b",
        "5 denied, 6 denied",
    );
    check(
        &json!({"chains": 2}),
        "a!x b!x a!x a b!x b a",
        "4 denied, 6 denied, 7 denied",
    );
}

#[test]
fn the_call_that_failed_longest_ago_is_dropped() {
    let two = json!({"chains": 2});
    check(&two, "a!x b!x c!x a!x a", "");
    check(&two, "a!x a!x b!x b!x c!x b a", "6 denied");
    // A further failure makes it the latest.
    check(&two, "a!x b!x a!x c!x a b!x b!x b", "5 denied, 8 denied");
}

#[test]
fn there_are_never_more_than_sixty_four() {
    assert!(BreakerConfig::from_value(&json!({"chains": 65})).is_err());
    let mut agent = Agent::new(&json!({"chains": 64}));
    for call in 0..100 {
        agent.play(&format!("t{call}!x t{call}!x"));
    }
    assert_eq!(agent.play("t99 t36 t35 "), "1 denied, 2 denied");
}

#[test]
fn a_configuration_tells_its_values() {
    let overrides = json!([{"tools": ["a"], "maxFailures": 9}]);
    let config = json!({"maxFailures": 3, "errorPreviewChars": 40, "overrides": overrides});
    let config = BreakerConfig::from_value(&config).expect("a configuration");
    assert_eq!(
        (config.max_failures(), config.error_preview_chars()),
        (3, 40)
    );
    let default = BreakerConfig::default();
    assert_eq!(
        (default.max_failures(), default.error_preview_chars()),
        (2, 300)
    );
    assert_eq!(default.chains(), 1);
}

#[test]
fn a_success_of_any_guarded_tool_clears_all_chains() {
    let config = json!({"chains": 3, "exclude": ["x"]});
    check(&config, "a!x a!x b!x b!x c a b", "");
    check(&config, "a!x a!x b!x b!x x a b", "6 denied, 7 denied");
    check(&config, "a!x a!x b!x b!x USER a b", "");
    check(&config, "a!x a!x b!x b!x RESET a b", "");
}

#[test]
fn a_pardon_clears_the_chain_of_that_call_alone() {
    let config = json!({"chains": 3});
    check(&config, "a!x a!x b!x b!x pardon:a a!y b", "7 denied");
    check(&config, "a!x a!x pardon:c a", "4 denied");
}

#[test]
fn a_failure_that_reads_otherwise_starts_at_one() {
    let config = json!({"resultAware": true});
    check(&config, "a!x a!x a", "3 denied");
    check(&config, "a!x a!y a!x a!y a", "");
    check(&config, "a!x a!y a!y a", "4 denied");
    check(&json!({}), "a!x a!y a", "3 denied");
    // What the model reads counts, not only the message.
    check(&config, "a!exit:one_test_fails a!exit:two_tests_fail a", "");
    check(&config, "a!exit:one a!exit:one a", "3 denied");
}

#[test]
fn a_transient_failure_neither_counts_nor_clears() {
    let config = json!({"transientPatterns": ["429", "try again"]});
    check(&config, "a!429 a!429 a!429 a!429", "");
    check(&config, "a!x a!429 a!x a", "4 denied");
    check(&config, "a!x b!Try_Again_later a!x a", "4 denied");
    // Without it, the failure of another call would have cleared the chain.
    check(&json!({}), "a!x b!429 a!x a", "");
    check(&json!({}), "a!429 a!429 a", "3 denied");
}

#[test]
fn a_transient_failure_is_not_similar_to_any() {
    let config = json!({"transientPatterns": ["429"], "maxSimilarFailures": 2});
    check(&config, "a!429 b!429 c!429", "");
    check(&config, "a!x b!429 c!x", "3 similar failures × 2");
}

fn inferred() -> Value {
    json!({"failurePatterns": [
        {"tools": ["bash", "sh*"], "pattern": "exit code [1-9]"},
        {"pattern": "(?i)^fatal"},
    ]})
}

#[test]
fn a_text_that_means_failure_counts_and_advises_and_does_not_deny() {
    check(
        &inferred(),
        "bash:exit_code_2 bash:exit_code_2 bash:exit_code_2 bash",
        "2 bash failed × 2",
    );
    check(
        &inferred(),
        "shell:exit_code_2 shell:exit_code_2",
        "2 shell failed × 2",
    );
    check(&inferred(), "a:Fatal:_no a:Fatal:_no", "2 a failed × 2");
    // A pattern is for its tools only, and it has to match.
    check(&inferred(), "a:exit_code_2 a:exit_code_2 a:exit_code_2", "");
    check(&inferred(), "bash:exit_code_0 bash:exit_code_0", "");
}

#[test]
fn a_text_that_means_failure_is_no_success() {
    check(&inferred(), "bash!x bash!x a:fatal bash", "");
    let mut config = inferred();
    config["chains"] = json!(2);
    check(&config, "bash!x bash!x a:fatal bash", "4 denied");
}

#[test]
fn it_denies_where_that_is_allowed() {
    let mut config = inferred();
    config["denyInferred"] = json!(true);
    check(
        &config,
        "bash:exit_code_2 bash:exit_code_2 bash",
        "3 denied",
    );
}

#[test]
fn a_chain_denies_only_where_the_host_reported_every_failure() {
    check(
        &inferred(),
        "bash:exit_code_2 bash!x bash",
        "2 bash failed × 2",
    );
    check(&inferred(), "bash!x bash!x bash", "3 denied");
}

#[test]
fn a_pattern_may_match_any_block_and_the_message_is_that_text() {
    let mut config = inferred();
    config["denyInferred"] = json!(true);
    let mut agent = Agent::new(&config);
    agent.play("bash:exit_code_2 bash:exit_code_3 bash");
    let reason = agent.denied.expect("it is denied").reason;
    assert!(
        reason.contains("Last failure: exit code 3. Change"),
        "{reason}"
    );
}

#[test]
fn an_advised_failure_rests_on_these_facts() {
    let mut agent = Agent::new(&inferred());
    agent.play("a bash:exit_code_2 bash:exit_code_2");
    let notice = agent.said.remove(0);
    assert_eq!(notice.code, "inferred-failures");
    assert!(notice.text.contains("2 times in a row"), "{}", notice.text);
    assert!(notice.text.contains("exit code 2"), "{}", notice.text);
    assert_eq!(
        serde_json::to_value(&notice.facts).unwrap(),
        json!({
            "rule": "failurePatterns",
            "limit": 2,
            "count": 2,
            "tool": "bash",
            "firstCall": 2,
            "lastCall": 3,
        })
    );
}

#[test]
fn the_same_failure_of_whatever_call_is_told() {
    let config = json!({"maxSimilarFailures": 3});
    check(&config, "a1!x a2!x b!x", "3 similar failures × 3");
    check(&config, "a1!x a2!y b!x", "");
    check(&config, "a1!x a2!x b!y c!y d!y", "5 similar failures × 3");
    check(&json!({}), "a1!x a2!x b!x c!x d!x", "");
}

#[test]
fn it_is_told_again_each_so_many_further_times() {
    let config = json!({"maxSimilarFailures": 2});
    check(
        &config,
        "a1!x a2!x a3!x a4!x a5!x",
        "2 similar failures × 2, 4 similar failures × 4",
    );
}

#[test]
fn a_success_or_a_person_starts_it_anew_and_denied_and_cancelled_calls_do_not() {
    let config = json!({"maxSimilarFailures": 3, "exclude": ["x"]});
    check(&config, "a1!x a2!x b a3!x", "");
    check(&config, "a1!x a2!x USER a3!x", "");
    check(
        &config,
        "a1!x b~ a2!x c= d- x mail a3!x",
        "8 similar failures × 3",
    );
}

#[test]
fn similar_failures_never_deny() {
    let config = json!({"maxSimilarFailures": 2});
    check(&config, "a1!x a2!x a3!x a4", "2 similar failures × 2");
    let mut agent = Agent::new(&config);
    agent.play("a1!no_such_host b2!no_such_host");
    let notice = agent.said.remove(0);
    assert_eq!(notice.code, "similar-failures");
    assert!(notice.text.contains("no such host"), "{}", notice.text);
    assert_eq!(
        serde_json::to_value(&notice.facts).unwrap(),
        json!({
            "rule": "maxSimilarFailures",
            "limit": 2,
            "count": 2,
            "tool": "b",
            "firstCall": 1,
            "lastCall": 2,
        })
    );
}

#[test]
fn a_pause_longer_than_the_gap_starts_anew() {
    let config = json!({"quietGapMs": 1000});
    check(&config, "clock a!x a!x +1000 a", "5 denied");
    check(&config, "clock a!x a!x +1001 a", "");
    check(&config, "clock a!x +1001 a!x a", "");
    check(&config, "clock a!x a!x +800 mail +201 a", "");
    check(&config, "clock a!x a!x +800 ASSISTANT +201 a", "7 denied");
    check(&config, "clock a!x a( +9000 )!x +1000 a", "7 denied");
    check(&config, "a!x a!x a", "3 denied");
    let similar = json!({"quietGapMs": 1000, "maxSimilarFailures": 2});
    check(&similar, "clock a1!x +1001 a2!x", "");
    check(&similar, "clock a1!x +1000 a2!x", "4 similar failures × 2");
}

#[test]
fn overrides_give_some_tools_other_values_and_the_first_that_matches_holds() {
    let config = json!({"overrides": [
        {"tools": ["a*"], "maxFailures": 1},
        {"tools": ["ab", "c"], "maxFailures": 3},
    ]});
    check(&config, "ab!x ab", "2 denied");
    check(&config, "c!x c!x c!x c", "4 denied");
    check(&config, "d!x d!x d", "3 denied");
}

#[test]
fn every_key_of_an_override_takes_effect() {
    let of = |mut values: Value| {
        values["tools"] = json!(["a"]);
        json!({"overrides": [values]})
    };
    check(
        &of(json!({"resultAware": true})),
        "a!x a!y a b!x b!y b",
        "6 denied",
    );
    check(
        &of(json!({"halfOpenAfterCalls": 1})),
        "a!x a!x a a",
        "3 denied",
    );
    check(
        &of(json!({"halfOpenAfterMs": 5})),
        "clock a!x a!x +5 a b!x b!x +5 b",
        "9 denied",
    );
    check(
        &of(json!({"maxSimilarFailures": 2})),
        "a1!x a2!x b1!x b2!x",
        "2 similar failures × 2",
    );
    check(
        &of(json!({"quietGapMs": 5})),
        "clock a!x a!x +6 a b!x b!x +6 b",
        "9 denied",
    );
    let mut agent = Agent::new(&of(json!({"errorPreviewChars": 2})));
    agent.play("a!long a!long a");
    let reason = agent.denied.expect("it is denied").reason;
    assert!(reason.contains("Last failure: lo…. Change"), "{reason}");
}

#[test]
fn own_texts_are_said_to_the_letter_with_their_placeholders_filled() {
    let config = json!({
        "maxSimilarFailures": 2,
        "failurePatterns": [{"pattern": "fatal"}],
        "messages": {
            "circuit-open": "{{{tool}}} {count}: {message}\n",
            "similar-failures": "{count} like {message}",
            "inferred-failures": "{tool} seems to fail",
        },
    });
    let mut agent = Agent::new(&config);
    agent.play("a!{tool} a!{tool} a");
    assert_eq!(
        agent.denied.take().expect("it is denied").reason,
        "{a} 2: {tool}\n"
    );
    assert_eq!(agent.said.remove(0).text, "2 like {tool}");
    agent.play("USER b:fatal b:fatal");
    assert_eq!(agent.said.remove(0).text, "b seems to fail");
}

#[test]
fn chinese_is_for_the_guards_own_texts_and_not_for_that_of_the_original() {
    let config = json!({"maxSimilarFailures": 2, "failurePatterns": [{"pattern": "fatal"}]});
    let section = Section::from_value(NAME, &config, KEYS);
    let config = BreakerConfig::read(section, Language::Zh).expect("a configuration");
    let mut agent = Agent::under(config);
    agent.play("a!x a!x a USER b:fatal b:fatal");
    let reason = agent.denied.expect("it is denied").reason;
    assert!(
        reason.starts_with("The identical a call already failed 2"),
        "{reason}"
    );
    let texts: Vec<_> = agent
        .said
        .iter()
        .map(|it| (&*it.code, it.text.contains('。')))
        .collect();
    assert_eq!(
        texts,
        [
            ("similar-failures", true),
            ("inferred-failures", true),
            ("similar-failures", true)
        ]
    );
}

#[test]
fn an_inexact_call_is_never_denied_whatever_is_configured() {
    let config =
        json!({"chains": 4, "denyInferred": true, "failurePatterns": [{"pattern": "fatal"}]});
    check(&config, "a?!x a?!x a? a", "");
    check(&config, "a:fatal a?:fatal a", "");
}
