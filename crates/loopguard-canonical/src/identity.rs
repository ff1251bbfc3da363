//! What makes two calls the same call.

use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::fingerprint::Fingerprint;
use crate::hash::Hasher;
use crate::mask::Mask;
use crate::raw;
use crate::rewrite;
use crate::seed::Seed;
use crate::value;

/// What makes two calls the same call: tool name and arguments, as a [`Fingerprint`].
///
/// An identity is *exact* unless digits were lost before it was taken. Identities that are
/// not exact may stand for several values at once, so a guard may advise on them and never
/// denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    fingerprint: Fingerprint,
    exact: bool,
}

impl Identity {
    /// The identity of a call to `tool` with `arguments`.
    ///
    /// Two calls have the same identity when they name the same tool and their arguments
    /// are the same JSON value: the order of keys does not count and the last of equal keys
    /// is the one, `1` is `1.0`, `"a"` is `"\u0061"`. Integers count with all their digits,
    /// every other number as the nearest double; beyond the range of doubles by its exact
    /// decimal.
    ///
    /// Nothing is copied and, once the thread is warm, nothing allocated: not for values
    /// down to 128 levels, and not for raw text whose buffers stay within 1 MiB (some 10,000
    /// keys in one object). There is no input that fails, and no depth that overflows.
    #[must_use]
    pub fn of(seed: Seed, tool: &str, arguments: Arguments<'_>) -> Self {
        let hasher = Hasher::new(seed);
        let (hash, exact) = match arguments {
            Arguments::Value(value) => value::hash_value(hasher, value),
            Arguments::Text(text) => (raw::hash_text(hasher, text.as_bytes()), true),
        };
        Self {
            fingerprint: hasher.call(tool, hash).into(),
            exact,
        }
    }

    /// The identity of a call to `tool` with `arguments` whose volatile parts do not count.
    ///
    /// The masks are applied in order, each to what the ones before it have left. Without a
    /// mask that finds its part this is [`Identity::of`].
    #[must_use]
    pub fn of_masked<'m>(
        seed: Seed,
        tool: &str,
        arguments: Arguments<'_>,
        masks: impl IntoIterator<Item = &'m Mask>,
    ) -> Self {
        let mut masks = masks.into_iter().peekable();
        if masks.peek().is_none() {
            return Self::of(seed, tool, arguments);
        }
        let hasher = Hasher::new(seed);
        let text = rewrite::arguments(arguments, masks);
        let exact = match arguments {
            Arguments::Value(value) => value::hash_value(hasher, value).1,
            Arguments::Text(_) => true,
        };
        Self {
            fingerprint: hasher.call(tool, raw::hash_text(hasher, &text)).into(),
            exact,
        }
    }

    /// The fingerprint of tool name and arguments.
    #[must_use]
    pub const fn fingerprint(self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether no digits were lost before the identity was taken.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.exact
    }

    /// The same identity marked inexact, for hosts whose parser has lost digits.
    #[must_use]
    pub const fn inexact(self) -> Self {
        Self {
            exact: false,
            ..self
        }
    }
}
