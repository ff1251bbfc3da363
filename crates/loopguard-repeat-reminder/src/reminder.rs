//! The guard: which calls come again, and when to say so.

use std::sync::Arc;

use loopguard_core::{
    Activity, Call, Event, Fingerprint, Guard, GuardId, Notices, Outcome, RestoreError, SavedGuard,
    Verdict, Weight,
};
use serde::{Deserialize, Serialize};

use crate::config::{ReminderConfig, Values};
use crate::run::Run;
use crate::{NAME, texts};

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

/// Advises at the configured counts of identical calls in a row. By itself it never delays,
/// denies or rewrites a call.
#[derive(Clone, Debug)]
pub struct RepeatReminder {
    id: GuardId,
    config: Arc<ReminderConfig>,
    state: State,
}

/// All that a reminder knows. Nothing of it may be missing in a saved state, be it null.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// The chain.
    run: Run,
    /// Calls that bring nothing, made in between (a note to oneself): with `resultAware` they
    /// do not break the chain, and have one of their own.
    aside: Run,
    /// The last result of the call that came last, for a denied call to repeat.
    #[serde(deserialize_with = "Deserialize::deserialize")]
    last: Option<(Fingerprint, Fingerprint)>,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    activity: Activity,
}

impl RepeatReminder {
    /// A reminder for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<ReminderConfig>) -> Self {
        Self {
            id,
            config,
            state: State::default(),
        }
    }

    /// The run that is long enough for this call to be denied.
    fn long_run(&self, call: &Call<'_>, values: &Values) -> Option<&Run> {
        let state = &self.state;
        let deny_at = values.deny_at?;
        let at = call.submitted_at();
        let may_deny = call.identity().is_exact()
            && !state.activity.has_paused(at, values.quiet_gap_ms)
            && self.config.filter().admits(call.tool());
        let step = call.step().filter(|_| values.step_aware);
        let identity = call.identity().fingerprint();
        [&state.run, &state.aside].into_iter().find(|run| {
            may_deny
                && run.exact
                && run.certain >= deny_at
                && run.is_only(identity)
                && !run.is_open_for(step)
        })
    }
}

impl State {
    /// A call has ended: it lengthens a run or starts another. The run, if it is to be told.
    fn count(
        &mut self,
        call: &Call<'_>,
        outcome: Option<Outcome<'_>>,
        values: &Values,
    ) -> Option<(usize, &Run)> {
        let step = call.step().filter(|_| values.step_aware);
        let identity = call.identity().fingerprint();
        let mut run = &mut self.run;
        let mut key = identity;
        if values.result_aware {
            if matches!(outcome, Some(Outcome::Cancelled)) {
                return None;
            }
            key = match outcome.and_then(|outcome| outcome.output()) {
                Some(output) => identity.combine(output.digest()),
                // A denied call repeats the last result.
                None => self
                    .last
                    .filter(|last| last.0 == identity)
                    .map_or(identity, |it| it.1),
            };
            self.last = Some((identity, key));
            if run.count > 0 && !run.holds(identity) && brings_nothing(outcome) {
                if matches!(outcome, Some(Outcome::Success(_))) {
                    run.doubt();
                }
                run = &mut self.aside;
            } else {
                self.aside.clear();
            }
        }
        let is_new = run.count(call, key, step);
        let rank = values.rank(run.count).filter(|_| is_new)?;
        // Nothing at all is little evidence: whoever waits for output is not told as early.
        let is_early = rank == 0 && values.thresholds.len() > 1;
        if values.result_aware && is_early && says_nothing(outcome) {
            return None;
        }
        Some((rank, run))
    }

    fn clear(&mut self) {
        self.run.clear();
        self.aside.clear();
        self.last = None;
    }
}

/// Whether a call that differs from the last one is no progress: it failed, or said nothing or
/// no more than that it was done.
fn brings_nothing(outcome: Option<Outcome<'_>>) -> bool {
    match outcome {
        Some(Outcome::Success(output)) => output.weight() != Weight::Substance,
        _ => true,
    }
}

/// Whether a call succeeded without a word.
fn says_nothing(outcome: Option<Outcome<'_>>) -> bool {
    matches!(outcome, Some(Outcome::Success(output)) if output.weight() == Weight::Empty)
}

impl Guard for RepeatReminder {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        let values = self.config.of(call.tool());
        match self.long_run(call, values) {
            Some(run) => texts::denial(&self.id, &self.config, values, call, run),
            None => Verdict::Admit,
        }
    }

    fn may_refuse(&self) -> bool {
        self.config.may_deny()
    }

    fn minds_results(&self) -> bool {
        self.config.minds_results()
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        let Self { id, config, state } = self;
        let gap = |call: &Call<'_>| config.of(call.tool()).quiet_gap_ms;
        if state.activity.follow(event, gap) || event.starts_over() {
            state.clear();
        }
        if let Event::Pardoned(identity) = event {
            let identity = identity.fingerprint();
            if state.run.holds(identity) || state.aside.holds(identity) {
                state.clear();
            }
        }
        let Some(call) = event.ended_call() else {
            return;
        };
        if !config.filter().admits(call.tool()) {
            return;
        }
        let outcome = match event {
            Event::Finished { outcome, .. } => Some(*outcome),
            _ => None,
        };
        let values = config.of(call.tool());
        if let Some((rank, run)) = state.count(call, outcome, values) {
            notices.push(texts::notice(id, config, rank, call, run));
        }
    }

    fn save(&self) -> SavedGuard {
        SavedGuard::new(
            &self.id,
            NAME,
            STATE_VERSION,
            self.config.fingerprint(),
            &self.state,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        self.state = saved.open(NAME, STATE_VERSION, self.config.fingerprint())?;
        Ok(())
    }
}
