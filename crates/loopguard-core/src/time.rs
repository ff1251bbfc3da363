//! Time as it comes in with the events.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, as the host tells them.
///
/// No guard reads a clock: a recorded session replays to the same decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `milliseconds` after (or before) the Unix epoch.
    pub const fn from_millis(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ms", self.0)
    }
}

/// Milliseconds that have passed from `then` to `now`; 0 where either is unknown or the
/// clock went backwards.
///
/// So without times nothing ever lies in the past: windows do not close, cooldowns do
/// not end.
pub fn elapsed_ms(then: Option<Timestamp>, now: Option<Timestamp>) -> u64 {
    match (then, now) {
        (Some(then), Some(now)) if now > then => now.0.abs_diff(then.0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stands_still_where_it_is_unknown_or_goes_backwards() {
        let at = |ms| Some(Timestamp::from_millis(ms));
        assert_eq!(elapsed_ms(at(5), at(9)), 4);
        assert_eq!(elapsed_ms(at(9), at(5)), 0);
        assert_eq!(elapsed_ms(None, at(9)), 0);
        assert_eq!(elapsed_ms(at(9), None), 0);
        assert_eq!(elapsed_ms(at(i64::MIN), at(i64::MAX)), u64::MAX);
    }
}
