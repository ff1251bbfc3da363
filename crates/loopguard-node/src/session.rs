//! One agent.

use std::sync::{Arc, PoisonError};

use loopguard::core::Form;
use loopguard::{
    Answer, CallNumber, Ending, Incoming, Notice, SavedSet, Sessions, Source, Submission, Timestamp,
};
use napi::bindgen_prelude::{Either, Result};
use napi_derive::napi;
use serde::Deserialize;
use serde_json::json;

use crate::arguments::RunningArguments;
use crate::guards::wrong;

/// How a call ended.
#[napi(string_enum = "lowercase")]
#[derive(Debug)]
pub enum CallEnding {
    /// The tool ran and reported no failure.
    Success,
    /// The tool failed.
    Failure,
    /// The host refused the call after the guards had admitted it.
    Denied,
    /// The call was given up before it ended.
    Cancelled,
}

/// The guards of one agent. Its state goes with it.
#[napi]
#[derive(Debug)]
pub struct Session {
    sessions: Arc<Sessions>,
    agent: String,
    arguments: RunningArguments,
}

impl Session {
    pub(crate) fn new(sessions: Arc<Sessions>, agent: String) -> Self {
        Self {
            sessions,
            agent,
            arguments: RunningArguments::default(),
        }
    }
}

/// Nobody can reach the agent any more.
impl Drop for Session {
    fn drop(&mut self) {
        self.sessions.end(&self.agent);
    }
}

#[napi]
impl Session {
    /// Asks whether a call may run. The answer is its number, or the refusal as JSON.
    #[napi(catch_unwind)]
    pub fn submit(
        &mut self,
        tool: String,
        arguments: String,
        inexact: bool,
        at: Option<f64>,
        step: Option<f64>,
    ) -> Either<f64, String> {
        let mut call = Submission::new(&tool, &arguments);
        if inexact {
            call = call.inexact();
        }
        if let Some(at) = at {
            call = call.at(at as i64);
        }
        if let Some(step) = step {
            call = call.step(step as u64);
        }
        match self.sessions.submit(&*self.agent, &call) {
            Answer::Admitted(number) => {
                self.arguments.keep(number, arguments);
                Either::A(number.0 as f64)
            }
            Answer::Refused(refusal) => Either::B(
                json!({
                    "denial": refusal.denial,
                    "further": refusal.further,
                    "halt": refusal.halt,
                })
                .to_string(),
            ),
            // There is no other answer yet.
            _ => Either::A(0.0),
        }
    }

    /// Tells how a call ended. The answer is what is to be said now, as JSON: nothing, mostly.
    /// Where the host can carry nothing now (`hold`), it waits for the next time.
    #[napi(catch_unwind)]
    pub fn finish(
        &mut self,
        call: f64,
        ending: CallEnding,
        message: Option<String>,
        texts: Vec<String>,
        at: Option<f64>,
        hold: bool,
    ) -> Option<String> {
        let number = CallNumber(call as u64);
        let arguments = self.arguments.take(number);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut ending = match ending {
            CallEnding::Success => Ending::success(&texts),
            CallEnding::Failure => Ending::failure(message.as_deref().unwrap_or_default(), &texts),
            CallEnding::Denied => Ending::denied(),
            CallEnding::Cancelled => Ending::cancelled(),
        };
        if let Some(arguments) = &arguments {
            ending = ending.arguments(arguments);
        }
        if let Some(at) = at {
            ending = ending.at(at as i64);
        }
        if hold {
            let set = self.sessions.agent(&self.agent);
            let mut set = set.lock().unwrap_or_else(PoisonError::into_inner);
            set.turn_to(&self.agent);
            set.finish(number, &ending);
            return None;
        }
        said(&self.sessions.finish(&*self.agent, number, &ending))
    }

    /// Hands in the messages of the next step, as one batch in JSON.
    ///
    /// # Errors
    ///
    /// Where the text is not a list of messages.
    #[napi(catch_unwind)]
    pub fn messages(&mut self, batch: String, at: Option<f64>) -> Result<()> {
        let batch: Vec<GivenMessage> =
            serde_json::from_str(&batch).map_err(|error| wrong(error.to_string()))?;
        let texts: Vec<Vec<&str>> = batch
            .iter()
            .map(|message| message.texts.iter().map(String::as_str).collect())
            .collect();
        let batch: Vec<Incoming<'_>> = batch
            .iter()
            .zip(&texts)
            .map(|(message, texts)| message.incoming(texts))
            .collect();
        self.sessions.messages(&self.agent, &batch, time(at));
        Ok(())
    }

    /// Takes what waits to be said, as JSON.
    #[napi(catch_unwind)]
    pub fn take_notices(&mut self) -> Option<String> {
        said(&self.sessions.take_notices(&self.agent))
    }

    /// Tells that the history was compacted.
    #[napi(catch_unwind)]
    pub fn compacted(&mut self, at: Option<f64>) {
        self.sessions.compacted(&self.agent, time(at));
    }

    /// Tells that the conversation was cleared.
    #[napi(catch_unwind)]
    pub fn reset(&mut self, at: Option<f64>) {
        self.sessions.reset(&self.agent, time(at));
    }

    /// Forgets what is held against one call: the user allows it again.
    #[napi(catch_unwind)]
    pub fn pardon(&mut self, tool: String, arguments: String) {
        self.sessions.pardon(&self.agent, &tool, &arguments);
    }

    /// The state as JSON text.
    ///
    /// # Errors
    ///
    /// Where it cannot be written, which would be a fault of a guard.
    #[napi(catch_unwind)]
    pub fn save(&self) -> Result<Option<String>> {
        let saved = self.sessions.save(&self.agent);
        let text = saved.map(|saved| serde_json::to_string(&saved)).transpose();
        text.map_err(|error| wrong(error.to_string()))
    }

    /// Goes on from a saved state. The answer names the guards that start afresh all the same.
    ///
    /// # Errors
    ///
    /// Where the text is no state, or one of another version; nothing has changed then.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, saved: String) -> Result<Vec<String>> {
        let saved: SavedSet =
            serde_json::from_str(&saved).map_err(|error| wrong(error.to_string()))?;
        let afresh = self.sessions.restore(&self.agent, &saved);
        let afresh = afresh.map_err(|error| wrong(error.to_string()))?;
        self.arguments = RunningArguments::default();
        Ok(afresh
            .iter()
            .map(|afresh| format!("{}: {}", afresh.guard, afresh.reason))
            .collect())
    }
}

/// A message as JavaScript writes it.
#[derive(Deserialize)]
struct GivenMessage {
    id: Option<String>,
    /// `user`, `assistant`, `plugin`, or another word of the host.
    kind: String,
    plugin: Option<String>,
    form: Option<String>,
    texts: Vec<String>,
}

impl GivenMessage {
    fn incoming<'a>(&'a self, texts: &'a [&'a str]) -> Incoming<'a> {
        let source = match (&*self.kind, &self.plugin) {
            ("user", _) => Source::User,
            ("assistant", _) => Source::Assistant,
            ("plugin", Some(name)) => Source::Plugin(name),
            (other, _) => Source::Other(other),
        };
        let form = match self.form.as_deref() {
            Some("notice") => Form::Notice,
            Some("part") => Form::Part,
            _ => Form::Plain,
        };
        let message = Incoming::new(source, texts).form(form);
        match &self.id {
            Some(id) => message.id(id),
            None => message,
        }
    }
}

fn said(notices: &[Notice]) -> Option<String> {
    (!notices.is_empty()).then(|| json!(notices).to_string())
}

fn time(milliseconds: Option<f64>) -> Option<Timestamp> {
    milliseconds.map(|at| Timestamp::from_millis(at as i64))
}
