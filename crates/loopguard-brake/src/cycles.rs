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
    runs: [u32; MAX_PERIOD + 1],
    /// The calls of the step that may still grow.
    open: CallSet,
    newest: Step,
    told: Option<u32>,
    /// How many steps there have been since something new was done: a denial rests on these.
    certain: u32,
}

/// A step: the calls that it issued, and the tool of the first of them.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    sum: u64,
    /// The call, where the step has only one and its identity is exact: only such a one can be
    /// denied.
    only: Option<u64>,
    tool: Option<NameId>,
    number: CallNumber,
}

impl Cycles {
    pub(crate) fn new() -> Self {
        Self {
            past: VecDeque::new(),
            runs: [0; MAX_PERIOD + 1],
            open: CallSet::default(),
            newest: Step::default(),
            told: None,
            certain: 0,
        }
    }

    /// A call has ended: the loop that it completes, if one is to be told now. Periods are
    /// those from `shortest` to `longest`.
    pub(crate) fn count(
        &mut self,
        call: &Call<'_>,
        step: Option<StepId>,
        sighting: &Sighting,
        names: &mut Names,
        (shortest, longest): (usize, usize),
        due: Due,
    ) -> Option<Loop> {
        if sighting.is_action {
            self.certain = 0;
        }
        if sighting.is_aside {
            return None;
        }
        if !self.open.is_of(step) {
            self.close(names);
            self.open.begin(step);
            let tool = Some(names.hold(call.tool()));
            self.newest = Step {
                sum: 0,
                only: None,
                tool,
                number: call.number(),
            };
        }
        let key = Fingerprint::from_u128(u128::from(sighting.key));
        if !self.open.add(call.identity().fingerprint(), key) {
            return None;
        }
        let is_exact = call.identity().is_exact();
        let only = short(call.identity().fingerprint());
        self.newest.only = (self.open.len() == 1 && is_exact).then_some(only);
        self.newest.sum = self.open.sum();
        match self.told {
            Some(told) if self.run(told as usize) > 0 => return self.again(names, due),
            // The step may still grow to be the one a period before; if not, it ends the loop.
            Some(_) if step.is_some() => return None,
            _ => self.told = None,
        }
        let rounds = due.count - 1;
        let found = (shortest..=longest).find(|&period| {
            u64::from(self.run(period)) >= rounds.saturating_mul(period as u64)
                && self.is_shortest(period, due.count)
        })?;
        self.told = Some(found as u32);
        Some(self.tell(found, names))
    }

    /// A loop that was told goes on: whether it is to be told again.
    fn again(&self, names: &Names, due: Due) -> Option<Loop> {
        let period = self.told? as usize;
        let run = u64::from(self.run(period));
        let is_round = run.is_multiple_of(period as u64);
        let rounds = run / period as u64 + 1;
        (is_round && rounds > due.count && due.at(rounds)).then(|| self.tell(period, names))
    }

    fn tell(&self, period: usize, names: &Names) -> Loop {
        let rounds = u64::from(self.run(period)) / period as u64 + 1;
        let steps = self.past.iter().chain([&self.newest]);
        let round = steps.skip((self.past.len() + 1).saturating_sub(period));
        let first = round
            .clone()
            .next()
            .map_or(self.newest.number, |step| step.number);
        // The number of the round's first call now, less what all rounds before it took, where
        // every call was a step.
        let length = self.newest.number.0.saturating_sub(first.0) + 1;
        let first = CallNumber(
            first
                .0
                .saturating_sub(length.saturating_mul(rounds - 1))
                .max(1),
        );
        let tools = round.filter_map(|step| step.tool.map(|tool| names.get(tool).to_owned()));
        Loop {
            count: rounds,
            period: period as u64,
            tools: tools.collect(),
            first,
        }
    }

    /// For how many steps, the open one included, each has equalled the one `period` before.
    fn run(&self, period: usize) -> u32 {
        let before = self.past.len().checked_sub(period);
        match before.and_then(|at| self.past.get(at)) {
            Some(step) if step.sum == self.newest.sum => self.runs[period].saturating_add(1),
            _ => 0,
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
        for period in 1..=MAX_PERIOD {
            self.runs[period] = self.run(period);
        }
        if self.told.is_some_and(|told| self.runs[told as usize] == 0) {
            self.told = None;
        }
        self.certain = self.certain.saturating_add(1);
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
        call: &Call<'_>,
        step: Option<StepId>,
        names: &Names,
        (shortest, longest): (usize, usize),
        count: u64,
    ) -> Option<Loop> {
        if self.open.is_empty() || self.open.is_of(step) || !call.identity().is_exact() {
            return None;
        }
        let only = Some(short(call.identity().fingerprint()));
        let period = (shortest..=longest).find(|&period| {
            let needed = (count - 1).saturating_mul(period as u64);
            let next = (self.past.len() + 1).checked_sub(period);
            let next = next.map(|at| self.past.get(at).unwrap_or(&self.newest));
            u64::from(self.run(period)) >= needed
                && u64::from(self.certain) + 1 >= needed
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
        self.runs = [0; MAX_PERIOD + 1];
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
            runs: self.runs.to_vec(),
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
        for (run, saved) in cycles.runs.iter_mut().zip(saved.runs) {
            *run = saved;
        }
        cycles.open = saved.open;
        cycles.told = saved
            .told
            .filter(|told| (1..=MAX_PERIOD as u32).contains(told));
        cycles.certain = saved.certain;
        cycles
    }
}

/// The cycles of one agent as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedCycles {
    past: Vec<SavedStep>,
    runs: Vec<u32>,
    open: CallSet,
    newest: SavedStep,
    told: Option<u32>,
    certain: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SavedStep {
    sum: u64,
    only: Option<u64>,
    tool: Option<String>,
    number: CallNumber,
}
