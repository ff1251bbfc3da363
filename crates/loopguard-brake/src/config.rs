//! What a brake goes by.

use loopguard_config::{ConfigErrors, Key, Kind, Section};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::Serialize;
use serde_json::Value;

use crate::due::Due;

/// What the guard is called in a row, and in saved state.
pub const NAME: &str = "brake";

/// All the names under which a row may ask for this guard.
pub const NAMES: &[&str] = &[NAME, "dsh-brake"];

/// The id of a row that gives none.
pub const DEFAULT_ID: &str = "dsh-brake";

const MODES: &[&str] = &["remind", "deny"];

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    Key {
        name: "mode",
        kind: Kind::Choice(MODES),
        default: "\"remind\"",
        about: "whether to advise only, or also to deny a call that has come callDenyCount times",
    },
    Key {
        name: "callWarnCount",
        kind: Kind::Integer { min: 2 },
        default: "6",
        about: "times one call has come since the last human message at which to advise first",
    },
    Key {
        name: "callDenyCount",
        kind: Kind::Integer { min: 1 },
        default: "10",
        about: "times after which mode deny refuses the call; greater than callWarnCount",
    },
    Key {
        name: "callReWarnEvery",
        kind: Kind::Integer { min: 1 },
        default: "5",
        about: "further times after which to advise again, of a call or of a sequence",
    },
    Key {
        name: "sequenceLength",
        kind: Kind::Integer { min: 2 },
        default: "4",
        about: "distinct calls that make a sequence; one of more than 256 is never complete",
    },
    Key {
        name: "sequenceCount",
        kind: Kind::Integer { min: 2 },
        default: "3",
        about: "times a sequence has come at which to advise first",
    },
    Key {
        name: "duplicateTextThreshold",
        kind: Kind::Integer { min: 2 },
        default: "3",
        about: "appearances of one text within the window from which to advise",
    },
    Key {
        name: "duplicateTextWindowMs",
        kind: Kind::Integer { min: 1000 },
        default: "120000",
        about: "milliseconds from a text's first appearance in which the others count",
    },
    Key {
        name: "duplicateTextCooldownMs",
        kind: Kind::Integer { min: 0 },
        default: "30000",
        about: "milliseconds in which one text is told at most once",
    },
    Key {
        name: "minimumDuplicateChars",
        kind: Kind::Integer { min: 1 },
        default: "80",
        about: "UTF-16 units that a text block has at least to be looked at",
    },
    Key {
        name: "minWindowCalls",
        kind: Kind::Deprecated {
            kind: &Kind::Integer { min: 2 },
            instead: "it has no effect: leave it out",
        },
        default: "none",
        about: "an undocumented key of the original, without effect",
    },
];

/// Whether a brake may refuse calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Mode {
    /// Advise only.
    #[default]
    Remind,
    /// Also deny a call that has come too often.
    Deny,
}

/// What a brake goes by: checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BrakeConfig {
    mode: Mode,
    call_warn_count: u64,
    call_deny_count: u64,
    call_re_warn_every: u64,
    sequence_length: u64,
    sequence_count: u64,
    duplicate_text_threshold: u64,
    duplicate_text_window_ms: u64,
    duplicate_text_cooldown_ms: u64,
    minimum_duplicate_chars: u64,
}

impl BrakeConfig {
    /// Reads a row's section.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(mut section: Section) -> Result<Self, ConfigErrors> {
        section.greater("callDenyCount", "callWarnCount");
        let default = Self::default();
        let integer = |key, default| section.integer(key).unwrap_or(default);
        let config = Self {
            mode: match section.choice("mode") {
                Some("deny") => Mode::Deny,
                _ => Mode::Remind,
            },
            call_warn_count: integer("callWarnCount", default.call_warn_count),
            call_deny_count: integer("callDenyCount", default.call_deny_count),
            call_re_warn_every: integer("callReWarnEvery", default.call_re_warn_every),
            sequence_length: integer("sequenceLength", default.sequence_length),
            sequence_count: integer("sequenceCount", default.sequence_count),
            duplicate_text_threshold: integer(
                "duplicateTextThreshold",
                default.duplicate_text_threshold,
            ),
            duplicate_text_window_ms: integer(
                "duplicateTextWindowMs",
                default.duplicate_text_window_ms,
            ),
            duplicate_text_cooldown_ms: integer(
                "duplicateTextCooldownMs",
                default.duplicate_text_cooldown_ms,
            ),
            minimum_duplicate_chars: integer(
                "minimumDuplicateChars",
                default.minimum_duplicate_chars,
            ),
        };
        section.finish()?;
        Ok(config)
    }

    /// Reads a configuration like `{"mode": "deny"}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, at once.
    pub fn from_value(value: &Value) -> Result<Self, ConfigErrors> {
        Self::read(Section::from_value(NAME, value, KEYS))
    }

    /// Whether calls may be refused.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// When a repeated call is told.
    pub(crate) fn call_due(&self) -> Due {
        Due {
            count: self.call_warn_count,
            again_every: self.call_re_warn_every,
        }
    }

    /// How often a call may come before it is refused.
    pub fn call_deny_count(&self) -> u64 {
        self.call_deny_count
    }

    /// How many calls make a sequence.
    pub(crate) fn sequence_length(&self) -> usize {
        usize::try_from(self.sequence_length).unwrap_or(usize::MAX)
    }

    /// When a sequence is told.
    pub(crate) fn sequence_due(&self) -> Due {
        Due {
            count: self.sequence_count,
            again_every: self.call_re_warn_every,
        }
    }

    /// Appearances of one text from which it is told.
    pub fn duplicate_text_threshold(&self) -> u64 {
        self.duplicate_text_threshold
    }

    /// Milliseconds from a text's first appearance in which the others count.
    pub fn duplicate_text_window_ms(&self) -> u64 {
        self.duplicate_text_window_ms
    }

    /// Milliseconds in which one text is told at most once.
    pub fn duplicate_text_cooldown_ms(&self) -> u64 {
        self.duplicate_text_cooldown_ms
    }

    /// UTF-16 units that a text has at least to be looked at.
    pub fn minimum_duplicate_chars(&self) -> u64 {
        self.minimum_duplicate_chars
    }

    /// What saved state is checked against.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        configuration_fingerprint(self)
    }
}

impl Default for BrakeConfig {
    /// The original's defaults: notices only.
    fn default() -> Self {
        Self {
            mode: Mode::Remind,
            call_warn_count: 6,
            call_deny_count: 10,
            call_re_warn_every: 5,
            sequence_length: 4,
            sequence_count: 3,
            duplicate_text_threshold: 3,
            duplicate_text_window_ms: 120_000,
            duplicate_text_cooldown_ms: 30_000,
            minimum_duplicate_chars: 80,
        }
    }
}
