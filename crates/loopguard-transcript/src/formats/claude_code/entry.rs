//! One line of a session file.

use std::borrow::Cow;

use crate::event::{AgentRef, Event, EventKind};
use crate::json::{self, Json};
use crate::time::parse_iso;

/// The keys of a line that are looked at.
pub(super) struct Entry<'a> {
    pub(super) line: u64,
    pub(super) kind: Cow<'a, str>,
    pub(super) subtype: Option<Json<'a>>,
    pub(super) message: Option<Json<'a>>,
    pub(super) data: Option<Json<'a>>,
    pub(super) agent: AgentRef<'a>,
    pub(super) session: Option<Cow<'a, str>>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) time: Option<Cow<'a, str>>,
    pub(super) at: Option<i64>,
    /// Who speaks in a `user` line, if it is not the user.
    pub(super) injected_by: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    pub(super) fn of(line: u64, text: &'a str) -> Option<Self> {
        let [
            kind,
            subtype,
            message,
            data,
            sidechain,
            agent,
            session,
            id,
            time,
            meta,
            summary,
            origin,
        ] = json::fields(
            text,
            [
                "type",
                "subtype",
                "message",
                "data",
                "isSidechain",
                "agentId",
                "sessionId",
                "uuid",
                "timestamp",
                "isMeta",
                "isCompactSummary",
                "origin",
            ],
        )
        .ok()?;
        let is = |flag: Option<Json<'_>>| flag.and_then(Json::as_bool).unwrap_or_default();
        let string = |value: Option<Json<'a>>| value.and_then(Json::as_str);
        let time = string(time);
        let agent = match string(agent) {
            Some(agent) if is(sidechain) => AgentRef::Named(agent),
            None if is(sidechain) => AgentRef::Named(Cow::Borrowed("sidechain")),
            _ => AgentRef::MAIN,
        };
        let origin = origin
            .and_then(|origin| origin.get("kind"))
            .and_then(Json::as_str);
        let injected_by = match origin {
            Some(origin) if origin != "human" => Some(origin),
            _ if is(meta) || is(summary) => Some(Cow::Borrowed("system")),
            _ if is(sidechain) => Some(Cow::Borrowed("agent")),
            _ => None,
        };
        Some(Self {
            line,
            kind: string(kind).unwrap_or_default(),
            subtype,
            message: message.filter(|message| message.is_object()),
            data,
            agent,
            session: string(session),
            id: string(id),
            at: time.as_deref().and_then(parse_iso),
            time,
            injected_by,
        })
    }

    pub(super) fn event(&self, step: Option<u64>, kind: EventKind<'a>) -> Event<'a> {
        Event {
            line: Some(self.line),
            agent: self.agent.clone(),
            at: self.at,
            step,
            kind,
        }
    }
}
