//! Where readers put events: numbered, paired and counted here, for all formats alike.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::compression::Compression;
use crate::event::{Event, EventKind, SessionOutcome};
use crate::format::Format;
use crate::pairing::Pairing;
use crate::summary::{ReadSummary, SkipReason};

pub(crate) type Sink<'s> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 's;

pub(crate) struct Output<'s, 't> {
    sink: &'s mut Sink<'t>,
    summary: ReadSummary,
    pairing: Pairing,
    calls: u64,
    in_session: bool,
    recognised: bool,
}

impl<'s, 't> Output<'s, 't> {
    pub(crate) fn new(
        sink: &'s mut Sink<'t>,
        format: Format,
        compression: Option<Compression>,
    ) -> Self {
        Self {
            sink,
            summary: ReadSummary::new(format, compression),
            pairing: Pairing::default(),
            calls: 0,
            in_session: false,
            recognised: false,
        }
    }

    /// Hands an event on, after filling in the index of a call or the call of a result. An
    /// event before any session opens one. After the sink has ended the reading, nothing
    /// happens.
    pub(crate) fn emit(&mut self, mut event: Event<'_>) {
        if self.summary.stopped {
            return;
        }
        if !self.in_session && !matches!(event.kind, EventKind::Session { .. }) {
            self.open_session(None, event.at);
            if self.summary.stopped {
                return;
            }
        }
        self.account(&mut event);
        self.recognised = true;
        self.summary.events += 1;
        self.summary.stopped = (self.sink)(event).is_break();
    }

    /// Opens a session that no line of its own announces.
    pub(crate) fn open_session(&mut self, id: Option<Cow<'_, str>>, at: Option<i64>) {
        let format = Cow::Borrowed(self.summary.format.name());
        let kind = EventKind::Session {
            id,
            format,
            outcome: SessionOutcome::Unknown,
        };
        self.emit(Event {
            at,
            ..Event::new(kind)
        });
    }

    fn account(&mut self, event: &mut Event<'_>) {
        match &mut event.kind {
            EventKind::Session { .. } => {
                self.summary.unanswered_calls += self.pairing.clear();
                self.summary.sessions += 1;
                self.calls = 0;
                self.in_session = true;
            }
            EventKind::Call { index, id, .. } => {
                self.calls += 1;
                self.summary.calls += 1;
                *index = self.calls;
                self.pairing.call(&event.agent, id.as_deref(), *index);
            }
            EventKind::Result { call, id, .. } => {
                self.summary.results += 1;
                *call = self.pairing.result(&event.agent, id.as_deref());
                self.summary.unpaired_results += u64::from(call.is_none());
            }
            EventKind::AgentEnd => {
                self.summary.unanswered_calls += self.pairing.end_agent(&event.agent);
            }
            EventKind::SessionEnd => self.summary.unanswered_calls += self.pairing.clear(),
            _ => {}
        }
    }

    pub(crate) fn skip(&mut self, reason: SkipReason) {
        self.summary.skipped.add(reason);
    }

    /// How many calls of the session wait for a result.
    pub(crate) fn unanswered(&self) -> u64 {
        self.pairing.unanswered()
    }

    /// Notes that the input is in this format, though it may hold no event.
    pub(crate) fn recognise(&mut self) {
        self.recognised = true;
    }

    pub(crate) fn recognised(&self) -> bool {
        self.recognised
    }

    /// Opens one where the recording was recognised and nothing in it gave an event: a session
    /// in which nothing happened is one all the same.
    pub(crate) fn open_silent_session(&mut self) {
        if self.recognised && !self.in_session {
            self.open_session(None, None);
        }
    }

    pub(crate) fn in_session(&self) -> bool {
        self.in_session
    }

    pub(crate) fn stopped(&self) -> bool {
        self.summary.stopped
    }

    pub(crate) fn format(&self) -> Format {
        self.summary.format
    }

    pub(crate) fn events(&self) -> u64 {
        self.summary.events
    }

    pub(crate) fn into_summary(mut self, lines: u64) -> ReadSummary {
        self.summary.unanswered_calls += self.pairing.clear();
        self.summary.lines = lines;
        self.summary
    }
}
