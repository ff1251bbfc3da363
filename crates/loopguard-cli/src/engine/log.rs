//! Where the guards' decisions gather until the replay has said which event they belong to.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use loopguard::{Decision, Effect, Facts, Halt, Observer, SET_NAME};

use super::decision::Action;

/// The observer of one replay: what it notes is taken after each event.
///
/// An observer hears of everything in one way, also of what a dry run keeps to itself.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: Mutex<Vec<Entry>>,
    /// The guards that have failed, by the ids of their rows.
    failed: Mutex<BTreeSet<String>>,
}

/// A decision without its place.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) action: Action,
    /// Whether it is a denial of a call that another guard has refused already.
    pub(super) further: bool,
    pub(super) guard: String,
    pub(super) code: String,
    pub(super) message: String,
    pub(super) facts: Facts,
    pub(super) effect: Effect,
}

impl Log {
    /// Takes what was noted, in order.
    pub(super) fn take(&self) -> Vec<Entry> {
        std::mem::take(&mut *lock(&self.entries))
    }

    /// Takes the guards that have failed.
    pub(super) fn take_failed(&self) -> BTreeSet<String> {
        std::mem::take(&mut *lock(&self.failed))
    }
}

impl Observer for Log {
    fn decided(&self, _agent: &str, decision: &Decision<'_>) {
        let entry = match decision.action {
            loopguard::Action::Notice(notice) => Entry {
                action: Action::Notice,
                further: false,
                guard: notice.guard.to_string(),
                code: notice.code.clone(),
                message: notice.text.clone(),
                facts: notice.facts.clone(),
                effect: decision.effect,
            },
            loopguard::Action::Denial(denial) | loopguard::Action::FurtherDenial(denial) => Entry {
                action: Action::Deny,
                further: matches!(decision.action, loopguard::Action::FurtherDenial(_)),
                guard: denial.guard.to_string(),
                code: denial.code.clone(),
                message: denial.reason.clone(),
                facts: denial.facts.clone(),
                effect: decision.effect,
            },
            loopguard::Action::Halt(halt) => Entry {
                action: Action::Halt,
                further: false,
                guard: SET_NAME.to_owned(),
                code: Halt::CODE.to_owned(),
                message: halt.reason.clone(),
                facts: Facts::new("haltAfterDenials", halt.denials).count(halt.denials),
                effect: decision.effect,
            },
            loopguard::Action::Failed(guard) => {
                lock(&self.failed).insert(guard.to_string());
                return;
            }
            _ => return,
        };
        let mut entries = lock(&self.entries);
        entries.push(entry);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
