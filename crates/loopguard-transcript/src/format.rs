//! The formats by name. A new one is a variant here and a row in [`Format::ALL`]; its module
//! is then asked for in `formats.rs`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A format in which sessions are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The neutral event stream itself, version 1: one event a line.
    Events,
    /// Session logs of the DeepSeek harness: `session.jsonl` and `session.N.jsonl`.
    Dsh,
    /// Session files of Claude Code: `<session>.jsonl` and `agent-ID.jsonl`.
    ClaudeCode,
}

impl Format {
    /// Every format this version reads, in the order in which messages list them.
    pub const ALL: &'static [Self] = &[Self::Events, Self::Dsh, Self::ClaudeCode];

    /// The name under which a user selects the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Dsh => "dsh",
            Self::ClaudeCode => "claude-code",
        }
    }

    /// All names, separated by `, `, for messages.
    pub(crate) fn list() -> String {
        Self::ALL
            .iter()
            .map(|format| format.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{name}`; known formats: {known}", known = Format::list())]
pub struct ParseFormatError {
    name: String,
}

impl ParseFormatError {
    /// The name as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| ParseFormatError {
                name: name.to_owned(),
            })
    }
}
