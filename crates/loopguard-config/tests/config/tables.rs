//! Key tables as the guards have them, and what reads them.

use loopguard_config::{ConfigErrors, Key, Kind, Rows, Section, Words};
use serde_json::Value;

const fn key(name: &'static str, kind: Kind, default: &'static str) -> Key {
    Key::new(name, kind, default, "")
}

pub(crate) const WORDS: &[Words] = &[
    Words::new("repeated-call", &["tool", "count"], "{tool} × {count}"),
    Words::new("silent", &[], ""),
];

pub(crate) const REMINDER: &[Key] = &[
    key("thresholds", Kind::Integers { min: 2 }, "[3, 5, 8]"),
    key("include", Kind::Patterns, "[]"),
    key("exclude", Kind::Patterns, "[]"),
    key("argumentsPreviewChars", Kind::Integer { min: 1 }, "500"),
    key("denyAt", Kind::Integer { min: 1 }, "none"),
    key("messages", Kind::Messages(WORDS), "none"),
];

pub(crate) const BRAKE: &[Key] = &[
    key("mode", Kind::Choice(&["remind", "deny"]), "\"remind\""),
    key("callWarnCount", Kind::Integer { min: 2 }, "6"),
    key("callDenyCount", Kind::Integer { min: 1 }, "10"),
    key("callReWarnEvery", Kind::Integer { min: 1 }, "5"),
    key("sequenceLength", Kind::Integer { min: 2 }, "4"),
    key("sequenceCount", Kind::Integer { min: 2 }, "3"),
    key(
        "minWindowCalls",
        Kind::Deprecated {
            kind: &Kind::Integer { min: 2 },
            instead: "it has no effect",
        },
        "none",
    ),
    key("duplicateTextThreshold", Kind::Integer { min: 2 }, "3"),
    key(
        "duplicateTextWindowMs",
        Kind::Integer { min: 1000 },
        "120000",
    ),
    key("duplicateTextCooldownMs", Kind::Integer { min: 0 }, "30000"),
    key("minimumDuplicateChars", Kind::Integer { min: 1 }, "80"),
    key(
        "sequenceMaxLength",
        Kind::IntegerUpTo { min: 2, max: 32 },
        "none",
    ),
    key("similarCalls", Kind::Ratio { min: 0.5, max: 1.0 }, "none"),
    key("resultAware", Kind::Flag, "false"),
    key("overrides", Kind::Overrides(BRAKE_OVERRIDES), "[]"),
];

const BRAKE_OVERRIDES: &[Key] = &[
    key("callWarnCount", Kind::Integer { min: 2 }, "6"),
    key("callDenyCount", Kind::Integer { min: 1 }, "10"),
];

pub(crate) const BREAKER: &[Key] = &[
    key("maxFailures", Kind::Integer { min: 1 }, "2"),
    key("transientPatterns", Kind::RegexesIgnoringCase, "[]"),
    key("failurePatterns", Kind::Groups(FAILURE_PATTERNS), "[]"),
];

const FAILURE_PATTERNS: &[Key] = &[
    key("tools", Kind::Patterns, "[]"),
    key("pattern", Kind::Required(&Kind::Regex), "none"),
];

pub(crate) const SET: &[Key] = &[
    key("identity", Kind::Groups(IDENTITY), "[]"),
    key("redact", Kind::Regexes, "[]"),
    key("language", Kind::Choice(&["en", "zh"]), "\"en\""),
];

const IDENTITY: &[Key] = &[
    key("tools", Kind::Patterns, "[]"),
    key("arguments", Kind::Groups(PART), "[]"),
    key("result", Kind::Groups(PART), "[]"),
];

const PART: &[Key] = &[
    key("at", Kind::Text, "none"),
    key("match", Kind::Regex, "none"),
    key("as", Kind::Text, "none"),
];

/// The table that a row's name stands for.
pub(crate) fn table(name: &str) -> &'static [Key] {
    match name {
        "brake" => BRAKE,
        "breaker" => BREAKER,
        "loopguard" => SET,
        _ => REMINDER,
    }
}

/// Makes the checks that span keys, as the guards' readers do.
pub(crate) fn read(mut section: Section, name: &str) -> Result<Value, ConfigErrors> {
    match name {
        "brake" => {
            section.greater("callDenyCount", "callWarnCount");
            section.at_least("sequenceMaxLength", "sequenceLength");
            for (_, mut inner) in section.overrides("overrides") {
                inner.greater("callDenyCount", "callWarnCount");
            }
        }
        "breaker" | "loopguard" => {}
        _ => section.greater("denyAt", "thresholds"),
    }
    let effective = section.effective();
    section.finish().map(|()| effective)
}

/// Reads every row by its name and gathers what is wrong.
pub(crate) fn read_all((rows, mut errors): (Rows, ConfigErrors)) -> (Rows, ConfigErrors) {
    for row in &rows {
        let name = row.name().or(row.id()).unwrap_or_default();
        if !["reminder", "brake", "breaker", "loopguard"].contains(&name) {
            continue;
        }
        errors.collect(read(Section::open(row, table(name), None), name));
    }
    (rows, errors)
}
