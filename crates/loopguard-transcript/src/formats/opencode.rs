//! Exported sessions of opencode.
//!
//! - A document with `info` and `messages`, each of `info` and `parts`. A `tool` part is call
//!   and result in one; a step is what a `step-start` part opens, or else a message, and its
//!   results follow its calls.
//! - `state.status` is the last word: `completed` or `error`; `running` and `pending` have no
//!   result. A command's non-zero exit is `completed`. Errors that begin with the host's
//!   sentences for a rejection are denials, its note on an abort a cancellation.
//! - Text of `user` messages is the user's unless it is marked `synthetic`; what is marked
//!   `ignored` never reaches the model.

use std::borrow::Cow;

use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::Values;
use crate::event::{EventKind, Status};
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct OpenCode {
    steps: u64,
    /// Messages of the user so far.
    batches: i64,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    part.list("messages").any(|message| {
        let role = message.get("info").and_then(|info| info.get("role"));
        role.is_some() && message.has("parts")
    })
}

impl Values for OpenCode {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let [info, messages] = value.fields(["info", "messages"]);
        let Some(messages) = messages.filter(|messages| messages.is_array()) else {
            return output.skip(SkipReason::UnknownType);
        };
        *self = Self::default();
        let stamp = Stamp::at_line(line);
        let [id, time] = info.map_or([None; 2], |info| info.fields(["id", "time"]));
        let session = stamp.at(time.and_then(|time| millis(time, "created")));
        session.session(string(id), output);
        for message in messages.items() {
            entry(output, |output| self.message(stamp, message, output));
        }
    }
}

/// A time of its own; the format counts milliseconds.
fn millis(time: Json<'_>, key: &str) -> Option<i64> {
    time.get(key).and_then(Json::as_i64)
}

impl OpenCode {
    fn message(
        &mut self,
        stamp: Stamp,
        message: Json<'_>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let [info, parts] = message.fields(["info", "parts"]);
        let [id, role, time] = info.map_or([None; 3], |info| info.fields(["id", "role", "time"]));
        let stamp = stamp.at(time.and_then(|time| millis(time, "created")));
        let (Some(role), Some(parts)) = (string(role), parts) else {
            return SkipReason::Broken;
        };
        match &*role {
            "user" => {
                self.batches += 1;
                user(stamp, string(id), parts, self.batches, output);
            }
            "assistant" => self.assistant(stamp, string(id), parts, output),
            _ => return SkipReason::UnknownType,
        }
        SkipReason::NoEvent
    }

    fn assistant<'a>(
        &mut self,
        stamp: Stamp,
        mut id: Option<Cow<'a, str>>,
        parts: Json<'a>,
        output: &mut Output<'_, '_>,
    ) {
        self.steps += 1;
        let mut calls = Vec::new();
        let mut spoken = false;
        for part in parts.items() {
            let [kind, text] = part.fields(["type", "text"]);
            match string(kind).as_deref() {
                Some("step-start") if spoken => {
                    results(stamp.step(self.steps), &mut calls, output);
                    self.steps += 1;
                    spoken = false;
                }
                Some("text") => {
                    spoken = true;
                    let texts = string(text).into_iter().collect();
                    stamp.step(self.steps).assistant(id.take(), texts, output);
                }
                Some("tool") => {
                    spoken = true;
                    if call(stamp.step(self.steps), part, output) {
                        calls.push(part);
                    }
                }
                _ => {}
            }
        }
        results(stamp.step(self.steps), &mut calls, output);
    }
}

/// Tells a call; `false` if it lacks what a call needs.
fn call(stamp: Stamp, part: Json<'_>, output: &mut Output<'_, '_>) -> bool {
    let [id, tool, state] = part.fields(["callID", "tool", "state"]);
    let Some(tool) = string(tool) else {
        return false;
    };
    let [input, time] = state.map_or([None; 2], |state| state.fields(["input", "time"]));
    let at = time.and_then(|time| millis(time, "start")).or(stamp.at);
    let arguments = Cow::Borrowed(input.map_or("", Json::raw));
    stamp.at(at).call(string(id), tool, arguments, output);
    true
}

fn results(stamp: Stamp, calls: &mut Vec<Json<'_>>, output: &mut Output<'_, '_>) {
    for part in calls.drain(..) {
        let [id, state] = part.fields(["callID", "state"]);
        let [status, answer, error, time] = state.map_or([None; 4], |state| {
            state.fields(["status", "output", "error", "time"])
        });
        let (status, text) = match string(status).as_deref() {
            Some("completed") => (Status::Ok, string(answer)),
            Some("error") => {
                let text = string(error);
                (of_error(text.as_deref().unwrap_or_default()), text)
            }
            _ => continue,
        };
        let at = time.and_then(|time| millis(time, "end")).or(stamp.at);
        let ended = Ended {
            id: string(id),
            tool: None,
            status,
            texts: text.into_iter().collect(),
            error: None,
        };
        stamp.at(at).result(ended, output);
    }
}

fn of_error(text: &str) -> Status {
    if text.starts_with("The user rejected permission to use this specific tool call")
        || text.starts_with("The user rejected permission with feedback")
    {
        Status::Denied
    } else if text.starts_with("Tool execution aborted") {
        Status::Cancelled
    } else {
        Status::Error
    }
}

fn user<'a>(
    stamp: Stamp,
    id: Option<Cow<'a, str>>,
    parts: Json<'a>,
    batch: i64,
    output: &mut Output<'_, '_>,
) {
    let (mut human, mut injected) = (Texts::new(), Texts::new());
    let (mut shows, mut compacts) = (false, false);
    for part in parts.items() {
        let [kind, text, synthetic, ignored] =
            part.fields(["type", "text", "synthetic", "ignored"]);
        let is = |flag: Option<Json<'_>>| flag.and_then(Json::as_bool).unwrap_or_default();
        match (string(kind).as_deref(), string(text)) {
            (Some("text"), _) if is(ignored) => {}
            (Some("text"), Some(text)) if is(synthetic) => injected.push(text),
            (Some("text"), Some(text)) => human.push(text),
            (Some("compaction"), _) => compacts = true,
            (Some("file" | "agent"), _) => shows = true,
            _ => {}
        }
    }
    if compacts {
        stamp.emit(EventKind::Compaction, output);
    }
    // An image says something without a text.
    let shows_only = shows && human.is_empty() && !compacts;
    stamp.said(id.clone(), injected, human, Some(batch), output);
    if shows_only {
        stamp.user(id, Texts::new(), output);
    }
}
