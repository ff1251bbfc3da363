//! Somebody who is given every decision.

use std::fmt;

use loopguard_core::{CallNumber, Denial, GuardId, Notice};
use serde::Serialize;

use crate::setup::Effect;

/// Somebody who is given every decision, as it is made: a log, a metric, a test.
///
/// It is called under the agent's lock, so it should be quick; what it does never changes
/// what is decided.
pub trait Observer: fmt::Debug + Send + Sync {
    /// One decision about `agent`.
    fn decided(&self, agent: &str, decision: &Decision<'_>);
}

/// One decision, as an [`Observer`] is given it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Decision<'a> {
    /// What was decided.
    pub action: Action<'a>,
    /// The agent's latest call when it was decided; 0 before its first.
    pub call: CallNumber,
    /// Whether it takes effect.
    pub effect: Effect,
}

/// What was decided.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Action<'a> {
    /// A guard advises.
    Notice(&'a Notice),
    /// A guard refuses a call, and its reason is the one that the model reads.
    Denial(&'a Denial),
    /// A guard refuses a call that another one has refused already.
    FurtherDenial(&'a Denial),
    /// The host is advised to end the agent's run.
    Halt(&'a Halt),
    /// A guard has panicked, and is off duty for this agent from now on. It is the guard's fault,
    /// and nothing that the agent did.
    Failed(&'a GuardId),
}

/// Advice to the host to end the agent's run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Halt {
    /// Why, in a sentence.
    pub reason: String,
    /// How many calls in a row have been refused.
    pub denials: u64,
}

impl Halt {
    pub(crate) fn after(denials: u64) -> Self {
        let reason = format!(
            "The last {denials} of this agent's calls were refused: it does not find another way \
             by itself. Its run should end here."
        );
        Self { reason, denials }
    }

    /// The code under which a halt is reported.
    pub const CODE: &'static str = "halt-after-denials";
}
