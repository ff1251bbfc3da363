//! Cycles of every period, naively: all the steps that there were.

use std::collections::BTreeSet;

use super::{BrakeRules, is_due};
use crate::life::{Call, TOOLS};
use crate::models::{Key, Submitted, line};

/// Every step, and the loop that was told last.
#[derive(Debug, Default)]
pub(super) struct Cycles {
    steps: Vec<Step>,
    told: Option<usize>,
    /// How many steps there were when something was done last, its own included.
    acted: usize,
}

#[derive(Debug)]
struct Step {
    id: Option<u64>,
    calls: Vec<(Key, bool)>,
    /// What it is compared by: the calls as a set.
    keys: BTreeSet<Key>,
}

impl Step {
    /// The only call of the step, where its identity is exact.
    fn only(&self) -> Option<Call> {
        match &self.calls[..] {
            [(key, true)] => Some(key.0),
            _ => None,
        }
    }
}

impl Cycles {
    /// For how many steps up to the last each has equalled the one so many before.
    fn run(&self, period: usize) -> usize {
        let same = |at: &usize| self.steps[*at].keys == self.steps[at - period].keys;
        (period..self.steps.len()).rev().take_while(same).count()
    }

    /// Whether the last rounds are of this period, and of no shorter one that is part of it.
    fn is_loop(&self, period: usize, rounds: usize) -> bool {
        let all = rounds * period;
        let is_shorter =
            |part: &usize| period.is_multiple_of(*part) && self.run(*part) >= all - part;
        self.run(period) >= all - period && !(1..period).any(|part| is_shorter(&part))
    }

    /// A call that stands aside may have done something all the same.
    pub(super) fn act(&mut self, is_aside: bool, is_action: bool) {
        if is_aside && is_action {
            self.acted = self.steps.len();
        }
    }

    /// A call has ended: the loop that is to be told, if any.
    pub(super) fn add(
        &mut self,
        rules: &BrakeRules,
        call: &Submitted,
        step: Option<u64>,
        key: Key,
        is_action: bool,
    ) -> Option<String> {
        if step.is_none() || self.steps.last().is_none_or(|last| last.id != step) {
            // The step before is over, and with it a loop that it did not go on with.
            if self.told.is_some_and(|told| self.run(told) == 0) {
                self.told = None;
            }
            self.steps.push(Step {
                id: step,
                calls: Vec::new(),
                keys: BTreeSet::new(),
            });
        }
        if is_action {
            self.acted = self.steps.len();
        }
        let open = self.steps.last_mut()?;
        if open.calls.iter().any(|(known, _)| known.0 == key.0) {
            return None;
        }
        open.keys.insert(key.clone());
        open.calls.push((key, call.exact));
        if let Some(told) = self.told {
            let run = self.run(told);
            if run > 0 {
                let rounds = run / told + 1;
                let is_told = run.is_multiple_of(told)
                    && rounds > rules.sequences
                    && is_due(rounds, rules.sequences, rules.again);
                return is_told.then(|| self.line(told));
            }
            // A step may still grow.
            if step.is_some() {
                return None;
            }
            self.told = None;
        }
        let longest = rules.beyond.longest?;
        let found = (rules.length..=longest).find(|it| self.is_loop(*it, rules.sequences))?;
        self.told = Some(found);
        Some(self.line(found))
    }

    fn line(&self, period: usize) -> String {
        let rounds = self.run(period) / period + 1;
        let round = &self.steps[self.steps.len() - period..];
        let tools = round.iter().filter_map(|step| step.calls.first());
        let tools: Vec<_> = tools.map(|(key, _)| TOOLS[key.0.tool]).collect();
        let summary = format!("sequence loop × {rounds}");
        line("sequence-loop", &summary, &tools.join(","))
    }

    /// Why a call must not run that would go on with a loop.
    pub(super) fn refuse(
        &self,
        rules: &BrakeRules,
        call: &Submitted,
        step: Option<u64>,
    ) -> Option<String> {
        let (rounds, longest) = (rules.beyond.deny_rounds?, rules.beyond.longest?);
        let last = self.steps.last()?;
        if step.is_some() && last.id == step {
            return None;
        }
        let since = self.steps.len() - self.acted;
        let period = (rules.length..=longest).find(|&period| {
            let next = self.steps.len().checked_sub(period);
            self.is_loop(period, rounds)
                && since >= (rounds - 1) * period
                && next.is_some_and(|next| self.steps[next].only() == Some(call.call))
        })?;
        let count = self.run(period) / period + 1;
        Some(line("sequence-denied", &count.to_string(), ""))
    }
}
