//! What a reminder goes by.

use loopguard_config::{ConfigErrors, Key, Kind, NameFilter, Section};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::Serialize;
use serde_json::Value;

/// What the guard is called in a row, and in saved state.
pub const NAME: &str = "repeat-reminder";

/// All the names under which a row may ask for this guard.
pub const NAMES: &[&str] = &[
    NAME,
    "repeat-tool-guard",
    "repeat-tool-reminder",
    "@deepseek-ai/dsh-repeat-tool-guard",
    "@deepseek-ai/dsh-repeat-tool-reminder",
];

/// The id of a row that gives none.
pub const DEFAULT_ID: &str = "repeat-tool-guard";

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    Key {
        name: "thresholds",
        kind: Kind::Integers { min: 2 },
        default: "[3, 5, 8]",
        about: "identical calls in a row at which to advise: at the lowest shortly, at every later \
                one in detail",
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
        about: "tools to leave out: their calls neither count nor reset",
    },
    Key {
        name: "argumentsPreviewChars",
        kind: Kind::Integer { min: 1 },
        default: "500",
        about: "UTF-16 units of the canonical arguments that a detailed notice quotes",
    },
];

/// What a reminder goes by: checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReminderConfig {
    thresholds: Vec<u64>,
    #[serde(flatten)]
    filter: NameFilter,
    arguments_preview_chars: u64,
}

impl ReminderConfig {
    /// Reads a row's section.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(section: Section) -> Result<Self, ConfigErrors> {
        let config = Self {
            thresholds: section
                .integers("thresholds")
                .unwrap_or_else(|| vec![3, 5, 8]),
            filter: section.filter("include", "exclude"),
            arguments_preview_chars: section.integer("argumentsPreviewChars").unwrap_or(500),
        };
        section.finish()?;
        Ok(config)
    }

    /// Reads a configuration like `{"thresholds": [2, 3]}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, at once.
    pub fn from_value(value: &Value) -> Result<Self, ConfigErrors> {
        Self::read(Section::from_value(NAME, value, KEYS))
    }

    /// The counts at which to advise, ascending; at least one, each at least 2.
    pub fn thresholds(&self) -> &[u64] {
        &self.thresholds
    }

    /// The tools to watch.
    pub fn filter(&self) -> &NameFilter {
        &self.filter
    }

    /// How many UTF-16 units of the arguments a detailed notice quotes; at least 1.
    pub fn arguments_preview_chars(&self) -> u64 {
        self.arguments_preview_chars
    }

    /// What saved state is checked against.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        configuration_fingerprint(self)
    }
}

impl Default for ReminderConfig {
    /// The original's defaults: advice at 3, 5 and 8, every tool, 500 units.
    fn default() -> Self {
        Self {
            thresholds: vec![3, 5, 8],
            filter: NameFilter::default(),
            arguments_preview_chars: 500,
        }
    }
}
