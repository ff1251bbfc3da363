//! An agent that calls and calls and never does anything that a guard would speak about.

use std::hint::black_box;
use std::sync::Arc;

use loopguard::core::Fingerprint;
use loopguard::{
    Answer, Arguments, Ending, GuardSet, Identity, Seed, Sessions, Setup, Submission, Timestamp,
};
use loopguard_bench::{Varied, VariedValue, inputs};
use tool_loop_guard::LoopGuard;

/// How many characters a result has: the mean of recorded sessions.
pub(crate) const USUAL_RESULT: usize = 1_600;

/// How many a short one has: too few to be looked for as a duplicate.
pub(crate) const SHORT_RESULT: usize = 40;

/// The tool of all calls that are made up.
const TOOL: &str = "read_file";

/// Milliseconds from one call to the next.
const PACE: i64 = 1_000;

/// What asks the guards.
#[derive(Debug)]
pub(crate) enum Host {
    /// One set, calls by their numbers.
    Set(Box<GuardSet>),
    /// A session, agents and calls by their names.
    Sessions(Sessions),
}

impl Host {
    pub(crate) fn set(setup: Arc<Setup>) -> Self {
        Self::Set(Box::new(GuardSet::new(setup, "main", Seed::FIXED)))
    }

    pub(crate) fn sessions(setup: Arc<Setup>) -> Self {
        Self::Sessions(Sessions::new(setup, Seed::FIXED))
    }

    /// One call from its submission to its end; how many notices or denials it gave rise to.
    pub(crate) fn call(
        &mut self,
        (tool, arguments): (&str, Arguments<'_>),
        ending: &Ending<'_>,
        at: i64,
    ) -> usize {
        let submission = Submission::new(tool, arguments).at(at);
        match self {
            Self::Set(set) => match set.submit(&submission) {
                Answer::Admitted(call) => {
                    set.finish(call, ending);
                    set.take_notices().len()
                }
                _ => 1,
            },
            Self::Sessions(sessions) => {
                const ID: &str = "toolu_01A09q90qw90lq917835lq9";
                match sessions.submit("main", &submission.id(ID)) {
                    Answer::Admitted(_) => sessions.finish("main", ID, ending).len(),
                    _ => 1,
                }
            }
        }
    }

    /// A person spoke.
    pub(crate) fn start_over(&mut self, at: i64) {
        match self {
            Self::Set(set) => set.reset(Some(Timestamp::from_millis(at))),
            Self::Sessions(sessions) => {
                sessions.reset("main", Some(Timestamp::from_millis(at)));
            }
        }
    }
}

/// The arguments of an agent's calls.
#[derive(Clone, Debug)]
pub(crate) enum Calls {
    /// Never the same twice, as raw text.
    Distinct(Varied),
    /// Never the same twice, as a value.
    DistinctValue(VariedValue),
    /// Some hundred different ones that come again and again, each time in another order.
    Warm(Varied),
}

/// How many different calls come again, and how often before a person speaks: below the count
/// at which a guard speaks where results do not count.
const WARM: (u32, u32) = (256, 5);

impl Calls {
    fn next(&mut self, call: u32) -> Arguments<'_> {
        match self {
            Self::Distinct(text) => Arguments::Text(text.next_text()),
            Self::DistinctValue(value) => Arguments::Value(value.next_value()),
            Self::Warm(text) => {
                let (different, times) = WARM;
                let (round, place) = (call / different % times, call % different);
                // Another stride each round, so that no order comes again.
                let which = place.wrapping_mul(2 * round + 1) % different;
                Arguments::Text(text.set(which))
            }
        }
    }

    fn begins_anew(&self, call: u32) -> bool {
        matches!(self, Self::Warm(_)) && call.is_multiple_of(WARM.0 * WARM.1)
    }
}

/// The calls of an agent and their results, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    calls: Calls,
    result: Varied,
    number: u32,
}

impl Work {
    pub(crate) fn new(calls: Calls, result_characters: usize) -> Self {
        Self {
            calls,
            result: Varied::new(inputs::result(result_characters)),
            number: 0,
        }
    }

    /// The identity of the next call: a part of the work that no guard has a hand in.
    pub(crate) fn identity(&mut self) -> Identity {
        self.number += 1;
        Identity::of(Seed::FIXED, TOOL, self.calls.next(self.number))
    }

    /// The next call, as another project's detector sees it: without its result.
    pub(crate) fn by_peer(&mut self, peer: &mut Peer) {
        self.number += 1;
        peer.call(TOOL, self.calls.next(self.number));
    }

    /// The fingerprint of the next result: the other part.
    pub(crate) fn result(&mut self) -> Fingerprint {
        Fingerprint::of_text(Seed::FIXED, self.result.next_text())
    }
}

/// `tool-loop-guard`: the same call thrice among the last twenty, and nothing else. It takes
/// values, so raw text is parsed for it.
#[derive(Debug)]
pub(crate) struct Peer(LoopGuard);

impl Peer {
    pub(crate) fn new() -> Self {
        Self(LoopGuard::with_capacity(20, 3))
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Arguments<'_>) {
        let parsed;
        let value = match arguments {
            Arguments::Value(value) => value,
            Arguments::Text(text) => {
                parsed = serde_json::from_str(text).unwrap_or_default();
                &parsed
            }
            _ => return,
        };
        let found = self.0.record(tool, value);
        let _ = black_box(found);
    }
}

/// An agent at work.
#[derive(Debug)]
pub(crate) struct Agent {
    host: Host,
    work: Work,
    /// How many notices and denials there were.
    said: usize,
}

impl Agent {
    /// An agent whose guards have seen enough to have every table at its size.
    pub(crate) fn warm(host: Host, work: Work) -> Self {
        let said = 0;
        let mut agent = Self { host, work, said };
        (0..3_000).for_each(|_| agent.call());
        agent
    }

    /// One call.
    pub(crate) fn call(&mut self) {
        let work = &mut self.work;
        let at = i64::from(work.number) * PACE;
        if work.calls.begins_anew(work.number) {
            self.host.start_over(at);
        }
        let result = [work.result.next_text()];
        let ending = Ending::success(&result).at(at + PACE / 2);
        let call = (TOOL, work.calls.next(work.number));
        self.said += self.host.call(call, &ending, at);
        work.number += 1;
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        assert_eq!(self.said, 0, "these calls are to trigger nothing");
    }
}
