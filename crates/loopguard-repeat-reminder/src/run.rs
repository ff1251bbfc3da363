//! How many times in a row the same came.

use loopguard_core::{Call, CallNumber, CallSet, Fingerprint, StepId};
use serde::{Deserialize, Serialize};

/// A run: the calls of the last step (or the last call, where steps do not matter), and how
/// many times in a row they have come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// How many times, the open step included.
    pub(crate) count: u64,
    /// The first call that counts.
    pub(crate) first: CallNumber,
    /// As `count`, but anew whenever another call succeeded in between: a denial rests on
    /// these alone.
    pub(crate) certain: u64,
    /// Whether each identity was exact.
    pub(crate) exact: bool,
    /// The calls of the open step so far.
    open: CallSet,
    /// The calls of the step before, and how often they had come by then.
    closed: Closed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Closed {
    sum: u64,
    count: u64,
    certain: u64,
    first: CallNumber,
    exact: bool,
}

impl Run {
    /// One more call of `step`, compared by `key`; `false` where the step has it already.
    pub(crate) fn count(
        &mut self,
        call: &Call<'_>,
        key: Fingerprint,
        step: Option<StepId>,
    ) -> bool {
        let identity = call.identity();
        if !self.open.is_of(step) {
            self.close();
            self.open.begin(step);
            self.exact = true;
        }
        if !self.open.add(identity.fingerprint(), key) {
            return false;
        }
        self.exact &= identity.is_exact();
        if self.closed.count > 0 && self.open.sum() == self.closed.sum {
            self.count = self.closed.count.saturating_add(1);
            self.certain = self.closed.certain.saturating_add(1);
            self.first = self.closed.first;
            self.exact &= self.closed.exact;
        } else {
            (self.count, self.certain, self.first) = (1, 1, call.number());
        }
        true
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.closed = Closed {
                sum: self.open.sum(),
                count: self.count,
                certain: self.certain,
                first: self.first,
                exact: self.exact,
            };
        }
    }

    /// Another call succeeded meanwhile: the same call may well end differently now.
    pub(crate) fn doubt(&mut self) {
        self.certain = 0;
        self.closed.certain = 0;
    }

    /// Whether the call is among the last ones.
    pub(crate) fn holds(&self, call: Fingerprint) -> bool {
        self.open.holds(call)
    }

    /// Whether the call is the last one, alone.
    pub(crate) fn is_only(&self, call: Fingerprint) -> bool {
        self.open.is_only(call)
    }

    /// Whether a call of `step` would join the last ones rather than follow them.
    pub(crate) fn is_open_for(&self, step: Option<StepId>) -> bool {
        self.open.is_of(step)
    }

    /// Begins anew; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.open.begin(None);
        let open = std::mem::take(&mut self.open);
        *self = Self {
            open,
            ..Self::default()
        };
    }
}
