//! What was read, and what was not.

use crate::compression::Compression;
use crate::format::Format;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadSummary {
    /// The format it was read as.
    pub format: Format,
    /// How the input was compressed.
    pub compression: Option<Compression>,
    /// Lines, skipped ones included; 0 for a session that is one document.
    pub lines: u64,
    /// Events handed to the sink.
    pub events: u64,
    /// Sessions among them.
    pub sessions: u64,
    /// Calls among them.
    pub calls: u64,
    /// Results among them.
    pub results: u64,
    /// Results that answer no call.
    pub unpaired_results: u64,
    /// Calls that no result answered before their session ended.
    pub unanswered_calls: u64,
    /// Lines that gave no event, by reason; of a document its entries.
    pub skipped: Skipped,
    /// Whether the sink ended the reading.
    pub stopped: bool,
}

impl ReadSummary {
    pub(crate) fn new(format: Format, compression: Option<Compression>) -> Self {
        Self {
            format,
            compression,
            lines: 0,
            events: 0,
            sessions: 0,
            calls: 0,
            results: 0,
            unpaired_results: 0,
            unanswered_calls: 0,
            skipped: Skipped::default(),
            stopped: false,
        }
    }
}

/// Why a line gave no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// Nothing but white space.
    Blank,
    /// Of a type that the reader does not know.
    UnknownType,
    /// Of a known type that carries no event: titles, usage, a message's pieces.
    NoEvent,
    /// It repeats what stands elsewhere: the history of a resumed session, a subagent's
    /// messages inside its parent's file.
    Repeated,
    /// Not a JSON object, or without what its type needs. Only in formats of hosts; in an
    /// event stream this is an error.
    Broken,
    /// Longer than the options allow.
    TooLong,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::Blank,
        Self::UnknownType,
        Self::NoEvent,
        Self::Repeated,
        Self::Broken,
        Self::TooLong,
    ];

    /// The reason in a few words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::UnknownType => "of an unknown type",
            Self::NoEvent => "without an event",
            Self::Repeated => "repeated",
            Self::Broken => "broken",
            Self::TooLong => "too long",
        }
    }
}

/// How many lines gave no event, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped([u64; SkipReason::ALL.len()]);

impl Skipped {
    /// The lines skipped for this reason.
    #[must_use]
    pub const fn get(&self, reason: SkipReason) -> u64 {
        self.0[reason as usize]
    }

    /// The lines skipped for any reason.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Every reason with its count, zeros included.
    pub fn iter(&self) -> impl Iterator<Item = (SkipReason, u64)> + '_ {
        SkipReason::ALL
            .iter()
            .map(|&reason| (reason, self.get(reason)))
    }

    pub(crate) fn add(&mut self, reason: SkipReason) {
        self.0[reason as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_count_of_its_own() {
        for (index, &reason) in SkipReason::ALL.iter().enumerate() {
            assert_eq!(reason as usize, index);
            let mut skipped = Skipped::default();
            skipped.add(reason);
            assert_eq!(skipped.iter().filter(|&(_, count)| count == 1).count(), 1);
            assert_eq!((skipped.get(reason), skipped.total()), (1, 1));
        }
    }

    #[test]
    fn what_is_handed_out_may_cross_threads() {
        fn sends<T: Send + Sync>() {}
        sends::<ReadSummary>();
        sends::<crate::Event<'_>>();
        sends::<crate::ReadError>();
        sends::<crate::ReadOptions>();
    }
}
