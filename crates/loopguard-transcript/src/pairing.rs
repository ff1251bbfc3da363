//! Which call a result answers.

use std::collections::{HashMap, VecDeque};

use crate::event::AgentRef;

/// The unanswered calls of a session. It holds one entry for each of them and nothing for
/// calls that were answered, so a session's unanswered calls bound it.
#[derive(Default)]
pub(crate) struct Pairing {
    named: HashMap<Box<str>, Open>,
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
        let open = self.open(agent);
        let Some(id) = id else {
            open.anonymous += 1;
            return;
        };
        match open.by_id.get_mut(id) {
            None => {
                open.by_id.insert(id.into(), Waiting::One(index));
            }
            Some(Waiting::Many(all)) => all.push_back(index),
            Some(waiting @ Waiting::One(_)) => {
                if let Waiting::One(first) = *waiting {
                    *waiting = Waiting::Many(VecDeque::from([first, index]));
                }
            }
        }
    }

    /// The oldest unanswered call of this agent with this id, which is now answered.
    pub(crate) fn result(&mut self, agent: &AgentRef<'_>, id: Option<&str>) -> Option<u64> {
        let open = match agent {
            AgentRef::Named(name) => self.named.get_mut(&**name)?,
            AgentRef::Nobody => &mut self.nobody,
        };
        let id = id?;
        let (index, last) = match open.by_id.get_mut(id)? {
            Waiting::One(index) => (*index, true),
            Waiting::Many(all) => (all.pop_front()?, all.is_empty()),
        };
        if last {
            open.by_id.remove(id);
        }
        self.waiting -= 1;
        Some(index)
    }

    /// Forgets an agent; returns how many of its calls nothing answered.
    pub(crate) fn end_agent(&mut self, agent: &AgentRef<'_>) -> u64 {
        let gone = match agent {
            AgentRef::Named(name) => self.named.remove(&**name).unwrap_or_default(),
            AgentRef::Nobody => std::mem::take(&mut self.nobody),
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

    fn open(&mut self, agent: &AgentRef<'_>) -> &mut Open {
        let AgentRef::Named(name) = agent else {
            return &mut self.nobody;
        };
        // Two look-ups, so that a known agent costs no copy of its name.
        if !self.named.contains_key(&**name) {
            self.named.insert(Box::from(&**name), Open::default());
        }
        match self.named.get_mut(&**name) {
            Some(open) => open,
            None => &mut self.nobody,
        }
    }
}

impl Open {
    fn count(&self) -> u64 {
        let waiting = self.by_id.values().map(|waiting| match waiting {
            Waiting::One(_) => 1,
            Waiting::Many(all) => all.len() as u64,
        });
        self.anonymous + waiting.sum::<u64>()
    }
}
