//! The seed that every fingerprint is taken under.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hex::{self, ParseHexError};

/// The 64-bit seed under which fingerprints are taken.
///
/// One seed gives one fingerprint on every machine, in every run. Fingerprints taken under
/// different seeds must not be compared. A replay uses [`Seed::FIXED`]; a live host draws a
/// random seed and keeps it with the state, because inputs that collide can be made up by
/// whoever knows the seed.
///
/// It is shown and serialised as sixteen hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(u64);

impl Seed {
    /// The seed of replays and tests.
    pub const FIXED: Self = Self(0);

    /// A seed with the given bits. All bits count; every value is allowed.
    #[must_use]
    pub const fn new(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the seed.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({self})")
    }
}

impl FromStr for Seed {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Sixteen digits are 64 bits, so nothing is cut off here.
        hex::parse(text, 16).map(|bits| Self(bits as u64))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex::deserialize(deserializer)
    }
}
