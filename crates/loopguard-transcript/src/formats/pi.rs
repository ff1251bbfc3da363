//! Session files of pi.
//!
//! - The first line is the `session`. A message is a step, its `toolCall` blocks are calls, and
//!   `toolResult` messages answer them. Arguments are the raw text of the parsed value.
//! - A result failed if `isError` says so. It was cancelled if the host says in its own words
//!   that the command or operation was aborted, or skipped for a message of the user. Nothing
//!   tells a refusal by an extension from a failure.
//! - A session may branch: what a branch left behind has happened all the same and is told in
//!   the order of the file. A branched-off file begins with a copy of its history.
//! - Messages of an extension are injected context; what the user ran by hand is none of the
//!   agent's calls and is left out.

use std::borrow::Cow;

use super::Reader;
use super::blocks::{self, CallBlock};
use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use crate::error::LineProblem;
use crate::event::{EventKind, Status};
use crate::json::{self, Json};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;
use crate::time::parse_iso;

#[derive(Default)]
pub(super) struct Pi {
    steps: u64,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    match &*line.text("type") {
        "session" => line.has("cwd") && line.has("timestamp"),
        "message" => {
            let role = line.get("message").and_then(|message| message.get("role"));
            role.is_some() && line.has("timestamp")
        }
        _ => false,
    }
}

impl Reader for Pi {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        entry(output, |output| self.entry(line.number, &text, output));
        Ok(())
    }
}

impl Pi {
    /// Returns why the line gave no event, for the case that it gave none.
    fn entry(&mut self, line: u64, text: &str, output: &mut Output<'_, '_>) -> SkipReason {
        let keys = [
            "type",
            "timestamp",
            "id",
            "message",
            "customType",
            "content",
            "cwd",
        ];
        let Ok([kind, time, id, message, custom, content, cwd]) = json::fields(text, keys) else {
            return SkipReason::Broken;
        };
        let at = string(time).as_deref().and_then(parse_iso);
        let stamp = Stamp::at_line(Some(line)).at(at);
        match string(kind).as_deref() {
            Some("session") if cwd.is_some() => {
                self.steps = 0;
                stamp.session(string(id), output);
                SkipReason::NoEvent
            }
            Some("message") => match message {
                Some(message) => self.message(stamp, string(id), message, output),
                None => SkipReason::Broken,
            },
            Some("custom_message") => {
                let texts = blocks::texts(content);
                stamp.injected(string(id), texts, plugin(string(custom)), output);
                SkipReason::NoEvent
            }
            Some("compaction") => {
                stamp.emit(EventKind::Compaction, output);
                SkipReason::NoEvent
            }
            Some(
                "model_change"
                | "thinking_level_change"
                | "custom"
                | "label"
                | "session_info"
                | "branch_summary",
            ) => SkipReason::NoEvent,
            Some(_) => SkipReason::UnknownType,
            None => SkipReason::Broken,
        }
    }

    fn message<'a>(
        &mut self,
        stamp: Stamp,
        id: Option<Cow<'a, str>>,
        message: Json<'a>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let keys = [
            "role",
            "content",
            "toolCallId",
            "toolName",
            "isError",
            "timestamp",
            "customType",
        ];
        let [role, content, call, tool, is_error, time, custom] = message.fields(keys);
        // Milliseconds, for lines that bear no time of their own.
        let stamp = stamp.at(stamp.at.or(time.and_then(Json::as_i64)));
        match string(role).as_deref() {
            Some("user") => stamp.user(id, blocks::texts(content), output),
            Some("assistant") => {
                self.steps += 1;
                let Some(content) = content else {
                    return SkipReason::NoEvent;
                };
                let stamp = stamp.step(self.steps);
                return blocks::assistant(stamp, id, content, TOOL_CALL, output);
            }
            Some("toolResult") => {
                let texts = blocks::texts(content);
                let failed = is_error.and_then(Json::as_bool).unwrap_or_default();
                let ended = Ended {
                    id: string(call),
                    tool: string(tool),
                    status: status(failed, &texts),
                    texts,
                    error: None,
                };
                stamp.result(ended, output);
            }
            Some("custom" | "hookMessage") => {
                let texts = blocks::texts(content);
                stamp.injected(id, texts, plugin(string(custom)), output);
            }
            Some("bashExecution" | "branchSummary" | "compactionSummary") => {}
            Some(_) => return SkipReason::UnknownType,
            None => return SkipReason::Broken,
        }
        SkipReason::NoEvent
    }
}

/// The block of a call.
const TOOL_CALL: CallBlock = CallBlock {
    kind: "toolCall",
    arguments: "arguments",
};

/// The host words an abort itself, as the last thing of a failed result.
fn status(failed: bool, texts: &Texts<'_>) -> Status {
    let last = texts.last().map_or("", |text| text.trim());
    let aborted = last == "Operation aborted"
        || last == "Command aborted"
        || last.ends_with("\n\nCommand aborted")
        || last.starts_with("Skipped due to queued user message");
    match failed {
        false => Status::Ok,
        true if aborted => Status::Cancelled,
        true => Status::Error,
    }
}

fn plugin(name: Option<Cow<'_, str>>) -> String {
    name.map_or_else(|| "plugin".to_owned(), |name| format!("plugin:{name}"))
}
