//! Events as most hosts need them: of the one agent, with the place and time of their entry.

use std::borrow::Cow;

use crate::event::{Event, EventKind, MessageForm, Piece, SessionOutcome, Status};
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

/// What the events of one entry have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stamp {
    pub(super) line: Option<u64>,
    pub(super) at: Option<i64>,
    pub(super) step: Option<u64>,
}

/// How a call ended.
pub(super) struct Ended<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) tool: Option<Cow<'a, str>>,
    pub(super) status: Status,
    pub(super) texts: Texts<'a>,
    pub(super) error: Option<Cow<'a, str>>,
}

impl Stamp {
    pub(super) fn at_line(line: Option<u64>) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    pub(super) fn at(self, at: Option<i64>) -> Self {
        Self { at, ..self }
    }

    pub(super) fn step(self, step: u64) -> Self {
        let step = Some(step);
        Self { step, ..self }
    }

    pub(super) fn emit(self, kind: EventKind<'_>, output: &mut Output<'_, '_>) {
        output.emit(Event {
            line: self.line,
            at: self.at,
            step: self.step,
            ..Event::new(kind)
        });
    }

    pub(super) fn session(self, id: Option<Cow<'_, str>>, output: &mut Output<'_, '_>) {
        let kind = EventKind::Session {
            id,
            format: Cow::Borrowed(output.format().name()),
            outcome: SessionOutcome::Unknown,
        };
        self.emit(kind, output);
    }

    pub(super) fn user<'a>(
        self,
        id: Option<Cow<'a, str>>,
        texts: Texts<'a>,
        output: &mut Output<'_, '_>,
    ) {
        let batch = None;
        self.emit(EventKind::User { id, texts, batch }, output);
    }

    /// Context that no human wrote.
    pub(super) fn injected<'a>(
        self,
        id: Option<Cow<'a, str>>,
        texts: Texts<'a>,
        source: impl Into<Cow<'a, str>>,
        output: &mut Output<'_, '_>,
    ) {
        self.emit(message(id, texts, source.into(), None), output);
    }

    /// What the host and a human say in one message, if anything; both share the batch.
    pub(super) fn said<'a>(
        self,
        id: Option<Cow<'a, str>>,
        injected: Texts<'a>,
        human: Texts<'a>,
        batch: Option<i64>,
        output: &mut Output<'_, '_>,
    ) {
        let batch = batch.filter(|_| !injected.is_empty() && !human.is_empty());
        if !injected.is_empty() {
            let source = Cow::Borrowed("system");
            self.emit(message(id.clone(), injected, source, batch), output);
        }
        if !human.is_empty() {
            let texts = human;
            self.emit(EventKind::User { id, texts, batch }, output);
        }
    }

    /// The model's own text, if there is any.
    pub(super) fn assistant<'a>(
        self,
        id: Option<Cow<'a, str>>,
        texts: Texts<'a>,
        output: &mut Output<'_, '_>,
    ) {
        if texts.iter().all(|text| text.trim().is_empty()) {
            return;
        }
        let piece = Piece::Last;
        self.emit(EventKind::Assistant { id, texts, piece }, output);
    }

    pub(super) fn call<'a>(
        self,
        id: Option<Cow<'a, str>>,
        tool: Cow<'a, str>,
        arguments: Cow<'a, str>,
        output: &mut Output<'_, '_>,
    ) {
        let kind = EventKind::Call {
            index: 0,
            id,
            tool,
            arguments,
        };
        self.emit(kind, output);
    }

    pub(super) fn result(self, ended: Ended<'_>, output: &mut Output<'_, '_>) {
        let kind = EventKind::Result {
            call: None,
            id: ended.id,
            tool: ended.tool,
            status: ended.status,
            texts: ended.texts,
            error: ended.error,
        };
        self.emit(kind, output);
    }
}

fn message<'a>(
    id: Option<Cow<'a, str>>,
    texts: Texts<'a>,
    source: Cow<'a, str>,
    batch: Option<i64>,
) -> EventKind<'a> {
    EventKind::Message {
        id,
        texts,
        source: Some(source),
        form: MessageForm::Context,
        batch,
    }
}

/// Reads one entry; if it gives no event, it is counted under the reason that comes back.
pub(super) fn entry<'s, 't>(
    output: &mut Output<'s, 't>,
    read: impl FnOnce(&mut Output<'s, 't>) -> SkipReason,
) {
    let before = output.events();
    let reason = read(output);
    if output.events() == before && !output.stopped() {
        output.skip(reason);
    }
}

/// The text of a value that is a string.
pub(super) fn string(value: Option<Json<'_>>) -> Option<Cow<'_, str>> {
    value.and_then(Json::as_str)
}

/// Arguments as the model wrote them: what a string says, and of a value that the host has
/// parsed its raw text.
pub(super) fn arguments(value: Option<Json<'_>>) -> Cow<'_, str> {
    value.map_or(Cow::Borrowed(""), |value| {
        value.as_str().unwrap_or(Cow::Borrowed(value.raw()))
    })
}
