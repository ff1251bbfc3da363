//! Each guard says on any life what its naive model says.

use std::collections::BTreeSet;

use loopguard_tests::cases;
use loopguard_tests::host::{Heard, Host, setup};
use loopguard_tests::life::{Event, lives};
use loopguard_tests::models::{
    BrakeModel, BrakeRules, BreakerModel, BreakerRules, Model, ModelHost, ReminderModel,
    ReminderRules, line_of_denial, line_of_notice,
};
use loopguard_tests::rows::{any_rows, modelled_rows};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
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
fn check(row: &Value, model: impl Model, life: &[Event]) -> Result<(), TestCaseError> {
    let heard = Host::new(&setup(&json!([row]))).live(life);
    let wanted = ModelHost::new(model).live(life);
    for (at, (heard, wanted)) in heard.iter().zip(wanted).enumerate() {
        prop_assert_eq!(lines(heard), wanted, "at event {}: {:?}", at, life[at]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn the_reminder_says_what_its_model_says(rules in ReminderRules::any(), life in lives(60)) {
        check(&rules.row(), ReminderModel::new(rules), &life)?;
    }

    #[test]
    fn the_reminder_does_so_beyond_the_original(rules in ReminderRules::wider(), life in lives(60)) {
        check(&rules.row(), ReminderModel::new(rules), &life)?;
    }

    #[test]
    fn the_breaker_does_so_beyond_the_original(rules in BreakerRules::wider(), life in lives(60)) {
        check(&rules.row(), BreakerModel::new(rules), &life)?;
    }

    #[test]
    fn the_brake_does_so_beyond_the_original(rules in BrakeRules::wider(), life in lives(90)) {
        check(&rules.row(), BrakeModel::new(rules), &life)?;
    }

    #[test]
    fn the_breaker_says_what_its_model_says(rules in BreakerRules::any(), life in lives(60)) {
        check(&rules.row(), BreakerModel::new(rules), &life)?;
    }

    #[test]
    fn the_brake_says_what_its_model_says(rules in BrakeRules::any(), life in lives(90)) {
        check(&rules.row(), BrakeModel::new(rules), &life)?;
    }
}

/// Lives that make nobody speak would prove nothing.
#[test]
fn random_lives_make_every_guard_say_all_that_it_can() {
    let mut runner = TestRunner::deterministic();
    let mut codes = BTreeSet::new();
    let rows = prop_oneof![any_rows(), modelled_rows()].boxed();
    for _ in 0..300 {
        let drawn = (rows.clone(), lives(90)).new_tree(&mut runner);
        let (rows, life) = drawn.expect("a life").current();
        for row in rows {
            for heard in Host::new(&setup(&json!([row]))).live(&life) {
                codes.extend(heard.refusal.map(|refusal| refusal.denial.code));
                codes.extend(heard.notices.into_iter().map(|notice| notice.code));
            }
        }
    }
    let all = [
        "call-count",
        "call-denied",
        "chanting",
        "circuit-open",
        "duplicate-text",
        "inferred-failures",
        "repeated-call",
        "repeated-call-denied",
        "repeated-call-detailed",
        "sequence-denied",
        "sequence-loop",
        "similar-calls",
        "similar-failures",
        "similar-text",
    ];
    assert_eq!(Vec::from_iter(&codes), all);
}

/// Nor would those that make a model speak of one thing only.
#[test]
fn random_lives_make_every_model_say_all_that_it_can() {
    let mut runner = TestRunner::deterministic();
    let mut codes = BTreeSet::new();
    let mut hear = |said: Vec<Vec<String>>| {
        let code = |line: &String| line.split(' ').next().map(str::to_owned);
        codes.extend(said.iter().flatten().filter_map(code));
    };
    for _ in 0..150 {
        let rules = (
            ReminderRules::wider(),
            BreakerRules::wider(),
            BrakeRules::wider(),
        );
        let drawn = (rules, lives(90)).new_tree(&mut runner).expect("a life");
        let ((reminder, breaker, brake), life) = drawn.current();
        hear(ModelHost::new(ReminderModel::new(reminder)).live(&life));
        hear(ModelHost::new(BreakerModel::new(breaker)).live(&life));
        hear(ModelHost::new(BrakeModel::new(brake)).live(&life));
    }
    let all = [
        "call-count",
        "call-denied",
        "chanting",
        "circuit-open",
        "duplicate-text",
        "inferred-failures",
        "repeated-call",
        "repeated-call-denied",
        "repeated-call-detailed",
        "sequence-denied",
        "sequence-loop",
        "similar-failures",
    ];
    assert_eq!(Vec::from_iter(&codes), all);
}
