//! One event of a session, borrowed from the line it was read from.

use std::borrow::Cow;

use crate::texts::Texts;

/// Something that happened in a session.
///
/// Strings borrow from the reader's line buffer where the line holds them as they are, and
/// are owned where an escape had to be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The line it stands on, counted from 1; `None` where the format has no lines and for a
    /// session that no line of its own announces.
    pub line: Option<u64>,
    /// The agent it concerns.
    pub agent: AgentRef<'a>,
    /// Milliseconds since the Unix epoch; `None` is unknown.
    pub at: Option<i64>,
    /// The model step that issued it. Within one agent a number never comes again for another
    /// step, and calls with the same agent and step were issued together.
    pub step: Option<u64>,
    /// What happened.
    pub kind: EventKind<'a>,
}

impl<'a> Event<'a> {
    /// An event of the agent `main`, without line, time and step.
    #[must_use]
    pub const fn new(kind: EventKind<'a>) -> Self {
        Self {
            line: None,
            agent: AgentRef::MAIN,
            at: None,
            step: None,
            kind,
        }
    }
}

/// The agent that an event concerns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AgentRef<'a> {
    /// The agent of this name.
    Named(Cow<'a, str>),
    /// No agent: a call that a person or a program made, or the result of one.
    Nobody,
}

impl AgentRef<'_> {
    /// The agent of a session that names none.
    pub const MAIN: AgentRef<'static> = AgentRef::Named(Cow::Borrowed("main"));

    /// The name, if an agent is meant.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Nobody => None,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// A session begins: the first event of every stream, and the first of each further
    /// session in it. Call indices start again and calls left open are forgotten.
    Session {
        /// Its id, where the recording has one.
        id: Option<Cow<'a, str>>,
        /// The name of the format it was recorded in, as the recording states it; the name of
        /// the format it was read as where it states none.
        format: Cow<'a, str>,
        /// How the task ended, for evaluation only.
        outcome: SessionOutcome,
    },
    /// A human message.
    User {
        /// Its own id, so that a message shown twice is not counted twice.
        id: Option<Cow<'a, str>>,
        /// Its text blocks; empty for one that carries only images, say.
        texts: Texts<'a>,
        /// Messages of one agent with the same number were handed over together.
        batch: Option<i64>,
    },
    /// Injected context: a message that no human wrote.
    Message {
        /// Its own id, so that a message shown twice is not counted twice.
        id: Option<Cow<'a, str>>,
        /// Its text blocks.
        texts: Texts<'a>,
        /// Who injected it: `plugin:NAME`, `tool`, `system`, …
        source: Option<Cow<'a, str>>,
        /// Whether it is a guard's or another plugin's notice.
        form: MessageForm,
        /// Messages of one agent with the same number were handed over together.
        batch: Option<i64>,
    },
    /// The model's own text.
    Assistant {
        /// The message's id.
        id: Option<Cow<'a, str>>,
        /// Its text blocks, without reasoning.
        texts: Texts<'a>,
        /// Whether more of the same message follows.
        piece: Piece,
    },
    /// A tool call begins.
    Call {
        /// Counts the session's calls from 1, over all agents.
        index: u64,
        /// The id that pairs its result with it. Ids may recur.
        id: Option<Cow<'a, str>>,
        /// The tool's name.
        tool: Cow<'a, str>,
        /// The arguments as raw text, maybe not JSON; the empty text stands for `{}`.
        arguments: Cow<'a, str>,
    },
    /// A tool call has ended.
    Result {
        /// The index of the call it answers: the oldest unanswered one of its agent with its
        /// id. `None` where there is none.
        call: Option<u64>,
        /// The id as recorded.
        id: Option<Cow<'a, str>>,
        /// The tool's name where the result repeats it.
        tool: Option<Cow<'a, str>>,
        /// How it ended.
        status: Status,
        /// The text blocks that the model reads.
        texts: Texts<'a>,
        /// The failure's message where the host gives one apart from the text.
        error: Option<Cow<'a, str>>,
    },
    /// The history was compacted.
    Compaction,
    /// The host cleared the conversation: as if a human message had come.
    Reset,
    /// The agent is gone; its name, seen again, is a new agent.
    AgentEnd,
    /// The session is over, and with it every agent.
    SessionEnd,
}

/// How a session's task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SessionOutcome {
    /// The task was done.
    Success,
    /// It was not.
    Failure,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It succeeded.
    Ok,
    /// It failed.
    Error,
    /// It was refused and never ran.
    Denied,
    /// It was cut off before it ended.
    Cancelled,
}

/// The form of an injected message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MessageForm {
    /// Plain context.
    #[default]
    Context,
    /// A notice of a guard or another plugin.
    Notice,
}

/// Whether an assistant text is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Piece {
    /// The whole message, or the last piece of one.
    #[default]
    Last,
    /// One piece of a message that is still streaming; the pieces of one id are joined.
    Part,
}
