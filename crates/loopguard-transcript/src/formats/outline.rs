//! What a line shows of itself without being read.

use std::borrow::Cow;

use crate::json::{Entries, Json};

/// The keys of a line's object, with their values, as far as the line goes.
pub(super) struct Outline<'a> {
    entries: Vec<(Cow<'a, str>, Json<'a>)>,
    whole: bool,
}

/// More keys than any line of a known format has; a line with more is recognised by these.
const MAX_KEYS: usize = 64;

impl<'a> Outline<'a> {
    /// `None` for a line that does not begin like an object with a key.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let mut entries = Vec::new();
        let mut whole = true;
        for entry in Entries::new(line).take(MAX_KEYS) {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(_) => whole = false,
            }
        }
        (!entries.is_empty()).then_some(Self { entries, whole })
    }

    /// Whether the line is there to its end, so that a key that is not seen is not there.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    pub(super) fn get(&self, key: &str) -> Option<Json<'a>> {
        self.entries
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|&(_, value)| value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    /// The text of a key whose value is a string; empty where there is none.
    pub(super) fn text(&self, key: &str) -> Cow<'a, str> {
        self.get(key).and_then(Json::as_str).unwrap_or_default()
    }
}
