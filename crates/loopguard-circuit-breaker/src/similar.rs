//! The same failure whatever is tried.

use loopguard_core::{CallNumber, Fingerprint};
use serde::{Deserialize, Serialize};

use crate::chain::Failure;

/// How many calls in a row have failed with one message, whatever their arguments or tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Similar {
    failure: Option<Fingerprint>,
    pub(crate) count: u64,
    pub(crate) first: CallNumber,
}

impl Similar {
    /// One more failure: whether it is to be told, at the limit and each so many further ones.
    pub(crate) fn count(&mut self, failure: &Failure<'_>, limit: u64) -> bool {
        let same = Some(failure.message_fingerprint());
        if self.failure == same {
            self.count = self.count.saturating_add(1);
        } else {
            *self = Self {
                failure: same,
                count: 1,
                first: failure.call.number(),
            };
        }
        self.count >= limit && self.count.is_multiple_of(limit)
    }
}
