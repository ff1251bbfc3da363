//! The arguments of calls that run.

use std::collections::VecDeque;

use loopguard::{CallNumber, MAX_PENDING_CALLS};

/// The argument texts of calls that run, each until its call ends.
///
/// No more than the guards remember running calls: then the oldest goes, as it does there.
#[derive(Debug, Default)]
pub(crate) struct RunningArguments(VecDeque<(CallNumber, String)>);

impl RunningArguments {
    pub(crate) fn keep(&mut self, call: CallNumber, text: String) {
        if self.0.len() == MAX_PENDING_CALLS {
            self.0.pop_front();
        }
        self.0.push_back((call, text));
    }

    pub(crate) fn take(&mut self, call: CallNumber) -> Option<String> {
        // Numbers only grow, so the texts lie in their order.
        let at = self.0.binary_search_by_key(&call, |kept| kept.0).ok()?;
        self.0.remove(at).map(|kept| kept.1)
    }
}
