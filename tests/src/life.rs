//! Random lives of agents: calls, ends, messages and times, from small alphabets, so that
//! much of it repeats.

use proptest::collection::vec;
use proptest::prelude::*;

/// The tools that are called.
pub const TOOLS: [&str; 3] = ["read", "grep", "list"];

/// The arguments that calls have: two spellings of each value, and the canonical one.
pub const ARGUMENTS: [([&str; 2], &str); 3] = [
    (["{}", ""], "{}"),
    (
        [r#"{"a":1,"b":[2]}"#, r#"{ "b": [2.0], "a": 1e0 }"#],
        r#"{"a":1,"b":[2]}"#,
    ),
    (["oops", "\"oops\""], "\"oops\""),
];

/// The texts of results and messages; some differ only in what does not matter, some in little
/// that does, and one is chanted.
pub const TEXTS: [&str; 9] = [
    "one and the same line",
    "\u{feff}one and the same line \r\n\r\n",
    "two lines\nof another text",
    " two lines \t\rof another text",
    "short",
    "",
    "ok",
    "one and the same row",
    "On and on it goes now. On and on it goes now. On and on it goes now. On and on it goes now. \
     On and on it goes now. On and on it goes now. ",
];

/// What failures say.
pub const FAILURES: [&str; 4] = ["", "no such file", "exit 1\nsee the log", "😀😀😀😀"];

/// Where messages come from. The last but one is the id of a guard.
pub const SOURCES: [&str; 5] = [
    "user",
    "assistant",
    "plugin:mail",
    "plugin:dsh-brake",
    "system",
];

/// Which call: places in [`TOOLS`] and [`ARGUMENTS`]. Two calls are the same where both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The tool.
    pub tool: usize,
    /// The arguments.
    pub arguments: usize,
}

impl Call {
    /// The tool's name.
    pub fn tool(self) -> &'static str {
        TOOLS[self.tool]
    }

    /// The arguments as the model wrote them, in one of two ways.
    pub fn spelled(self, way: usize) -> &'static str {
        ARGUMENTS[self.arguments].0[way]
    }

    /// The canonical arguments.
    pub fn canonical(self) -> &'static str {
        ARGUMENTS[self.arguments].1
    }
}

/// One thing that happens to an agent.
#[derive(Clone, Debug)]
pub struct Event {
    /// When, if anybody says so.
    pub at: Option<i64>,
    /// What.
    pub what: What,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum What {
    /// A call, and its end right behind it where it may run.
    Call(Asked, End),
    /// A call that goes on running.
    Begin(Asked),
    /// The end of a call that runs: of this one, counted round those that do.
    End(usize, End),
    /// A batch of messages.
    Messages(Vec<Message>),
    /// The history is compacted.
    Compacted,
    /// The conversation is cleared.
    Reset,
    /// The user allows one call again.
    Pardon(Call),
}

/// A call as it is submitted.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Which call.
    pub call: Call,
    /// How its arguments are spelled.
    pub spelling: usize,
    /// Whether its arguments are parsed already.
    pub parsed: bool,
    /// Whether its digits may have been lost on the way.
    pub inexact: bool,
}

/// How a call ends.
#[derive(Clone, Debug)]
pub struct End {
    /// The outcome.
    pub how: How,
    /// What the model reads: places in [`TEXTS`].
    pub texts: Vec<usize>,
}

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It succeeded.
    Success,
    /// It failed: a place in [`FAILURES`].
    Failure(usize),
    /// The host refused it after all.
    Denied,
    /// It was given up.
    Cancelled,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its id: few of them, so that messages are shown again.
    pub id: Option<usize>,
    /// Where it comes from: a place in [`SOURCES`].
    pub source: usize,
    /// Whether the host calls it a notice.
    pub notice: bool,
    /// Its blocks: places in [`TEXTS`].
    pub texts: Vec<usize>,
}

impl Message {
    /// The name of its source.
    pub fn source(&self) -> &'static str {
        SOURCES[self.source]
    }
}

/// Any life of up to `length` events, at times that advance, stand still, jump, go backwards or
/// are not told.
pub fn lives(length: usize) -> impl Strategy<Value = Vec<Event>> {
    // A short motif that comes again makes loops of several calls likely; one call of two is
    // enough for the others. A steady life is little but that motif, and ends as it ended before.
    let motif = vec((call(), end()), 1..5);
    let is_steady = prop::bool::weighted(0.3);
    let events = vec((what(), tick()), 0..length);
    (motif, is_steady, events).prop_map(|(motif, is_steady, events)| {
        let mut turn = 0;
        let mut now = None;
        let mut life = Vec::new();
        for ((mut what, from_motif), tick) in events {
            let (call, end) = &motif[turn % motif.len()];
            match &mut what {
                What::Call(asked, own) if is_steady => {
                    asked.call = *call;
                    turn += 1;
                    if from_motif {
                        asked.inexact = false;
                        own.clone_from(end);
                    }
                }
                _ if is_steady && from_motif => continue,
                What::Call(asked, _) | What::Begin(asked) if from_motif => {
                    asked.call = *call;
                    turn += 1;
                }
                _ => {}
            }
            life.push(Event {
                at: tick.apply(&mut now),
                what,
            });
        }
        life
    })
}

fn call() -> impl Strategy<Value = Call> {
    (0..TOOLS.len(), 0..ARGUMENTS.len()).prop_map(|(tool, arguments)| Call { tool, arguments })
}

fn asked() -> impl Strategy<Value = Asked> {
    let inexact = prop::bool::weighted(0.05);
    (call(), 0..2usize, any::<bool>(), inexact).prop_map(|(call, spelling, parsed, inexact)| {
        Asked {
            call,
            spelling,
            parsed,
            inexact,
        }
    })
}

fn end() -> impl Strategy<Value = End> {
    let how = prop_oneof![
        8 => Just(How::Success),
        8 => (0..FAILURES.len()).prop_map(How::Failure),
        1 => Just(How::Denied),
        1 => Just(How::Cancelled),
    ];
    (how, texts()).prop_map(|(how, texts)| End { how, texts })
}

fn texts() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        6 => vec(0..TEXTS.len(), 1),
        // More blocks than are kept without an allocation, too.
        2 => vec(0..TEXTS.len(), 0..6),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let source = prop_oneof![1 => Just(0), 12 => 1..SOURCES.len()];
    let id = prop::option::of(0..6usize);
    (id, source, prop::bool::weighted(0.15), texts()).prop_map(|(id, source, notice, texts)| {
        Message {
            id,
            source,
            notice,
            texts,
        }
    })
}

/// What happens, and whether a call is taken from the motif.
fn what() -> impl Strategy<Value = (What, bool)> {
    let what = prop_oneof![
        24 => (asked(), end()).prop_map(|(asked, end)| What::Call(asked, end)),
        4 => asked().prop_map(What::Begin),
        4 => (0..8usize, end()).prop_map(|(which, end)| What::End(which, end)),
        4 => vec(message(), 0..3).prop_map(What::Messages),
        1 => Just(What::Compacted),
        1 => prop_oneof![Just(What::Reset), call().prop_map(What::Pardon)],
    ];
    (what, prop::bool::weighted(0.8))
}

/// How time goes on from one event to the next.
#[derive(Clone, Copy, Debug)]
enum Tick {
    Untold,
    On(i64),
}

impl Tick {
    fn apply(self, now: &mut Option<i64>) -> Option<i64> {
        match self {
            Tick::Untold => None,
            Tick::On(milliseconds) => {
                *now = Some(now.unwrap_or(1_700_000_000_000) + milliseconds);
                *now
            }
        }
    }
}

fn tick() -> impl Strategy<Value = Tick> {
    prop_oneof![
        2 => Just(Tick::Untold),
        3 => Just(Tick::On(0)),
        // Steps that hit the ends of windows and cooldowns exactly.
        12 => (0..8i64).prop_map(|steps| Tick::On(steps * 250)),
        1 => Just(Tick::On(1_000_000)),
        1 => (1..12i64).prop_map(|steps| Tick::On(steps * -250)),
    ]
}
