//! Messages as the messages API of Anthropic takes them.
//!
//! - An array of messages, an object whose `messages` hold them, or a message a line. A line
//!   with `messages` of its own is a session of its own.
//! - A result failed if its `is_error` says so. There is no word for a refusal or an
//!   interruption, so none is guessed.
//! - Text beside results is the user's: the API has no other place for what a human says while
//!   tools run, and nothing tells a harness's words from a human's.
//! - Arguments are the raw text of `input`. The blocks of one message of the model are one
//!   step. Tools that the provider runs itself (`server_tool_use`) are no calls of the agent.

use super::blocks;
use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::{Values, list};
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct Anthropic {
    steps: u64,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    is_message(part) || part.list("messages").any(|part| is_message(&part))
}

fn is_message(part: &Outline<'_>) -> bool {
    let blocks = match &*part.text("role") {
        "assistant" => &["tool_use", "thinking", "redacted_thinking"][..],
        "user" => &["tool_result"][..],
        _ => return false,
    };
    // Another host writes blocks of the same types beside a time.
    let mut content = part.list("content");
    !part.has("created") && content.any(|block| blocks.contains(&&*block.text("type")))
}

/// Whether a message that says nothing of its API is more likely of this one.
pub(super) fn may_be(part: &Outline<'_>) -> bool {
    part.text("role") == "assistant" && part.get("content").is_some_and(Json::is_array)
}

impl Values for Anthropic {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let Some(messages) = list(value, "messages") else {
            return self.message(Stamp::at_line(line), value, output);
        };
        Stamp::at_line(line).session(None, output);
        for message in messages {
            self.message(Stamp::at_line(line), message, output);
        }
    }
}

impl Anthropic {
    fn message(&mut self, stamp: Stamp, message: Json<'_>, output: &mut Output<'_, '_>) {
        entry(output, |output| {
            let [role, content] = message.fields(["role", "content"]);
            let Some(content) = content.filter(|content| content.is_str() || content.is_array())
            else {
                return SkipReason::Broken;
            };
            match string(role).as_deref() {
                Some("user") => user(stamp, content, output),
                Some("assistant") => {
                    self.steps += 1;
                    blocks::assistant(
                        stamp.step(self.steps),
                        None,
                        content,
                        blocks::TOOL_USE,
                        output,
                    )
                }
                Some("system") => {
                    stamp.injected(None, blocks::texts(Some(content)), "system", output);
                    SkipReason::NoEvent
                }
                Some(_) => SkipReason::UnknownType,
                None => SkipReason::Broken,
            }
        });
    }
}

fn user(stamp: Stamp, content: Json<'_>, output: &mut Output<'_, '_>) -> SkipReason {
    let mut texts: Texts<'_> = content.as_str().into_iter().collect();
    let (mut results, mut shows) = (false, content.is_str());
    let mut reason = SkipReason::NoEvent;
    for block in content.items() {
        if let Some(text) = blocks::text(block) {
            texts.push(text);
            continue;
        }
        let [kind, id, result, is_error] =
            block.fields(["type", "tool_use_id", "content", "is_error"]);
        match string(kind).as_deref() {
            Some("tool_result") => {
                results = true;
                let failed = is_error.and_then(Json::as_bool).unwrap_or_default();
                let ended = Ended {
                    id: string(id),
                    tool: None,
                    status: if failed { Status::Error } else { Status::Ok },
                    texts: blocks::texts(result),
                    error: None,
                };
                stamp.result(ended, output);
            }
            Some(_) => shows = true,
            None => reason = SkipReason::Broken,
        }
    }
    // An image says something without a text.
    if !texts.is_empty() || (shows && !results) {
        stamp.user(None, texts, output);
    }
    reason
}
