//! Session files of Cline: `*.messages.json`.
//!
//! - A document with `messages`, whose blocks are those of the Anthropic API, each message with
//!   an id and a time (`ts`, milliseconds). Text of `user` messages is the user's; `file`
//!   blocks are attachments.
//! - A result has no flag. Its content is JSON, also in a string, with a `success` for each
//!   thing that was asked for: a call failed if all of them did. That is the host's own record
//!   around a tool's output. Content of any other shape counts as a success.
//! - Refusals and interruptions are not told apart from that.

use std::borrow::Cow;

use super::blocks;
use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::Values;
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct Cline {
    steps: u64,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    part.has("sessionId")
        && part.has_any(&["updated_at", "agent"])
        && part
            .list("messages")
            .any(|message| message.has("role") && message.has_any(&["ts", "id"]))
}

impl Values for Cline {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let [session, messages] = value.fields(["sessionId", "messages"]);
        let Some(messages) = messages.filter(|messages| messages.is_array()) else {
            return output.skip(SkipReason::UnknownType);
        };
        *self = Self::default();
        let stamp = Stamp::at_line(line);
        stamp.session(string(session), output);
        for message in messages.items() {
            entry(output, |output| self.message(stamp, message, output));
        }
    }
}

impl Cline {
    fn message(
        &mut self,
        stamp: Stamp,
        message: Json<'_>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let [id, role, content, time] = message.fields(["id", "role", "content", "ts"]);
        let stamp = stamp.at(time.and_then(Json::as_i64));
        let id = string(id);
        let Some(content) = content else {
            return SkipReason::Broken;
        };
        match string(role).as_deref() {
            Some("user") => user(stamp, id, content, output),
            Some("assistant") => {
                self.steps += 1;
                blocks::assistant(
                    stamp.step(self.steps),
                    id,
                    content,
                    blocks::TOOL_USE,
                    output,
                )
            }
            Some(_) => SkipReason::UnknownType,
            None => SkipReason::Broken,
        }
    }
}

fn user<'a>(
    stamp: Stamp,
    id: Option<Cow<'a, str>>,
    content: Json<'a>,
    output: &mut Output<'_, '_>,
) -> SkipReason {
    let mut texts: Texts<'_> = content.as_str().into_iter().collect();
    let (mut results, mut shows) = (false, content.is_str());
    for block in content.items() {
        if let Some(text) = blocks::text(block) {
            texts.push(text);
            continue;
        }
        let [kind, call, name, result] = block.fields(["type", "tool_use_id", "name", "content"]);
        if string(kind).as_deref() != Some("tool_result") {
            shows = true;
            continue;
        }
        results = true;
        let ended = Ended {
            id: string(call),
            tool: string(name),
            status: status(result),
            texts: read_by_model(result),
            error: None,
        };
        stamp.result(ended, output);
    }
    if !texts.is_empty() || (shows && !results) {
        stamp.user(id, texts, output);
    }
    SkipReason::NoEvent
}

/// The texts of a result; of what is no text block its raw text.
fn read_by_model(content: Option<Json<'_>>) -> Texts<'_> {
    match content {
        Some(content) if content.is_array() => content
            .items()
            .map(|item| blocks::text(item).unwrap_or(Cow::Borrowed(item.raw())))
            .collect(),
        content => blocks::texts(content),
    }
}

fn status(content: Option<Json<'_>>) -> Status {
    let Some(content) = content else {
        return Status::Ok;
    };
    let text = content.as_str();
    let parsed = match &text {
        Some(text) => Json::parse(text).ok(),
        None => Some(content),
    };
    let failed = |item: Json<'_>| item.get("success").and_then(Json::as_bool) == Some(false);
    let all_failed = parsed.is_some_and(|value| {
        if value.is_array() {
            value.items().next().is_some() && value.items().all(failed)
        } else {
            failed(value)
        }
    });
    if all_failed {
        Status::Error
    } else {
        Status::Ok
    }
}
