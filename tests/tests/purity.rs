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
use loopguard_tests::host::Host;
use loopguard_tests::life::{TOOLS, lives};
use loopguard_tests::rows::any_rows;
use proptest::prelude::*;
use serde_json::Value;

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

/// What saved state is compared by has to see a difference.
#[test]
fn a_state_that_differs_is_seen() {
    let one = Fingerprint::from_u128(1);
    let saved = |state| SavedGuard::new(&"id".into(), "kind", 1, Some(one), state);
    assert_ne!(saved(&[1, 2]), saved(&[1, 3]));
}

proptest! {
    #![proptest_config(cases(60))]

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
