//! The events of one session, fed to the guards one at a time.

mod batch;
mod decision;
mod log;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use loopguard::{
    Afresh, Answer, CallNumber, Ending, Form, Incoming, RestoreSetError, SavedSet, Seed, Sessions,
    Setup, Source, Submission, Timestamp,
};
use loopguard_transcript::{Event, EventKind, Piece, Status, Texts};

use self::batch::{Batch, source};
pub use self::decision::{Action, Decision, Further};
use self::decision::{Effects, Subject};
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

    /// Whether a halt has ended the replay.
    pub fn halted(&self) -> bool {
        self.halted
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    fn handle(&mut self, event: &Event<'_>, decisions: &mut Vec<Decision>) {
        if let EventKind::Session { .. } = event.kind {
            self.start_over();
            return;
        }
        if let EventKind::Call { index, .. } = event.kind {
            self.tally.calls += 1;
            self.latest_call = index;
        }
        if let EventKind::SessionEnd = event.kind {
            self.sessions.end_all();
            self.agents.clear();
            self.open.clear();
            return;
        }
        // What nobody did is no guard's business.
        let Some(agent) = event.agent.name() else {
            return;
        };
        if !self.agents.contains(agent) {
            self.agents.insert(agent.into());
        }
        let at = event.at.map(Timestamp::from_millis);
        match &event.kind {
            EventKind::Call { .. } => return self.call(agent, event, decisions),
            EventKind::Result { .. } => return self.result(agent, event, decisions),
            EventKind::User { .. } | EventKind::Message { .. } => {
                if let Some(batch) = Batch::of(event, agent) {
                    let batch = match self.batch.take() {
                        Some(begun) => begun.and(batch),
                        None => batch,
                    };
                    self.batch = Some(batch);
                    return;
                }
                self.message(agent, event);
            }
            EventKind::Assistant { .. } => self.message(agent, event),
            EventKind::Compaction => self.sessions.compacted(agent, at),
            EventKind::Reset => self.sessions.reset(agent, at),
            EventKind::AgentEnd => {
                self.sessions.end(agent);
                self.agents.remove(agent);
                self.open.retain(|_, call| &*call.agent != agent);
                return;
            }
            _ => return,
        }
        self.sessions.take_notices(agent);
        let subject = Subject::message(event.line, agent, self.latest_call);
        decisions.extend(self.decided(&subject).decisions);
    }

    fn start_over(&mut self) {
        self.sessions.end_all();
        self.agents.clear();
        self.open.clear();
        self.latest_call = 0;
        self.tally = Tally {
            events: 1,
            ..Tally::default()
        };
    }

    fn call(&mut self, agent: &str, event: &Event<'_>, decisions: &mut Vec<Decision>) {
        let EventKind::Call {
            index,
            id,
            tool,
            arguments,
        } = &event.kind
        else {
            return;
        };
        let mut submission = Submission::new(tool, &**arguments);
        if let Some(id) = id {
            submission = submission.id(id);
        }
        if let Some(at) = event.at {
            submission = submission.at(at);
        }
        if let Some(step) = event.step {
            submission = submission.step(step);
        }
        let answer = self.sessions.submit(agent, &submission);
        self.sessions.take_notices(agent);
        let subject = Subject {
            line: event.line,
            agent,
            call_index: *index,
            call: id.as_deref(),
            tool: Some(tool),
        };
        let effects = self.decided(&subject);
        decisions.extend(effects.decisions);
        self.halted = effects.halts;
        let admitted = match answer {
            Answer::Admitted(number) => Some(number),
            _ => None,
        };
        let call = OpenCall {
            agent: agent.into(),
            number: admitted,
            denied: effects.denies,
            id: id.as_deref().map(Into::into),
            tool: tool.as_ref().into(),
            arguments: admitted.map_or("", |_| arguments).into(),
        };
        self.open.insert(*index, call);
    }

    fn result(&mut self, agent: &str, event: &Event<'_>, decisions: &mut Vec<Decision>) {
        let EventKind::Result {
            call: Some(index),
            status,
            texts,
            error,
            ..
        } = &event.kind
        else {
            return;
        };
        let Some(call) = self.open.remove(index) else {
            return;
        };
        if call.denied && *status == Status::Ok {
            self.tally.denied_but_succeeded += 1;
        }
        // A refused call never ran: its result never was.
        let Some(number) = call.number else {
            return;
        };
        let blocks = blocks(texts);
        let message = match (status, error) {
            (Status::Error, Some(error)) => error.as_ref().into(),
            (Status::Error, None) => texts.joined(),
            _ => "".into(),
        };
        let mut ending = match status {
            Status::Error => Ending::failure(&message, &blocks),
            Status::Denied => Ending::denied(),
            Status::Cancelled => Ending::cancelled(),
            _ => Ending::success(&blocks),
        }
        .arguments(&*call.arguments);
        if let Some(at) = event.at {
            ending = ending.at(at);
        }
        self.sessions.finish(agent, number, &ending);
        let subject = Subject {
            line: event.line,
            agent,
            call_index: *index,
            call: call.id.as_deref(),
            tool: Some(&call.tool),
        };
        decisions.extend(self.decided(&subject).decisions);
    }

    /// One message that is handed over by itself.
    fn message(&self, agent: &str, event: &Event<'_>) {
        let (id, texts, from, form) = match &event.kind {
            EventKind::User { id, texts, .. } => (id, texts, Source::User, Form::Plain),
            EventKind::Message {
                id,
                texts,
                source: from,
                form,
                ..
            } => (id, texts, source(from.as_deref()), batch::form(*form)),
            EventKind::Assistant { id, texts, piece } => {
                let form = match piece {
                    Piece::Part => Form::Part,
                    _ => Form::Plain,
                };
                (id, texts, Source::Assistant, form)
            }
            _ => return,
        };
        let blocks = blocks(texts);
        let mut message = Incoming::new(from, &blocks).form(form);
        if let Some(id) = id {
            message = message.id(id);
        }
        self.messages(agent, &[message], event.at);
    }

    fn messages(&self, agent: &str, messages: &[Incoming<'_>], at: Option<i64>) {
        let at = at.map(Timestamp::from_millis);
        self.sessions.messages(agent, messages, at);
        self.sessions.take_notices(agent);
    }

    fn decided(&self, subject: &Subject<'_>) -> Effects {
        Effects::of(self.log.take(), subject)
    }

    /// The session is over, but which of the refused calls had been fine is still told.
    fn after_halt(&mut self, event: &Event<'_>) {
        match &event.kind {
            EventKind::Session { .. } => {
                self.halted = false;
                self.start_over();
            }
            EventKind::Result {
                call: Some(index),
                status,
                ..
            } => {
                let call = self.open.remove(index);
                if call.is_some_and(|call| call.denied) && *status == Status::Ok {
                    self.tally.denied_but_succeeded += 1;
                }
            }
            _ => {}
        }
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

fn blocks<'a>(texts: &'a Texts<'_>) -> Vec<&'a str> {
    texts.iter().map(|text| &**text).collect()
}
