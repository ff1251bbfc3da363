//! The guard: one chain of identical failures per agent.

use std::sync::Arc;

use loopguard_canonical::cut;
use loopguard_core::{
    Call, CallNumber, Event, Fingerprint, Guard, GuardId, Notices, Outcome, RestoreError,
    SavedGuard, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::config::BreakerConfig;
use crate::{NAME, texts};

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

/// Denies a call that already failed identically, until something else succeeds or a person
/// speaks. By itself it never advises.
#[derive(Clone, Debug)]
pub struct CircuitBreaker {
    id: GuardId,
    config: Arc<BreakerConfig>,
    chain: Option<Chain>,
}

/// The chain: which call failed last, how many times in a row, and how. The circuit of that
/// call is open once the count has reached `maxFailures`; every other circuit is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chain {
    pub(crate) call: Fingerprint,
    pub(crate) count: u64,
    pub(crate) message: String,
    pub(crate) first: CallNumber,
    pub(crate) last: CallNumber,
    /// Whether each of the failures was certainly one of this very call: where a parser had
    /// lost digits, two different calls look alike, and nothing is denied.
    exact: bool,
}

impl CircuitBreaker {
    /// A breaker for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<BreakerConfig>) -> Self {
        Self {
            id,
            config,
            chain: None,
        }
    }

    fn fail(&mut self, call: &Call<'_>, message: &str) {
        let identity = call.identity();
        let kept = kept_message(message, self.config.error_preview_chars());
        self.chain = Some(match self.chain.take() {
            Some(chain) if chain.call == identity.fingerprint() => Chain {
                count: chain.count.saturating_add(1),
                message: kept,
                last: call.number(),
                exact: chain.exact && identity.is_exact(),
                ..chain
            },
            _ => Chain {
                call: identity.fingerprint(),
                count: 1,
                message: kept,
                first: call.number(),
                last: call.number(),
                exact: identity.is_exact(),
            },
        });
    }
}

impl Guard for CircuitBreaker {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        match &self.chain {
            Some(chain)
                if chain.call == call.identity().fingerprint()
                    && chain.count >= self.config.max_failures()
                    && chain.exact
                    && call.identity().is_exact()
                    && self.config.filter().admits(call.tool()) =>
            {
                texts::circuit_open(&self.id, &self.config, call, chain)
            }
            _ => Verdict::Admit,
        }
    }

    fn observe(&mut self, event: &Event<'_>, _notices: &mut Notices) {
        match event {
            _ if event.starts_over() => self.chain = None,
            Event::Finished { call, outcome, .. } if self.config.filter().admits(call.tool()) => {
                match outcome {
                    Outcome::Success(_) => self.chain = None,
                    Outcome::Failure { message, .. } => self.fail(call, message),
                    // Neither failure nor success: a denied or cancelled call never got as far.
                    _ => {}
                }
            }
            Event::Pardoned(identity)
                if self
                    .chain
                    .as_ref()
                    .is_some_and(|it| it.call == identity.fingerprint()) =>
            {
                self.chain = None;
            }
            _ => {}
        }
    }

    fn save(&self) -> SavedGuard {
        SavedGuard::new(
            &self.id,
            NAME,
            STATE_VERSION,
            self.config.fingerprint(),
            &self.chain,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        self.chain = saved.open(NAME, STATE_VERSION, self.config.fingerprint())?;
        Ok(())
    }
}

/// What is kept of a failure's message: its first `max_units` UTF-16 units, then `…`.
fn kept_message(message: &str, max_units: u64) -> String {
    match cut(message, max_units) {
        Some(head) => format!("{head}…"),
        None if message.is_empty() => "(no message)".to_owned(),
        None => message.to_owned(),
    }
}
