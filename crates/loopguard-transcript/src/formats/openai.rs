//! Messages as the chat completions API takes them.
//!
//! - An array of messages, an object whose `messages` hold them, or a message a line. A line
//!   with `messages` of its own is a session of its own.
//! - Arguments are what the string holds, as the model wrote it.
//! - There is no flag for a failure. A result failed if its text is one line that begins with
//!   `Error: `, or a JSON object of a single key `error`: both are how tool loops word their
//!   own failures, and no file or listing looks like it as a whole. Anything else counts as a
//!   success, since a failure that is none could make a guard deny.
//! - The messages of one answer of the model are one step. There are no times and no agents,
//!   and nothing tells a harness's `user` message from a human's.
//! - `function_call` and the role `function`, which came before `tool_calls`, know no ids: the
//!   function's name pairs them.

use std::borrow::Cow;

use super::blocks;
use super::outline::Outline;
use super::stamp::{Ended, Stamp, arguments, entry, string};
use super::values::{Values, list};
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct OpenAi {
    steps: u64,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    is_message(part) || part.list("messages").any(|part| is_message(&part))
}

fn is_message(part: &Outline<'_>) -> bool {
    match &*part.text("role") {
        "tool" => part.has("tool_call_id"),
        "function" => part.has("name"),
        "assistant" => {
            let mut calls = part.list("tool_calls");
            calls.any(|call| call.has("function"))
                || part.get("function_call").is_some_and(Json::is_object)
        }
        _ => false,
    }
}

/// Whether it is a message that says nothing of its API.
pub(super) fn may_be(part: &Outline<'_>) -> bool {
    let role = part.text("role");
    matches!(&*role, "system" | "developer" | "user" | "assistant")
        && part.begins("content")
        && !part.has_any(&["type", "kind", "created", "timestamp"])
}

impl Values for OpenAi {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let Some(messages) = list(value, "messages") else {
            return self.message(line, value, output);
        };
        Stamp::at_line(line).session(None, output);
        for message in messages {
            self.message(line, message, output);
        }
    }
}

impl OpenAi {
    fn message(&mut self, line: Option<u64>, message: Json<'_>, output: &mut Output<'_, '_>) {
        let stamp = Stamp::at_line(line);
        entry(output, |output| {
            let [role, content, calls, call, id, name] = message.fields([
                "role",
                "content",
                "tool_calls",
                "function_call",
                "tool_call_id",
                "name",
            ]);
            let texts = blocks::texts(content);
            match string(role).as_deref() {
                Some("system" | "developer") => stamp.injected(None, texts, "system", output),
                Some("user") => stamp.user(None, texts, output),
                Some("assistant") => {
                    self.steps += 1;
                    let stamp = stamp.step(self.steps);
                    stamp.assistant(None, texts, output);
                    return self::calls(stamp, calls, call, output);
                }
                Some("tool") => result(stamp, string(id), string(name), texts, output),
                Some("function") => {
                    result(stamp, string(name), string(name), texts, output);
                }
                Some(_) => return SkipReason::UnknownType,
                None => return SkipReason::Broken,
            }
            SkipReason::NoEvent
        });
    }
}

/// The calls of an answer; returns the reason for silence.
pub(super) fn calls(
    stamp: Stamp,
    calls: Option<Json<'_>>,
    single: Option<Json<'_>>,
    output: &mut Output<'_, '_>,
) -> SkipReason {
    let mut reason = SkipReason::NoEvent;
    for call in calls.into_iter().flat_map(Json::items) {
        let [id, function, custom] = call.fields(["id", "function", "custom"]);
        let [name, written, input] = function.or(custom).map_or([None; 3], |call| {
            call.fields(["name", "arguments", "input"])
        });
        match string(name) {
            Some(name) => stamp.call(string(id), name, arguments(written.or(input)), output),
            None => reason = SkipReason::Broken,
        }
    }
    if let Some(call) = single.filter(|call| call.is_object()) {
        let [name, written] = call.fields(["name", "arguments"]);
        match string(name) {
            Some(name) => stamp.call(Some(name.clone()), name, arguments(written), output),
            None => reason = SkipReason::Broken,
        }
    }
    reason
}

fn result<'a>(
    stamp: Stamp,
    id: Option<Cow<'a, str>>,
    tool: Option<Cow<'a, str>>,
    texts: Texts<'a>,
    output: &mut Output<'_, '_>,
) {
    let status = match &*texts {
        [text] if says_error(text) => Status::Error,
        _ => Status::Ok,
    };
    let ended = Ended {
        id,
        tool,
        status,
        texts,
        error: None,
    };
    stamp.result(ended, output);
}

fn says_error(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with("Error: ") {
        return !text.contains('\n');
    }
    if !text.starts_with('{') || !text.contains("\"error\"") {
        return false;
    }
    let mut entries = crate::json::Entries::new(text);
    let only = |key: &str, value: Json<'_>| key == "error" && (value.is_str() || value.is_object());
    matches!(entries.next(), Some(Ok((key, value))) if only(&key, value))
        && entries.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_a_text_that_is_nothing_else() {
        assert!(says_error("Error: no such flight"));
        assert!(says_error("{\"error\": \"no such flight\"}"));
        assert!(says_error(" {\"error\": {\"code\": 4}}\n"));
        for text in [
            "",
            "Errors: 0",
            "error: no",
            "Error: the first line of a log\nand more",
            "{\"error\": null}",
            "{\"error\": \"x\", \"data\": []}",
            "{\"error\": \"x\"",
            "[\"error\"]",
        ] {
            assert!(!says_error(text), "{text}");
        }
    }
}
