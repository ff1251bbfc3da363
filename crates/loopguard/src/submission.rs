//! What a host hands in: a call before it runs, how it ended, messages.

use loopguard_core::{Arguments, CallNumber, Form, Source, Timestamp};

/// A call that a host is about to run.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    pub(crate) tool: &'a str,
    pub(crate) arguments: Arguments<'a>,
    pub(crate) id: Option<&'a str>,
    pub(crate) at: Option<Timestamp>,
    pub(crate) step: Option<u64>,
    pub(crate) inexact: bool,
}

impl<'a> Submission<'a> {
    /// A call of `tool` with these arguments: a parsed value, or the text as the model wrote it.
    pub fn new(tool: &'a str, arguments: impl Into<Arguments<'a>>) -> Self {
        Self {
            tool,
            arguments: arguments.into(),
            id: None,
            at: None,
            step: None,
            inexact: false,
        }
    }

    /// The host's id of the call, by which it can be finished. Ids may recur.
    #[must_use]
    pub fn id(mut self, id: &'a str) -> Self {
        self.id = Some(id);
        self
    }

    /// When the call is submitted, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn at(mut self, milliseconds: i64) -> Self {
        self.at = Some(Timestamp::from_millis(milliseconds));
        self
    }

    /// The model step that issued the call: calls of one step were issued together. A number
    /// that never comes again for another step of the same agent.
    #[must_use]
    pub fn step(mut self, step: u64) -> Self {
        self.step = Some(step);
        self
    }

    /// Says that the arguments have lost digits on their way here, as integers beyond 2^53 do
    /// in JavaScript: the call may be advised about, and is never refused.
    #[must_use]
    pub fn inexact(mut self) -> Self {
        self.inexact = true;
        self
    }
}

/// Which call: by the number that [`Answer::Admitted`](crate::Answer) gave it, or by the
/// host's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallRef<'a> {
    /// The call of this number.
    Number(CallNumber),
    /// The oldest unfinished call of this id.
    Id(&'a str),
}

impl From<CallNumber> for CallRef<'_> {
    fn from(number: CallNumber) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for CallRef<'a> {
    fn from(id: &'a str) -> Self {
        Self::Id(id)
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    pub(crate) kind: EndingKind<'a>,
    pub(crate) texts: &'a [&'a str],
    pub(crate) arguments: Option<Arguments<'a>>,
    pub(crate) at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum EndingKind<'a> {
    Success,
    Failure(&'a str),
    Denied,
    Cancelled,
}

impl<'a> Ending<'a> {
    /// The tool ran and reported no failure; `texts` are the blocks that the model reads.
    pub fn success(texts: &'a [&'a str]) -> Self {
        Self {
            kind: EndingKind::Success,
            texts,
            arguments: None,
            at: None,
        }
    }

    /// The tool failed, with this message; `texts` are the blocks that the model reads.
    pub fn failure(message: &'a str, texts: &'a [&'a str]) -> Self {
        Self {
            kind: EndingKind::Failure(message),
            texts,
            arguments: None,
            at: None,
        }
    }

    /// The host refused the call after the guards had admitted it.
    pub fn denied() -> Self {
        Self {
            kind: EndingKind::Denied,
            texts: &[],
            arguments: None,
            at: None,
        }
    }

    /// The call was given up before it ended.
    pub fn cancelled() -> Self {
        Self {
            kind: EndingKind::Cancelled,
            texts: &[],
            arguments: None,
            at: None,
        }
    }

    /// The call's arguments, where the host still has them: a notice can then quote them.
    #[must_use]
    pub fn arguments(mut self, arguments: impl Into<Arguments<'a>>) -> Self {
        self.arguments = Some(arguments.into());
        self
    }

    /// When the call ended, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn at(mut self, milliseconds: i64) -> Self {
        self.at = Some(Timestamp::from_millis(milliseconds));
        self
    }
}

/// A message that a host hands to an agent's next step.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) source: Source<'a>,
    pub(crate) form: Form,
    pub(crate) texts: &'a [&'a str],
}

impl<'a> Incoming<'a> {
    /// A message of these text blocks.
    pub fn new(source: Source<'a>, texts: &'a [&'a str]) -> Self {
        Self {
            id: None,
            source,
            form: Form::Plain,
            texts,
        }
    }

    /// A message that a person wrote.
    pub fn user(texts: &'a [&'a str]) -> Self {
        Self::new(Source::User, texts)
    }

    /// A message that a plugin of the host injected.
    pub fn plugin(name: &'a str, texts: &'a [&'a str]) -> Self {
        Self::new(Source::Plugin(name), texts)
    }

    /// The message's own id, so that it is looked at once however often it is shown.
    #[must_use]
    pub fn id(mut self, id: &'a str) -> Self {
        self.id = Some(id);
        self
    }

    /// What the message is: a notice is never looked at as text.
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }
}
