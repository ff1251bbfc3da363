//! Duplicate texts: the same long block again and again, whoever sends it.

use loopguard_core::{Fingerprint, Recent, Text, Timestamp, elapsed_ms};
use serde::{Deserialize, Serialize};

use crate::config::Values;
use crate::names::{NameId, Names};

/// How many different texts of one agent are remembered.
pub const MAX_TEXTS: usize = 256;

/// How many message ids of one agent are remembered: more than a host shows again at once.
pub const MAX_MESSAGE_IDS: usize = 512;

/// How many of a text's last appearances tell where it came from.
pub const MAX_SOURCES: usize = 8;

/// The event that stands for all those before a state was saved.
const EARLIER: u32 = 1;

/// The texts that one agent has been shown.
#[derive(Clone, Debug)]
pub(crate) struct Duplicates {
    texts: Recent<Appearances>,
    messages: Recent<()>,
    /// Counts the messages and results, so that each says a text at most once.
    event: u32,
}

/// The appearances of one text in its open window.
#[derive(Clone, Copy, Debug)]
struct Appearances {
    since: Option<Timestamp>,
    noticed_at: Option<Timestamp>,
    /// The event in which it was noticed last; 0 where it never was.
    noticed_in: u32,
    count: u32,
    since_progress: u32,
    sources: [Option<NameId>; MAX_SOURCES],
}

/// A text that has come often enough to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duplicate {
    /// How often it has come in its window.
    pub(crate) count: u64,
    /// Where its last appearances came from, each source once.
    pub(crate) sources: Vec<String>,
}

impl Duplicates {
    pub(crate) fn new() -> Self {
        Self {
            texts: Recent::new(MAX_TEXTS),
            messages: Recent::new(MAX_MESSAGE_IDS),
            event: 0,
        }
    }

    /// Begins a message, or a result, whose blocks come next.
    pub(crate) fn begin(&mut self) {
        self.event = self.event.wrapping_add(1).max(1);
    }

    /// Whether a message of this id has not been looked at yet.
    pub(crate) fn is_new_message(&mut self, id: Fingerprint) -> bool {
        let known = self.messages.get(&id).is_some();
        self.messages.see(id, || ());
        !known
    }

    /// Whether a text has appeared.
    pub(crate) fn has(&self, text: &Text<'_>) -> bool {
        self.texts.get(&text.fingerprint()).is_some()
    }

    /// One appearance of a block long enough: what is to be told of it, if anything. A text
    /// of the agent's own that has not appeared since the last `progress` begins a window.
    pub(crate) fn appear(
        &mut self,
        values: &Values,
        (text, progress, is_own): (&Text<'_>, u32, bool),
        source: &str,
        now: Option<Timestamp>,
        names: &mut Names,
    ) -> Option<Duplicate> {
        let new = || Appearances {
            since: now,
            noticed_at: None,
            noticed_in: 0,
            count: 0,
            since_progress: progress,
            sources: Default::default(),
        };
        let (seen, dropped) = self.texts.see(text.fingerprint(), new);
        for source in dropped.iter().flat_map(|dropped| dropped.sources).flatten() {
            names.release(source);
        }
        let is_over = elapsed_ms(seen.since, now) > values.duplicate_text_window_ms;
        if is_over || (is_own && seen.since_progress != progress) {
            (seen.count, seen.since, seen.since_progress) = (0, now, progress);
        }
        // A text first seen while the time was unknown counts from when it became known.
        seen.since = seen.since.or(now);
        seen.count = seen.count.saturating_add(1);
        seen.add_source(source, names);
        let count = u64::from(seen.count);
        let has_cooled = seen.noticed_in == 0
            || (seen.noticed_in != self.event
                && elapsed_ms(seen.noticed_at, now) >= values.duplicate_text_cooldown_ms);
        if count < values.duplicate_text_threshold || !has_cooled {
            seen.noticed_at = seen.noticed_at.or(now.filter(|_| seen.noticed_in != 0));
            return None;
        }
        (seen.noticed_at, seen.noticed_in) = (now, self.event);
        Some(Duplicate {
            count,
            sources: seen.distinct_sources(names),
        })
    }

    pub(crate) fn clear(&mut self, names: &mut Names) {
        for source in self
            .texts
            .iter()
            .flat_map(|(_, seen)| seen.sources)
            .flatten()
        {
            names.release(source);
        }
        self.texts.clear();
        self.messages.clear();
    }

    pub(crate) fn save(&self, names: &Names) -> SavedDuplicates {
        let save = |(text, seen): (Fingerprint, &Appearances)| SavedText {
            text,
            count: seen.count,
            since_progress: seen.since_progress,
            since: seen.since,
            noticed: (seen.noticed_in != 0).then_some(seen.noticed_at),
            sources: seen
                .sources
                .iter()
                .flatten()
                .map(|source| names.get(*source).to_owned())
                .collect(),
        };
        SavedDuplicates {
            texts: self.texts.iter().map(save).collect(),
            messages: self.messages.iter().map(|(id, ())| id).collect(),
        }
    }

    pub(crate) fn restore(saved: SavedDuplicates, names: &mut Names) -> Self {
        let mut duplicates = Self::new();
        duplicates.event = EARLIER;
        for text in saved.texts {
            let mut seen = Appearances {
                since: text.since,
                noticed_at: text.noticed.flatten(),
                // Saved between two events: whatever was noticed was so in an earlier one.
                noticed_in: u32::from(text.noticed.is_some()) * EARLIER,
                count: text.count,
                since_progress: text.since_progress,
                sources: Default::default(),
            };
            for source in &text.sources {
                seen.add_source(source, names);
            }
            duplicates.texts.see(text.text, || seen);
        }
        for id in saved.messages {
            duplicates.messages.see(id, || ());
        }
        duplicates
    }
}

impl Appearances {
    fn add_source(&mut self, source: &str, names: &mut Names) {
        let source = names.hold(source);
        if let Some(free) = self.sources.iter_mut().find(|kept| kept.is_none()) {
            *free = Some(source);
            return;
        }
        if let Some(oldest) = self.sources[0].take() {
            names.release(oldest);
        }
        self.sources.rotate_left(1);
        self.sources[MAX_SOURCES - 1] = Some(source);
    }

    fn distinct_sources(&self, names: &Names) -> Vec<String> {
        let mut distinct: Vec<NameId> = Vec::new();
        for source in self.sources.into_iter().flatten() {
            if !distinct.contains(&source) {
                distinct.push(source);
            }
        }
        distinct
            .into_iter()
            .map(|source| names.get(source).to_owned())
            .collect()
    }
}

/// The texts of one agent as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedDuplicates {
    texts: Vec<SavedText>,
    messages: Vec<Fingerprint>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedText {
    text: Fingerprint,
    count: u32,
    since_progress: u32,
    since: Option<Timestamp>,
    /// The last notice, if there was one, and when: `[]`, `[null]` or `[time]`.
    #[serde(with = "nested")]
    noticed: Option<Option<Timestamp>>,
    sources: Vec<String>,
}

/// JSON's `null` cannot tell "never" from "at an unknown time": a list of one can.
mod nested {
    use loopguard_core::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        noticed: &Option<Option<Timestamp>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        noticed.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<Timestamp>>, D::Error> {
        let list: Vec<Option<Timestamp>> = Vec::deserialize(deserializer)?;
        Ok(list.first().copied())
    }
}
