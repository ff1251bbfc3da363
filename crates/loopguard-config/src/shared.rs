//! Keys that mean the same in several guards' tables.

use crate::{Key, Kind};

/// The tools that a guard watches.
pub const INCLUDE: Key = Key::new(
    "include",
    Kind::Patterns,
    "[]",
    "tools to watch; empty means every tool",
);

/// The pause after which a guard starts anew.
pub const QUIET_GAP_MS: Key = Key::new(
    "quietGapMs",
    Kind::Integer { min: 1 },
    "none",
    "a pause longer than this, in milliseconds, from the agent's last event to the next call \
     starts anew",
);
