//! Fixed-width hexadecimal text, the saved form of seeds and fingerprints.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};

/// A text is not the fixed-width hexadecimal form of a seed or fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {digits} hexadecimal digits")]
#[non_exhaustive]
pub struct ParseHexError {
    /// How many digits the text should have had.
    pub digits: usize,
}

/// Reads exactly `digits` (at most 32) hexadecimal digits of either case.
pub(crate) fn parse(text: &str, digits: usize) -> Result<u128, ParseHexError> {
    // `from_str_radix` takes a sign, which is no digit.
    if text.len() != digits || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ParseHexError { digits });
    }
    u128::from_str_radix(text, 16).map_err(|_| ParseHexError { digits })
}

/// Reads a `T` from a string through its `FromStr`.
pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err = ParseHexError>,
    D: Deserializer<'de>,
{
    struct Hex<T>(std::marker::PhantomData<T>);

    impl<T: FromStr<Err = ParseHexError>> Visitor<'_> for Hex<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string of hexadecimal digits")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Hex(std::marker::PhantomData))
}
