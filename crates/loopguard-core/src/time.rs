//! Time as it comes in with the events.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, as the host tells them.
///
/// No guard reads a clock: a recorded session replays to the same decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
pub struct Timestamp(NonZeroU64);

/// The sign bit: with it turned over, moments are ordered as unsigned numbers are.
const SIGN: u64 = 1 << 63;

impl Timestamp {
    /// The moment `milliseconds` after (or before) the Unix epoch; the first one that there is
    /// counts as the one after it.
    pub const fn from_millis(milliseconds: i64) -> Self {
        // Zero is never held, so that a time that may be unknown takes no more room.
        match NonZeroU64::new(milliseconds as u64 ^ SIGN) {
            Some(held) => Self(held),
            None => Self(NonZeroU64::MIN),
        }
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        (self.0.get() ^ SIGN) as i64
    }
}

impl From<i64> for Timestamp {
    fn from(milliseconds: i64) -> Self {
        Self::from_millis(milliseconds)
    }
}

impl From<Timestamp> for i64 {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.as_millis()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ms", self.as_millis())
    }
}

/// Milliseconds that have passed from `then` to `now`; 0 where either is unknown or the
/// clock went backwards.
///
/// So without times nothing ever lies in the past: windows do not close, cooldowns do
/// not end.
pub fn elapsed_ms(then: Option<Timestamp>, now: Option<Timestamp>) -> u64 {
    match (then, now) {
        (Some(then), Some(now)) if now > then => now.as_millis().abs_diff(then.as_millis()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_one_that_was_given() {
        let moments = [i64::MIN + 1, -1, 0, 1, 1_785_012_609_000, i64::MAX];
        for milliseconds in moments {
            let moment = Timestamp::from_millis(milliseconds);
            assert_eq!(moment.as_millis(), milliseconds);
            assert_eq!(
                serde_json::to_string(&moment).unwrap(),
                milliseconds.to_string()
            );
        }
        assert!(moments.map(Timestamp::from_millis).is_sorted());
        let first = Timestamp::from_millis(i64::MIN);
        assert_eq!(first, Timestamp::from_millis(i64::MIN + 1));
        assert_eq!(Timestamp::from_millis(-7).to_string(), "-7 ms");
        assert_eq!(size_of::<Option<Timestamp>>(), 8);
    }

    #[test]
    fn time_stands_still_where_it_is_unknown_or_goes_backwards() {
        let at = |ms| Some(Timestamp::from_millis(ms));
        assert_eq!(elapsed_ms(at(5), at(9)), 4);
        assert_eq!(elapsed_ms(at(9), at(5)), 0);
        assert_eq!(elapsed_ms(None, at(9)), 0);
        assert_eq!(elapsed_ms(at(9), None), 0);
        assert_eq!(elapsed_ms(at(i64::MIN), at(i64::MAX)), u64::MAX - 1);
    }
}
