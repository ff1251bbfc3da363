//! What a reminder goes by.

use loopguard_config::shared::{INCLUDE, QUIET_GAP_MS};
use loopguard_config::{ConfigErrors, Key, Kind, Language, NameFilter, PerTool, Section, Wording};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::Serialize;
use serde_json::Value;

use crate::texts::WORDS;

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

const THRESHOLDS: Key = Key::new(
    "thresholds",
    Kind::Integers { min: 2 },
    "[3, 5, 8]",
    "identical calls in a row at which to advise: at the lowest shortly, at every later one in \
     detail",
);
const ARGUMENTS_PREVIEW_CHARS: Key = Key::new(
    "argumentsPreviewChars",
    Kind::Integer { min: 1 },
    "500",
    "UTF-16 units of the canonical arguments that a detailed notice quotes",
);
const REMIND_EVERY: Key = Key::new(
    "remindEvery",
    Kind::Integer { min: 1 },
    "none",
    "past the highest threshold, advise again every so many calls",
);
const DENY_AT: Key = Key::new(
    "denyAt",
    Kind::Integer { min: 3 },
    "none",
    "deny the call once the run is that long; greater than the highest threshold",
);
const RESULT_AWARE: Key = Key::new(
    "resultAware",
    Kind::Flag,
    "false",
    "what repeats is the call with its result: a changed result starts anew",
);
const STEP_AWARE: Key = Key::new(
    "stepAware",
    Kind::Flag,
    "false",
    "the calls of a step are a set, whatever their order, and identical ones count once",
);

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    THRESHOLDS,
    INCLUDE,
    Key::new(
        "exclude",
        Kind::Patterns,
        "[]",
        "tools to leave out: their calls neither count nor reset",
    ),
    ARGUMENTS_PREVIEW_CHARS,
    REMIND_EVERY,
    DENY_AT,
    RESULT_AWARE,
    STEP_AWARE,
    QUIET_GAP_MS,
    Key::new(
        "overrides",
        Kind::Overrides(OVERRIDE_KEYS),
        "[]",
        "other values for some tools",
    ),
    Key::new(
        "messages",
        Kind::Messages(WORDS),
        "none",
        "own texts, by code",
    ),
];

/// The keys that may have other values for some tools.
const OVERRIDE_KEYS: &[Key] = &[
    THRESHOLDS,
    ARGUMENTS_PREVIEW_CHARS,
    REMIND_EVERY,
    DENY_AT,
    RESULT_AWARE,
    STEP_AWARE,
    QUIET_GAP_MS,
];

/// What a reminder goes by: checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReminderConfig {
    filter: NameFilter,
    values: PerTool<Values>,
    #[serde(skip)]
    wording: Wording,
}

/// The values that may differ from tool to tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Values {
    /// The counts at which to advise, ascending; never empty.
    pub(crate) thresholds: Vec<u64>,
    pub(crate) arguments_preview_chars: u64,
    pub(crate) remind_every: Option<u64>,
    pub(crate) deny_at: Option<u64>,
    pub(crate) result_aware: bool,
    pub(crate) step_aware: bool,
    pub(crate) quiet_gap_ms: Option<u64>,
}

impl Default for Values {
    fn default() -> Self {
        Self {
            thresholds: vec![3, 5, 8],
            arguments_preview_chars: 500,
            remind_every: None,
            deny_at: None,
            result_aware: false,
            step_aware: false,
            quiet_gap_ms: None,
        }
    }
}

impl Values {
    fn read(section: &mut Section) -> Self {
        section.greater("denyAt", "thresholds");
        let default = Self::default();
        Self {
            thresholds: section.integers("thresholds").unwrap_or(default.thresholds),
            arguments_preview_chars: section
                .integer("argumentsPreviewChars")
                .unwrap_or(default.arguments_preview_chars),
            remind_every: section.integer("remindEvery"),
            deny_at: section.integer("denyAt"),
            result_aware: section.flag("resultAware").unwrap_or_default(),
            step_aware: section.flag("stepAware").unwrap_or_default(),
            quiet_gap_ms: section.integer("quietGapMs"),
        }
    }

    /// The rank of the threshold at which a run of this length is told: 0 for the lowest.
    pub(crate) fn rank(&self, count: u64) -> Option<usize> {
        if let Ok(rank) = self.thresholds.binary_search(&count) {
            return Some(rank);
        }
        let past = count.checked_sub(*self.thresholds.last()?)?;
        let every = self.remind_every?;
        past.is_multiple_of(every).then_some(self.thresholds.len())
    }
}

impl ReminderConfig {
    /// Reads a row's section; texts that the row does not give are in `language`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(mut section: Section, language: Language) -> Result<Self, ConfigErrors> {
        let values = Values::read(&mut section);
        let overrides = section.overrides("overrides").into_iter();
        let overrides = overrides
            .map(|(tools, mut section)| (tools, Values::read(&mut section)))
            .collect();
        let own = section.messages("messages").unwrap_or_default();
        let config = Self {
            filter: section.filter("include", "exclude"),
            values: PerTool::new(values).with_overrides(overrides),
            wording: Wording::new(WORDS, language, own),
        };
        section.finish()?;
        Ok(config)
    }

    /// Whether a call of any tool may be refused.
    pub(crate) fn may_deny(&self) -> bool {
        self.values.any(|values| values.deny_at.is_some())
    }

    /// Whether results are a part of what repeats, for any tool.
    pub(crate) fn minds_results(&self) -> bool {
        self.values.any(|values| values.result_aware)
    }

    /// Reads a configuration like `{"thresholds": [2, 3]}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, at once.
    pub fn from_value(value: &Value) -> Result<Self, ConfigErrors> {
        Self::read(Section::from_value(NAME, value, KEYS), Language::En)
    }

    /// The tools to watch.
    pub fn filter(&self) -> &NameFilter {
        &self.filter
    }

    /// The counts at which to advise, ascending; at least one, each at least 2. Overrides may
    /// say otherwise for some tools.
    pub fn thresholds(&self) -> &[u64] {
        &self.values.base().thresholds
    }

    /// How many UTF-16 units of the arguments a detailed notice quotes; at least 1.
    pub fn arguments_preview_chars(&self) -> u64 {
        self.values.base().arguments_preview_chars
    }

    /// The values for a tool.
    pub(crate) fn of(&self, tool: &str) -> &Values {
        self.values.of(tool)
    }

    pub(crate) fn wording(&self) -> &Wording {
        &self.wording
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
            filter: NameFilter::default(),
            values: PerTool::new(Values::default()),
            wording: Wording::new(WORDS, Language::En, loopguard_config::Messages::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_defaults() {
        loopguard_config::verify_table(KEYS).unwrap();
        let read = ReminderConfig::from_value(&serde_json::json!({})).unwrap();
        assert_eq!(read, ReminderConfig::default());
    }
}
