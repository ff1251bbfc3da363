//! What is added up over all sessions.

use std::collections::BTreeMap;

use loopguard::Setup;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::engine::Action;
use crate::session::Session;

/// What was replayed, and what the guards decided.
///
/// Its keys are written in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// Sessions.
    pub sessions: u64,
    /// Calls, over all agents, up to a halt.
    pub calls: u64,
    /// Notices.
    pub notices: u64,
    /// Denied calls.
    pub denials: u64,
    /// Halts.
    pub halts: u64,
    /// Notices and denials of each guard, those that decided nothing included.
    pub guards: PerGuard,
    /// Decisions of each code.
    pub codes: BTreeMap<String, u64>,
    /// Denied calls whose recorded result was fine.
    pub denied_but_succeeded: u64,
    /// Events, up to a halt.
    pub events: u64,
    /// Lines that gave no event.
    pub skipped_lines: u64,
    /// Files of a directory that are named like sessions and hold none; written only where there
    /// are any.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_files: u64,
    /// Guards that panicked, by the ids of their rows, with the number of sessions in which they
    /// did; written only where there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failed_guards: BTreeMap<String, u64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Counts by the id of a guard's row, in the order of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerGuard(Vec<(String, Counts)>);

/// What one guard decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Its notices.
    pub notices: u64,
    /// The calls that it was the first to deny.
    pub denials: u64,
    /// Those of them whose recorded result was fine.
    pub denied_but_succeeded: u64,
}

impl Totals {
    /// Nothing yet, for the guards of this setup.
    pub fn new(setup: &Setup) -> Self {
        let guards = setup.guard_ids();
        Self {
            guards: PerGuard(
                guards
                    .map(|id| (id.to_string(), Counts::default()))
                    .collect(),
            ),
            ..Self::default()
        }
    }

    /// Adds a session.
    pub fn add(&mut self, session: &Session) {
        self.sessions += 1;
        self.calls += session.tally.calls;
        self.events += session.tally.events;
        self.denied_but_succeeded += session.tally.denied_but_succeeded;
        for guard in &session.failed_guards {
            *self.failed_guards.entry(guard.clone()).or_default() += 1;
        }
        for decision in &session.decisions {
            *self.codes.entry(decision.code.clone()).or_default() += 1;
            match decision.action {
                Action::Notice => {
                    self.notices += 1;
                    self.guards.of(&decision.guard).notices += 1;
                }
                Action::Deny => {
                    self.denials += 1;
                    let counts = self.guards.of(&decision.guard);
                    counts.denials += 1;
                    counts.denied_but_succeeded += u64::from(decision.recorded_fine);
                }
                Action::Halt => self.halts += 1,
            }
        }
    }
}

impl Totals {
    /// Adds what was added up elsewhere.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.calls += other.calls;
        self.notices += other.notices;
        self.denials += other.denials;
        self.halts += other.halts;
        for (id, counts) in other.guards.iter() {
            let of = self.guards.of(id);
            of.notices += counts.notices;
            of.denials += counts.denials;
            of.denied_but_succeeded += counts.denied_but_succeeded;
        }
        for (code, count) in &other.codes {
            *self.codes.entry(code.clone()).or_default() += count;
        }
        for (guard, sessions) in &other.failed_guards {
            *self.failed_guards.entry(guard.clone()).or_default() += sessions;
        }
        self.denied_but_succeeded += other.denied_but_succeeded;
        self.events += other.events;
        self.skipped_lines += other.skipped_lines;
        self.skipped_files += other.skipped_files;
    }
}

impl PerGuard {
    /// The guards with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Counts)> {
        self.0.iter().map(|(id, counts)| (id.as_str(), *counts))
    }

    fn of(&mut self, guard: &str) -> &mut Counts {
        let at = match self.0.iter().position(|(id, _)| id == guard) {
            Some(at) => at,
            None => {
                self.0.push((guard.to_owned(), Counts::default()));
                self.0.len() - 1
            }
        };
        &mut self.0[at].1
    }
}

impl Serialize for PerGuard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (id, counts) in &self.0 {
            map.serialize_entry(id, counts)?;
        }
        map.end()
    }
}
