//! What a session did, as it was recorded.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use loopguard::Arguments;
use loopguard_canonical::canonical_text;
use loopguard_transcript::{Event, EventKind, Status};

use super::loops::Step;

/// A session's calls and results, texts and identities as numbers.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// In order: the first has index 1.
    pub(super) calls: Vec<Call>,
    /// The calls of one agent between two human messages, as places in `calls`.
    pub(super) stretches: Vec<Stretch>,
    open: HashMap<Box<str>, Vec<usize>>,
    identities: Numbers<(Box<str>, String)>,
    texts: Numbers<(String, Option<String>)>,
    pairs: Numbers<Pair>,
    /// The results that each identity has had.
    seen: HashSet<(usize, usize)>,
}

/// A recorded call.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) tool: Box<str>,
    pub(super) line: u64,
    pub(super) result: Option<Outcome>,
    identity: usize,
}

/// How it ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) line: u64,
    pub(super) status: Status,
    /// Whether no earlier result of the same call had this text.
    pub(super) is_new: bool,
    text: usize,
}

/// Calls of one agent between two human messages.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) agent: Box<str>,
    pub(super) calls: Vec<usize>,
}

/// What makes two calls the same to the detector of loops: an unanswered one is like no other.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Pair {
    Answered(usize, Status, usize),
    Unanswered(usize),
}

impl Record {
    pub(super) fn event(&mut self, event: &Event<'_>) {
        let line = event.line.unwrap_or_default();
        match &event.kind {
            EventKind::Call {
                tool, arguments, ..
            } => {
                let canonical = canonical_text(Arguments::Text(arguments));
                if let Some(agent) = event.agent.name() {
                    let open = self.open.entry(agent.into()).or_default();
                    open.push(self.calls.len());
                }
                self.calls.push(Call {
                    tool: (&**tool).into(),
                    line,
                    result: None,
                    identity: self.identities.of(((&**tool).into(), canonical)),
                });
            }
            EventKind::Result {
                call: Some(index),
                status,
                texts,
                error,
                ..
            } => {
                let error = error.as_deref().map(str::to_owned);
                let text = self.texts.of((texts.joined().into_owned(), error));
                if let Some(call) = place(*index).and_then(|at| self.calls.get_mut(at)) {
                    call.result = Some(Outcome {
                        line,
                        status: *status,
                        is_new: self.seen.insert((call.identity, text)),
                        text,
                    });
                }
            }
            EventKind::User { .. } | EventKind::Reset | EventKind::AgentEnd => {
                if let Some(agent) = event.agent.name() {
                    let calls = self.open.remove(agent).unwrap_or_default();
                    self.close(agent.into(), calls);
                }
            }
            EventKind::SessionEnd => self.finish(),
            _ => {}
        }
    }

    /// The session is over.
    pub(super) fn finish(&mut self) {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort();
        for (agent, calls) in open {
            self.close(agent, calls);
        }
    }

    fn close(&mut self, agent: Box<str>, calls: Vec<usize>) {
        if !calls.is_empty() {
            self.stretches.push(Stretch { agent, calls });
        }
    }

    /// A stretch as the detector of loops takes it.
    pub(super) fn steps(&mut self, stretch: &Stretch) -> Vec<Step> {
        let Self { calls, pairs, .. } = self;
        let step = |at: &usize| {
            let call = &calls[*at];
            let pair = match call.result {
                Some(result) => Pair::Answered(call.identity, result.status, result.text),
                None => Pair::Unanswered(*at),
            };
            Step {
                pair: pairs.of(pair),
                failed: call.result.is_some_and(|it| it.status == Status::Error),
            }
        };
        stretch.calls.iter().map(step).collect()
    }

    /// The call of this index.
    pub(super) fn call(&self, index: u64) -> Option<&Call> {
        self.calls.get(place(index)?)
    }
}

/// Where the call of this index stands in a list.
pub(super) fn place(index: u64) -> Option<usize> {
    usize::try_from(index).ok()?.checked_sub(1)
}

/// Numbers things in the order in which they are first seen.
#[derive(Debug)]
struct Numbers<T>(HashMap<T, usize>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + Hash> Numbers<T> {
    fn of(&mut self, thing: T) -> usize {
        let next = self.0.len();
        *self.0.entry(thing).or_insert(next)
    }
}
