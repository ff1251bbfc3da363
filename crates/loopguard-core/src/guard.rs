//! The contract that every guard keeps.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Call, Event, Notices, RestoreError, SavedGuard, Verdict};

/// One guard that watches one agent.
///
/// Two phases. Deciding is pure, so that a guard has reserved nothing when another one
/// refuses; then every guard is told what came of the call. Both happen in one step: the
/// caller lets no other event of the agent in between.
pub trait Guard: fmt::Debug + Send {
    /// The id of the guard's row: the label of its notices and denials.
    fn id(&self) -> &GuardId;

    /// Whether `call` may run. Pure: asking twice changes nothing. Allocates only to refuse.
    ///
    /// A call whose identity is inexact is never refused: two different calls may share it.
    fn decide(&self, call: &Call<'_>) -> Verdict;

    /// Whether it may refuse any call at all. Where none of a set's guards may, a host need not
    /// ask before a call, and can submit and finish it in one go once it has ended.
    fn may_refuse(&self) -> bool {
        true
    }

    /// Whether it makes a difference to it how a call ends. Where it does to none of a set's
    /// guards, a host may finish every call as a success without a text.
    fn minds_results(&self) -> bool {
        true
    }

    /// What happened. Infallible, bounded in time and memory; what the guard has to say about
    /// it goes to `notices`.
    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices);

    /// The guard's state as plain data.
    fn save(&self) -> SavedGuard;

    /// Goes on from a saved state as if nothing had happened in between.
    ///
    /// # Errors
    ///
    /// Says why the state does not fit; the guard is then unchanged.
    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError>;
}

/// The id of a guard's row. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct GuardId(Arc<str>);

impl GuardId {
    /// An id of this text.
    pub fn new(id: &str) -> Self {
        Self(Arc::from(id))
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GuardId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<&str> for GuardId {
    fn from(id: &str) -> Self {
        Self::new(id)
    }
}

impl From<String> for GuardId {
    fn from(id: String) -> Self {
        Self(Arc::from(id))
    }
}

impl From<GuardId> for String {
    fn from(id: GuardId) -> Self {
        id.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Call;

    /// Object safety, and what hosts on several threads rely on: it compiles.
    #[test]
    fn guards_cross_threads_and_what_they_say_is_shared() {
        fn sendable<T: ?Sized + Send>() {}
        fn shareable<T: ?Sized + Send + Sync>() {}
        sendable::<Box<dyn Guard>>();
        shareable::<GuardId>();
        shareable::<Verdict>();
        shareable::<Notices>();
        shareable::<SavedGuard>();
        shareable::<RestoreError>();
        shareable::<Call<'static>>();
    }
}
