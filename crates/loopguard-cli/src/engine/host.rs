//! The replay in the host's place: what it tells the guards of each event.

use loopguard::{Answer, Ending, Form, Incoming, Source, Submission, Timestamp};
use loopguard_transcript::{Event, EventKind, Piece, Status, Texts};

use super::batch::{self, Batch, source};
use super::decision::{Decision, Effects, Subject};
use super::{OpenCall, Replay, Tally};

impl Replay {
    pub(super) fn handle(&mut self, event: &Event<'_>, decisions: &mut Vec<Decision>) {
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

    pub(super) fn start_over(&mut self) {
        self.sessions.end_all();
        self.log.take_failed();
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

    pub(super) fn messages(&self, agent: &str, messages: &[Incoming<'_>], at: Option<i64>) {
        let at = at.map(Timestamp::from_millis);
        self.sessions.messages(agent, messages, at);
        self.sessions.take_notices(agent);
    }

    pub(super) fn decided(&self, subject: &Subject<'_>) -> Effects {
        Effects::of(self.log.take(), subject)
    }

    /// The session is over, but which of the refused calls had been fine is still told.
    pub(super) fn after_halt(&mut self, event: &Event<'_>) {
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

fn blocks<'a>(texts: &'a Texts<'_>) -> Vec<&'a str> {
    texts.iter().map(|text| &**text).collect()
}
