//! Messages that were handed over together.

use loopguard::{Form, Incoming, Source};
use loopguard_transcript::{Event, EventKind, MessageForm, Texts};

/// The messages of a batch so far, copied: they are handed over once it is whole.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) agent: Box<str>,
    /// The last message's.
    pub(super) line: Option<u64>,
    /// The last time that a message told.
    pub(super) at: Option<i64>,
    number: i64,
    messages: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    id: Option<String>,
    /// `None`: a person.
    source: Option<Option<String>>,
    form: Form,
    texts: Vec<String>,
}

impl Batch {
    /// The batch that the event's message begins; `None` where it stands by itself.
    pub(super) fn of(event: &Event<'_>, agent: &str) -> Option<Self> {
        let number = number(event)?;
        let owned =
            |texts: &Texts<'_>| -> Vec<String> { texts.iter().map(ToString::to_string).collect() };
        let message = match &event.kind {
            EventKind::User { id, texts, .. } => Kept {
                id: id.as_deref().map(str::to_owned),
                source: None,
                form: Form::Plain,
                texts: owned(texts),
            },
            EventKind::Message {
                id,
                texts,
                source,
                form: kind,
                ..
            } => Kept {
                id: id.as_deref().map(str::to_owned),
                source: Some(source.as_deref().map(str::to_owned)),
                form: form(*kind),
                texts: owned(texts),
            },
            _ => return None,
        };
        Some(Self {
            agent: agent.into(),
            line: event.line,
            at: event.at,
            number,
            messages: vec![message],
        })
    }

    /// Whether the event is one more message of this batch.
    pub(super) fn goes_on_with(&self, event: &Event<'_>) -> bool {
        number(event) == Some(self.number) && event.agent.name() == Some(&self.agent)
    }

    /// The batch with the messages of a later piece of it.
    pub(super) fn and(mut self, later: Self) -> Self {
        self.line = later.line;
        self.at = later.at.or(self.at);
        self.messages.extend(later.messages);
        self
    }

    /// Lends the messages in the form in which guards take them.
    pub(super) fn with_incoming(&self, then: impl FnOnce(&[Incoming<'_>])) {
        let texts: Vec<Vec<&str>> = self
            .messages
            .iter()
            .map(|message| message.texts.iter().map(String::as_str).collect())
            .collect();
        let incoming: Vec<_> = self
            .messages
            .iter()
            .zip(&texts)
            .map(|(message, texts)| {
                let from = match &message.source {
                    None => Source::User,
                    Some(name) => source(name.as_deref()),
                };
                let incoming = Incoming::new(from, texts).form(message.form);
                match &message.id {
                    Some(id) => incoming.id(id),
                    None => incoming,
                }
            })
            .collect();
        then(&incoming);
    }
}

/// Who injected a message, by the name that the event stream has for it.
pub(super) fn source(name: Option<&str>) -> Source<'_> {
    match name {
        // Nothing says who it was.
        None => Source::Other("context"),
        Some(name) => match name.strip_prefix("plugin:") {
            Some(plugin) => Source::Plugin(plugin),
            None => Source::Other(name),
        },
    }
}

pub(super) fn form(form: MessageForm) -> Form {
    match form {
        MessageForm::Notice => Form::Notice,
        _ => Form::Plain,
    }
}

/// The number of the event's batch.
fn number(event: &Event<'_>) -> Option<i64> {
    match event.kind {
        EventKind::User { batch, .. } | EventKind::Message { batch, .. } => batch,
        _ => None,
    }
}
