//! A host that plays an agent's life to the guards.

use std::sync::Arc;

use loopguard::core::Form;
use loopguard::{
    Answer, Arguments, Base, CallNumber, Ending, Incoming, Notice, Refusal, Seed, Sessions, Setup,
    Source, Submission, Timestamp,
};
use serde_json::Value;

use crate::life::{Asked, End, Event, FAILURES, How, Message, TEXTS, What};

/// The step of the call that is the nth event: a few events one after another belong to one
/// step of the model, and some calls to none.
pub(crate) fn step_of(played: u64) -> Option<u64> {
    (!played.is_multiple_of(11)).then_some(played / 3)
}

/// The set that these rows configure.
///
/// # Panics
///
/// Where they are wrong: tests write them.
pub fn setup(rows: &Value) -> Arc<Setup> {
    match Setup::from_value("test", rows, Base::default()) {
        Ok(loaded) => Arc::new(loaded.setup),
        Err(errors) => panic!("{errors}"),
    }
}

/// One agent of a host.
#[derive(Debug)]
pub struct Host {
    sessions: Arc<Sessions>,
    agent: String,
    running: Vec<(CallNumber, Asked)>,
    /// How many events have been played.
    played: u64,
}

/// What the guards said to one event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Why a call was refused, if it was.
    pub refusal: Option<Refusal>,
    /// The notices, in order.
    pub notices: Vec<Notice>,
}

impl Host {
    /// The only agent of a host with these guards.
    pub fn new(setup: &Arc<Setup>) -> Self {
        let sessions = Sessions::new(Arc::clone(setup), Seed::new(7));
        Self::of(&Arc::new(sessions), "agent")
    }

    /// One agent of a host.
    pub fn of(sessions: &Arc<Sessions>, agent: &str) -> Self {
        Self {
            sessions: Arc::clone(sessions),
            agent: agent.to_owned(),
            running: Vec::new(),
            played: 0,
        }
    }

    /// Plays a whole life: what was heard at each event.
    pub fn live(&mut self, life: &[Event]) -> Vec<Heard> {
        life.iter().map(|event| self.play(event)).collect()
    }

    /// Plays one event.
    pub fn play(&mut self, event: &Event) -> Heard {
        let at = event.at;
        self.played += 1;
        let agent = self.agent.as_str();
        let mut heard = Heard::default();
        match &event.what {
            What::Call(asked, end) => match self.submit(*asked, at) {
                Answer::Admitted(number) => heard.notices = self.finish(number, *asked, end, at),
                Answer::Refused(refusal) => heard.refusal = Some(*refusal),
                _ => {}
            },
            What::Begin(asked) => match self.submit(*asked, at) {
                Answer::Admitted(number) => self.running.push((number, *asked)),
                Answer::Refused(refusal) => heard.refusal = Some(*refusal),
                _ => {}
            },
            What::End(which, end) => {
                if !self.running.is_empty() {
                    let (number, asked) = self.running.remove(which % self.running.len());
                    heard.notices = self.finish(number, asked, end, at);
                }
            }
            What::Messages(batch) => self.messages(batch, at),
            What::Compacted => self.sessions.compacted(agent, time(at)),
            What::Reset => self.sessions.reset(agent, time(at)),
            What::Pardon(call) => self.sessions.pardon(agent, call.tool(), call.canonical()),
        }
        heard
            .notices
            .extend(self.sessions.take_notices(&self.agent));
        self.assert_sound();
        heard
    }

    /// A guard that panics is off duty and silent: nothing that happens may lead to that.
    fn assert_sound(&self) {
        let set = self.sessions.agent(&self.agent);
        let set = set.lock().expect("no thread has panicked");
        assert_eq!(set.failed_guards().next(), None);
    }

    /// Goes on in another process: the state through JSON text and back, under these guards.
    ///
    /// # Panics
    ///
    /// Where a state does not come back: it should.
    #[must_use]
    pub fn moved_to(&self, setup: &Arc<Setup>) -> Self {
        // Another process would draw another seed; the state brings its own.
        let sessions = Arc::new(Sessions::new(Arc::clone(setup), Seed::new(8)));
        if let Some(saved) = self.sessions.save(&self.agent) {
            let text = serde_json::to_string(&saved).expect("a state is JSON");
            let read = serde_json::from_str(&text).expect("a state comes back");
            let afresh = sessions.restore(&self.agent, &read).expect("a state fits");
            assert_eq!(afresh, [], "a guard starts afresh");
            assert_eq!(sessions.save(&self.agent).as_ref(), Some(&saved));
        }
        Self {
            sessions,
            agent: self.agent.clone(),
            running: self.running.clone(),
            played: self.played,
        }
    }

    fn submit(&self, asked: Asked, at: Option<i64>) -> Answer {
        with_arguments(asked, |arguments| {
            let mut call = Submission::new(asked.call.tool(), arguments);
            if let Some(step) = step_of(self.played) {
                call = call.step(step);
            }
            if asked.inexact {
                call = call.inexact();
            }
            if let Some(at) = at {
                call = call.at(at);
            }
            self.sessions.submit(self.agent.as_str(), &call)
        })
    }

    fn finish(&self, number: CallNumber, asked: Asked, end: &End, at: Option<i64>) -> Vec<Notice> {
        let texts: Vec<_> = end.texts.iter().map(|text| TEXTS[*text]).collect();
        let ending = match end.how {
            How::Success => Ending::success(&texts),
            How::Failure(message) => Ending::failure(FAILURES[message], &texts),
            How::Denied => Ending::denied(),
            How::Cancelled => Ending::cancelled(),
        };
        with_arguments(asked, |arguments| {
            let mut ending = ending.arguments(arguments);
            if let Some(at) = at {
                ending = ending.at(at);
            }
            self.sessions.finish(self.agent.as_str(), number, &ending)
        })
    }

    fn messages(&self, batch: &[Message], at: Option<i64>) {
        let texts: Vec<Vec<&str>> = batch
            .iter()
            .map(|message| message.texts.iter().map(|text| TEXTS[*text]).collect())
            .collect();
        let ids: Vec<Option<String>> = batch
            .iter()
            .map(|message| message.id.map(|id| format!("message {id}")))
            .collect();
        let incoming = |((message, texts), id): ((&Message, _), _)| {
            let source = match message.source() {
                "user" => Source::User,
                "assistant" => Source::Assistant,
                name => name
                    .strip_prefix("plugin:")
                    .map_or(Source::Other(name), Source::Plugin),
            };
            let form = if message.notice {
                Form::Notice
            } else {
                Form::Plain
            };
            let incoming = Incoming::new(source, texts).form(form);
            match id {
                Some(id) => incoming.id(id),
                None => incoming,
            }
        };
        let each = batch.iter().zip(texts.iter().map(Vec::as_slice));
        let batch: Vec<_> = each
            .zip(ids.iter().map(Option::as_deref))
            .map(incoming)
            .collect();
        self.sessions.messages(&self.agent, &batch, time(at));
    }
}

/// The arguments in the way in which this call has them.
fn with_arguments<T>(asked: Asked, then: impl FnOnce(Arguments<'_>) -> T) -> T {
    let text = asked.call.spelled(asked.spelling);
    match asked.parsed {
        false => then(Arguments::Text(text)),
        true => {
            let parsed = serde_json::from_str(asked.call.canonical()).unwrap_or_default();
            then(Arguments::Value(&parsed))
        }
    }
}

fn time(at: Option<i64>) -> Option<Timestamp> {
    at.map(Timestamp::from_millis)
}
