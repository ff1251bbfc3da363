//! Session files of goose, one message a line after a line of metadata.
//!
//! - `toolRequest` blocks are calls. One whose arguments did not parse bears no name and no
//!   arguments and is left out; its answer stands alone.
//! - A result failed if its `status` is `error` or its value's `isError` says so. It is denied
//!   if it begins with the host's sentence for a tool that the user declined.
//! - Blocks that are for the user alone are no part of what the model reads. Times count in
//!   seconds.

use std::borrow::Cow;

use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::{Reader, blocks};
use crate::error::LineProblem;
use crate::event::Status;
use crate::json::{self, Json};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct Goose {
    steps: u64,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    let is_head =
        line.has("working_dir") && line.has_any(&["message_count", "description", "schedule_id"]);
    is_head || (line.has("role") && line.has("created") && line.begins("content"))
}

impl Reader for Goose {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        entry(output, |output| self.entry(line.number, &text, output));
        Ok(())
    }

    fn finish(&mut self, output: &mut Output<'_, '_>) {
        output.open_silent_session();
    }
}

impl Goose {
    /// Returns why the line gave no event, for the case that it gave none.
    fn entry(&mut self, line: u64, text: &str, output: &mut Output<'_, '_>) -> SkipReason {
        let keys = ["role", "id", "created", "content", "working_dir"];
        let Ok([role, id, created, content, folder]) = json::fields(text, keys) else {
            return SkipReason::Broken;
        };
        let at = created
            .and_then(Json::as_i64)
            .map(|seconds| seconds.saturating_mul(1000));
        let stamp = Stamp::at_line(Some(line)).at(at);
        match (string(role).as_deref(), content) {
            (Some("user"), Some(content)) => user(stamp, string(id), content, output),
            (Some("assistant"), Some(content)) => {
                self.steps += 1;
                return assistant(stamp.step(self.steps), string(id), content, output);
            }
            (None, _) if folder.is_some() => output.recognise(),
            (Some("user" | "assistant"), None) => return SkipReason::Broken,
            _ => return SkipReason::UnknownType,
        }
        SkipReason::NoEvent
    }
}

fn assistant<'a>(
    stamp: Stamp,
    mut id: Option<Cow<'a, str>>,
    content: Json<'a>,
    output: &mut Output<'_, '_>,
) -> SkipReason {
    let mut reason = SkipReason::NoEvent;
    let mut texts = Texts::new();
    for block in content.items() {
        if let Some(text) = blocks::text(block) {
            texts.push(text);
            continue;
        }
        let [kind, call, request] = block.fields(["type", "id", "toolCall"]);
        if string(kind).as_deref() != Some("toolRequest") {
            continue;
        }
        let [status, value] =
            request.map_or([None; 2], |request| request.fields(["status", "value"]));
        let [name, arguments] =
            value.map_or([None; 2], |value| value.fields(["name", "arguments"]));
        let Some(name) = string(name) else {
            if string(status).as_deref() != Some("error") {
                reason = SkipReason::Broken;
            }
            continue;
        };
        if !texts.is_empty() {
            // The message's id is on its first text.
            stamp.assistant(id.take(), std::mem::take(&mut texts), output);
        }
        let arguments = Cow::Borrowed(arguments.map_or("", Json::raw));
        stamp.call(string(call), name, arguments, output);
    }
    stamp.assistant(id, texts, output);
    reason
}

fn user<'a>(
    stamp: Stamp,
    id: Option<Cow<'a, str>>,
    content: Json<'a>,
    output: &mut Output<'_, '_>,
) {
    let mut texts = Texts::new();
    let (mut results, mut shows) = (false, false);
    for block in content.items() {
        if let Some(text) = blocks::text(block) {
            texts.push(text);
            continue;
        }
        let [kind, call, result] = block.fields(["type", "id", "toolResult"]);
        if string(kind).as_deref() == Some("toolResponse") {
            results = true;
            stamp.result(ended(string(call), result), output);
        } else {
            shows = true;
        }
    }
    if !texts.is_empty() || (shows && !results) {
        stamp.user(id, texts, output);
    }
}

fn ended<'a>(id: Option<Cow<'a, str>>, result: Option<Json<'a>>) -> Ended<'a> {
    let [status, value, error] = result.map_or([None; 3], |result| {
        result.fields(["status", "value", "error"])
    });
    // Newer versions wrap the blocks.
    let [content, is_error] = value.map_or([None; 2], |value| value.fields(["content", "isError"]));
    let blocks = content.or(value).into_iter().flat_map(Json::items);
    let mut texts: Texts<'_> = blocks
        .filter(|block| !is_for_user_alone(*block))
        .filter_map(blocks::text)
        .collect();
    let failed = string(status).as_deref() == Some("error")
        || is_error.and_then(Json::as_bool) == Some(true);
    if texts.is_empty()
        && let Some(error) = string(error)
    {
        texts.push(error);
    }
    let declined = texts
        .first()
        .is_some_and(|text| text.starts_with("The user has declined to run this tool"));
    Ended {
        id,
        tool: None,
        status: match failed {
            _ if declined => Status::Denied,
            true => Status::Error,
            false => Status::Ok,
        },
        texts,
        error: None,
    }
}

fn is_for_user_alone(block: Json<'_>) -> bool {
    let audience = block
        .get("annotations")
        .and_then(|annotations| annotations.get("audience"));
    let Some(audience) = audience.filter(|audience| audience.is_array()) else {
        return false;
    };
    let is_user = |role: Json<'_>| role.as_str().as_deref() == Some("user");
    audience.items().next().is_some() && audience.items().all(is_user)
}
