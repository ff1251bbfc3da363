//! Cycles of every period: a round of steps that begins again at once.

use std::collections::VecDeque;

use loopguard_core::{Call, CallNumber, CallSet, Fingerprint, StepId};
use serde::{Deserialize, Serialize};

use crate::calls::{Sighting, short};
use crate::due::Due;
use crate::names::{NameId, Names};
use crate::sequence::Loop;

/// The longest period that a cycle can have.
pub const MAX_PERIOD: usize = 32;

/// The last steps of one agent, and for how long they have repeated those before them.
#[derive(Clone, Debug)]
pub(crate) struct Cycles {
    /// The steps before the open one, the newest last: at most [`MAX_PERIOD`].
    past: VecDeque<Step>,
    /// For each period, how many steps up to the last one of `past` equal the one a period
    /// before. A loop of n rounds is a run of n - 1 periods.
    closed: Runs,
    /// The same up to the open step.
    runs: Runs,
    /// The calls of the step that may still grow.
    open: CallSet,
    newest: Step,
    told: Option<u16>,
    /// How many steps there have been since something new was done: a denial rests on these.
    certain: u16,
}

/// The runs of all periods; the place of a period is one less than it.
type Runs = [u16; MAX_PERIOD];

/// A step: the calls that it issued, and the tool of the first of them.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    sum: u64,
    /// The call, where the step has only one and its identity is exact, else 0: only such a
    /// one can be denied.
    only: u64,
    number: u32,
    tool: Option<NameId>,
}

/// Which periods are looked for: from the shortest to the longest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Periods {
    pub(crate) shortest: usize,
    pub(crate) longest: usize,
}

impl Cycles {
    pub(crate) fn new() -> Self {
        Self {
            past: VecDeque::new(),
            closed: [0; MAX_PERIOD],
            runs: [0; MAX_PERIOD],
            open: CallSet::default(),
            newest: Step::default(),
            told: None,
            certain: 0,
        }
    }

    /// A call of `step` has ended: the loop that it completes, if one is to be told now.
    pub(crate) fn count(
        &mut self,
        (call, step): (&Call<'_>, Option<StepId>),
        sighting: &Sighting,
        names: &mut Names,
        periods: Periods,
        due: Due,
    ) -> Option<Loop> {
        if sighting.is_aside {
            if sighting.is_action {
                self.certain = 0;
            }
            return None;
        }
        if !self.open.is_of(step) {
            self.close(names);
            self.open.begin(step);
            self.certain = self.certain.saturating_add(1);
            let number = u32::try_from(call.number().0).unwrap_or(u32::MAX);
            self.newest = Step {
                number,
                tool: Some(names.hold(call.tool())),
                ..Step::default()
            };
        }
        if sighting.is_action {
            self.certain = 0;
        }
        let (identity, key) = (
            call.identity(),
            Fingerprint::from_u128(u128::from(sighting.key)),
        );
        if !self.open.add(identity.fingerprint(), key) {
            return None;
        }
        let is_only = self.open.len() == 1 && identity.is_exact();
        self.newest.only = if is_only {
            short(identity.fingerprint())
        } else {
            0
        };
        self.newest.sum = self.open.sum();
        self.follow();
        match self.told {
            Some(told) if self.run(usize::from(told)) > 0 => return self.again(names, due),
            // The step may still grow to be the one a period before; if not, it ends the loop.
            Some(_) if step.is_some() => return None,
            _ => self.told = None,
        }
        let rounds = due.count - 1;
        let found = (periods.shortest..=periods.longest).find(|&period| {
            let run = self.run(period);
            run > 0
                && u64::from(run) >= rounds.saturating_mul(period as u64)
                && self.is_shortest(period, due.count)
        })?;
        self.told = Some(found as u16);
        Some(self.tell(found, names))
    }

    /// A loop that was told goes on: whether it is to be told again.
    fn again(&self, names: &Names, due: Due) -> Option<Loop> {
        let period = usize::from(self.told?);
        let run = u64::from(self.run(period));
        let rounds = run / period as u64 + 1;
        // A run that can grow no more tells no rounds any longer.
        let is_round = run.is_multiple_of(period as u64) && run < u64::from(u16::MAX);
        (is_round && rounds > due.count && due.at(rounds)).then(|| self.tell(period, names))
    }

    fn tell(&self, period: usize, names: &Names) -> Loop {
        let rounds = u64::from(self.run(period)) / period as u64 + 1;
        let steps = self.past.iter().chain([&self.newest]);
        let round = steps.skip((self.past.len() + 1).saturating_sub(period));
        let begun = round
            .clone()
            .next()
            .map_or(self.newest.number, |step| step.number);
        // The number of the round's first call now, less what all rounds before it took, where
        // every call was a step.
        let length = u64::from(self.newest.number.saturating_sub(begun)) + 1;
        let first = u64::from(begun)
            .saturating_sub(length.saturating_mul(rounds - 1))
            .max(1);
        let tools = round.filter_map(|step| step.tool.map(|tool| names.get(tool).to_owned()));
        Loop {
            count: rounds,
            period: period as u64,
            tools: tools.collect(),
            first: CallNumber(first),
        }
    }

    /// For how many steps, the open one included, each has equalled the one `period` before.
    fn run(&self, period: usize) -> u16 {
        self.runs.get(period - 1).copied().unwrap_or_default()
    }

    /// The runs up to the open step, as it is now.
    fn follow(&mut self) {
        self.runs = [0; MAX_PERIOD];
        let before = self.past.iter().rev().zip(&self.closed);
        for (run, (step, closed)) in self.runs.iter_mut().zip(before) {
            if step.sum == self.newest.sum {
                *run = closed.saturating_add(1);
            }
        }
    }

    /// Whether no part of the period repeats all through the rounds: `ABAB` has period 2, and
    /// `AAAA` is none at all.
    fn is_shortest(&self, period: usize, rounds: u64) -> bool {
        let steps = rounds.saturating_mul(period as u64);
        (1..period)
            .filter(|part| period.is_multiple_of(*part))
            .all(|part| u64::from(self.run(part)) < steps - part as u64)
    }

    /// The open step is over.
    fn close(&mut self, names: &mut Names) {
        if self.open.is_empty() {
            return;
        }
        self.closed = self.runs;
        if self
            .told
            .is_some_and(|told| self.run(usize::from(told)) == 0)
        {
            self.told = None;
        }
        if self.past.len() == MAX_PERIOD
            && let Some(Step {
                tool: Some(tool), ..
            }) = self.past.pop_front()
        {
            names.release(tool);
        }
        self.past.push_back(std::mem::take(&mut self.newest));
    }

    /// The loop that `call` would begin again, once it has come `count` times.
    pub(crate) fn would_go_on(
        &self,
        (call, step): (&Call<'_>, Option<StepId>),
        names: &Names,
        periods: Periods,
        count: u64,
    ) -> Option<Loop> {
        if self.open.is_empty() || self.open.is_of(step) || !call.identity().is_exact() {
            return None;
        }
        let only = short(call.identity().fingerprint());
        let period = (periods.shortest..=periods.longest).find(|&period| {
            let needed = (count - 1).saturating_mul(period as u64);
            let next = (self.past.len() + 1).checked_sub(period);
            let next = next.map(|at| self.past.get(at).unwrap_or(&self.newest));
            u64::from(self.run(period)) >= needed
                && u64::from(self.certain) >= needed
                && next.is_some_and(|next| next.only == only)
                && self.is_shortest(period, count)
        })?;
        Some(self.tell(period, names))
    }

    pub(crate) fn clear(&mut self, names: &mut Names) {
        let steps = self
            .past
            .drain(..)
            .chain([std::mem::take(&mut self.newest)]);
        for tool in steps.filter_map(|step| step.tool) {
            names.release(tool);
        }
        (self.closed, self.runs) = ([0; MAX_PERIOD], [0; MAX_PERIOD]);
        self.open.begin(None);
        self.told = None;
        self.certain = 0;
    }

    pub(crate) fn save(&self, names: &Names) -> SavedCycles {
        let save = |step: &Step| SavedStep {
            sum: step.sum,
            only: step.only,
            tool: step.tool.map(|tool| names.get(tool).to_owned()),
            number: step.number,
        };
        SavedCycles {
            past: self.past.iter().map(save).collect(),
            closed: self.closed.to_vec(),
            open: self.open.clone(),
            newest: save(&self.newest),
            told: self.told,
            certain: self.certain,
        }
    }

    pub(crate) fn restore(saved: SavedCycles, names: &mut Names) -> Self {
        let mut cycles = Self::new();
        let mut restore = |step: SavedStep| Step {
            sum: step.sum,
            only: step.only,
            tool: step.tool.map(|tool| names.hold(&tool)),
            number: step.number,
        };
        let skipped = saved.past.len().saturating_sub(MAX_PERIOD);
        cycles.past = saved
            .past
            .into_iter()
            .skip(skipped)
            .map(&mut restore)
            .collect();
        cycles.newest = restore(saved.newest);
        for (run, saved) in cycles.closed.iter_mut().zip(saved.closed) {
            *run = saved;
        }
        cycles.open = saved.open;
        if !cycles.open.is_empty() {
            cycles.follow();
        }
        cycles.told = saved
            .told
            .filter(|told| (1..=MAX_PERIOD as u16).contains(told));
        cycles.certain = saved.certain;
        cycles
    }
}

/// The cycles of one agent as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedCycles {
    past: Vec<SavedStep>,
    closed: Vec<u16>,
    open: CallSet,
    newest: SavedStep,
    told: Option<u16>,
    certain: u16,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SavedStep {
    sum: u64,
    only: u64,
    tool: Option<String>,
    number: u32,
}
