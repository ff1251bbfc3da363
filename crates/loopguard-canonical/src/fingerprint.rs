//! 128 bits that stand for a call, a result or a text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::hash::Hash128;
use crate::hex::{self, ParseHexError};
use crate::mask::Mask;
use crate::seed::Seed;
use crate::text;

/// A 128-bit fingerprint under a [`Seed`].
///
/// Fingerprints are compared, ordered and kept; what they were taken from cannot be had
/// back. It is shown and serialised as thirty-two hexadecimal digits.
// Two words rather than one u128: a u128 is aligned to 16 bytes, which would pad every
// record of every guard that keeps one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    high: u64,
    low: u64,
}

impl Fingerprint {
    /// The fingerprint with the given bits.
    #[must_use]
    pub const fn from_u128(bits: u128) -> Self {
        Self {
            high: (bits >> 64) as u64,
            low: bits as u64,
        }
    }

    /// The bits of the fingerprint.
    #[must_use]
    pub const fn to_u128(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The fingerprint of bytes as they are.
    #[must_use]
    pub fn of_bytes(seed: Seed, bytes: &[u8]) -> Self {
        Self::from_u128(xxh3_128_with_seed(bytes, seed.get()))
    }

    /// The fingerprint of a text, line ends and outer white space aside.
    ///
    /// CRLF and CR count as LF, blanks and tabs before a LF do not count, and at both ends
    /// goes what JavaScript's `trim` removes (U+FEFF among it, U+0085 not). It equals
    /// [`of_bytes`](Self::of_bytes) of the text so normalised. A text that needs no
    /// normalisation is hashed in place; the others are hashed piecewise, and neither
    /// allocates once warm.
    #[must_use]
    pub fn of_text(seed: Seed, text: &str) -> Self {
        text::fingerprint(seed, text.as_bytes())
    }

    /// The fingerprint of a text in which volatile parts do not count.
    ///
    /// The text is normalised as in [`of_text`](Self::of_text), the masks are applied in
    /// order, and what is left is normalised once more, so that blanks which stood before a
    /// removed part do not count either. A mask with a place (`at`) applies where the text,
    /// as the masks before it have left it, is JSON, and is passed over otherwise. A mask
    /// with a pattern only applies to the text as a whole.
    #[must_use]
    pub fn of_masked_text<'m>(
        seed: Seed,
        text: &str,
        masks: impl IntoIterator<Item = &'m Mask>,
    ) -> Self {
        text::masked_fingerprint(seed, text, masks.into_iter())
    }

    /// The fingerprint of this followed by another, for results made of several blocks.
    ///
    /// Order counts. A fold over blocks starts with the first block's fingerprint, so a
    /// single block keeps its own.
    #[must_use]
    pub fn combine(self, other: Self) -> Self {
        Hash128::from(self).then(Hash128::from(other)).into()
    }
}

impl From<Hash128> for Fingerprint {
    fn from(hash: Hash128) -> Self {
        Self {
            high: hash.b,
            low: hash.a,
        }
    }
}

impl From<Fingerprint> for Hash128 {
    fn from(fingerprint: Fingerprint) -> Self {
        Self {
            a: fingerprint.low,
            b: fingerprint.high,
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.high, self.low)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fingerprint {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        hex::parse(text, 32).map(Self::from_u128)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex::deserialize(deserializer)
    }
}
