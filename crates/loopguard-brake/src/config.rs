//! What a brake goes by.

use loopguard_config::{ConfigErrors, Language, Messages, NameFilter, PerTool, Section, Wording};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::Serialize;
use serde_json::Value;

use crate::cycles::Periods;
use crate::due::Due;
use crate::keys::{KEYS, NAME};
use crate::texts::WORDS;

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
    filter: NameFilter,
    sequence_length: u64,
    sequence_count: u64,
    sequence_max_length: Option<u64>,
    sequence_deny_count: Option<u64>,
    assistant_text: bool,
    values: PerTool<Values>,
    #[serde(skip)]
    wording: Wording,
}

/// The values that may differ from tool to tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Values {
    pub(crate) mode: Mode,
    pub(crate) call_warn_count: u64,
    pub(crate) call_deny_count: u64,
    pub(crate) call_re_warn_every: u64,
    pub(crate) duplicate_text_threshold: u64,
    pub(crate) duplicate_text_window_ms: u64,
    pub(crate) duplicate_text_cooldown_ms: u64,
    pub(crate) minimum_duplicate_chars: u64,
    pub(crate) result_aware: bool,
    pub(crate) step_aware: bool,
    pub(crate) quiet_gap_ms: Option<u64>,
    pub(crate) similar_calls: Option<f64>,
    pub(crate) similar_text: Option<f64>,
}

impl Default for Values {
    fn default() -> Self {
        Self {
            mode: Mode::Remind,
            call_warn_count: 6,
            call_deny_count: 10,
            call_re_warn_every: 5,
            duplicate_text_threshold: 3,
            duplicate_text_window_ms: 120_000,
            duplicate_text_cooldown_ms: 30_000,
            minimum_duplicate_chars: 80,
            result_aware: false,
            step_aware: false,
            quiet_gap_ms: None,
            similar_calls: None,
            similar_text: None,
        }
    }
}

impl Values {
    fn read(section: &mut Section) -> Self {
        section.greater("callDenyCount", "callWarnCount");
        let default = Self::default();
        let integer = |key, default| section.integer(key).unwrap_or(default);
        let flag = |key| section.flag(key).unwrap_or_default();
        Self {
            mode: match section.choice("mode") {
                Some("deny") => Mode::Deny,
                _ => Mode::Remind,
            },
            call_warn_count: integer("callWarnCount", default.call_warn_count),
            call_deny_count: integer("callDenyCount", default.call_deny_count),
            call_re_warn_every: integer("callReWarnEvery", default.call_re_warn_every),
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
            result_aware: flag("resultAware"),
            step_aware: flag("stepAware"),
            quiet_gap_ms: section.integer("quietGapMs"),
            similar_calls: section.ratio("similarCalls"),
            similar_text: section.ratio("similarText"),
        }
    }

    /// When a repeated call is told.
    pub(crate) fn call_due(&self) -> Due {
        Due {
            count: self.call_warn_count,
            again_every: self.call_re_warn_every,
        }
    }
}

impl BrakeConfig {
    /// Reads a row's section; texts that the row does not give are in `language`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(mut section: Section, language: Language) -> Result<Self, ConfigErrors> {
        let values = Values::read(&mut section);
        section.at_least("sequenceMaxLength", "sequenceLength");
        section.greater("sequenceDenyCount", "sequenceCount");
        let has_periods = |section: &Section| {
            section.integer("sequenceMaxLength").is_some() || section.gives("sequenceMaxLength")
        };
        if section.integer("sequenceDenyCount").is_some() && !has_periods(&section) {
            section.reject(
                "sequenceDenyCount",
                "an integer only with sequenceMaxLength",
            );
        }
        let overrides = section.overrides("overrides").into_iter();
        let overrides = overrides
            .map(|(tools, mut section)| (tools, Values::read(&mut section)))
            .collect();
        let own = section.messages("messages").unwrap_or_default();
        let config = Self {
            filter: section.filter("include", "exclude"),
            sequence_length: section.integer("sequenceLength").unwrap_or(4),
            sequence_count: section.integer("sequenceCount").unwrap_or(3),
            sequence_max_length: section.integer("sequenceMaxLength"),
            sequence_deny_count: section.integer("sequenceDenyCount"),
            assistant_text: section.flag("assistantText").unwrap_or_default(),
            values: PerTool::new(values).with_overrides(overrides),
            wording: Wording::new(WORDS, language, own),
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
        Self::read(Section::from_value(NAME, value, KEYS), Language::En)
    }

    /// The tools to watch.
    pub fn filter(&self) -> &NameFilter {
        &self.filter
    }

    /// Whether calls may be refused. Overrides may say otherwise for some tools.
    pub fn mode(&self) -> Mode {
        self.values.base().mode
    }

    /// Whether a call of any tool may be refused.
    pub(crate) fn may_deny(&self) -> bool {
        self.values.any(|values| values.mode == Mode::Deny)
    }

    /// Whether the assistant's own messages count as text.
    pub fn assistant_text(&self) -> bool {
        self.assistant_text
    }

    /// How many calls make a sequence.
    pub(crate) fn sequence_length(&self) -> usize {
        usize::try_from(self.sequence_length).unwrap_or(usize::MAX)
    }

    /// When a sequence is told.
    pub(crate) fn sequence_due(&self) -> Due {
        let again_every = self.values.base().call_re_warn_every;
        Due {
            count: self.sequence_count,
            again_every,
        }
    }

    /// The shortest and the longest period of a cycle, where cycles take the place of windows.
    pub(crate) fn periods(&self) -> Option<Periods> {
        let longest = usize::try_from(self.sequence_max_length?).ok()?;
        Some(Periods {
            shortest: self.sequence_length(),
            longest,
        })
    }

    /// How many rounds of a cycle there may be before the next one is refused.
    pub(crate) fn sequence_deny_count(&self) -> Option<u64> {
        self.sequence_deny_count
    }

    /// The values for a tool; for messages, those that hold for every tool.
    pub(crate) fn of(&self, tool: Option<&str>) -> &Values {
        tool.map_or(self.values.base(), |tool| self.values.of(tool))
    }

    pub(crate) fn wording(&self) -> &Wording {
        &self.wording
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
            filter: NameFilter::default(),
            sequence_length: 4,
            sequence_count: 3,
            sequence_max_length: None,
            sequence_deny_count: None,
            assistant_text: false,
            values: PerTool::new(Values::default()),
            wording: Wording::new(WORDS, Language::En, Messages::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_defaults() {
        loopguard_config::verify_table(KEYS).unwrap();
        let read = BrakeConfig::from_value(&serde_json::json!({})).unwrap();
        assert_eq!(read, BrakeConfig::default());
    }

    #[test]
    fn the_mode_is_that_of_tools_without_an_override() {
        let mode = |value| BrakeConfig::from_value(&value).unwrap().mode();
        let overrides = serde_json::json!([{"tools": ["rm"], "mode": "deny"}]);
        assert_eq!(mode(serde_json::json!({"mode": "deny"})), Mode::Deny);
        assert_eq!(
            mode(serde_json::json!({"overrides": overrides})),
            Mode::Remind
        );
    }
}
