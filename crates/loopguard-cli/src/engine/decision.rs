//! A decision in its place.

use loopguard::{Effect, Facts};
use serde::Serialize;

use super::log::Entry;

/// What a guard decided, and where in the session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The event's line; of a batch of messages, the last one's. `None` where the format has
    /// no lines.
    pub line: Option<u64>,
    /// The agent whose event it was.
    pub agent: String,
    /// The call, counted from 1 over all agents of the session; for a decision that a message
    /// raised the latest call begun before it, 0 if there was none.
    pub call_index: u64,
    /// The host's id of the call.
    pub call: Option<String>,
    /// The call's tool.
    pub tool: Option<String>,
    /// The id of the guard's row; for a halt `loopguard`.
    pub guard: String,
    /// What was decided.
    pub action: Action,
    /// What was found, such as `repeated-call`.
    pub code: String,
    /// What the model reads; for a halt, what the host reads.
    pub message: String,
    /// Whether it took effect.
    pub effect: Effect,
    /// What other guards had against a denied call.
    pub further: Vec<Further>,
    /// What the decision rests on.
    pub facts: Facts,
    /// Of a denial: whether the call's recorded result is fine. Known once that has come, so
    /// only in a [`Session`](crate::Session) that is over.
    pub recorded_fine: bool,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// A guard advises.
    Notice,
    /// A guard refuses a call.
    Deny,
    /// The agent's run should end.
    Halt,
}

/// What another guard had against a call that was denied already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Further {
    /// The id of the guard's row.
    pub guard: String,
    /// What was found.
    pub code: String,
    /// The reason that the model does not get to read.
    pub message: String,
}

/// What decisions are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) line: Option<u64>,
    pub(super) agent: &'a str,
    pub(super) call_index: u64,
    pub(super) call: Option<&'a str>,
    pub(super) tool: Option<&'a str>,
}

impl<'a> Subject<'a> {
    /// A message after the call `latest`.
    pub(super) fn message(line: Option<u64>, agent: &'a str, latest: u64) -> Self {
        Self {
            line,
            agent,
            call_index: latest,
            call: None,
            tool: None,
        }
    }
}

/// What was decided on one event.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) decisions: Vec<Decision>,
    /// Whether a guard was against the call, in a dry run too.
    pub(super) denies: bool,
    /// Whether the session's replay ends here.
    pub(super) halts: bool,
}

impl Effects {
    pub(super) fn of(entries: Vec<Entry>, subject: &Subject<'_>) -> Self {
        let mut effects = Self::default();
        for entry in entries {
            effects.add(entry, subject);
        }
        // What a refused call still raises is said before the run ends, not after.
        effects
            .decisions
            .sort_by_key(|decision| decision.action == Action::Halt);
        effects
    }

    fn add(&mut self, entry: Entry, subject: &Subject<'_>) {
        self.denies |= entry.action == Action::Deny;
        self.halts |= entry.action == Action::Halt && entry.effect == Effect::Live;
        if entry.further
            && let Some(denial) = self.decisions.last_mut()
        {
            denial.further.push(Further {
                guard: entry.guard,
                code: entry.code,
                message: entry.message,
            });
            return;
        }
        self.decisions.push(Decision {
            line: subject.line,
            agent: subject.agent.to_owned(),
            call_index: subject.call_index,
            call: subject.call.map(str::to_owned),
            tool: subject.tool.map(str::to_owned),
            guard: entry.guard,
            action: entry.action,
            code: entry.code,
            message: entry.message,
            effect: entry.effect,
            further: Vec::new(),
            facts: entry.facts,
            recorded_fine: false,
        });
    }
}
