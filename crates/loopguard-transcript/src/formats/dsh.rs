//! Session logs of the DeepSeek harness.
//!
//! - A child's log is a file of its own and a session of its own; its agent is `main`.
//! - `turn` and `step` come again, so each `step/start` takes the next number; the calls and
//!   results of the step carry it.
//! - Messages that follow one another with no call, result or end of a step between them were
//!   handed over together and share a `batch`.
//! - Calls inside code mode (`tool/code-dispatch`) are left out: a program made them, in a
//!   loop of its own if it likes, and the model sees only what the program returns.
//! - Streamed pieces (`assistant/chunk`, `text-chunks`, …) are left out: `assistant/message`
//!   says it all again.
//! - A shell command's non-zero exit is a success of the tool. A failure whose `error.code`
//!   begins with `ABORTED` is cancelled, one whose code ends in `_DENIED` is denied. A refusal
//!   that carries no code is told from its reason being recorded beside it (see `refusals`);
//!   with no such record it stays an error.
//! - The log has no field for a failure's message. The result of a call that threw consists of
//!   it, behind `Error: `; what a policy wrote in place of a result has no such beginning, and
//!   is the message as it stands.

mod order;
mod refusals;

use std::borrow::Cow;

use super::outline::Outline;
use super::{Reader, blocks};
use crate::error::LineProblem;
use crate::event::{Event, EventKind, MessageForm, Piece, SessionOutcome, Status};
use crate::json::{self, Json};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

use order::{Batches, Steps};
use refusals::Refusals;

#[derive(Default)]
pub(super) struct Dsh {
    steps: Steps,
    batches: Batches,
    refusals: Refusals,
    /// The compaction that was told last: a start, a summary and an end are one.
    compaction: Option<String>,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    let kind = line.text("type");
    match &*kind {
        "session" => line.has_any(&["createdAt", "delegationDepth"]),
        _ => line.get("data").is_some_and(Json::is_object) && of_type(&kind) != Type::Unknown,
    }
}

impl Reader for Dsh {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        let skipped = match json::fields(&text, ["type", "data", "id", "createdAt"]) {
            Ok([kind, data, id, created]) => match kind.and_then(Json::as_str).as_deref() {
                Some("session") => self.session(line.number, id, created, output),
                Some(kind) => self.entry(line.number, kind, data, output),
                None => Some(SkipReason::Broken),
            },
            Err(_) => Some(SkipReason::Broken),
        };
        if let Some(reason) = skipped {
            output.skip(reason);
        }
        Ok(())
    }
}

impl Dsh {
    fn session(
        &mut self,
        line: u64,
        id: Option<Json<'_>>,
        created: Option<Json<'_>>,
        output: &mut Output<'_, '_>,
    ) -> Option<SkipReason> {
        // Other programs begin with a line of this type, too; this key is the harness's.
        let Some(created) = created else {
            return Some(SkipReason::Broken);
        };
        *self = Self::default();
        let kind = EventKind::Session {
            id: id.and_then(Json::as_str),
            format: Cow::Borrowed("dsh"),
            outcome: SessionOutcome::Unknown,
        };
        // Zero stands in logs whose times were taken out.
        let at = created.as_i64().filter(|&at| at != 0);
        output.emit(Event {
            line: Some(line),
            at,
            ..Event::new(kind)
        });
        None
    }

    /// Any other line. Returns why it gave no event, if it gave none.
    fn entry(
        &mut self,
        line: u64,
        kind: &str,
        data: Option<Json<'_>>,
        output: &mut Output<'_, '_>,
    ) -> Option<SkipReason> {
        match of_type(kind) {
            Type::Unknown => return Some(SkipReason::UnknownType),
            Type::Piece => {
                output.recognise();
                return Some(SkipReason::Repeated);
            }
            Type::Known => {}
        }
        let Some(data) = data.filter(|data| data.is_object()) else {
            return Some(SkipReason::Broken);
        };
        output.recognise();
        let before = output.events();
        let done = self.known(line, kind, data, output);
        match done {
            None => Some(SkipReason::Broken),
            Some(()) if output.events() == before && !output.stopped() => Some(SkipReason::NoEvent),
            Some(()) => None,
        }
    }

    /// A line of a known type; `None` if it lacks what its type needs.
    fn known(
        &mut self,
        line: u64,
        kind: &str,
        data: Json<'_>,
        output: &mut Output<'_, '_>,
    ) -> Option<()> {
        match kind {
            "user/message" => self.message(line, data, output),
            "assistant/message" => self.assistant(line, data, output),
            "tool/call" => self.call(line, data, output),
            "tool/result" => self.result(line, data, output),
            "step/start" => {
                let [turn, step] = data.fields(["turn", "step"]);
                self.steps.start(turn, step);
                Some(())
            }
            "step/end" | "turn/start" | "turn/end" => {
                self.batches.close();
                self.refusals.end_step();
                Some(())
            }
            "approval/asked" => self.refusals.asked(data),
            "approval/decided" => self.refusals.decided(data),
            "hook/result" => self.refusals.hook(data),
            "compaction/summary" | "compaction/end" => {
                self.compaction(line, data, output);
                Some(())
            }
            _ => Some(()),
        }
    }

    fn message(&mut self, line: u64, data: Json<'_>, output: &mut Output<'_, '_>) -> Option<()> {
        let [content, source, id] = data.fields(["content", "source", "id"]);
        let content = content?;
        let texts = blocks::texts(Some(content));
        let id = id.and_then(Json::as_str);
        let batch = Some(self.batches.message());
        let [kind, plugin, form] = source?.fields(["kind", "plugin", "form"]);
        let kind = kind?.as_str()?;
        let kind = if kind == "user" {
            EventKind::User { id, texts, batch }
        } else {
            let source = match plugin.and_then(Json::as_str) {
                Some(plugin) if kind == "plugin" => Cow::Owned(format!("plugin:{plugin}")),
                _ => kind,
            };
            let form = match form.and_then(Json::as_str).as_deref() {
                Some("notice") => MessageForm::Notice,
                _ => MessageForm::Context,
            };
            EventKind::Message {
                id,
                texts,
                source: Some(source),
                form,
                batch,
            }
        };
        output.emit(Event {
            line: Some(line),
            ..Event::new(kind)
        });
        Some(())
    }

    fn assistant(&mut self, line: u64, data: Json<'_>, output: &mut Output<'_, '_>) -> Option<()> {
        let [turn, step, message] = data.fields(["turn", "step", "message"]);
        // Older logs write the message's keys beside `turn` and `step`.
        let [content, id] = message.unwrap_or(data).fields(["content", "id"]);
        self.batches.close();
        let texts = blocks::texts(Some(content?));
        if texts.iter().all(|text| text.is_empty()) {
            return Some(());
        }
        let kind = EventKind::Assistant {
            id: id.and_then(Json::as_str),
            texts,
            piece: Piece::Last,
        };
        let step = self.steps.number(turn, step);
        output.emit(Event {
            line: Some(line),
            step,
            ..Event::new(kind)
        });
        Some(())
    }

    fn call(&mut self, line: u64, data: Json<'_>, output: &mut Output<'_, '_>) -> Option<()> {
        let [turn, step, id, name, arguments] =
            data.fields(["turn", "step", "callId", "name", "arguments"]);
        self.batches.close();
        let kind = EventKind::Call {
            index: 0,
            id: id.and_then(Json::as_str),
            tool: name?.as_str()?,
            // The model's own text; a parsed value, should one stand here, is its raw text.
            arguments: arguments.map_or(Cow::Borrowed(""), |arguments| {
                arguments.as_str().unwrap_or(Cow::Borrowed(arguments.raw()))
            }),
        };
        let step = self.steps.number(turn, step);
        output.emit(Event {
            line: Some(line),
            step,
            ..Event::new(kind)
        });
        Some(())
    }

    fn result(&mut self, line: u64, data: Json<'_>, output: &mut Output<'_, '_>) -> Option<()> {
        let [turn, step, message, id, content, is_error, error] = data.fields([
            "turn", "step", "message", "callId", "content", "isError", "error",
        ]);
        self.batches.close();
        let step = self.steps.number(turn, step);
        let [code, message_of_error] =
            error.map_or([None; 2], |error| error.fields(["code", "message"]));
        let (code, error) = (
            code.and_then(Json::as_str),
            message_of_error.and_then(Json::as_str),
        );
        let mut emit = |id: Option<Json<'_>>, content, is_error: Option<Json<'_>>| {
            let id = id.and_then(Json::as_str);
            let texts = blocks::texts(content);
            let failed = is_error.and_then(Json::as_bool).unwrap_or(code.is_some());
            let status = match code.as_deref() {
                _ if !failed => Status::Ok,
                Some(code) if code.starts_with("ABORTED") => Status::Cancelled,
                Some(code) if code == "DENIED" || code.ends_with("_DENIED") => Status::Denied,
                Some(_) => Status::Error,
                None if self
                    .refusals
                    .explain(id.as_deref(), &texts, output.unanswered()) =>
                {
                    Status::Denied
                }
                None => Status::Error,
            };
            let error = error.clone().or_else(|| match status {
                Status::Error => message_of(&texts).map(Cow::Owned),
                _ => None,
            });
            let kind = EventKind::Result {
                call: None,
                id,
                tool: None,
                status,
                texts,
                error,
            };
            output.emit(Event {
                line: Some(line),
                step,
                ..Event::new(kind)
            });
        };
        let Some(message) = message else {
            id?;
            emit(id, content, is_error);
            return Some(());
        };
        let mut any = None;
        for block in message.get("content")?.items() {
            let [kind, id, content, is_error] =
                block.fields(["type", "toolCallId", "content", "isError"]);
            if kind.and_then(Json::as_str).as_deref() == Some("tool-result") {
                emit(id, content, is_error);
                any = Some(());
            }
        }
        any
    }

    fn compaction(&mut self, line: u64, data: Json<'_>, output: &mut Output<'_, '_>) {
        let id = data
            .get("compactionId")
            .and_then(Json::as_str)
            .unwrap_or_default();
        if self.compaction.as_deref() != Some(&*id) {
            self.compaction = Some(id.into_owned());
            output.emit(Event {
                line: Some(line),
                ..Event::new(EventKind::Compaction)
            });
        }
    }
}

/// The message of a failure, from a result that consists of it.
fn message_of(texts: &Texts<'_>) -> Option<String> {
    let mut texts = texts.iter();
    match (texts.next(), texts.next()) {
        (Some(text), None) => text.strip_prefix("Error: ").map(str::to_owned),
        _ => None,
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Type {
    Known,
    /// A piece of what another line says as a whole.
    Piece,
    Unknown,
}

fn of_type(kind: &str) -> Type {
    match kind {
        "assistant/chunk" | "reasoning-chunks" | "text-chunks" | "tool-call-chunks" => Type::Piece,
        _ => match kind.split_once('/').map(|(family, _)| family) {
            Some(
                "agent" | "approval" | "assistant" | "compaction" | "hook" | "request" | "session"
                | "step" | "subagent" | "todo" | "tool" | "turn" | "user",
            ) => Type::Known,
            _ => Type::Unknown,
        },
    }
}
