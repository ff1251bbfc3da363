//! A whole set as plain data, and back.

use std::sync::Arc;

use loopguard_core::{Fingerprint, GuardId, Notice, SavedGuard, Seed, Timestamp};
use serde::{Deserialize, Serialize};

use crate::pending::{PendingCall, PendingCalls};
use crate::set::GuardSet;
use crate::setup::Setup;
use crate::speaker::{Denials, Speaker, Waiting};

/// The version of the envelope.
const VERSION: u32 = 1;

/// How identities are taken: a state from another scheme says nothing about today's calls.
const SCHEME: &str = "loopguard-1";

/// The guards of one agent as plain data: in another process they go on as if nothing had
/// happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSet {
    version: u32,
    scheme: String,
    seed: Seed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<Fingerprint>,
    guards: Vec<SavedGuard>,
    calls: u64,
    now: Option<Timestamp>,
    denials: Vec<(Speaker, u64)>,
    pending: Vec<PendingCall>,
    waiting: Vec<(Speaker, Notice)>,
}

/// A set that was restored, and what could not be.
#[derive(Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The set.
    pub set: GuardSet,
    /// The guards that start afresh, each with the reason; for people.
    pub afresh: Vec<Afresh>,
}

/// A guard that starts afresh although there was a saved state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Afresh {
    /// The guard.
    pub guard: GuardId,
    /// Why.
    pub reason: String,
}

/// Why a saved set cannot be restored at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreSetError {
    /// The envelope has another version.
    #[error(
        "the saved set has version {found}, this build reads version {VERSION}: start a new one"
    )]
    Version {
        /// The envelope's version.
        found: u32,
    },
    /// Identities were taken in another way.
    #[error(
        "the saved set's identities are of the scheme {found:?}, this build's of {SCHEME:?}: start a new one"
    )]
    Scheme {
        /// The envelope's scheme.
        found: String,
    },
}

impl GuardSet {
    /// The set as plain data.
    pub fn save(&self) -> SavedSet {
        // What a guard knows that has failed is not to be trusted.
        let on_duty = self.watch.guards.iter().filter(|post| !post.failed);
        SavedSet {
            version: VERSION,
            scheme: SCHEME.to_owned(),
            seed: self.watch.seed,
            policy: self.setup.policy.fingerprint(),
            guards: on_duty.map(|post| post.guard.save()).collect(),
            calls: self.watch.calls,
            now: self.watch.now,
            denials: self.watch.denials.save(),
            pending: self.watch.pending.save(),
            waiting: self.watch.waiting.save(),
        }
    }

    /// Goes on from a saved set, under its own seed. A guard whose configuration has changed
    /// since starts afresh, and so do all of them where the identity policy has.
    ///
    /// # Errors
    ///
    /// Where the state is of another version or scheme; a new set is then the way out.
    pub fn restore(
        setup: Arc<Setup>,
        agent: &str,
        saved: &SavedSet,
    ) -> Result<Restored, RestoreSetError> {
        if saved.version != VERSION {
            return Err(RestoreSetError::Version {
                found: saved.version,
            });
        }
        if saved.scheme != SCHEME {
            return Err(RestoreSetError::Scheme {
                found: saved.scheme.clone(),
            });
        }
        let same_policy = saved.policy == setup.policy.fingerprint();
        let mut set = Self::new(setup, agent, saved.seed);
        let mut afresh = Vec::new();
        for post in &mut set.watch.guards {
            let id = post.guard.id().clone();
            let Some(state) = saved.guards.iter().find(|state| state.id == id) else {
                continue;
            };
            let outcome = match same_policy {
                true => post.guard.restore(state).map_err(|error| error.to_string()),
                false => Err("the identity policy has changed since the state was saved".into()),
            };
            let Err(reason) = outcome else { continue };
            afresh.push(Afresh { guard: id, reason });
        }
        set.watch.calls = saved.calls;
        set.watch.now = saved.now;
        set.watch.denials = Denials::restore(&saved.denials);
        set.watch.pending = PendingCalls::restore(saved.pending.clone());
        set.watch.waiting = Waiting::restore(&saved.waiting);
        Ok(Restored { set, afresh })
    }
}
