//! The event stream itself, version 1.
//!
//! It is written by programs that know its rules, so what breaks them is an error with its
//! line and key; unknown keys are ignored and unknown types skipped, so that a later version
//! may add some. `null` is absence, but for the agent of a call or result and for arguments.

use std::borrow::Cow;

use super::Reader;
use super::outline::Outline;
use crate::error::LineProblem;
use crate::event::{AgentRef, Event, EventKind, MessageForm, Piece, SessionOutcome, Status};
use crate::json::{Entries, Json, NotJson};
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

/// The version of the event stream that is read.
const VERSION: u64 = 1;

pub(super) struct Events;

impl Reader for Events {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        let keys = Keys::of(line.strict()?)?;
        let Some(kind) = keys.kind()? else {
            output.skip(SkipReason::UnknownType);
            return Ok(());
        };
        let event = Event {
            line: Some(line.number),
            agent: keys.agent(&kind)?,
            at: whole("at", keys.at)?,
            step: count("step", keys.step)?,
            kind,
        };
        output.emit(event);
        Ok(())
    }
}

pub(super) fn recognises(line: &Outline<'_>) -> bool {
    // What hosts write beside a `type` of the same name.
    if !line.is_whole()
        || line.has_any(&[
            "message",
            "data",
            "payload",
            "timestamp",
            "createdAt",
            "uuid",
            "sessionId",
        ])
    {
        return false;
    }
    match &*line.text("type") {
        "session" => line.has("version") && (line.has("format") || !line.has("cwd")),
        "call" => line.has("tool"),
        "result" => line.has("status"),
        "user" | "message" | "assistant" => line.has_any(&["text", "content"]),
        _ => false,
    }
}

/// The keys of a line that mean something; `null` counts as absent unless noted.
#[derive(Default)]
struct Keys<'a> {
    kind: Option<Json<'a>>,
    /// May be `null`.
    agent: Option<Json<'a>>,
    at: Option<Json<'a>>,
    step: Option<Json<'a>>,
    batch: Option<Json<'a>>,
    id: Option<Json<'a>>,
    part: Option<Json<'a>>,
    text: Option<Json<'a>>,
    content: Option<Json<'a>>,
    source: Option<Json<'a>>,
    form: Option<Json<'a>>,
    tool: Option<Json<'a>>,
    /// May be `null`, which is a value like any other here.
    arguments: Option<Json<'a>>,
    status: Option<Json<'a>>,
    error: Option<Json<'a>>,
    outcome: Option<Json<'a>>,
    version: Option<Json<'a>>,
    format: Option<Json<'a>>,
}

impl<'a> Keys<'a> {
    fn of(text: &'a str) -> Result<Self, LineProblem> {
        let mut keys = Self::default();
        for entry in Entries::new(text) {
            let (key, value) = entry.map_err(problem)?;
            let present = (!value.is_null()).then_some(value);
            match &*key {
                "type" => keys.kind = present,
                "agent" => keys.agent = Some(value),
                "at" => keys.at = present,
                "step" => keys.step = present,
                "batch" => keys.batch = present,
                "id" => keys.id = present,
                "part" => keys.part = present,
                "text" => keys.text = present,
                "content" => keys.content = present,
                "source" => keys.source = present,
                "form" => keys.form = present,
                "tool" => keys.tool = present,
                "arguments" => keys.arguments = Some(value),
                "status" => keys.status = present,
                "error" => keys.error = present,
                "outcome" => keys.outcome = present,
                "version" => keys.version = present,
                "format" => keys.format = present,
                _ => {}
            }
        }
        Ok(keys)
    }

    fn kind(&self) -> Result<Option<EventKind<'a>>, LineProblem> {
        let kind = string("type", self.kind)?;
        let kind = kind.ok_or(LineProblem::MissingKey {
            event: "every event",
            key: "type",
        })?;
        Ok(Some(match &*kind {
            "session" => self.session()?,
            "user" => EventKind::User {
                id: string("id", self.id)?,
                texts: self.texts()?,
                batch: whole("batch", self.batch)?,
            },
            "message" => EventKind::Message {
                id: string("id", self.id)?,
                texts: self.texts()?,
                source: string("source", self.source)?,
                form: self.form()?,
                batch: whole("batch", self.batch)?,
            },
            "assistant" => EventKind::Assistant {
                id: string("id", self.id)?,
                texts: self.texts()?,
                piece: self.piece()?,
            },
            "call" => EventKind::Call {
                index: 0,
                id: string("id", self.id)?,
                tool: string("tool", self.tool)?.ok_or(LineProblem::MissingKey {
                    event: "a call",
                    key: "tool",
                })?,
                arguments: self.arguments(),
            },
            "result" => EventKind::Result {
                call: None,
                id: string("id", self.id)?,
                tool: string("tool", self.tool)?,
                status: self.status()?,
                texts: self.texts()?,
                error: string("error", self.error)?,
            },
            "compaction" => EventKind::Compaction,
            "reset" => EventKind::Reset,
            "end" if self.agent.is_none_or(Json::is_null) => EventKind::SessionEnd,
            "end" => EventKind::AgentEnd,
            _ => return Ok(None),
        }))
    }

    fn session(&self) -> Result<EventKind<'a>, LineProblem> {
        let missing = LineProblem::MissingKey {
            event: "a session",
            key: "version",
        };
        let version = self.version.ok_or(missing)?;
        if version.as_u64() != Some(VERSION) {
            let found = version.raw().chars().take(40).collect();
            return Err(LineProblem::Version {
                found,
                supported: VERSION,
            });
        }
        let outcome = match string("outcome", self.outcome)?.as_deref() {
            Some("success") => SessionOutcome::Success,
            Some("failure") => SessionOutcome::Failure,
            Some("unknown") | None => SessionOutcome::Unknown,
            Some(_) => return Err(wrong("outcome", "`success`, `failure` or `unknown`")),
        };
        Ok(EventKind::Session {
            id: string("id", self.id)?,
            format: string("format", self.format)?.unwrap_or(Cow::Borrowed("events")),
            outcome,
        })
    }

    /// Which agent is meant. `null` means nobody on a call or result, and nothing elsewhere.
    fn agent(&self, kind: &EventKind<'_>) -> Result<AgentRef<'a>, LineProblem> {
        match self.agent {
            Some(agent) if !agent.is_null() => match agent.as_str() {
                Some(name) => Ok(AgentRef::Named(name)),
                None => Err(wrong("agent", "a string or null")),
            },
            Some(_) if matches!(kind, EventKind::Call { .. } | EventKind::Result { .. }) => {
                Ok(AgentRef::Nobody)
            }
            _ => Ok(AgentRef::MAIN),
        }
    }

    /// Raw text: a string stays the literal it is, so that nobody parses its content.
    fn arguments(&self) -> Cow<'a, str> {
        match self.arguments.map(Json::raw) {
            None | Some("\"\"") => Cow::Borrowed(""),
            Some(raw) => Cow::Borrowed(raw),
        }
    }

    fn texts(&self) -> Result<Texts<'a>, LineProblem> {
        if let Some(content) = self.content {
            if !content.is_array() {
                return Err(wrong("content", "a list of strings"));
            }
            let mut texts = Texts::new();
            for text in content.items() {
                texts.push(text.as_str().ok_or(wrong("content", "a list of strings"))?);
            }
            return Ok(texts);
        }
        Ok(string("text", self.text)?
            .map(Texts::one)
            .unwrap_or_default())
    }

    fn status(&self) -> Result<Status, LineProblem> {
        let missing = LineProblem::MissingKey {
            event: "a result",
            key: "status",
        };
        match &*string("status", self.status)?.ok_or(missing)? {
            "ok" => Ok(Status::Ok),
            "error" => Ok(Status::Error),
            "denied" => Ok(Status::Denied),
            "cancelled" => Ok(Status::Cancelled),
            _ => Err(wrong("status", "`ok`, `error`, `denied` or `cancelled`")),
        }
    }

    /// Hosts have forms of their own; only `notice` means something to a guard.
    fn form(&self) -> Result<MessageForm, LineProblem> {
        Ok(match string("form", self.form)?.as_deref() {
            Some("notice") => MessageForm::Notice,
            _ => MessageForm::Context,
        })
    }

    fn piece(&self) -> Result<Piece, LineProblem> {
        match self.part.map(Json::as_bool) {
            None | Some(Some(false)) => Ok(Piece::Last),
            Some(Some(true)) => Ok(Piece::Part),
            Some(None) => Err(wrong("part", "true or false")),
        }
    }
}

fn string<'a>(
    key: &'static str,
    value: Option<Json<'a>>,
) -> Result<Option<Cow<'a, str>>, LineProblem> {
    value
        .map(|value| value.as_str().ok_or(wrong(key, "a string")))
        .transpose()
}

fn whole(key: &'static str, value: Option<Json<'_>>) -> Result<Option<i64>, LineProblem> {
    value
        .map(|value| value.as_i64().ok_or(wrong(key, "a whole number")))
        .transpose()
}

fn count(key: &'static str, value: Option<Json<'_>>) -> Result<Option<u64>, LineProblem> {
    value
        .map(|value| value.as_u64().ok_or(wrong(key, "a whole number from 0 on")))
        .transpose()
}

fn wrong(key: &'static str, expected: &'static str) -> LineProblem {
    LineProblem::WrongValue { key, expected }
}

fn problem(not: NotJson) -> LineProblem {
    if not.other_kind {
        LineProblem::NotAnObject
    } else {
        LineProblem::NotJson {
            offset: not.offset,
            expected: not.reason,
        }
    }
}
