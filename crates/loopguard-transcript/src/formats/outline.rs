//! What a line or a document shows of itself without being read.

use std::borrow::Cow;

use crate::json::{self, Cut, Entries, Json};

/// The keys of an object, with their values, as far as the text goes.
pub(super) struct Outline<'a> {
    entries: Vec<(Cow<'a, str>, Json<'a>)>,
    cut: Option<Cut<'a>>,
    whole: bool,
}

/// More keys than any line of a known format has; a line with more is recognised by these.
const MAX_KEYS: usize = 64;

impl<'a> Outline<'a> {
    /// `None` for a text that does not begin like an object with a key.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let mut entries = Vec::new();
        let mut whole = true;
        let mut walk = Entries::new(text);
        for entry in walk.by_ref().take(MAX_KEYS) {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(_) => whole = false,
            }
        }
        let cut = walk.into_cut();
        (!entries.is_empty() || cut.is_some()).then_some(Self {
            entries,
            cut,
            whole,
        })
    }

    /// The outlines of the objects in a text that begins like an array.
    pub(super) fn elements(text: &'a str) -> impl Iterator<Item = Self> {
        json::elements(text).filter_map(|element| Self::of(element.raw()))
    }

    /// Whether the text is there to its end, so that a key that is not seen is not there.
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

    /// Whether a key is there, even if its value is not there to its end.
    pub(super) fn begins(&self, key: &str) -> bool {
        self.has(key) || self.cut.as_ref().is_some_and(|cut| cut.key == key)
    }

    /// The outlines of the objects in the array of a key, which may be cut off.
    pub(super) fn list(&self, key: &str) -> impl Iterator<Item = Self> {
        let cut = || self.cut.as_ref().filter(|cut| cut.key == key);
        let text = match self.get(key) {
            Some(value) => value.raw(),
            None => cut().map_or("", |cut| cut.rest),
        };
        Self::elements(text)
    }

    /// The text of a key whose value is a string; empty where there is none.
    pub(super) fn text(&self, key: &str) -> Cow<'a, str> {
        self.get(key).and_then(Json::as_str).unwrap_or_default()
    }
}
