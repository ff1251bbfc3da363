//! Session files of Gemini CLI.
//!
//! - One document with `messages`, or its head and then its messages as lines. A message may be
//!   written again when more of it is known: what was told is not told again.
//! - Call and result are one object of `toolCalls`. The calls of a message are one step; its
//!   results follow them. A call that waits or runs has no result yet.
//! - `status` is the last word: `success`, `error`, `cancelled`. A shell command's non-zero
//!   exit is a `success`. A call is denied if it was cancelled because the user did not allow
//!   it, or failed because the host's policy forbids it; both are fixed sentences.
//! - The host's own remarks (`info`, `warning`, `error`) never reach the model and are left
//!   out. Compaction is not recorded.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::Values;
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;
use crate::time::parse_iso;

/// What a session has told: an entry for each message that has an id and for each call.
#[derive(Default)]
pub(super) struct Gemini {
    last_step: u64,
    steps: HashMap<String, u64>,
    /// Messages whose text was told.
    said: HashSet<String>,
    /// Calls by message and id, and whether they were answered: another message may use an id
    /// again.
    calls: HashMap<(u64, String), bool>,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    part.has("projectHash")
        || is_message(part)
        || (part.has("sessionId") && part.list("messages").any(|part| is_message(&part)))
}

fn is_message(part: &Outline<'_>) -> bool {
    part.text("type") == "gemini" && part.has_any(&["content", "toolCalls"])
}

impl Values for Gemini {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let [messages, session, start, kind] =
            value.fields(["messages", "sessionId", "startTime", "type"]);
        if kind.is_some() {
            return self.message(line, value, output);
        }
        let messages = messages.filter(|messages| messages.is_array());
        if messages.is_some() || start.is_some() {
            let at = string(start).as_deref().and_then(parse_iso);
            *self = Self::default();
            Stamp::at_line(line).at(at).session(string(session), output);
            for message in messages.into_iter().flat_map(Json::items) {
                self.message(line, message, output);
            }
            return;
        }
        // Changes to the head, and how far the user went back.
        let change = value.get("$set").or(value.get("$rewindTo"));
        output.skip(match change {
            Some(_) => SkipReason::NoEvent,
            None => SkipReason::UnknownType,
        });
    }
}

impl Gemini {
    fn message(&mut self, line: Option<u64>, message: Json<'_>, output: &mut Output<'_, '_>) {
        entry(output, |output| {
            let [id, time, kind, content, calls] =
                message.fields(["id", "timestamp", "type", "content", "toolCalls"]);
            let at = string(time).as_deref().and_then(parse_iso);
            let stamp = Stamp::at_line(line).at(at);
            let id = string(id);
            let texts = texts(content);
            match string(kind).as_deref() {
                Some("user") => {
                    if !self.says(id.as_deref()) {
                        return SkipReason::Repeated;
                    }
                    stamp.user(id, texts, output);
                    SkipReason::NoEvent
                }
                Some("gemini") => {
                    let stamp = stamp.step(self.step(id.as_deref()));
                    let empty = texts.iter().all(|text| text.trim().is_empty());
                    let new = !empty && self.says(id.as_deref());
                    if new {
                        stamp.assistant(id, texts, output);
                    }
                    let reason = self.calls(stamp, calls, output);
                    if empty || new {
                        reason
                    } else {
                        SkipReason::Repeated
                    }
                }
                Some("info" | "warning" | "error") => {
                    output.recognise();
                    SkipReason::NoEvent
                }
                Some(_) => SkipReason::UnknownType,
                None => SkipReason::Broken,
            }
        });
    }

    /// Whether a message's text is news.
    fn says(&mut self, id: Option<&str>) -> bool {
        id.is_none_or(|id| self.said.insert(id.to_owned()))
    }

    fn step(&mut self, id: Option<&str>) -> u64 {
        let known = id.and_then(|id| self.steps.get(id));
        if let Some(&step) = known {
            return step;
        }
        self.last_step += 1;
        if let Some(id) = id {
            self.steps.insert(id.to_owned(), self.last_step);
        }
        self.last_step
    }

    fn calls(
        &mut self,
        stamp: Stamp,
        calls: Option<Json<'_>>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let mut reason = SkipReason::NoEvent;
        // A message that is written again has its step again.
        let message = stamp.step.unwrap_or_default();
        let calls = || calls.into_iter().flat_map(Json::items);
        for call in calls() {
            let [id, name, arguments] = call.fields(["id", "name", "args"]);
            let (Some(id), Some(name)) = (string(id), string(name)) else {
                reason = SkipReason::Broken;
                continue;
            };
            let key = (message, id.clone().into_owned());
            if self.calls.contains_key(&key) {
                reason = SkipReason::Repeated;
                continue;
            }
            self.calls.insert(key, false);
            let arguments = Cow::Borrowed(arguments.map_or("", Json::raw));
            stamp.call(Some(id), name, arguments, output);
        }
        for call in calls() {
            let [id, status, result, time, error] =
                call.fields(["id", "status", "result", "timestamp", "error"]);
            let Some(id) = string(id) else { continue };
            let (texts, failed) = response(result);
            let status = status_of(string(status).as_deref(), failed, &texts);
            let key = (message, id.clone().into_owned());
            let (Some(status), Some(answered)) = (status, self.calls.get_mut(&key)) else {
                continue;
            };
            if std::mem::replace(answered, true) {
                continue;
            }
            // Never before its call, however the host took the two times.
            let at = string(time).as_deref().and_then(parse_iso).max(stamp.at);
            let ended = Ended {
                id: Some(id),
                tool: None,
                status,
                texts,
                error: string(error).filter(|_| status == Status::Error),
            };
            stamp.at(at).result(ended, output);
        }
        reason
    }
}

/// What the host writes before the reason of a cancellation.
const CANCELLED: &str = "[Operation Cancelled] Reason: ";

/// `None` for a call that has not ended.
fn status_of(status: Option<&str>, failed: Option<bool>, texts: &Texts<'_>) -> Option<Status> {
    let begins = |sentence: &str| {
        let says = |text: &str| {
            text.strip_prefix(CANCELLED)
                .unwrap_or(text)
                .starts_with(sentence)
        };
        texts.iter().any(|text| says(text))
    };
    match (status, failed) {
        (Some("success"), _) | (None, Some(false)) => Some(Status::Ok),
        (Some("error"), _) if begins("Tool execution denied by policy") => Some(Status::Denied),
        (Some("error"), _) | (None, Some(true)) => Some(Status::Error),
        (Some("cancelled"), _) if begins("User did not allow tool call") => Some(Status::Denied),
        (Some("cancelled"), _) => Some(Status::Cancelled),
        _ => None,
    }
}

/// What the model reads of a result, and whether the response is an error, if there is one.
fn response(result: Option<Json<'_>>) -> (Texts<'_>, Option<bool>) {
    let mut texts = Texts::new();
    let mut failed = None;
    for part in result.into_iter().flat_map(Json::items) {
        let response = part
            .get("functionResponse")
            .and_then(|response| response.get("response"));
        let Some(response) = response else {
            if let Some(text) = string(part.get("text")) {
                texts.push(text);
            }
            continue;
        };
        let [output, error] = response.fields(["output", "error"]);
        failed = Some(error.is_some());
        let text = output.or(error).unwrap_or(response);
        texts.push(text.as_str().unwrap_or(Cow::Borrowed(text.raw())));
    }
    (texts, failed)
}

/// The texts of a content: a string, a part, or a list of both.
fn texts(content: Option<Json<'_>>) -> Texts<'_> {
    match content {
        Some(content) if content.is_array() => content.items().filter_map(text).collect(),
        Some(content) => text(content).into_iter().collect(),
        None => Texts::new(),
    }
}

fn text(part: Json<'_>) -> Option<Cow<'_, str>> {
    part.as_str().or_else(|| string(part.get("text")))
}
