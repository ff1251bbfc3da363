//! Every decision, as an observer is given it.

use std::sync::{Mutex, PoisonError};

use loopguard::{Action, Decision, Observer};

use crate::transcript::Heard;

/// Keeps decisions until the loop asks for them.
#[derive(Debug, Default)]
pub(crate) struct Journal(Mutex<Vec<Observed>>);

/// One decision.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    pub(crate) agent: String,
    pub(crate) heard: Heard,
}

impl Journal {
    /// Takes what has been decided since the last time.
    pub(crate) fn take(&self) -> Vec<Observed> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for Journal {
    fn decided(&self, agent: &str, decision: &Decision<'_>) {
        let heard = match decision.action {
            Action::Notice(notice) => Heard::Notice(notice.clone()),
            Action::Denial(denial) => Heard::Denial(denial.clone()),
            Action::FurtherDenial(denial) => Heard::FurtherDenial(denial.clone()),
            Action::Halt(halt) => Heard::Halt(halt.clone()),
            _ => return,
        };
        let agent = agent.to_owned();
        let mut observed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        observed.push(Observed { agent, heard });
    }
}
