//! One agent: how long it lives, and what is seldom called.

use std::sync::Arc;

use loopguard::core::Form;
use loopguard::{Incoming, SavedSet, Scope, Sessions, Source, Timestamp};
use napi::bindgen_prelude::Result;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::json;

use crate::guards::wrong;
use crate::watched::{self, Watched};

/// The guards of one agent. Its state goes with it.
#[napi]
#[derive(Debug)]
pub struct Session {
    number: u32,
}

impl Session {
    pub(crate) fn new(sessions: Arc<Sessions>, agent: String, scope: Scope) -> Self {
        let number = watched::begin(sessions, agent, scope);
        Self { number }
    }
}

/// Nobody can reach the agent any more.
impl Drop for Session {
    fn drop(&mut self) {
        watched::end(self.number);
    }
}

#[napi]
impl Session {
    /// The agent's number, for the functions that are called for every call.
    #[napi(getter, catch_unwind)]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Hands in the messages of the next step, as one batch in JSON.
    ///
    /// # Errors
    ///
    /// Where the text is not a list of messages.
    #[napi(catch_unwind)]
    pub fn messages(&self, batch: String, at: f64) -> Result<()> {
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
        self.with(|watched| watched.set(|set| set.messages(&batch, time(at))))
    }

    /// Takes what waits to be said, as JSON.
    ///
    /// # Errors
    ///
    /// Where the agent is gone, which cannot be while JavaScript holds it; so below.
    #[napi(catch_unwind)]
    pub fn take_notices(&self) -> Result<Option<String>> {
        self.with(|watched| said(watched))
    }

    /// Tells that the history was compacted.
    ///
    /// # Errors
    ///
    /// As above.
    #[napi(catch_unwind)]
    pub fn compacted(&self, at: f64) -> Result<()> {
        self.with(|watched| watched.set(|set| set.compacted(time(at))))
    }

    /// Tells that the conversation was cleared.
    ///
    /// # Errors
    ///
    /// As above.
    #[napi(catch_unwind)]
    pub fn reset(&self, at: f64) -> Result<()> {
        self.with(|watched| watched.set(|set| set.reset(time(at))))
    }

    /// Forgets what is held against one call: the user allows it again.
    ///
    /// # Errors
    ///
    /// As above.
    #[napi(catch_unwind)]
    pub fn pardon(&self, tool: String, arguments: String) -> Result<()> {
        self.with(|watched| watched.set(|set| set.pardon(&tool, &arguments)))
    }

    /// The state as JSON text.
    ///
    /// # Errors
    ///
    /// Where it cannot be written, which would be a fault of a guard.
    #[napi(catch_unwind)]
    pub fn save(&self) -> Result<String> {
        let saved = self.with(|watched| watched.set(|set| set.save()))?;
        serde_json::to_string(&saved).map_err(|error| wrong(error.to_string()))
    }

    /// Goes on from a saved state. The answer names the guards that start afresh all the same.
    ///
    /// # Errors
    ///
    /// Where the text is no state, or one of another version; nothing has changed then.
    #[napi(catch_unwind)]
    pub fn restore(&self, saved: String) -> Result<Vec<String>> {
        let saved: SavedSet =
            serde_json::from_str(&saved).map_err(|error| wrong(error.to_string()))?;
        let afresh = self.with(|watched| watched.restore(&saved))??;
        Ok(afresh
            .iter()
            .map(|afresh| format!("{}: {}", afresh.guard, afresh.reason))
            .collect())
    }

    fn with<T>(&self, then: impl FnOnce(&mut Watched) -> T) -> Result<T> {
        watched::with(self.number, then)
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

/// Takes what the guards have to say, as JSON.
pub(crate) fn said(watched: &Watched) -> Option<String> {
    let notices = watched.set(|set| set.take_notices());
    (!notices.is_empty()).then(|| json!(notices).to_string())
}

fn time(milliseconds: f64) -> Option<Timestamp> {
    Some(Timestamp::from_millis(milliseconds as i64))
}
