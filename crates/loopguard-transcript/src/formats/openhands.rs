//! Events of the OpenHands agent SDK, one a line.
//!
//! - `kind` says what a line is. Actions are calls, observations and agent errors results; what
//!   shares an `llm_response_id` is one step. Arguments are what the string in `tool_call`
//!   holds, as the model wrote it.
//! - An observation failed if `is_error` says so, an exit code alone says nothing; an agent
//!   error is a failure, a rejection by the user or a hook a denial. Cancellations are not
//!   recorded.
//! - Messages whose source is `user` are a human's, the system prompt and the environment's
//!   words are injected. Nothing announces the session.
//! - Times bear no zone and are taken for UTC: differences between them are right.

use std::borrow::Cow;

use super::outline::Outline;
use super::stamp::{Ended, Stamp, arguments, entry, string};
use super::{Reader, blocks};
use crate::error::LineProblem;
use crate::event::{EventKind, Status};
use crate::json::{self, Json};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;
use crate::time::parse_iso;

#[derive(Default)]
pub(super) struct OpenHands {
    step: u64,
    /// The answer of the model that the last action came from.
    answer: Option<String>,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    let kind = line.text("kind");
    line.has_any(&["source", "timestamp"])
        && (is_known(&kind) || (kind.ends_with("Event") && line.has("id")))
}

fn is_known(kind: &str) -> bool {
    matches!(
        kind,
        "ActionEvent"
            | "ObservationEvent"
            | "AgentErrorEvent"
            | "UserRejectObservation"
            | "MessageEvent"
            | "SystemPromptEvent"
            | "Condensation"
            | "ConversationStateUpdateEvent"
    )
}

impl Reader for OpenHands {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        entry(output, |output| self.entry(line.number, &text, output));
        Ok(())
    }

    fn finish(&mut self, output: &mut Output<'_, '_>) {
        output.open_silent_session();
    }
}

/// The keys of a line that are looked at.
struct Keys<'a> {
    stamp: Stamp,
    id: Option<Cow<'a, str>>,
    call: Option<Cow<'a, str>>,
    tool: Option<Cow<'a, str>>,
}

impl OpenHands {
    /// Returns why the line gave no event, for the case that it gave none.
    fn entry(&mut self, line: u64, text: &str, output: &mut Output<'_, '_>) -> SkipReason {
        let Ok(
            [
                kind,
                id,
                time,
                source,
                call,
                tool,
                observation,
                error,
                rejection,
                message,
                prompt,
                thought,
                written,
                action,
                answer,
            ],
        ) = json::fields(
            text,
            [
                "kind",
                "id",
                "timestamp",
                "source",
                "tool_call_id",
                "tool_name",
                "observation",
                "error",
                "rejection_reason",
                "llm_message",
                "system_prompt",
                "thought",
                "tool_call",
                "action",
                "llm_response_id",
            ],
        )
        else {
            return SkipReason::Broken;
        };
        let at = string(time).as_deref().and_then(parse_iso);
        let stamp = Stamp::at_line(Some(line)).at(at);
        let keys = Keys {
            stamp,
            id: string(id),
            call: string(call),
            tool: string(tool),
        };
        match string(kind).as_deref() {
            Some("ActionEvent") => {
                if keys.tool.is_none() {
                    return SkipReason::Broken;
                }
                let written = written.and_then(|call| call.get("arguments")).or(action);
                self.action(keys, thought, arguments(written), string(answer), output);
            }
            Some("ObservationEvent") => {
                let [content, is_error] = observation.map_or([None; 2], |observation| {
                    observation.fields(["content", "is_error"])
                });
                let failed = is_error.and_then(Json::as_bool).unwrap_or_default();
                let status = if failed { Status::Error } else { Status::Ok };
                result(keys, status, blocks::texts(content), output);
            }
            Some("AgentErrorEvent") => {
                let texts = string(error).into_iter().collect();
                result(keys, Status::Error, texts, output);
            }
            Some("UserRejectObservation") => {
                let texts = string(rejection).into_iter().collect();
                result(keys, Status::Denied, texts, output);
            }
            Some("MessageEvent") => {
                let texts = blocks::texts(message.and_then(|message| message.get("content")));
                match string(source).as_deref() {
                    Some("user") => stamp.user(keys.id, texts, output),
                    Some("agent") => {
                        self.step += 1;
                        self.answer = None;
                        stamp.step(self.step).assistant(keys.id, texts, output);
                    }
                    _ => stamp.injected(keys.id, texts, "system", output),
                }
            }
            Some("SystemPromptEvent") => {
                let text = string(prompt.and_then(|prompt| prompt.get("text")));
                stamp.injected(keys.id, text.into_iter().collect(), "system", output);
            }
            Some("Condensation") => stamp.emit(EventKind::Compaction, output),
            Some(
                "ConversationStateUpdateEvent"
                | "ConversationErrorEvent"
                | "CondensationRequest"
                | "CondensationSummaryEvent"
                | "PauseEvent"
                | "TokenEvent"
                | "LLMCompletionLogEvent",
            ) => output.recognise(),
            Some(_) => return SkipReason::UnknownType,
            None => return SkipReason::Broken,
        }
        SkipReason::NoEvent
    }

    fn action<'a>(
        &mut self,
        keys: Keys<'a>,
        thought: Option<Json<'a>>,
        arguments: Cow<'a, str>,
        answer: Option<Cow<'a, str>>,
        output: &mut Output<'_, '_>,
    ) {
        if answer.is_none() || answer.as_deref() != self.answer.as_deref() {
            self.step += 1;
            self.answer = answer.map(Cow::into_owned);
        }
        let stamp = keys.stamp.step(self.step);
        stamp.assistant(keys.id, blocks::texts(thought), output);
        let tool = keys.tool.unwrap_or_default();
        stamp.call(keys.call, tool, arguments, output);
    }
}

fn result<'a>(keys: Keys<'a>, status: Status, texts: Texts<'a>, output: &mut Output<'_, '_>) {
    let ended = Ended {
        id: keys.call,
        tool: keys.tool,
        status,
        texts,
        error: None,
    };
    keys.stamp.result(ended, output);
}
