//! What makes two calls the same call.

use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::fingerprint::Fingerprint;
use crate::mask::Mask;
use crate::seed::Seed;

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
    #[must_use]
    pub fn of(seed: Seed, tool: &str, arguments: Arguments<'_>) -> Self {
        let _ = (seed, tool, arguments);
        Self {
            fingerprint: Fingerprint::from_u128(0),
            exact: true,
        }
    }

    /// The identity of a call whose volatile parts do not count.
    #[must_use]
    pub fn of_masked<'m>(
        seed: Seed,
        tool: &str,
        arguments: Arguments<'_>,
        masks: impl IntoIterator<Item = &'m Mask>,
    ) -> Self {
        let _ = masks;
        Self::of(seed, tool, arguments)
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
