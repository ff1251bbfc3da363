//! Cycles of every period: a round of steps that begins again at once.

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
    /// The steps before the open one.
    past: Past,
    /// For each period, how many steps up to the last one of `past` equal the one a period
    /// before. A loop of n rounds is a run of n - 1 periods.
    closed: Runs,
    /// The same up to the open step.
    runs: Runs,
    /// The periods whose run is not 0.
    running: PeriodSet,
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
    /// The call, where the step has only one and its identity is exact, else 0: only such a
    /// one can be denied.
    only: u64,
    number: u32,
    tool: Option<NameId>,
}

/// The steps before the open one, at most [`MAX_PERIOD`] of them, in a ring.
#[derive(Clone, Debug, Default)]
struct Past {
    /// What each is compared by: beside the rest, so that all are compared at once.
    sums: [u64; MAX_PERIOD],
    steps: [Step; MAX_PERIOD],
    count: usize,
    /// Where the next one goes.
    next: usize,
}

impl Past {
    /// One more step, and the one that had to go for it: an empty one where there was room.
    fn push(&mut self, sum: u64, step: Step) -> Step {
        let at = self.next;
        self.next = (at + 1) % MAX_PERIOD;
        self.count = MAX_PERIOD.min(self.count + 1);
        self.sums[at] = sum;
        std::mem::replace(&mut self.steps[at], step)
    }

    /// The last so many, or as many as there are, in order, each with its sum.
    fn last(&self, count: usize) -> impl Iterator<Item = (u64, &Step)> + Clone {
        let end = self.next + MAX_PERIOD;
        let places = end - count.min(self.count)..end;
        places.map(|at| (self.sums[at % MAX_PERIOD], &self.steps[at % MAX_PERIOD]))
    }

    /// The periods after which a step of this sum is one that comes again.
    fn equal_to(&self, sum: u64) -> PeriodSet {
        // Nearly all steps are new: whether there is any takes a handful of vector instructions.
        if !self
            .sums
            .iter()
            .fold(false, |any, &known| any | (known == sum))
        {
            return PeriodSet::default();
        }
        let is_equal =
            |period: &usize| self.sums[(self.next + MAX_PERIOD - period) % MAX_PERIOD] == sum;
        (1..=self.count).filter(is_equal).collect()
    }
}

/// Periods, a bit for each.
#[derive(Clone, Copy, Debug, Default)]
struct PeriodSet(u32);

impl PeriodSet {
    /// The periods, the shortest first.
    fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let period = (left != 0).then(|| left.trailing_zeros() as usize + 1);
            left &= left.wrapping_sub(1);
            period
        })
    }
}

impl FromIterator<usize> for PeriodSet {
    fn from_iter<I: IntoIterator<Item = usize>>(periods: I) -> Self {
        Self(
            periods
                .into_iter()
                .fold(0, |set, period| set | 1 << (period - 1)),
        )
    }
}

/// Which periods are looked for: from the shortest to the longest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Periods {
    pub(crate) shortest: usize,
    pub(crate) longest: usize,
}

impl Periods {
    fn hold(self, period: usize) -> bool {
        (self.shortest..=self.longest).contains(&period)
    }
}

impl Cycles {
    pub(crate) fn new() -> Self {
        Self {
            past: Past::default(),
            closed: [0; MAX_PERIOD],
            runs: [0; MAX_PERIOD],
            running: PeriodSet::default(),
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
        self.follow();
        match self.told {
            Some(told) if self.run(usize::from(told)) > 0 => return self.again(names, due),
            // The step may still grow to be the one a period before; if not, it ends the loop.
            Some(_) if step.is_some() => return None,
            _ => self.told = None,
        }
        let rounds = due.count - 1;
        let found = self.running.iter().find(|&period| {
            periods.hold(period)
                && u64::from(self.run(period)) >= rounds.saturating_mul(period as u64)
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
        let past = self.past.last(period - 1).map(|(_, step)| step);
        let round = past.chain([&self.newest]);
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
        self.running = self.past.equal_to(self.open.sum());
        for period in self.running.iter() {
            self.runs[period - 1] = self.closed[period - 1].saturating_add(1);
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
        let newest = std::mem::take(&mut self.newest);
        if let Some(tool) = self.past.push(self.open.sum(), newest).tool {
            names.release(tool);
        }
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
            // No period is shorter than two steps, so this is not the newest one.
            let next = self.past.last(period - 1).next().map(|(_, step)| step);
            u64::from(self.run(period)) >= needed
                && u64::from(self.certain) >= needed
                && next.is_some_and(|next| next.only == only)
                && self.is_shortest(period, count)
        })?;
        Some(self.tell(period, names))
    }

    pub(crate) fn clear(&mut self, names: &mut Names) {
        let past = self.past.last(MAX_PERIOD).map(|(_, step)| step);
        for tool in past.chain([&self.newest]).filter_map(|step| step.tool) {
            names.release(tool);
        }
        (self.past, self.newest) = (Past::default(), Step::default());
        (self.closed, self.runs) = ([0; MAX_PERIOD], [0; MAX_PERIOD]);
        self.running = PeriodSet::default();
        self.open.begin(None);
        self.told = None;
        self.certain = 0;
    }

    pub(crate) fn save(&self, names: &Names) -> SavedCycles {
        let save = |(sum, step): (u64, &Step)| SavedStep {
            sum,
            only: step.only,
            tool: step.tool.map(|tool| names.get(tool).to_owned()),
            number: step.number,
        };
        SavedCycles {
            past: self.past.last(MAX_PERIOD).map(save).collect(),
            closed: self.closed.to_vec(),
            open: self.open.clone(),
            newest: save((self.open.sum(), &self.newest)),
            told: self.told,
            certain: self.certain,
        }
    }

    pub(crate) fn restore(saved: SavedCycles, names: &mut Names) -> Self {
        let mut cycles = Self::new();
        let mut restore = |step: SavedStep| Step {
            only: step.only,
            tool: step.tool.map(|tool| names.hold(&tool)),
            number: step.number,
        };
        let skipped = saved.past.len().saturating_sub(MAX_PERIOD);
        for step in saved.past.into_iter().skip(skipped) {
            cycles.past.push(step.sum, restore(step));
        }
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
