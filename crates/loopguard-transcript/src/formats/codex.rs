//! Sessions of Codex: rollouts (`rollout-*.jsonl`), and what `codex exec --json` writes.
//!
//! Rollouts:
//!
//! - Only `response_item` lines are read; `event_msg` lines repeat them. A second
//!   `session_meta` stands in a forked session before its copied history and opens nothing.
//! - Arguments are what the string holds, as the model wrote it. A local shell call's are the
//!   raw text of its `action`. Searches that the provider runs are no calls of the agent.
//! - What the host writes in the user's name (`<environment_context>`, instructions, notes on
//!   an interruption) and messages of the roles `developer` and `system` are injected.
//! - What the model says without a result or a message in between is one step: it cannot go on
//!   before it has read the results.
//! - There is no flag for a failure; how one is recognised stands in `outcome`.
//! - Calls of an aborted turn stay unanswered.
//!
//! The stream of `exec` holds no prompts, times and steps; see `exec`.

mod exec;
mod outcome;
mod phrases;

use std::borrow::Cow;

use super::Reader;
use super::outline::Outline;
use super::stamp::{Ended, Stamp, arguments, entry, string};
use crate::error::LineProblem;
use crate::event::EventKind;
use crate::json::{self, Json};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;
use crate::time::parse_iso;

use exec::Exec;

#[derive(Default)]
pub(super) struct Codex {
    announced: bool,
    step: u64,
    /// Whether the model has spoken last.
    speaking: bool,
    exec: Exec,
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    let kind = line.text("type");
    match &*kind {
        "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted" => {
            line.begins("payload")
        }
        "thread.started" => line.has("thread_id"),
        "item.started" | "item.updated" | "item.completed" => line.begins("item"),
        "turn.completed" => line.has("usage"),
        _ => false,
    }
}

impl Reader for Codex {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let text = line.lossy();
        entry(output, |output| self.entry(line.number, &text, output));
        Ok(())
    }

    fn finish(&mut self, output: &mut Output<'_, '_>) {
        output.open_silent_session();
    }
}

impl Codex {
    /// Returns why the line gave no event, for the case that it gave none.
    fn entry(&mut self, line: u64, text: &str, output: &mut Output<'_, '_>) -> SkipReason {
        let keys = ["type", "timestamp", "payload", "item", "thread_id"];
        let Ok([kind, time, payload, item, thread]) = json::fields(text, keys) else {
            return SkipReason::Broken;
        };
        let at = string(time).as_deref().and_then(parse_iso);
        let stamp = Stamp::at_line(Some(line)).at(at);
        let kind = string(kind);
        let payload = payload.filter(|payload| payload.is_object());
        match (kind.as_deref(), payload) {
            (Some("session_meta"), Some(payload)) => {
                output.recognise();
                if std::mem::replace(&mut self.announced, true) {
                    return SkipReason::Repeated;
                }
                stamp.session(string(payload.get("id")), output);
                SkipReason::NoEvent
            }
            (Some("response_item"), Some(payload)) => self.item(stamp, payload, output),
            (Some("event_msg"), Some(_)) => {
                output.recognise();
                SkipReason::Repeated
            }
            (Some("turn_context" | "world_state"), Some(_)) => {
                output.recognise();
                SkipReason::NoEvent
            }
            (Some("compacted"), Some(_)) => {
                self.speaking = false;
                stamp.emit(EventKind::Compaction, output);
                SkipReason::NoEvent
            }
            (Some(kind), None) if kind.starts_with("item.") => match item {
                Some(item) => self.exec.item(stamp, kind, item, output),
                None => SkipReason::Broken,
            },
            (Some("thread.started"), None) => {
                stamp.session(string(thread), output);
                SkipReason::NoEvent
            }
            (Some("turn.started" | "turn.completed" | "turn.failed" | "error"), None) => {
                SkipReason::NoEvent
            }
            (Some("session_meta" | "response_item" | "compacted"), None) | (None, _) => {
                SkipReason::Broken
            }
            (Some(_), _) => SkipReason::UnknownType,
        }
    }

    fn item(&mut self, stamp: Stamp, item: Json<'_>, output: &mut Output<'_, '_>) -> SkipReason {
        let keys = [
            "type",
            "role",
            "content",
            "call_id",
            "name",
            "arguments",
            "input",
            "output",
        ];
        let [kind, role, content, id, name, written, input, answer] = item.fields(keys);
        match string(kind).as_deref() {
            Some("message") => {
                let texts = texts(content);
                match string(role).as_deref() {
                    Some("assistant") => self.spoken(stamp).assistant(None, texts, output),
                    Some("user") => {
                        self.speaking = false;
                        user(stamp, texts, output);
                    }
                    Some(_) => {
                        self.speaking = false;
                        stamp.injected(None, texts, "system", output);
                    }
                    None => return SkipReason::Broken,
                }
            }
            Some("reasoning") => {
                output.recognise();
                self.spoken(stamp);
            }
            Some("function_call" | "custom_tool_call") => {
                let Some(name) = string(name) else {
                    return SkipReason::Broken;
                };
                let written = arguments(written.or(input));
                self.spoken(stamp).call(string(id), name, written, output);
            }
            Some("local_shell_call") => {
                let [action, own_id] = item.fields(["action", "id"]);
                let id = string(id).or_else(|| string(own_id));
                let written = Cow::Borrowed(action.map_or("", Json::raw));
                let name = Cow::Borrowed("local_shell");
                self.spoken(stamp).call(id, name, written, output);
            }
            Some(
                "function_call_output" | "custom_tool_call_output" | "local_shell_call_output",
            ) => {
                let Some(answer) = answer else {
                    return SkipReason::Broken;
                };
                let step = (self.step > 0).then_some(self.step);
                self.speaking = false;
                let outcome = outcome::of(answer);
                let ended = Ended {
                    id: string(id),
                    tool: None,
                    status: outcome.status,
                    texts: outcome.texts,
                    error: outcome.error,
                };
                Stamp { step, ..stamp }.result(ended, output);
            }
            Some("web_search_call" | "image_generation_call" | "ghost_snapshot" | "compaction") => {
                output.recognise();
            }
            Some(_) => return SkipReason::UnknownType,
            None => return SkipReason::Broken,
        }
        SkipReason::NoEvent
    }

    /// The model speaks: a new step, unless it spoke before.
    fn spoken(&mut self, stamp: Stamp) -> Stamp {
        if !std::mem::replace(&mut self.speaking, true) {
            self.step += 1;
        }
        stamp.step(self.step)
    }
}

/// What stands in the user's name, by who wrote it; both were handed over together.
fn user<'a>(stamp: Stamp, texts: Texts<'a>, output: &mut Output<'_, '_>) {
    let (mut injected, mut human) = (Texts::new(), Texts::new());
    let nothing = texts.is_empty();
    for text in texts {
        if phrases::is_injected(&text) {
            injected.push(text);
        } else {
            human.push(text);
        }
    }
    if nothing {
        // An image says something without a text.
        return stamp.user(None, human, output);
    }
    let batch = stamp.line.and_then(|line| i64::try_from(line).ok());
    stamp.said(None, injected, human, batch, output);
}

/// The texts of a content, whichever side wrote them.
fn texts(content: Option<Json<'_>>) -> Texts<'_> {
    let Some(content) = content else {
        return Texts::new();
    };
    match content.as_str() {
        Some(text) => Texts::one(text),
        None => content
            .items()
            .filter_map(|block| string(block.get("text")))
            .collect(),
    }
}
