//! Each guard says on any life what its naive model says.

use loopguard_tests::host::{Heard, Host, setup};
use loopguard_tests::life::{TOOLS, lives};
use loopguard_tests::models::{
    BrakeModel, BrakeRules, BreakerModel, BreakerRules, Model, ModelHost, ReminderModel,
    ReminderRules, line_of_denial, line_of_notice,
};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

fn lines(heard: &Heard) -> Vec<String> {
    let denials = heard
        .refusal
        .iter()
        .map(|refusal| line_of_denial(&refusal.denial));
    denials
        .chain(heard.notices.iter().map(line_of_notice))
        .collect()
}

/// The guard of this row and the model, event by event.
fn check(
    row: &Value,
    model: impl Model,
    life: &[loopguard_tests::life::Event],
) -> Result<(), TestCaseError> {
    let mut host = Host::new(&setup(&json!([row])));
    let heard = host.live(life);
    let wanted = ModelHost::new(model).live(life);
    for (at, (heard, wanted)) in heard.iter().zip(wanted).enumerate() {
        prop_assert_eq!(lines(heard), wanted, "at event {}: {:?}", at, life[at]);
    }
    Ok(())
}

fn names(tools: &[usize]) -> Vec<&str> {
    tools.iter().map(|tool| TOOLS[*tool]).collect()
}

fn excluded() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        3 => Just(Vec::new()),
        1 => (0..TOOLS.len()).prop_map(|tool| vec![tool]),
    ]
}

fn reminder_rules() -> impl Strategy<Value = ReminderRules> {
    let thresholds = prop::collection::btree_set(2..7usize, 1..4);
    (thresholds, excluded()).prop_map(|(thresholds, exclude)| ReminderRules {
        thresholds: thresholds.into_iter().rev().collect(),
        exclude,
    })
}

fn breaker_rules() -> impl Strategy<Value = BreakerRules> {
    (1..4usize, excluded(), 1..16usize).prop_map(|(max_failures, exclude, preview)| BreakerRules {
        max_failures,
        exclude,
        preview,
    })
}

fn brake_rules() -> impl Strategy<Value = BrakeRules> {
    let calls = (any::<bool>(), 2..5usize, 1..3usize, 1..4usize);
    let sequences = (2..5usize, 2..4usize);
    let texts = (2..5usize, 4..12i64, 0..8i64, 1..24usize);
    (calls, sequences, texts).prop_map(|(calls, sequences, texts)| {
        let (deny, call_warn, later, again) = calls;
        let (length, sequences) = sequences;
        let (texts, window, cooldown, shortest) = texts;
        BrakeRules {
            deny,
            call_warn,
            call_deny: call_warn + later,
            again,
            length,
            sequences,
            texts,
            window: window * 250,
            cooldown: cooldown * 250,
            shortest,
        }
    })
}

proptest! {
    #![proptest_config(Config { cases: 400, ..Config::default() })]

    #[test]
    fn the_reminder_says_what_its_model_says(rules in reminder_rules(), life in lives(60)) {
        let config = json!({"thresholds": rules.thresholds, "exclude": names(&rules.exclude)});
        let row = json!({"name": "repeat-reminder", "config": config});
        check(&row, ReminderModel::new(rules), &life)?;
    }

    #[test]
    fn the_breaker_says_what_its_model_says(rules in breaker_rules(), life in lives(60)) {
        let config = json!({
            "maxFailures": rules.max_failures,
            "exclude": names(&rules.exclude),
            "errorPreviewChars": rules.preview,
        });
        let row = json!({"name": "circuit-breaker", "config": config});
        check(&row, BreakerModel::new(rules), &life)?;
    }

    #[test]
    fn the_brake_says_what_its_model_says(rules in brake_rules(), life in lives(90)) {
        let config = json!({
            "mode": if rules.deny { "deny" } else { "remind" },
            "callWarnCount": rules.call_warn,
            "callDenyCount": rules.call_deny,
            "callReWarnEvery": rules.again,
            "sequenceLength": rules.length,
            "sequenceCount": rules.sequences,
            "duplicateTextThreshold": rules.texts,
            "duplicateTextWindowMs": rules.window,
            "duplicateTextCooldownMs": rules.cooldown,
            "minimumDuplicateChars": rules.shortest,
        });
        let row = json!({"name": "brake", "config": config});
        check(&row, BrakeModel::new(rules), &life)?;
    }
}
