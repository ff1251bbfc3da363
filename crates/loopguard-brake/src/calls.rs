//! Repeated calls: a cumulative count per identity since the last human message.

use loopguard_core::{Call, CallNumber, Fingerprint, Identity, Recent};
use serde::{Deserialize, Serialize};

/// How many different calls of one agent are remembered. A session's distinct calls between
/// two human messages are some dozens, seldom hundreds; a loop among more than a thousand
/// different calls is none that a count could tell from work.
pub const MAX_CALLS: usize = 1024;

/// The counts of one agent's calls.
#[derive(Clone, Debug)]
pub(crate) struct Calls(Recent<Count>);

/// How often one call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    /// How often, whatever its outcome.
    pub(crate) times: u32,
    /// How often with an exact identity: only these can lead to a denial.
    pub(crate) exact: u32,
    /// The first of them.
    first: u32,
}

impl Count {
    pub(crate) fn first(&self) -> CallNumber {
        CallNumber(u64::from(self.first))
    }
}

impl Calls {
    pub(crate) fn new() -> Self {
        Self(Recent::new(MAX_CALLS))
    }

    /// A call has ended, whatever its outcome.
    pub(crate) fn count(&mut self, call: &Call<'_>) -> Count {
        let first = u32::try_from(call.number().0).unwrap_or(u32::MAX);
        let new = || Count {
            times: 0,
            exact: 0,
            first,
        };
        let (count, _) = self.0.see(call.identity().fingerprint(), new);
        count.times = count.times.saturating_add(1);
        count.exact = count
            .exact
            .saturating_add(u32::from(call.identity().is_exact()));
        *count
    }

    /// How often this call has come.
    pub(crate) fn get(&self, identity: Identity) -> Option<&Count> {
        self.0.get(&identity.fingerprint())
    }

    pub(crate) fn forget(&mut self, identity: Identity) {
        self.0.remove(&identity.fingerprint());
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The counts, the call longest unseen first.
    pub(crate) fn save(&self) -> Vec<(Fingerprint, Count)> {
        self.0.iter().map(|(call, count)| (call, *count)).collect()
    }

    pub(crate) fn restore(saved: Vec<(Fingerprint, Count)>) -> Self {
        let mut calls = Self::new();
        for (call, count) in saved {
            calls.0.see(call, || count);
        }
        calls
    }
}
