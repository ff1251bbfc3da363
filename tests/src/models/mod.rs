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

use crate::life::{Asked, Call, End, Event, How, Message, TEXTS, TOOLS, What};

/// What a guard should say, told event by event.
pub trait Model {
    /// Why a call must not run, if it must not.
    fn decide(&self, call: Call, exact: bool) -> Option<String>;

    /// What is to be said about what has just happened.
    fn observe(&mut self, told: &Told<'_>) -> Vec<String>;
}

/// What a model is told.
#[derive(Clone, Debug)]
pub enum Told<'a> {
    /// A call is over.
    Ended {
        /// The call.
        call: Call,
        /// Whether its identity is exact.
        exact: bool,
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

/// Plays an agent's life to a model, as [`Host`](crate::host::Host) plays it to a guard.
#[derive(Debug)]
pub struct ModelHost<M> {
    model: M,
    running: Vec<Asked>,
    now: Option<i64>,
}

impl<M: Model> ModelHost<M> {
    /// A host of this model alone.
    pub fn new(model: M) -> Self {
        Self {
            model,
            running: Vec::new(),
            now: None,
        }
    }

    /// Plays a whole life: what is to be said at each event.
    pub fn live(&mut self, life: &[Event]) -> Vec<Vec<String>> {
        life.iter().map(|event| self.play(event)).collect()
    }

    fn play(&mut self, event: &Event) -> Vec<String> {
        // Where no time is told, time stands still. A pardon has none.
        if !matches!(event.what, What::Pardon(_)) && !self.is_idle(event) {
            self.now = event.at.or(self.now);
        }
        match &event.what {
            What::Call(asked, end) => match self.refuse(*asked) {
                None => self.end(*asked, Some(end)),
                Some(said) => said,
            },
            What::Begin(asked) => self.refuse(*asked).unwrap_or_else(|| {
                self.running.push(*asked);
                Vec::new()
            }),
            What::End(which, end) => match self.running.len() {
                0 => Vec::new(),
                running => {
                    let asked = self.running.remove(which % running);
                    self.end(asked, Some(end))
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

    /// The refusal of a call and what is said about it; `None` where it may run.
    fn refuse(&mut self, asked: Asked) -> Option<Vec<String>> {
        let refusal = self.model.decide(asked.call, !asked.inexact)?;
        let mut said = vec![refusal];
        said.extend(self.end(asked, None));
        Some(said)
    }

    fn end(&mut self, asked: Asked, end: Option<&End>) -> Vec<String> {
        let texts = end.map(|end| end.texts.iter().map(|text| TEXTS[*text]).collect());
        self.model.observe(&Told::Ended {
            call: asked.call,
            exact: !asked.inexact,
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
