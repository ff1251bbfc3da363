//! What a breaker goes by.

use loopguard_config::{ConfigErrors, Key, Kind, NameFilter, Section};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::Serialize;
use serde_json::Value;

/// What the guard is called in a row, and in saved state.
pub const NAME: &str = "circuit-breaker";

/// All the names under which a row may ask for this guard.
pub const NAMES: &[&str] = &[
    NAME,
    "tool-failure-circuit-breaker",
    "dsh-tool-failure-circuit-breaker",
];

/// The id of a row that gives none.
pub const DEFAULT_ID: &str = "tool-failure-circuit-breaker";

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    Key {
        name: "maxFailures",
        kind: Kind::Integer { min: 1 },
        default: "2",
        about: "identical failures in a row that open the circuit of a call",
    },
    Key {
        name: "include",
        kind: Kind::Patterns,
        default: "[]",
        about: "tools to watch; empty means every tool",
    },
    Key {
        name: "exclude",
        kind: Kind::Patterns,
        default: "[]",
        about: "tools to leave out: their calls neither count nor close a circuit",
    },
    Key {
        name: "errorPreviewChars",
        kind: Kind::Integer { min: 1 },
        default: "300",
        about: "UTF-16 units of the last failure's message that are kept and quoted",
    },
];

/// What a breaker goes by: checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakerConfig {
    max_failures: u64,
    #[serde(flatten)]
    filter: NameFilter,
    error_preview_chars: u64,
}

impl BreakerConfig {
    /// Reads a row's section.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(section: Section) -> Result<Self, ConfigErrors> {
        let config = Self {
            max_failures: section.integer("maxFailures").unwrap_or(2),
            filter: section.filter("include", "exclude"),
            error_preview_chars: section.integer("errorPreviewChars").unwrap_or(300),
        };
        section.finish()?;
        Ok(config)
    }

    /// Reads a configuration like `{"maxFailures": 3}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, at once.
    pub fn from_value(value: &Value) -> Result<Self, ConfigErrors> {
        Self::read(Section::from_value(NAME, value, KEYS))
    }

    /// How many identical failures in a row open a circuit; at least 1.
    pub fn max_failures(&self) -> u64 {
        self.max_failures
    }

    /// The tools to watch.
    pub fn filter(&self) -> &NameFilter {
        &self.filter
    }

    /// How many UTF-16 units of a failure's message are kept; at least 1.
    pub fn error_preview_chars(&self) -> u64 {
        self.error_preview_chars
    }

    /// What saved state is checked against.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        configuration_fingerprint(self)
    }
}

impl Default for BreakerConfig {
    /// The original's defaults: two failures, every tool, 300 units.
    fn default() -> Self {
        Self {
            max_failures: 2,
            filter: NameFilter::default(),
            error_preview_chars: 300,
        }
    }
}
