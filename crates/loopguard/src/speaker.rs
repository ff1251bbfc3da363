//! Who speaks: agents that share a set are told apart by it.

use loopguard_core::{Fingerprint, Notice, Recent, Seed};
use serde::{Deserialize, Serialize};

/// How many agents of one set are remembered for their refused calls; the one longest unseen
/// is dropped, and its count begins anew.
const MAX_AGENTS: usize = 256;

/// How many notices wait for an output that can carry them; the oldest is dropped first.
pub const MAX_WAITING_NOTICES: usize = 256;

/// An agent, by the fingerprint of its name: names are only ever compared with names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Speaker(Fingerprint);

impl Speaker {
    pub(crate) fn new(agent: &str) -> Self {
        Self(Fingerprint::of_bytes(Seed::FIXED, agent.as_bytes()))
    }
}

/// How many calls in a row of each agent have been refused.
#[derive(Clone, Debug)]
pub(crate) struct Denials(Recent<u64>);

impl Denials {
    pub(crate) fn new() -> Self {
        Self(Recent::new(MAX_AGENTS))
    }

    /// One more call was refused: how many in a row by now.
    pub(crate) fn count(&mut self, agent: Speaker) -> u64 {
        let (count, _) = self.0.see(agent.0, || 0);
        *count = count.saturating_add(1);
        *count
    }

    /// A call succeeded: the count begins anew.
    pub(crate) fn forget(&mut self, agent: Speaker) {
        if !self.0.is_empty() {
            self.0.remove(&agent.0);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn save(&self) -> Vec<(Speaker, u64)> {
        self.0
            .iter()
            .map(|(agent, count)| (Speaker(agent), *count))
            .collect()
    }

    pub(crate) fn restore(saved: &[(Speaker, u64)]) -> Self {
        let mut denials = Self::new();
        for (agent, count) in saved {
            denials.0.see(agent.0, || *count);
        }
        denials
    }
}

/// What has been said to whom and not been taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting(Vec<(Speaker, Notice)>);

impl Waiting {
    pub(crate) fn add(&mut self, agent: Speaker, notice: Notice) {
        if self.0.len() == MAX_WAITING_NOTICES {
            self.0.remove(0);
        }
        self.0.push((agent, notice));
    }

    /// Takes what waits for an agent.
    pub(crate) fn take(&mut self, agent: Speaker) -> Vec<Notice> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let (taken, left) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|waiting| waiting.0 == agent);
        self.0 = left;
        let taken: Vec<_> = taken;
        taken.into_iter().map(|(_, notice)| notice).collect()
    }

    pub(crate) fn save(&self) -> Vec<(Speaker, Notice)> {
        self.0.clone()
    }

    pub(crate) fn restore(saved: &[(Speaker, Notice)]) -> Self {
        let skipped = saved.len().saturating_sub(MAX_WAITING_NOTICES);
        Self(saved.iter().skip(skipped).cloned().collect())
    }
}
