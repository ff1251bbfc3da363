//! One session: recorded and played side by side, then measured.

use std::collections::BTreeSet;

use loopguard::{Effect, Setup};
use loopguard_cli::{Action, Decision, Replay};
use loopguard_transcript::{Event, SessionOutcome, Status};

use super::loops::{Loop, loops};
use super::record::{Record, Stretch, place};
use super::table::{DenialSeen, LoopSeen, Measures};

/// A session that is being read.
#[derive(Debug)]
pub(super) struct Session {
    id: String,
    outcome: SessionOutcome,
    replay: Replay,
    record: Record,
    decisions: Vec<Decision>,
}

impl Session {
    pub(super) fn new(setup: &Setup, id: &str, outcome: SessionOutcome) -> Self {
        Self {
            id: id.to_owned(),
            outcome,
            replay: Replay::new(setup),
            record: Record::default(),
            decisions: Vec::new(),
        }
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.record.event(event);
        let decisions = self.replay.event(event);
        self.keep(decisions);
    }

    /// What a dry run keeps to itself is not said to anybody.
    fn keep(&mut self, decisions: Vec<Decision>) {
        let live = |it: &Decision| it.effect == Effect::Live;
        self.decisions.extend(decisions.into_iter().filter(live));
    }

    /// Adds the session, which is over, to the measures of its source.
    pub(super) fn measure(mut self, measures: &mut Measures) {
        let last = self.replay.finish();
        self.keep(last);
        self.record.finish();
        measures.sessions.add(self.outcome);
        measures.calls += self.record.calls.len();
        self.measure_decisions(measures);
        for stretch in std::mem::take(&mut self.record.stretches) {
            let steps = self.record.steps(&stretch);
            for it in loops(&steps) {
                measures.loops.push(self.seen(&stretch, &it));
            }
        }
    }

    fn measure_decisions(&self, measures: &mut Measures) {
        let has = |action| self.decisions.iter().any(|it| it.action == action);
        if has(Action::Notice) {
            measures.noticed.add(self.outcome);
        }
        if has(Action::Deny) {
            measures.denied.add(self.outcome);
        }
        let mut codes = BTreeSet::new();
        for decision in &self.decisions {
            let code = (decision.guard.clone(), decision.code.clone());
            let seen = measures.codes.entry(code.clone()).or_default();
            seen.decisions += 1;
            if codes.insert(code) {
                seen.sessions.add(self.outcome);
            }
            match decision.action {
                Action::Notice => measures.notices += 1,
                Action::Deny => measures.denials.push(self.denial(decision)),
                _ => {}
            }
        }
    }

    fn denial(&self, decision: &Decision) -> DenialSeen {
        let call = self.record.call(decision.call_index);
        let result = call.and_then(|call| call.result);
        let fine = result.filter(|result| result.status == Status::Ok);
        DenialSeen {
            session: self.id.clone(),
            outcome: self.outcome,
            call: decision.call_index,
            tool: decision.tool.clone().unwrap_or_default(),
            guard: decision.guard.clone(),
            code: decision.code.clone(),
            fine: fine.is_some(),
            fine_and_new: fine.is_some_and(|result| result.is_new),
        }
    }

    fn seen(&self, stretch: &Stretch, it: &Loop) -> LoopSeen {
        let calls = &stretch.calls[it.calls.clone()];
        let mut spoken = self.decisions.iter().filter_map(|decision| {
            let at = self.position(decision, &stretch.agent, calls)?;
            Some((at, decision.action))
        });
        let first = spoken.clone().next();
        let denial = spoken.find(|(_, action)| *action == Action::Deny);
        let first_call = &self.record.calls[calls[0]];
        LoopSeen {
            session: self.id.clone(),
            outcome: self.outcome,
            agent: stretch.agent.to_string(),
            first_call: calls[0] + 1,
            tool: first_call.tool.to_string(),
            calls: calls.len(),
            period: it.period,
            noticed_at: first.map(|(at, _)| at + 1),
            denied_at: denial.map(|(at, _)| at + 1),
        }
    }

    /// On which call of a loop a decision fell: the call that it is about, or, where an event
    /// of the agent between the first call and the end of the last raised it, the latest begun.
    fn position(&self, decision: &Decision, agent: &str, calls: &[usize]) -> Option<usize> {
        if decision.tool.is_some() {
            return calls.binary_search(&place(decision.call_index)?).ok();
        }
        let line = decision.line?;
        let begun = calls.partition_point(|at| self.record.calls[*at].line <= line);
        let last = &self.record.calls[*calls.last()?];
        let over = last.result.map_or(last.line, |result| result.line);
        (decision.agent == agent && line <= over).then(|| begun.checked_sub(1))?
    }
}
