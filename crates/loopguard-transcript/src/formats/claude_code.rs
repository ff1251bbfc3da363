//! Session files of Claude Code.
//!
//! - One file is one session, whatever session ids its lines carry. A resumed session begins
//!   with a copy of its history: a `tool_use` id that was seen is no new call and its second
//!   result no new result; a text is a copy if message (or time) and text are the same.
//! - A subagent's lines (`isSidechain`) belong to the agent of their `agentId`. Its prompt is
//!   an injected message with the source `agent`: its parent wrote it. `progress` lines that
//!   repeat a subagent's messages in the parent's file are left out.
//! - What the host writes in the user's name (`isMeta`, `<command-name>`, `<ide_…>`, the
//!   summary after a compaction, a note that the user interrupted) is an injected message with
//!   the source `system`; so is text beside a result. `/clear` is a reset.
//! - All lines of one model message are one step. The message's id is on its first text; a
//!   further text on a line of its own has that line's id.
//! - A failed result that begins with one of the host's fixed sentences for a refusal is
//!   denied; with one for an interruption, cancelled.
//! - Texts that the host puts in the model's mouth (`<synthetic>`) are left out.

mod entry;
mod phrases;
mod said;
mod seen;

use std::borrow::Cow;

use super::outline::Outline;
use super::{Reader, blocks};
use crate::error::LineProblem;
use crate::event::{EventKind, MessageForm, Piece};
use crate::json::Json;
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

use entry::Entry;
use said::Said;
use seen::Seen;

#[derive(Default)]
pub(super) struct ClaudeCode {
    seen: Seen,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    match &*line.text("type") {
        "user" | "assistant" => {
            line.has("message") && line.has_any(&["uuid", "sessionId", "parentUuid", "isSidechain"])
        }
        "system" | "progress" => line.has_any(&["uuid", "sessionId", "parentUuid"]),
        "summary" => line.has("leafUuid"),
        "file-history-snapshot" => line.has("messageId"),
        "queue-operation" => line.has("operation"),
        // A line that is cut off before its type.
        "" => line.has("parentUuid") && line.has("isSidechain"),
        _ => false,
    }
}

impl Reader for ClaudeCode {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        let before = output.events();
        let outcome = Entry::of(line.number, &text).map(|entry| self.entry(&entry, output));
        if output.events() == before && !output.stopped() {
            output.skip(outcome.unwrap_or(SkipReason::Broken));
        }
        Ok(())
    }

    fn finish(&mut self, output: &mut Output<'_, '_>) {
        // A file of titles and snapshots is a session in which nothing happened.
        output.open_silent_session();
    }
}

impl ClaudeCode {
    /// Returns why the line gave no event, for the case that it gave none.
    fn entry(&mut self, entry: &Entry<'_>, output: &mut Output<'_, '_>) -> SkipReason {
        match &*entry.kind {
            "user" => self.user(entry, output),
            "assistant" => self.assistant(entry, output),
            "system" => {
                output.recognise();
                let subtype = entry.subtype.and_then(Json::as_str).unwrap_or_default();
                if matches!(&*subtype, "compact_boundary" | "microcompact_boundary") {
                    emit(entry, None, EventKind::Compaction, output);
                }
                SkipReason::NoEvent
            }
            "progress" => {
                output.recognise();
                let kind = entry
                    .data
                    .and_then(|data| data.get("type"))
                    .and_then(Json::as_str);
                match kind.as_deref() {
                    Some("agent_progress") => SkipReason::Repeated,
                    _ => SkipReason::NoEvent,
                }
            }
            "summary"
            | "file-history-snapshot"
            | "queue-operation"
            | "attachment"
            | "custom-title"
            | "ai-title"
            | "last-prompt"
            | "agent-name"
            | "permission-mode"
            | "mode"
            | "pr-link" => {
                output.recognise();
                SkipReason::NoEvent
            }
            _ => SkipReason::UnknownType,
        }
    }

    fn assistant(&mut self, entry: &Entry<'_>, output: &mut Output<'_, '_>) -> SkipReason {
        let [id, model, content] = entry.message.map_or([None; 3], |message| {
            message.fields(["id", "model", "content"])
        });
        let Some(content) = content else {
            return SkipReason::Broken;
        };
        if model.and_then(Json::as_str).as_deref() == Some("<synthetic>") {
            output.recognise();
            return SkipReason::NoEvent;
        }
        let id = id.and_then(Json::as_str);
        let step = id.as_deref().map(|id| self.seen.step(id));
        let mut reason = SkipReason::NoEvent;
        let mut texts = Texts::new();
        if let Some(text) = content.as_str() {
            texts.push(text);
        }
        for block in content.items() {
            if let Some(text) = blocks::text(block) {
                texts.push(text);
                continue;
            }
            let [kind, call, name, input] = block.fields(["type", "id", "name", "input"]);
            match kind.and_then(Json::as_str).as_deref() {
                Some("tool_use") => {}
                Some(_) => continue,
                None => {
                    reason = SkipReason::Broken;
                    continue;
                }
            }
            let Some(tool) = name.and_then(Json::as_str) else {
                reason = SkipReason::Broken;
                continue;
            };
            reason = self.say(
                entry,
                id.as_deref(),
                step,
                std::mem::take(&mut texts),
                output,
                reason,
            );
            let call = call.and_then(Json::as_str);
            if call.as_deref().is_some_and(|call| !self.seen.call(call)) {
                reason = SkipReason::Repeated;
                continue;
            }
            let arguments = Cow::Borrowed(input.map_or("", Json::raw));
            emit(
                entry,
                step,
                EventKind::Call {
                    index: 0,
                    id: call,
                    tool,
                    arguments,
                },
                output,
            );
        }
        self.say(entry, id.as_deref(), step, texts, output, reason)
    }

    /// Hands on the model's text, unless it was seen. Returns the reason for silence.
    fn say<'a>(
        &mut self,
        entry: &Entry<'a>,
        message: Option<&str>,
        step: Option<u64>,
        texts: Texts<'a>,
        output: &mut Output<'_, '_>,
        reason: SkipReason,
    ) -> SkipReason {
        if texts.iter().all(|text| text.trim().is_empty()) {
            return reason;
        }
        let known_by = message.or(entry.time.as_deref());
        if !self.seen.texts(&entry.agent, "assistant", known_by, &texts) {
            return SkipReason::Repeated;
        }
        let first = message.filter(|message| self.seen.first_text(message));
        let id = match first {
            Some(message) => Some(Cow::Owned(message.to_owned())),
            None => entry.id.clone(),
        };
        emit(
            entry,
            step,
            EventKind::Assistant {
                id,
                texts,
                piece: Piece::Last,
            },
            output,
        );
        reason
    }

    fn user<'a>(&mut self, entry: &Entry<'a>, output: &mut Output<'_, '_>) -> SkipReason {
        let content = entry.message.and_then(|message| message.get("content"));
        let Some(content) = content.filter(|content| content.is_str() || content.is_array()) else {
            return SkipReason::Broken;
        };
        let mut reason = SkipReason::NoEvent;
        let mut texts: Texts<'a> = content.as_str().map(Texts::one).unwrap_or_default();
        let mut results = false;
        // An image says something without a text.
        let mut shows = false;
        for block in content.items() {
            if let Some(text) = blocks::text(block) {
                texts.push(text);
                continue;
            }
            let [kind, id, result, is_error] =
                block.fields(["type", "tool_use_id", "content", "is_error"]);
            match kind.and_then(Json::as_str).as_deref() {
                Some("tool_result") => {
                    results = true;
                    if !self.result(entry, id, result, is_error, output) {
                        reason = SkipReason::Repeated;
                    }
                }
                Some(_) => shows = true,
                None => reason = SkipReason::Broken,
            }
        }
        let known_by = entry.time.as_deref();
        if !texts.is_empty() && !self.seen.texts(&entry.agent, "user", known_by, &texts) {
            return SkipReason::Repeated;
        }
        let said = Said::sort(texts, results || entry.injected_by.is_some());
        let human = !said.human.is_empty()
            || (shows && !results && entry.injected_by.is_none() && said.injected.is_empty());
        // What one line holds was handed over together.
        let batch = (human && !said.injected.is_empty())
            .then(|| i64::try_from(entry.line).unwrap_or(i64::MAX));
        if said.clears {
            emit(entry, None, EventKind::Reset, output);
        }
        if !said.injected.is_empty() {
            let source = entry.injected_by.clone().unwrap_or(Cow::Borrowed("system"));
            let kind = EventKind::Message {
                id: entry.id.clone(),
                texts: said.injected,
                source: Some(source),
                form: MessageForm::Context,
                batch,
            };
            emit(entry, None, kind, output);
        }
        if human {
            let kind = EventKind::User {
                id: entry.id.clone(),
                texts: said.human,
                batch,
            };
            emit(entry, None, kind, output);
        }
        reason
    }

    /// Hands on a result, unless it was seen; then it returns `false`.
    fn result<'a>(
        &mut self,
        entry: &Entry<'a>,
        id: Option<Json<'a>>,
        content: Option<Json<'a>>,
        is_error: Option<Json<'a>>,
        output: &mut Output<'_, '_>,
    ) -> bool {
        let id = id.and_then(Json::as_str);
        if id.as_deref().is_some_and(|id| !self.seen.result(id)) {
            return false;
        }
        let texts = blocks::texts(content);
        let failed = is_error.and_then(Json::as_bool).unwrap_or_default();
        let status = phrases::status(failed, texts.first().map_or("", |text| &**text));
        let kind = EventKind::Result {
            call: None,
            id,
            tool: None,
            status,
            texts,
            error: None,
        };
        emit(entry, None, kind, output);
        true
    }
}

fn emit<'a>(
    entry: &Entry<'a>,
    step: Option<u64>,
    kind: EventKind<'a>,
    output: &mut Output<'_, '_>,
) {
    if !output.in_session() {
        output.open_session(entry.session.clone(), entry.at);
    }
    output.emit(entry.event(step, kind));
}
