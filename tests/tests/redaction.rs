//! What must not be quoted (`redact`): it is nowhere to be read, and changes no comparison.

use loopguard::{Answer, Ending, Incoming, Notice, Seed, Sessions, Submission};
use loopguard_tests::host::setup;
use serde_json::{Value, json};

const SECRET: &str = "sk-0a1b2c";

/// The set's row and one guard's.
fn rows(guard: &str, config: &Value) -> Value {
    json!([
        {"name": "loopguard", "config": {"redact": ["sk-\\w+", "(?i)password"]}},
        {"name": guard, "config": config},
    ])
}

/// A host of one agent.
struct Host(Sessions);

impl Host {
    fn new(guard: &str, config: &Value) -> Self {
        Self(Sessions::new(setup(&rows(guard, config)), Seed::FIXED))
    }

    /// A call: its notices, or as an error the reason why it is refused.
    fn call(&self, arguments: &str, ending: Ending<'_>) -> Result<Vec<Notice>, String> {
        match self.0.submit("agent", &Submission::new("tool", arguments)) {
            Answer::Admitted(number) => {
                let ending = ending.arguments(arguments);
                Ok(self.0.finish("agent", number, &ending))
            }
            Answer::Refused(refusal) => Err(refusal.denial.reason),
            _ => unreachable!("there is no other answer"),
        }
    }

    fn saved(&self) -> String {
        let saved = self.0.save("agent").expect("it is watched");
        serde_json::to_string(&saved).expect("it is JSON")
    }
}

#[test]
fn arguments_are_quoted_without_it() {
    let host = Host::new("repeat-reminder", &json!({"thresholds": [2, 3]}));
    let arguments = format!(r#"{{"key":"{SECRET}","PASSWORD":1}}"#);
    let mut said = Vec::new();
    for _ in 0..3 {
        said = host
            .call(&arguments, Ending::success(&[]))
            .expect("it runs");
    }
    let text = &said[0].text;
    assert!(
        text.contains(r#"arguments: {"[redacted]":1,"key":"[redacted]"}"#),
        "{text}"
    );
}

#[test]
fn a_cut_leaves_no_half_of_it() {
    let config = json!({"thresholds": [2, 3], "argumentsPreviewChars": 12});
    let host = Host::new("repeat-reminder", &config);
    let arguments = format!(r#"{{"key":"{SECRET}"}}"#);
    let mut said = Vec::new();
    for _ in 0..3 {
        said = host
            .call(&arguments, Ending::success(&[]))
            .expect("it runs");
    }
    assert!(!said[0].text.contains("sk-"), "{}", said[0].text);
}

#[test]
fn own_texts_quote_it_as_little() {
    let config = json!({"thresholds": [2], "messages": {"repeated-call": "{arguments}"}});
    let host = Host::new("repeat-reminder", &config);
    let arguments = format!("\"{SECRET}\"");
    host.call(&arguments, Ending::success(&[]))
        .expect("it runs");
    let said = host
        .call(&arguments, Ending::success(&[]))
        .expect("it runs");
    assert_eq!(said[0].text, "\"[redacted]\"");
}

#[test]
fn texts_of_results_and_messages_are_quoted_and_saved_without_it() {
    let config = json!({"minimumDuplicateChars": 5, "similarText": 0.5, "assistantText": true});
    let host = Host::new("brake", &config);
    let text = format!("the key is {SECRET} indeed");
    for number in 0..2 {
        host.call(&number.to_string(), Ending::success(&[&text]))
            .expect("it runs");
    }
    host.0
        .messages("agent", &[Incoming::plugin("mail", &[&text])], None);
    let said = host.0.take_notices("agent");
    assert!(
        said[0].text.contains("the key is [redacted] indeed"),
        "{}",
        said[0].text
    );
    let streamed = [text.as_str()];
    let piece = Incoming::new(loopguard::Source::Assistant, &streamed);
    host.0
        .messages("agent", &[piece.form(loopguard::Form::Part)], None);
    assert!(!host.saved().contains(SECRET));
}

#[test]
fn the_message_of_a_failure_is_quoted_and_saved_without_it() {
    let host = Host::new("circuit-breaker", &json!({"maxSimilarFailures": 2}));
    let message = format!("no access with {SECRET}");
    host.call("{}", Ending::failure(&message, &[]))
        .expect("it runs");
    let said = host
        .call("{}", Ending::failure(&message, &[]))
        .expect("it runs");
    assert!(
        said[0].text.contains("no access with [redacted]."),
        "{}",
        said[0].text
    );
    let reason = host
        .call("{}", Ending::success(&[]))
        .expect_err("it is open");
    assert!(
        reason.contains("Last failure: no access with [redacted]. Change"),
        "{reason}"
    );
    assert!(!host.saved().contains(SECRET));
}

#[test]
fn so_is_a_text_that_means_failure() {
    let config = json!({"failurePatterns": [{"pattern": "no access"}], "denyInferred": true});
    let host = Host::new("circuit-breaker", &config);
    let text = format!("no access with {SECRET}");
    for _ in 0..2 {
        let said = host.call("{}", Ending::success(&[&text])).expect("it runs");
        assert!(said.iter().all(|notice| !notice.text.contains(SECRET)));
    }
    let reason = host
        .call("{}", Ending::success(&[]))
        .expect_err("it is open");
    assert!(reason.contains("no access with [redacted]"), "{reason}");
    assert!(!host.saved().contains(SECRET));
}

#[test]
fn what_is_taken_out_still_tells_calls_apart() {
    let host = Host::new("repeat-reminder", &json!({"thresholds": [2]}));
    for key in ["sk-1", "sk-2", "sk-1", "sk-2"] {
        let said = host.call(&format!("\"{key}\""), Ending::success(&[]));
        assert_eq!(said, Ok(vec![]));
    }
}

#[test]
fn it_still_tells_results_texts_and_failures_apart() {
    let aware = json!({"thresholds": [2], "resultAware": true});
    let host = Host::new("repeat-reminder", &aware);
    for key in ["sk-1", "sk-2", "sk-1", "sk-2"] {
        assert_eq!(host.call("{}", Ending::success(&[key])), Ok(vec![]));
    }
    let texts = json!({"minimumDuplicateChars": 1, "duplicateTextThreshold": 2});
    let host = Host::new("brake", &texts);
    for key in ["sk-1", "sk-2", "sk-3", "sk-4"] {
        assert_eq!(host.call(key, Ending::success(&[key])), Ok(vec![]));
    }
    let failures = json!({"resultAware": true, "maxSimilarFailures": 2});
    let host = Host::new("circuit-breaker", &failures);
    for key in ["sk-1", "sk-2", "sk-1", "sk-2"] {
        assert_eq!(host.call("{}", Ending::failure(key, &[])), Ok(vec![]));
    }
}

#[test]
fn patterns_of_other_keys_see_the_whole_message() {
    let config = json!({"transientPatterns": ["sk-1"], "maxFailures": 1});
    let host = Host::new("circuit-breaker", &config);
    for _ in 0..3 {
        assert_eq!(host.call("{}", Ending::failure("sk-1", &[])), Ok(vec![]));
    }
}
