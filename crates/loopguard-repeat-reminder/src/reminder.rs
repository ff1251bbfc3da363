//! The guard: one chain of identical calls per agent.

use std::sync::Arc;

use loopguard_core::{
    Call, CallNumber, Event, Fingerprint, Guard, GuardId, Notices, RestoreError, SavedGuard,
    Verdict,
};
use serde::{Deserialize, Serialize};

use crate::config::ReminderConfig;
use crate::{NAME, texts};

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

/// Advises at the configured counts of identical calls in a row. By itself it never delays,
/// denies or rewrites a call.
#[derive(Clone, Debug)]
pub struct RepeatReminder {
    id: GuardId,
    config: Arc<ReminderConfig>,
    run: Option<Run>,
}

/// The chain: which call came last, and how many times in a row. All there is to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) call: Fingerprint,
    pub(crate) count: u64,
    pub(crate) first: CallNumber,
}

impl RepeatReminder {
    /// A reminder for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<ReminderConfig>) -> Self {
        Self {
            id,
            config,
            run: None,
        }
    }

    /// A call has ended, whatever its outcome: it lengthens the run or starts another.
    fn count(&mut self, call: &Call<'_>) -> Option<Run> {
        if !self.config.filter().admits(call.tool()) {
            return None;
        }
        let identity = call.identity().fingerprint();
        let run = match self.run {
            Some(run) if run.call == identity => Run {
                count: run.count.saturating_add(1),
                ..run
            },
            _ => Run {
                call: identity,
                count: 1,
                first: call.number(),
            },
        };
        self.run = Some(run);
        self.run
    }
}

impl Guard for RepeatReminder {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, _call: &Call<'_>) -> Verdict {
        Verdict::Admit
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        if event.starts_over() {
            self.run = None;
        } else if let Some(call) = event.ended_call() {
            if let Some(run) = self.count(call)
                && let Ok(rank) = self.config.thresholds().binary_search(&run.count)
            {
                notices.push(texts::notice(&self.id, &self.config, rank, call, run));
            }
        } else if let Event::Pardoned(identity) = event
            && self
                .run
                .is_some_and(|run| run.call == identity.fingerprint())
        {
            self.run = None;
        }
    }

    fn save(&self) -> SavedGuard {
        SavedGuard::new(
            &self.id,
            NAME,
            STATE_VERSION,
            self.config.fingerprint(),
            &self.run,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        self.run = saved.open(NAME, STATE_VERSION, self.config.fingerprint())?;
        Ok(())
    }
}
