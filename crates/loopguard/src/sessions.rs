//! The guards of all agents of a host.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loopguard_core::{Arguments, CallNumber, Fingerprint, Notice, Recent, Seed, Timestamp};

use crate::saved::{Afresh, RestoreSetError, SavedSet};
use crate::set::{Answer, GuardSet};
use crate::setup::{Scope, Setup};
use crate::submission::{CallRef, Ending, Incoming, Submission};

/// How many agents are watched at once where nobody says otherwise.
pub const DEFAULT_AGENTS: usize = 100_000;

/// One [`GuardSet`] per agent, in a bounded map: for hosts that know agents and calls by name.
///
/// Shared by reference among threads. A call locks the map for a look-up and then its own
/// agent, never another's, and never while a tool runs.
///
/// # Example: three calls of a host
///
/// ```
/// use loopguard::{Answer, Ending, Incoming, Preset, Seed, Sessions, Setup, Submission};
///
/// let sessions = Sessions::new(Setup::preset(Preset::Original), Seed::FIXED);
/// sessions.messages("main", &[Incoming::user(&["fix the build"])], None);
/// for attempt in 1..=3 {
///     let call = Submission::new("bash", r#"{"command":"make"}"#).id("c1");
///     match sessions.submit("main", &call) {
///         Answer::Admitted(_) => {
///             let ending = Ending::failure("no rule to make target", &["make: *** no rule"]);
///             let notices = sessions.finish("main", "c1", &ending);
///             assert!(attempt < 3 && notices.is_empty());
///         }
///         Answer::Refused(refusal) => {
///             assert_eq!(attempt, 3);
///             assert_eq!(refusal.denial.code, "circuit-open");
///         }
///         _ => unreachable!(),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Sessions {
    setup: Arc<Setup>,
    seed: Seed,
    agents: Mutex<Recent<Arc<Mutex<GuardSet>>, u32>>,
    dropped: AtomicU64,
}

impl Sessions {
    /// Guards for at most [`DEFAULT_AGENTS`] agents. A live host takes a random seed, a replay
    /// [`Seed::FIXED`].
    pub fn new(setup: impl Into<Arc<Setup>>, seed: Seed) -> Self {
        Self::with_capacity(setup, seed, DEFAULT_AGENTS)
    }

    /// Guards for at most `agents` agents: one more, and the one longest unused is dropped.
    pub fn with_capacity(setup: impl Into<Arc<Setup>>, seed: Seed, agents: usize) -> Self {
        Self {
            setup: setup.into(),
            seed,
            agents: Mutex::new(Recent::new(agents)),
            dropped: AtomicU64::new(0),
        }
    }

    /// Asks the guards of `agent` whether a call may run. A call without an agent (`None`) is
    /// none of theirs: it is admitted, under the number 0.
    pub fn submit<'a>(&self, agent: impl Into<Option<&'a str>>, call: &Submission<'_>) -> Answer {
        match agent.into() {
            None => Answer::Admitted(CallNumber(0)),
            Some(agent) => self.with(agent, |set| set.submit(&self.of(agent, call))),
        }
    }

    /// Tells the guards of `agent` how a call ended, and takes what they have to say.
    pub fn finish<'a, 'c>(
        &self,
        agent: impl Into<Option<&'a str>>,
        call: impl Into<CallRef<'c>>,
        ending: &Ending<'_>,
    ) -> Vec<Notice> {
        let Some(agent) = agent.into() else {
            return Vec::new();
        };
        let Some(set) = self.known(agent) else {
            return Vec::new();
        };
        let mut set = lock(&set);
        set.turn_to(agent);
        set.finish(call, ending);
        set.take_notices()
    }

    /// Tells the guards of `agent` what messages the host hands to its next step, as one batch.
    /// What they have to say waits for [`finish`](Self::finish) or
    /// [`take_notices`](Self::take_notices).
    pub fn messages(&self, agent: &str, batch: &[Incoming<'_>], at: Option<Timestamp>) {
        self.with(agent, |set| set.messages(batch, at));
    }

    /// Tells the guards of `agent` that its history was compacted.
    pub fn compacted(&self, agent: &str, at: Option<Timestamp>) {
        self.with(agent, |set| set.compacted(at));
    }

    /// Tells the guards of `agent` that its conversation was cleared.
    pub fn reset(&self, agent: &str, at: Option<Timestamp>) {
        self.with(agent, |set| set.reset(at));
    }

    /// Forgets what is held against one call of `agent`.
    pub fn pardon<'a>(&self, agent: &str, tool: &str, arguments: impl Into<Arguments<'a>>) {
        self.with(agent, |set| set.pardon(tool, arguments));
    }

    /// Takes the notices that wait for an output of `agent`.
    pub fn take_notices(&self, agent: &str) -> Vec<Notice> {
        let Some(set) = self.known(agent) else {
            return Vec::new();
        };
        let mut set = lock(&set);
        set.turn_to(agent);
        set.take_notices()
    }

    /// An agent is gone, and its state with it: the same name later is a new agent.
    pub fn end(&self, agent: &str) {
        // Where all agents share one state, it lasts as long as the session.
        if self.setup.scope() == Scope::Agent {
            lock(&self.agents).remove(&self.key(agent));
        }
    }

    /// The whole session is gone, and every agent with it.
    pub fn end_all(&self) {
        lock(&self.agents).clear();
    }

    /// The guards of `agent`, to be used under their lock.
    pub fn agent(&self, agent: &str) -> Arc<Mutex<GuardSet>> {
        let mut agents = lock(&self.agents);
        let new = || {
            let set = GuardSet::new(Arc::clone(&self.setup), agent, self.seed);
            Arc::new(Mutex::new(set))
        };
        let (set, dropped) = agents.see(self.key(agent), new);
        if dropped.is_some() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Arc::clone(set)
    }

    /// How many agents are watched.
    pub fn len(&self) -> usize {
        lock(&self.agents).len()
    }

    /// Whether no agent is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many agents were dropped to make room for others.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// The state of `agent` as plain data; `None` where it is not watched.
    pub fn save(&self, agent: &str) -> Option<SavedSet> {
        let set = self.known(agent)?;
        let saved = lock(&set).save();
        Some(saved)
    }

    /// Goes on with `agent` from a saved state, in place of what was known of it. The answer
    /// names the guards that start afresh all the same.
    ///
    /// # Errors
    ///
    /// Where the state is of another version or scheme; nothing has changed then.
    pub fn restore(&self, agent: &str, saved: &SavedSet) -> Result<Vec<Afresh>, RestoreSetError> {
        let restored = GuardSet::restore(Arc::clone(&self.setup), agent, saved)?;
        *lock(&self.agent(agent)) = restored.set;
        Ok(restored.afresh)
    }

    /// Does something with the guards of `agent`, under their lock.
    fn with<T>(&self, agent: &str, then: impl FnOnce(&mut GuardSet) -> T) -> T {
        let set = self.agent(agent);
        let mut set = lock(&set);
        set.turn_to(agent);
        then(&mut set)
    }

    /// The guards of an agent that is watched: what comes late for one that is gone makes no
    /// new one.
    fn known(&self, agent: &str) -> Option<Arc<Mutex<GuardSet>>> {
        lock(&self.agents).get(&self.key(agent)).map(Arc::clone)
    }

    fn key(&self, agent: &str) -> Fingerprint {
        match self.setup.scope() {
            Scope::Agent => Fingerprint::of_bytes(self.seed, agent.as_bytes()),
            Scope::Session => Fingerprint::of_bytes(self.seed, b""),
        }
    }

    /// Where agents share a state, a step is a step of its agent.
    fn of<'c>(&self, agent: &str, call: &Submission<'c>) -> Submission<'c> {
        let mut call = *call;
        if self.setup.scope() == Scope::Session {
            let agent = Fingerprint::of_bytes(self.seed, agent.as_bytes());
            call.step = call.step.map(|step| {
                agent
                    .combine(Fingerprint::from_u128(u128::from(step)))
                    .to_u128() as u64
            });
        }
        call
    }
}

/// A host's thread that panicked while it held the lock leaves a state that is still sound:
/// guards change nothing by halves that could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What hosts on several threads rely on: it compiles.
    #[test]
    fn sessions_are_shared_and_sets_cross_threads() {
        fn shareable<T: Send + Sync>() {}
        fn sendable<T: Send>() {}
        shareable::<Sessions>();
        shareable::<Setup>();
        sendable::<GuardSet>();
    }
}
