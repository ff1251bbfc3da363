//! Repeated calls: a cumulative count per identity since the last human message.

use loopguard_core::{
    Call, CallNumber, Fingerprint, Identity, Outcome, Output, Recent, StepId, Weight,
};
use serde::{Deserialize, Serialize};

use crate::config::Values;

/// How many different calls of one agent are remembered. A session's distinct calls between
/// two human messages are some dozens, seldom hundreds; a loop among more than a thousand
/// different calls is none that a count could tell from work.
pub const MAX_CALLS: usize = 1024;

/// The counts of one agent's calls.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    counts: Recent<Count>,
    /// Grows with whatever is progress: counts from before it are over.
    progress: u32,
    /// Grows with whatever else succeeds, be it no more than an acknowledged edit: a denial
    /// rests on no count from before it.
    actions: u32,
}

/// How often one call has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    /// How often, whatever its outcome, since the last progress.
    pub(crate) times: u32,
    /// How often with an exact identity and nothing else done in between: only these can lead
    /// to a denial.
    certain: u32,
    first: u32,
    progress: u32,
    actions: u32,
    /// The step in which it was counted last.
    step: u32,
    /// What the call and its last result are compared by.
    key: u64,
}

/// A call that has ended, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// What the call, with its result where that matters, is compared by.
    pub(crate) key: u64,
    pub(crate) count: Count,
    /// Whether it was counted: identical calls of one step count once.
    pub(crate) counts: bool,
    /// Whether it stands outside of every cycle: a new call that brought nothing.
    pub(crate) is_aside: bool,
    /// Whether something succeeded that had not been done before.
    pub(crate) is_action: bool,
}

impl Count {
    pub(crate) fn first(&self) -> CallNumber {
        CallNumber(u64::from(self.first))
    }
}

impl Calls {
    pub(crate) fn new() -> Self {
        Self {
            counts: Recent::new(MAX_CALLS),
            progress: 0,
            actions: 0,
        }
    }

    /// A call has ended (`None`: it was refused); nothing where it tells nothing. What another
    /// call has shown already (`is_known_text`) is no progress.
    pub(crate) fn count(
        &mut self,
        call: &Call<'_>,
        outcome: Option<&Outcome<'_>>,
        values: &Values,
        is_known_text: impl Fn(&Output<'_>) -> bool,
    ) -> Option<Sighting> {
        if values.result_aware && matches!(outcome, Some(Outcome::Cancelled)) {
            return None;
        }
        let identity = call.identity().fingerprint();
        let (count, _) = self.counts.see(identity, Count::default);
        let known = (count.times > 0).then_some(count.key);
        let mut key = short(identity);
        let (mut is_aside, mut is_action) = (false, false);
        if values.result_aware {
            match outcome.and_then(Outcome::output) {
                Some(output) => {
                    key = short(identity.combine(output.digest()));
                    if known != Some(key) {
                        let succeeded = matches!(outcome, Some(Outcome::Success(_)));
                        // A failure that changes is progress; one that is new is not.
                        let tells = known.is_some() || succeeded;
                        let is_progress = tells
                            && output.weight() == Weight::Substance
                            && !(known.is_none() && is_known_text(output));
                        is_action = is_progress || succeeded;
                        is_aside = known.is_none() && !is_progress;
                        self.progress = self.progress.wrapping_add(u32::from(is_progress));
                        self.actions = self.actions.wrapping_add(u32::from(is_action));
                    }
                }
                // A denied call repeats the last result.
                None => key = known.unwrap_or(key),
            }
        }
        let step = call
            .step()
            .filter(|_| values.step_aware)
            .map_or(0, short_step);
        let is_anew = count.progress != self.progress || (values.result_aware && count.key != key);
        if count.times == 0 || is_anew {
            *count = Count {
                times: 0,
                certain: 0,
                first: u32::try_from(call.number().0).unwrap_or(u32::MAX),
                progress: self.progress,
                actions: self.actions,
                step: 0,
                key,
            };
        }
        if count.actions != self.actions {
            (count.certain, count.actions) = (0, self.actions);
        }
        let counts = step == 0 || count.step != step;
        if counts {
            count.times = count.times.saturating_add(1);
            let is_exact = call.identity().is_exact();
            count.certain = count.certain.saturating_add(u32::from(is_exact));
            count.step = step;
        }
        Some(Sighting {
            key,
            count: *count,
            counts,
            is_aside,
            is_action,
        })
    }

    /// Grows with whatever is progress.
    pub(crate) fn progress(&self) -> u32 {
        self.progress
    }

    /// How often this call has come with nothing else done in between; a denial rests on it.
    pub(crate) fn certain(&self, identity: Identity) -> Option<(u64, Count)> {
        let count = self.counts.get(&identity.fingerprint())?;
        let holds = count.progress == self.progress && count.actions == self.actions;
        (holds && identity.is_exact()).then_some((u64::from(count.certain), *count))
    }

    pub(crate) fn forget(&mut self, identity: Identity) {
        self.counts.remove(&identity.fingerprint());
    }

    pub(crate) fn clear(&mut self) {
        self.counts.clear();
    }

    /// The counts, the call longest unseen first.
    pub(crate) fn save(&self) -> SavedCalls {
        SavedCalls {
            counts: self
                .counts
                .iter()
                .map(|(call, count)| (call, *count))
                .collect(),
            progress: self.progress,
            actions: self.actions,
        }
    }

    pub(crate) fn restore(saved: SavedCalls) -> Self {
        let mut counts = Recent::new(MAX_CALLS);
        for (call, count) in saved.counts {
            counts.see(call, || count);
        }
        Self {
            counts,
            progress: saved.progress,
            actions: saved.actions,
        }
    }
}

/// The counts of one agent as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedCalls {
    counts: Vec<(Fingerprint, Count)>,
    progress: u32,
    actions: u32,
}

/// Half a fingerprint is enough to compare a call with those of the last minutes, and takes
/// half the room.
pub(crate) fn short(call: Fingerprint) -> u64 {
    call.to_u128() as u64
}

/// A step, never 0: two steps of one agent that look alike lie four billion apart.
fn short_step(step: StepId) -> u32 {
    (step.0 as u32 ^ (step.0 >> 32) as u32)
        .wrapping_add(1)
        .max(1)
}
