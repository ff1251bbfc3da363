//! Which call a result answers.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::event::AgentRef;

/// The unanswered calls of a session. It holds one entry for each of them and nothing for
/// calls that were answered, so a session's unanswered calls bound it.
#[derive(Default)]
pub(crate) struct Pairing {
    /// The agent of most calls, found without a look-up.
    main: Open,
    others: HashMap<Box<str>, Open>,
    nobody: Open,
    waiting: u64,
}

/// One agent's unanswered calls by id.
#[derive(Default)]
struct Open {
    by_id: HashMap<Box<str>, Waiting>,
    /// Calls without an id: nothing can answer them.
    anonymous: u64,
}

/// The calls that wait under one id, oldest first; mostly one.
enum Waiting {
    One(u64),
    Many(VecDeque<u64>),
}

impl Pairing {
    pub(crate) fn call(&mut self, agent: &AgentRef<'_>, id: Option<&str>, index: u64) {
        self.waiting += 1;
        let open = match agent {
            AgentRef::Nobody => &mut self.nobody,
            AgentRef::Named(name) if name == MAIN => &mut self.main,
            AgentRef::Named(name) => self.others.entry(Box::from(&**name)).or_default(),
        };
        match id {
            Some(id) => open.call(id, index),
            None => open.anonymous += 1,
        }
    }

    /// The oldest unanswered call of this agent with this id, which is now answered.
    pub(crate) fn result(&mut self, agent: &AgentRef<'_>, id: Option<&str>) -> Option<u64> {
        let open = match agent {
            AgentRef::Nobody => &mut self.nobody,
            AgentRef::Named(name) if name == MAIN => &mut self.main,
            AgentRef::Named(name) => self.others.get_mut(&**name)?,
        };
        let index = open.result(id?)?;
        self.waiting -= 1;
        Some(index)
    }

    /// Forgets an agent; returns how many of its calls nothing answered.
    pub(crate) fn end_agent(&mut self, agent: &AgentRef<'_>) -> u64 {
        let gone = match agent {
            AgentRef::Nobody => std::mem::take(&mut self.nobody),
            AgentRef::Named(name) if name == MAIN => std::mem::take(&mut self.main),
            AgentRef::Named(name) => self.others.remove(&**name).unwrap_or_default(),
        };
        let unanswered = gone.count();
        self.waiting -= unanswered;
        unanswered
    }

    /// Forgets everything; returns how many calls nothing answered.
    pub(crate) fn clear(&mut self) -> u64 {
        std::mem::take(self).waiting
    }

    /// How many calls wait for a result.
    pub(crate) fn unanswered(&self) -> u64 {
        self.waiting
    }
}

const MAIN: &str = "main";

impl Open {
    fn call(&mut self, id: &str, index: u64) {
        match self.by_id.entry(id.into()) {
            Entry::Vacant(entry) => {
                entry.insert(Waiting::One(index));
            }
            Entry::Occupied(mut entry) => match entry.get_mut() {
                Waiting::Many(all) => all.push_back(index),
                Waiting::One(first) => {
                    let all = VecDeque::from([*first, index]);
                    entry.insert(Waiting::Many(all));
                }
            },
        }
    }

    fn result(&mut self, id: &str) -> Option<u64> {
        // Taking out first costs one look-up where an id waits once, as nearly all do.
        match self.by_id.remove_entry(id)? {
            (_, Waiting::One(index)) => Some(index),
            (id, Waiting::Many(mut all)) => {
                let index = all.pop_front();
                if !all.is_empty() {
                    self.by_id.insert(id, Waiting::Many(all));
                }
                index
            }
        }
    }

    fn count(&self) -> u64 {
        let waiting = self.by_id.values().map(|waiting| match waiting {
            Waiting::One(_) => 1,
            Waiting::Many(all) => all.len() as u64,
        });
        self.anonymous + waiting.sum::<u64>()
    }
}
