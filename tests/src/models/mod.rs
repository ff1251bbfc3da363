//! A naive model of each guard: whole histories in plain lists, counted anew at every event.
//!
//! Written from what the guards are meant to do, not from how they do it. A model says each
//! notice and denial as one line of text; [`line_of_notice`] and [`line_of_denial`] say what
//! the real guards answer in the same way.

mod brake;
mod breaker;
mod reminder;

pub use brake::{BrakeModel, BrakeRules};
pub use breaker::{BreakerModel, BreakerRules};
use loopguard::{Denial, Notice};
use proptest::prelude::*;
pub use reminder::{ReminderModel, ReminderRules};

use crate::host::step_of;
use crate::life::{Asked, Call, End, Event, How, Message, TEXTS, TOOLS, What};

/// What a guard should say, told event by event.
pub trait Model {
    /// Why a call must not run, if it must not.
    fn decide(&self, call: &Submitted) -> Option<String>;

    /// What is to be said about what has just happened.
    fn observe(&mut self, told: &Told<'_>) -> Vec<String>;
}

/// A call as it is submitted.
#[derive(Clone, Copy, Debug)]
pub struct Submitted {
    /// The call.
    pub call: Call,
    /// Whether its identity is exact.
    pub exact: bool,
    /// When.
    pub at: Option<i64>,
    /// The step that issued it.
    pub step: Option<u64>,
    /// Its place among all calls.
    pub number: u64,
    /// Whether it is refused.
    pub refused: bool,
}

/// What a model is told.
#[derive(Clone, Debug)]
pub enum Told<'a> {
    /// A call begins to run, or is refused.
    Submitted(Submitted),
    /// A call is over.
    Ended {
        /// The call.
        call: Submitted,
        /// How it ended; `None`: it was refused.
        how: Option<How>,
        /// What the model read.
        texts: Vec<&'static str>,
        /// When.
        at: Option<i64>,
    },
    /// Messages came, none of them from a person.
    Messages(&'a [Message], Option<i64>),
    /// A person spoke, or the conversation was cleared.
    StartedOver,
    /// The user allows a call again.
    Pardoned(Call),
}

/// A call, with its result where that belongs to what is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key(Call, Option<Vec<String>>);

fn key_of(call: Call, texts: &[&str]) -> Key {
    Key(
        call,
        Some(texts.iter().map(|text| normalised(text)).collect()),
    )
}

/// What a result says about progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Empty,
    Acknowledgement,
    Substance,
}

fn weigh(texts: &[&str]) -> Weight {
    let weigh = |text: &&str| match *text {
        "" => Weight::Empty,
        "ok" => Weight::Acknowledgement,
        _ => Weight::Substance,
    };
    texts.iter().map(weigh).max().unwrap_or(Weight::Empty)
}

/// When the agent did something last.
#[derive(Debug, Default)]
struct Quiet {
    last: Option<i64>,
}

impl Quiet {
    /// Whether a call at this time comes after a pause longer than the gap.
    fn is_over(&self, now: Option<i64>, gap: Option<i64>) -> bool {
        gap.is_some_and(|gap| passed(self.last, now) > gap)
    }

    fn note(&mut self, told: &Told<'_>) {
        let at = match told {
            Told::Submitted(call) => call.at,
            Told::Ended { at, .. } => *at,
            Told::Messages(batch, at) if batch.iter().any(|it| it.source() == "assistant") => *at,
            _ => None,
        };
        self.last = at.or(self.last);
    }
}

/// The time from one moment to another; none passes where one is not known.
fn passed(then: Option<i64>, now: Option<i64>) -> i64 {
    match (then, now) {
        (Some(then), Some(now)) => (now - then).max(0),
        _ => 0,
    }
}

/// Plays an agent's life to a model, as [`Host`](crate::host::Host) plays it to a guard.
#[derive(Debug)]
pub struct ModelHost<M> {
    model: M,
    running: Vec<Submitted>,
    now: Option<i64>,
    /// How many events have been played, and how many calls there were.
    played: u64,
    calls: u64,
}

impl<M: Model> ModelHost<M> {
    /// A host of this model alone.
    pub fn new(model: M) -> Self {
        Self {
            model,
            running: Vec::new(),
            now: None,
            played: 0,
            calls: 0,
        }
    }

    /// Plays a whole life: what is to be said at each event.
    pub fn live(&mut self, life: &[Event]) -> Vec<Vec<String>> {
        life.iter().map(|event| self.play(event)).collect()
    }

    fn play(&mut self, event: &Event) -> Vec<String> {
        self.played += 1;
        // Where no time is told, time stands still. A pardon has none.
        if !matches!(event.what, What::Pardon(_)) && !self.is_idle(event) {
            self.now = event.at.or(self.now);
        }
        match &event.what {
            What::Call(asked, end) => match self.submit(*asked) {
                Ok(call) => self.end(call, Some(end)),
                Err(said) => said,
            },
            What::Begin(asked) => match self.submit(*asked) {
                Ok(call) => {
                    self.running.push(call);
                    Vec::new()
                }
                Err(said) => said,
            },
            What::End(which, end) => match self.running.len() {
                0 => Vec::new(),
                running => {
                    let call = self.running.remove(which % running);
                    self.end(call, Some(end))
                }
            },
            What::Messages(batch) => {
                let human = batch.iter().any(|message| message.source() == "user");
                let told = match human {
                    true => Told::StartedOver,
                    false => Told::Messages(batch, self.now),
                };
                self.model.observe(&told)
            }
            What::Compacted => Vec::new(),
            What::Reset => self.model.observe(&Told::StartedOver),
            What::Pardon(call) => self.model.observe(&Told::Pardoned(*call)),
        }
    }

    /// Whether the event is the end of a call although none runs: nothing happens then.
    fn is_idle(&self, event: &Event) -> bool {
        matches!(event.what, What::End(..)) && self.running.is_empty()
    }

    /// A call that runs, or its refusal and what is said about it.
    fn submit(&mut self, asked: Asked) -> Result<Submitted, Vec<String>> {
        self.calls += 1;
        let mut call = Submitted {
            call: asked.call,
            exact: !asked.inexact,
            at: self.now,
            step: step_of(self.played),
            number: self.calls,
            refused: false,
        };
        let refusal = self.model.decide(&call);
        call.refused = refusal.is_some();
        let mut said: Vec<_> = refusal.into_iter().collect();
        said.extend(self.model.observe(&Told::Submitted(call)));
        if !call.refused {
            return Ok(call);
        }
        said.extend(self.end(call, None));
        Err(said)
    }

    fn end(&mut self, call: Submitted, end: Option<&End>) -> Vec<String> {
        let ran = end.filter(|end| matches!(end.how, How::Success | How::Failure(_)));
        let texts = ran.map(|end| end.texts.iter().map(|text| TEXTS[*text]).collect());
        self.model.observe(&Told::Ended {
            call,
            how: end.map(|end| end.how),
            texts: texts.unwrap_or_default(),
            at: self.now,
        })
    }
}

/// A notice as one line: its code, its summary and the names it lists.
pub fn line_of_notice(notice: &Notice) -> String {
    let facts = &notice.facts;
    let names = [facts.tools.join(","), facts.sources.join(",")].concat();
    line(&notice.code, &notice.summary, &names)
}

/// A denial as one line: its code, its count and its reason where that is given to the letter.
pub fn line_of_denial(denial: &Denial) -> String {
    let reason = match denial.code.as_str() {
        "circuit-open" => denial.reason.as_str(),
        _ => "",
    };
    line(&denial.code, &denial.facts.count.to_string(), reason)
}

fn line(code: &str, summary: &str, names: &str) -> String {
    format!("{code} | {summary} | {names}")
}

/// No tool, or one, to be left out.
fn some_tool() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        3 => Just(Vec::new()),
        1 => (0..TOOLS.len()).prop_map(|tool| vec![tool]),
    ]
}

fn names(tools: &[usize]) -> Vec<&'static str> {
    tools.iter().map(|tool| TOOLS[*tool]).collect()
}

/// A text without what does not matter.
fn normalised(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<_> = lines.split('\n').collect();
    let last = lines.len() - 1;
    for line in &mut lines[..last] {
        *line = line.trim_end_matches([' ', '\t']);
    }
    let outer = |c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}');
    lines.join("\n").trim_matches(outer).to_owned()
}
