//! The names and the keys of this guard's row.

use loopguard_config::shared::{INCLUDE, QUIET_GAP_MS};
use loopguard_config::{Key, Kind};

use crate::cycles::MAX_PERIOD;
use crate::texts::WORDS;

/// What the guard is called in a row, and in saved state.
pub const NAME: &str = "brake";

/// All the names under which a row may ask for this guard.
pub const NAMES: &[&str] = &[NAME, "dsh-brake"];

/// The id of a row that gives none.
pub const DEFAULT_ID: &str = "dsh-brake";

const MODE: Key = Key::new(
    "mode",
    Kind::Choice(&["remind", "deny"]),
    "\"remind\"",
    "whether to advise only, or also to deny a call that has come callDenyCount times",
);
const CALL_WARN_COUNT: Key = Key::new(
    "callWarnCount",
    Kind::Integer { min: 2 },
    "6",
    "times one call has come since the last human message at which to advise first",
);
const CALL_DENY_COUNT: Key = Key::new(
    "callDenyCount",
    Kind::Integer { min: 1 },
    "10",
    "times after which mode deny refuses the call; greater than callWarnCount",
);
const CALL_RE_WARN_EVERY: Key = Key::new(
    "callReWarnEvery",
    Kind::Integer { min: 1 },
    "5",
    "further times after which to advise again, of a call or of a sequence",
);
const DUPLICATE_TEXT_THRESHOLD: Key = Key::new(
    "duplicateTextThreshold",
    Kind::Integer { min: 2 },
    "3",
    "appearances of one text within the window from which to advise",
);
const DUPLICATE_TEXT_WINDOW_MS: Key = Key::new(
    "duplicateTextWindowMs",
    Kind::Integer { min: 1000 },
    "120000",
    "milliseconds from a text's first appearance in which the others count",
);
const DUPLICATE_TEXT_COOLDOWN_MS: Key = Key::new(
    "duplicateTextCooldownMs",
    Kind::Integer { min: 0 },
    "30000",
    "milliseconds in which one text is told at most once",
);
const MINIMUM_DUPLICATE_CHARS: Key = Key::new(
    "minimumDuplicateChars",
    Kind::Integer { min: 1 },
    "80",
    "UTF-16 units that a text block has at least to be looked at",
);
const RESULT_AWARE: Key = Key::new(
    "resultAware",
    Kind::Flag,
    "false",
    "what repeats is the call with its result: a changed result starts anew, and so do the \
     calls around it",
);
const STEP_AWARE: Key = Key::new(
    "stepAware",
    Kind::Flag,
    "false",
    "identical calls of a step count once, and a cycle's steps are sets, whatever their order",
);
const SIMILAR_CALLS: Key = Key::new(
    "similarCalls",
    Kind::Ratio { min: 0.5, max: 1.0 },
    "none",
    "share of common words from which calls of one tool count as the same, for notices only",
);
const SIMILAR_TEXT: Key = Key::new(
    "similarText",
    Kind::Ratio { min: 0.5, max: 1.0 },
    "none",
    "share of common words from which texts count as the same",
);

/// The keys of this guard's row.
pub const KEYS: &[Key] = &[
    MODE,
    CALL_WARN_COUNT,
    CALL_DENY_COUNT,
    CALL_RE_WARN_EVERY,
    Key::new(
        "sequenceLength",
        Kind::Integer { min: 2 },
        "4",
        "distinct calls that make a sequence (one of more than 256 is never complete); with \
         sequenceMaxLength, the shortest period of a cycle",
    ),
    Key::new(
        "sequenceCount",
        Kind::Integer { min: 2 },
        "3",
        "times a sequence has come at which to advise first",
    ),
    Key::new(
        "sequenceMaxLength",
        Kind::IntegerUpTo {
            min: 2,
            max: MAX_PERIOD as u64,
        },
        "none",
        "the longest period of a cycle: adjacent cycles of every period, distinct calls or not, \
         in place of windows",
    ),
    Key::new(
        "sequenceDenyCount",
        Kind::Integer { min: 3 },
        "none",
        "rounds of a cycle after which the call that would begin it again is denied; greater \
         than sequenceCount, and needs sequenceMaxLength",
    ),
    DUPLICATE_TEXT_THRESHOLD,
    DUPLICATE_TEXT_WINDOW_MS,
    DUPLICATE_TEXT_COOLDOWN_MS,
    MINIMUM_DUPLICATE_CHARS,
    Key::new(
        "assistantText",
        Kind::Flag,
        "false",
        "the assistant's own messages count as text, and words chanted inside one are told",
    ),
    INCLUDE,
    Key::new(
        "exclude",
        Kind::Patterns,
        "[]",
        "tools to leave out: their calls neither count nor reset, their results are no text",
    ),
    RESULT_AWARE,
    STEP_AWARE,
    QUIET_GAP_MS,
    SIMILAR_CALLS,
    SIMILAR_TEXT,
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
    Key::new(
        "minWindowCalls",
        Kind::Deprecated {
            kind: &Kind::Integer { min: 2 },
            instead: "it has no effect: leave it out",
        },
        "none",
        "an undocumented key of the original, without effect",
    ),
];

/// The keys that may have other values for some tools.
const OVERRIDE_KEYS: &[Key] = &[
    MODE,
    CALL_WARN_COUNT,
    CALL_DENY_COUNT,
    CALL_RE_WARN_EVERY,
    DUPLICATE_TEXT_THRESHOLD,
    DUPLICATE_TEXT_WINDOW_MS,
    DUPLICATE_TEXT_COOLDOWN_MS,
    MINIMUM_DUPLICATE_CHARS,
    RESULT_AWARE,
    STEP_AWARE,
    QUIET_GAP_MS,
    SIMILAR_CALLS,
    SIMILAR_TEXT,
];
