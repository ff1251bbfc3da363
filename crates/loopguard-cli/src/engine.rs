//! The events of one session, fed to the guards one at a time.

mod batch;
mod decision;
mod host;
mod log;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use loopguard::{Afresh, CallNumber, RestoreSetError, SavedSet, Seed, Sessions, Setup};
use loopguard_transcript::Event;

use self::batch::Batch;
use self::decision::Subject;
pub use self::decision::{Action, Decision, Further};
use self::log::Log;

/// One session's replay: events in, decisions out, at once.
///
/// It plays the host: it submits the calls, finishes those that the guards admit, and hands in
/// the messages. A call that the guards refuse never ran, so its recorded result is told to
/// nobody. After a halt nothing more is asked of the guards. The seed is the fixed one, so that
/// the same session gives the same decisions everywhere.
///
/// In memory are the guards' bounded state and the session's unanswered calls.
#[derive(Debug)]
pub struct Replay {
    setup: Arc<Setup>,
    log: Arc<Log>,
    sessions: Sessions,
    agents: BTreeSet<Box<str>>,
    /// The calls that no result has answered yet, by their index.
    open: HashMap<u64, OpenCall>,
    batch: Option<Batch>,
    latest_call: u64,
    tally: Tally,
    halted: bool,
}

/// What was counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Events, those after a halt left out.
    pub events: u64,
    /// Calls among them, over all agents.
    pub calls: u64,
    /// Denied calls whose recorded result was fine.
    pub denied_but_succeeded: u64,
}

/// Why the guards could not go on from their saved state.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The state could not be written to text and read from it.
    #[error("the guards' state is no plain data")]
    Data(#[from] serde_json::Error),
    /// The guards did not take it back.
    #[error("the guards' state was not taken back")]
    Restore(#[from] RestoreSetError),
}

impl Replay {
    /// A replay through guards of their own. An observer of the setup is replaced by the
    /// replay's: what is decided comes back from [`Replay::event`].
    pub fn new(setup: &Setup) -> Self {
        let log = Arc::new(Log::default());
        let setup = Arc::new(setup.clone().observed_by(Arc::clone(&log) as _));
        Self {
            sessions: Sessions::new(Arc::clone(&setup), Seed::FIXED),
            setup,
            log,
            agents: BTreeSet::new(),
            open: HashMap::new(),
            batch: None,
            latest_call: 0,
            tally: Tally::default(),
            halted: false,
        }
    }

    /// What the guards decide on this event, in order, after what they decide on messages
    /// that waited for their batch to be whole.
    ///
    /// A `Session` event begins anew, as a new replay would.
    pub fn event(&mut self, event: &Event<'_>) -> Vec<Decision> {
        let mut decisions = self.settle_before(event);
        if self.halted {
            self.after_halt(event);
        } else {
            self.tally.events += 1;
            self.handle(event, &mut decisions);
        }
        decisions
    }

    /// Hands over the messages that wait for their batch to be whole, unless `next` is one
    /// more of them. [`Replay::event`] does so by itself: this is for those who want to know
    /// which decisions precede the event.
    pub fn settle_before(&mut self, next: &Event<'_>) -> Vec<Decision> {
        match &self.batch {
            Some(batch) if !batch.goes_on_with(next) => self.finish(),
            _ => Vec::new(),
        }
    }

    /// Hands over the messages that wait for their batch to be whole: the session is over.
    pub fn finish(&mut self) -> Vec<Decision> {
        let Some(batch) = self.batch.take() else {
            return Vec::new();
        };
        batch.with_incoming(|messages| self.messages(&batch.agent, messages, batch.at));
        self.decided(&Subject::message(
            batch.line,
            &batch.agent,
            self.latest_call,
        ))
        .decisions
    }

    /// Saves the guards of every agent as text, drops them, and goes on with guards that were
    /// restored from it, as a host that was stopped and started again. Names the guards that
    /// started afresh all the same.
    ///
    /// # Errors
    ///
    /// [`ResumeError`]; the replay then goes on as if this had not been asked.
    pub fn save_and_restore(&mut self) -> Result<Vec<Afresh>, ResumeError> {
        let restored = Sessions::new(Arc::clone(&self.setup), Seed::FIXED);
        let mut afresh = Vec::new();
        for agent in &self.agents {
            if let Some(saved) = self.sessions.save(agent) {
                let text = serde_json::to_string(&saved)?;
                let saved: SavedSet = serde_json::from_str(&text)?;
                afresh.extend(restored.restore(agent, &saved)?);
            }
        }
        self.sessions = restored;
        Ok(afresh)
    }

    /// Drops what is left of a session that did not end, messages that wait included.
    pub(crate) fn abandon(&mut self) {
        self.batch = None;
        self.halted = false;
        self.start_over();
    }

    /// Takes the ids of the guards that have panicked since the session began: off duty for
    /// their agents from then on, so that what they would have decided is missing.
    pub fn take_failed_guards(&mut self) -> BTreeSet<String> {
        self.log.take_failed()
    }

    /// Whether a halt has ended the replay.
    pub fn halted(&self) -> bool {
        self.halted
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

/// What is kept of a call until its result comes.
#[derive(Debug)]
struct OpenCall {
    agent: Box<str>,
    /// The guards' number for it; `None` where they refused it.
    number: Option<CallNumber>,
    /// Whether a guard was against it, in a dry run too.
    denied: bool,
    id: Option<Box<str>>,
    tool: Box<str>,
    /// So that notices can quote them.
    arguments: Box<str>,
}
