//! The calls that run: results come later, and know no more than an id.

use std::collections::VecDeque;

use loopguard_core::{Call, CallNumber, Fingerprint, Identity, Seed, StepId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::speaker::Speaker;
use crate::submission::CallRef;

/// How many calls of one agent may run at a time: one more, and the oldest is forgotten, as
/// if it never finished. Far more than any host runs in parallel.
pub const MAX_PENDING_CALLS: usize = 1024;

/// How many bytes of a tool's name are kept while its call runs; what is longer is cut.
const MAX_NAME_BYTES: usize = 1024;

/// How many names of finished calls are kept for the next ones, so that none has to be
/// allocated anew.
const MAX_SPARE: usize = 16;

/// The admitted calls of one agent that have not ended, the oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingCalls {
    calls: VecDeque<PendingCall>,
    spare: Vec<String>,
    forgotten: u64,
}

/// What is kept of a call while it runs: not its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingCall {
    number: CallNumber,
    agent: Speaker,
    id: Option<Fingerprint>,
    tool: String,
    identity: Identity,
    at: Option<Timestamp>,
    step: Option<StepId>,
}

impl PendingCall {
    /// The call, its arguments not at hand.
    pub(crate) fn call(&self) -> Call<'_> {
        Call::with_identity(&self.tool, self.identity)
            .numbered(self.number)
            .at(self.at)
            .in_step(self.step)
    }
}

impl PendingCalls {
    /// A call of `agent` begins to run.
    pub(crate) fn begin(&mut self, agent: Speaker, call: &Call<'_>, id: Option<&str>) {
        if self.calls.len() == MAX_PENDING_CALLS
            && let Some(oldest) = self.calls.pop_front()
        {
            self.forgotten += 1;
            self.put_back(oldest);
        }
        let mut tool = self.spare.pop().unwrap_or_default();
        tool.clear();
        tool.push_str(kept_name(call.tool()));
        self.calls.push_back(PendingCall {
            number: call.number(),
            agent,
            id: id.map(fingerprint),
            tool,
            identity: call.identity(),
            at: call.submitted_at(),
            step: call.step(),
        });
    }

    /// A call of `agent` ends: what is known of it, if it runs.
    pub(crate) fn end(&mut self, agent: Speaker, call: CallRef<'_>) -> Option<PendingCall> {
        let at = match call {
            CallRef::Number(number) => self.calls.iter().position(|call| call.number == number),
            CallRef::Id(id) => {
                let id = Some(fingerprint(id));
                self.calls
                    .iter()
                    .position(|call| call.agent == agent && call.id == id)
            }
        }?;
        self.calls.remove(at)
    }

    /// Gives the record of a call that has ended back, for the next one.
    pub(crate) fn put_back(&mut self, call: PendingCall) {
        if self.spare.len() < MAX_SPARE {
            self.spare.push(call.tool);
        }
    }

    /// How many calls run.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// How many were forgotten because too many ran.
    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(crate) fn save(&self) -> Vec<PendingCall> {
        self.calls.iter().cloned().collect()
    }

    pub(crate) fn restore(saved: Vec<PendingCall>) -> Self {
        let skipped = saved.len().saturating_sub(MAX_PENDING_CALLS);
        Self {
            calls: saved.into_iter().skip(skipped).collect(),
            ..Self::default()
        }
    }
}

/// What is kept of a tool's name: no real one is longer, and a hostile one shall not fill the
/// memory.
fn kept_name(tool: &str) -> &str {
    match tool.len() <= MAX_NAME_BYTES {
        true => tool,
        false => &tool[..tool.floor_char_boundary(MAX_NAME_BYTES)],
    }
}

/// Ids are only ever compared with ids, so the seed does not matter.
fn fingerprint(id: &str) -> Fingerprint {
    Fingerprint::of_bytes(Seed::FIXED, id.as_bytes())
}
