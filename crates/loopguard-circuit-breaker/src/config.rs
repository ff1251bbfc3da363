//! What a breaker goes by.

use loopguard_config::shared::{INCLUDE, QUIET_GAP_MS};
use loopguard_config::{
    ConfigErrors, Key, Kind, Language, Messages, NameFilter, NamePattern, PerTool, Regex, Section,
    Wording,
};
use loopguard_core::{Fingerprint, configuration_fingerprint};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::texts::WORDS;

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

/// How many failing calls can be remembered at once.
pub const MAX_CHAINS: u64 = 64;

const MAX_FAILURES: Key = Key::new(
    "maxFailures",
    Kind::Integer { min: 1 },
    "2",
    "identical failures in a row that open the circuit of a call",
);
const ERROR_PREVIEW_CHARS: Key = Key::new(
    "errorPreviewChars",
    Kind::Integer { min: 1 },
    "300",
    "UTF-16 units of the last failure's message that are kept and quoted",
);
const RESULT_AWARE: Key = Key::new(
    "resultAware",
    Kind::Flag,
    "false",
    "a failure that reads otherwise than the last one is progress and starts at 1",
);
const HALF_OPEN_AFTER_MS: Key = Key::new(
    "halfOpenAfterMs",
    Kind::Integer { min: 1 },
    "none",
    "milliseconds after the last failure at which an open circuit admits one probe",
);
const HALF_OPEN_AFTER_CALLS: Key = Key::new(
    "halfOpenAfterCalls",
    Kind::Integer { min: 1 },
    "none",
    "denied attempts after which an open circuit admits one probe",
);
const MAX_SIMILAR_FAILURES: Key = Key::new(
    "maxSimilarFailures",
    Kind::Integer { min: 2 },
    "none",
    "calls in a row, whatever their arguments or tool, that fail with one message at which to \
     advise",
);

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    MAX_FAILURES,
    INCLUDE,
    Key::new(
        "exclude",
        Kind::Patterns,
        "[]",
        "tools to leave out: their calls neither count nor close a circuit",
    ),
    ERROR_PREVIEW_CHARS,
    Key::new(
        "chains",
        Kind::IntegerUpTo {
            min: 1,
            max: MAX_CHAINS,
        },
        "1",
        "failing calls remembered at once; with more than 1, the failure of another call clears \
         none",
    ),
    RESULT_AWARE,
    Key::new(
        "transientPatterns",
        Kind::RegexesIgnoringCase,
        "[]",
        "messages of failures that pass by themselves: they neither count nor clear",
    ),
    Key::new(
        "failurePatterns",
        Kind::Groups(FAILURE_KEYS),
        "[]",
        "texts that mean failure though the host says success: they count, and advise",
    ),
    Key::new(
        "denyInferred",
        Kind::Flag,
        "false",
        "failures told by failurePatterns open a circuit like any other",
    ),
    HALF_OPEN_AFTER_MS,
    HALF_OPEN_AFTER_CALLS,
    MAX_SIMILAR_FAILURES,
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
    MAX_FAILURES,
    ERROR_PREVIEW_CHARS,
    RESULT_AWARE,
    HALF_OPEN_AFTER_MS,
    HALF_OPEN_AFTER_CALLS,
    MAX_SIMILAR_FAILURES,
    QUIET_GAP_MS,
];

const FAILURE_KEYS: &[Key] = &[
    Key::new(
        "tools",
        Kind::Patterns,
        "[\"*\"]",
        "the tools whose results are looked at",
    ),
    Key::new(
        "pattern",
        Kind::Required(&Kind::Regex),
        "none",
        "what a result matches that means failure",
    ),
];

/// What a breaker goes by: checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakerConfig {
    filter: NameFilter,
    chains: usize,
    #[serde(serialize_with = "as_texts")]
    transient: Vec<Regex>,
    failures: Vec<FailurePattern>,
    deny_inferred: bool,
    values: PerTool<Values>,
    #[serde(skip)]
    wording: Wording,
}

/// The values that may differ from tool to tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Values {
    pub(crate) max_failures: u64,
    pub(crate) error_preview_chars: u64,
    pub(crate) result_aware: bool,
    pub(crate) half_open_after_ms: Option<u64>,
    pub(crate) half_open_after_calls: Option<u64>,
    pub(crate) max_similar_failures: Option<u64>,
    pub(crate) quiet_gap_ms: Option<u64>,
}

impl Default for Values {
    fn default() -> Self {
        Self {
            max_failures: 2,
            error_preview_chars: 300,
            result_aware: false,
            half_open_after_ms: None,
            half_open_after_calls: None,
            max_similar_failures: None,
            quiet_gap_ms: None,
        }
    }
}

impl Values {
    fn read(section: &Section) -> Self {
        let default = Self::default();
        Self {
            max_failures: section
                .integer("maxFailures")
                .unwrap_or(default.max_failures),
            error_preview_chars: section
                .integer("errorPreviewChars")
                .unwrap_or(default.error_preview_chars),
            result_aware: section.flag("resultAware").unwrap_or_default(),
            half_open_after_ms: section.integer("halfOpenAfterMs"),
            half_open_after_calls: section.integer("halfOpenAfterCalls"),
            max_similar_failures: section.integer("maxSimilarFailures"),
            quiet_gap_ms: section.integer("quietGapMs"),
        }
    }
}

/// A text that means failure for some tools.
#[derive(Clone, Debug, Serialize)]
struct FailurePattern {
    tools: Vec<NamePattern>,
    #[serde(serialize_with = "as_text")]
    pattern: Regex,
}

impl BreakerConfig {
    /// Reads a row's section; texts that the row does not give are in `language`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, at once.
    pub fn read(section: Section, language: Language) -> Result<Self, ConfigErrors> {
        let overrides = section.overrides("overrides").into_iter();
        let overrides = overrides.map(|(tools, section)| (tools, Values::read(&section)));
        let failures = section
            .groups("failurePatterns")
            .into_iter()
            .filter_map(|group| {
                let tools = group
                    .patterns("tools")
                    .unwrap_or_else(|| vec![NamePattern::new("*")]);
                Some(FailurePattern {
                    tools,
                    pattern: group.regex("pattern")?,
                })
            });
        let chains = section.integer("chains").unwrap_or(1);
        let own = section.messages("messages").unwrap_or_default();
        let config = Self {
            filter: section.filter("include", "exclude"),
            chains: usize::try_from(chains).unwrap_or(1),
            transient: section.regexes("transientPatterns").unwrap_or_default(),
            failures: failures.collect(),
            deny_inferred: section.flag("denyInferred").unwrap_or_default(),
            values: PerTool::new(Values::read(&section)).with_overrides(overrides.collect()),
            wording: Wording::new(WORDS, language, own),
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
        Self::read(Section::from_value(NAME, value, KEYS), Language::En)
    }

    /// The tools to watch.
    pub fn filter(&self) -> &NameFilter {
        &self.filter
    }

    /// How many identical failures in a row open a circuit; at least 1. Overrides may say
    /// otherwise for some tools.
    pub fn max_failures(&self) -> u64 {
        self.values.base().max_failures
    }

    /// How many UTF-16 units of a failure's message are kept; at least 1.
    pub fn error_preview_chars(&self) -> u64 {
        self.values.base().error_preview_chars
    }

    /// How many failing calls are remembered at once; 1 to [`MAX_CHAINS`].
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// Whether a failure of this message passes by itself.
    pub fn is_transient(&self, message: &str) -> bool {
        self.transient
            .iter()
            .any(|pattern| pattern.is_match(message))
    }

    /// Whether a result's text means failure though the host says success.
    pub fn means_failure(&self, tool: &str, text: &str) -> bool {
        let is_for = |failure: &&FailurePattern| failure.tools.iter().any(|it| it.matches(tool));
        self.failures
            .iter()
            .filter(is_for)
            .any(|failure| failure.pattern.is_match(text))
    }

    /// Whether a failure that the host did not report may open a circuit.
    pub fn deny_inferred(&self) -> bool {
        self.deny_inferred
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

impl Default for BreakerConfig {
    /// The original's defaults: two failures, every tool, 300 units.
    fn default() -> Self {
        Self {
            filter: NameFilter::default(),
            chains: 1,
            transient: Vec::new(),
            failures: Vec::new(),
            deny_inferred: false,
            values: PerTool::new(Values::default()),
            wording: Wording::new(WORDS, Language::En, Messages::default()),
        }
    }
}

fn as_text<S: Serializer>(pattern: &Regex, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(pattern.as_str())
}

fn as_texts<S: Serializer>(patterns: &[Regex], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(patterns.iter().map(Regex::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_defaults() {
        loopguard_config::verify_table(KEYS).unwrap();
        let read = BreakerConfig::from_value(&serde_json::json!({})).unwrap();
        assert_eq!(read.fingerprint(), BreakerConfig::default().fingerprint());
        assert!(read.fingerprint().is_some());
    }
}
