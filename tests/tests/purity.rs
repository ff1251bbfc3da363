//! Deciding is pure: a guard that is asked more often says and does nothing else.

use std::sync::{Arc, Mutex};

use loopguard::core::{
    Call, Event, Fingerprint, Guard, Identity, Notices, RestoreError, SavedGuard, Verdict,
};
use loopguard::{GuardFactory, GuardId, Setup};
use loopguard_brake::{Brake, BrakeConfig};
use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker};
use loopguard_repeat_reminder::{ReminderConfig, RepeatReminder};
use loopguard_tests::cases;
use loopguard_tests::host::{Host, setup};
use loopguard_tests::life::{self, End, How, TOOLS, What, lives};
use loopguard_tests::rows::any_rows;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Asks its guard again and again: before each event about every call that it has heard of, and
/// twice about the call that is to be decided.
#[derive(Debug)]
struct Curious {
    guard: Box<dyn Guard>,
    heard: Mutex<Vec<(&'static str, Identity)>>,
}

impl Curious {
    fn ask_about_all(&self) {
        let before = self.guard.save();
        for (tool, identity) in self.heard.lock().expect("one thread").iter() {
            let call = Call::with_identity(tool, *identity);
            assert_eq!(self.guard.decide(&call), self.guard.decide(&call));
        }
        assert_eq!(self.guard.save(), before);
    }
}

impl Guard for Curious {
    fn id(&self) -> &GuardId {
        self.guard.id()
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        self.ask_about_all();
        let tool = TOOLS.iter().find(|tool| **tool == call.tool());
        let heard = (*tool.expect("a known tool"), call.identity());
        self.heard.lock().expect("one thread").push(heard);
        let verdict = self.guard.decide(call);
        assert_eq!(self.guard.decide(call), verdict);
        verdict
    }

    fn may_refuse(&self) -> bool {
        self.guard.may_refuse()
    }

    fn minds_results(&self) -> bool {
        self.guard.minds_results()
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        self.ask_about_all();
        self.guard.observe(event, notices);
        self.ask_about_all();
    }

    fn save(&self) -> SavedGuard {
        self.guard.save()
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        self.guard.restore(saved)
    }
}

/// The three guards, each of them handed through `wrap`.
fn guards(
    [reminder, brake, breaker]: &[Value; 3],
    wrap: fn(Box<dyn Guard>) -> Box<dyn Guard>,
) -> Arc<Setup> {
    let reminder = ReminderConfig::from_value(&reminder["config"]).expect("rules");
    let brake = BrakeConfig::from_value(&brake["config"]).expect("rules");
    let breaker = BreakerConfig::from_value(&breaker["config"]).expect("rules");
    let (reminder, brake, breaker) = (Arc::new(reminder), Arc::new(brake), Arc::new(breaker));
    let setup = Setup::new()
        .guard(GuardFactory::new("reminder", move |id| {
            wrap(Box::new(RepeatReminder::new(id, Arc::clone(&reminder))))
        }))
        .guard(GuardFactory::new("brake", move |id| {
            wrap(Box::new(Brake::new(id, Arc::clone(&brake))))
        }))
        .guard(GuardFactory::new("breaker", move |id| {
            wrap(Box::new(CircuitBreaker::new(id, Arc::clone(&breaker))))
        }));
    Arc::new(setup)
}

/// The same life, in which every call succeeds and says nothing.
fn without_results(life: &[life::Event]) -> Vec<life::Event> {
    let well = || End {
        how: How::Success,
        texts: Vec::new(),
    };
    let mut life = life.to_vec();
    for event in &mut life {
        if let What::Call(_, end) | What::End(_, end) = &mut event.what {
            *end = well();
        }
    }
    life
}

/// What saved state is compared by has to see a difference.
#[test]
fn a_state_that_differs_is_seen() {
    let one = Fingerprint::from_u128(1);
    let saved = |state| SavedGuard::new(&"id".into(), "kind", 1, Some(one), state);
    assert_ne!(saved(&[1, 2]), saved(&[1, 3]));
}

#[test]
fn only_what_is_configured_to_refuse_may() {
    let may = |row: Value| setup(&json!([row])).may_refuse();
    assert!(!may(json!({"name": "repeat-reminder"})));
    assert!(!may(
        json!({"name": "brake", "config": {"sequenceMaxLength": 8, "sequenceDenyCount": 9}})
    ));
    assert!(may(json!({"name": "circuit-breaker"})));
    assert!(may(json!({"name": "brake", "config": {"mode": "deny"}})));
    for (name, key) in [
        ("repeat-reminder", json!({"denyAt": 9})),
        ("brake", json!({"mode": "deny"})),
    ] {
        assert!(may(json!({"name": name, "config": key})));
        let mut rule = key;
        rule["tools"] = json!(["bash"]);
        assert!(may(json!({"name": name, "config": {"overrides": [rule]}})));
    }
    assert!(!Setup::new().may_refuse());
}

#[test]
fn only_a_reminder_that_is_not_aware_of_results_does_not_mind_them() {
    let minds = |row: Value| setup(&json!([row])).minds_results();
    assert!(!minds(
        json!({"name": "repeat-reminder", "config": {"stepAware": true}})
    ));
    assert!(minds(
        json!({"name": "repeat-reminder", "config": {"resultAware": true}})
    ));
    let rule = json!({"tools": ["bash"], "resultAware": true});
    assert!(minds(
        json!({"name": "repeat-reminder", "config": {"overrides": [rule]}})
    ));
    assert!(minds(json!({"name": "brake"})) && minds(json!({"name": "circuit-breaker"})));
    let halting = json!({"name": "loopguard", "config": {"haltAfterDenials": 2}});
    assert!(setup(&json!([halting, {"name": "repeat-reminder"}])).minds_results());
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_set_that_may_not_refuse_never_does(rows in any_rows(), life in lives(50)) {
        for row in rows {
            let setup = setup(&json!([row]));
            let mut heard = Host::new(&setup).live(&life).into_iter();
            let has_refused = heard.any(|heard| heard.refusal.is_some());
            prop_assert!(setup.may_refuse() || !has_refused);
        }
    }

    #[test]
    fn a_set_that_does_not_mind_results_says_the_same_whatever_they_are(
        rows in any_rows(),
        life in lives(50),
    ) {
        for row in rows {
            let setup = setup(&json!([row]));
            if !setup.minds_results() {
                let said = Host::new(&setup).live(&without_results(&life));
                prop_assert_eq!(said, Host::new(&setup).live(&life));
            }
        }
    }

    #[test]
    fn a_guard_that_is_asked_more_often_says_nothing_else(
        rules in any_rows(),
        life in lives(50),
    ) {
        let curious = guards(&rules, |guard| {
            let heard = Mutex::default();
            Box::new(Curious { guard, heard })
        });
        let plain = guards(&rules, |guard| guard);
        prop_assert_eq!(Host::new(&curious).live(&life), Host::new(&plain).live(&life));
    }
}
