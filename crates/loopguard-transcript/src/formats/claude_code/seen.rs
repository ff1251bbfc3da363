//! What a session has shown already, so that a copy of it is told from news.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use crate::event::AgentRef;
use crate::texts::Texts;

/// One small entry for each call, model message and text of the session; the texts themselves
/// are not kept.
#[derive(Default)]
pub(super) struct Seen {
    /// Calls by id, and whether a result came.
    calls: HashMap<Box<str>, bool>,
    messages: HashMap<Box<str>, Message>,
    /// Hashes. At 64 bits a text that is wrongly taken for a copy takes billions of texts.
    texts: HashSet<u64>,
}

struct Message {
    step: u64,
    has_text: bool,
}

impl Seen {
    /// Whether a call is new.
    pub(super) fn call(&mut self, id: &str) -> bool {
        match self.calls.entry(id.into()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(new) => {
                new.insert(false);
                true
            }
        }
    }

    /// Whether a result is the first for its id.
    pub(super) fn result(&mut self, id: &str) -> bool {
        self.calls.insert(id.into(), true) != Some(true)
    }

    /// The step of a model message: its number among the session's model messages.
    pub(super) fn step(&mut self, message: &str) -> u64 {
        let next = self.messages.len() as u64 + 1;
        let message = self.messages.entry(message.into());
        message
            .or_insert(Message {
                step: next,
                has_text: false,
            })
            .step
    }

    /// Whether a model message, seen before, now has its first text.
    pub(super) fn first_text(&mut self, message: &str) -> bool {
        self.messages
            .get_mut(message)
            .is_some_and(|message| !std::mem::replace(&mut message.has_text, true))
    }

    /// Whether an agent's texts are new. Without a message id or a time to know them by, they
    /// are.
    pub(super) fn texts(
        &mut self,
        agent: &AgentRef<'_>,
        role: &str,
        known_by: Option<&str>,
        texts: &Texts<'_>,
    ) -> bool {
        let Some(known_by) = known_by else {
            return true;
        };
        let mut hasher = DefaultHasher::new();
        (agent, role, known_by, &**texts).hash(&mut hasher);
        self.texts.insert(hasher.finish())
    }
}
