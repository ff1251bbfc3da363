//! The guard: which calls fail, and what follows.

use std::sync::Arc;

use loopguard_core::{
    Activity, Call, Event, Fingerprint, Guard, GuardId, Notices, Outcome, Output, RestoreError,
    SavedGuard, Timestamp, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::chain::{Chain, Failure};
use crate::config::BreakerConfig;
use crate::similar::Similar;
use crate::{NAME, texts};

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

/// Denies a call that already failed identically, until something else succeeds or a person
/// speaks. By itself it never advises.
#[derive(Clone, Debug)]
pub struct CircuitBreaker {
    id: GuardId,
    config: Arc<BreakerConfig>,
    state: State,
}

/// All that a breaker knows. Nothing of it may be missing in a saved state, be it null.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// The failing calls, the one that failed longest ago first: no more than `chains`.
    chains: Vec<Chain>,
    similar: Similar,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    activity: Activity,
}

impl CircuitBreaker {
    /// A breaker for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<BreakerConfig>) -> Self {
        Self {
            id,
            config,
            state: State::default(),
        }
    }

    fn finished(
        &mut self,
        call: &Call<'_>,
        outcome: &Outcome<'_>,
        at: Option<Timestamp>,
        notices: &mut Notices,
    ) {
        let (message, output, reported) = match *outcome {
            Outcome::Failure { message, output } => (message, output, true),
            Outcome::Success(output) => match self.inferred_failure(call, output) {
                Some(message) => (message, output, false),
                None => return self.state.clear(),
            },
            // Neither failure nor success: a denied or cancelled call never got as far.
            _ => return self.unanswered(call),
        };
        let failure = Failure {
            call,
            message,
            output,
            reported,
            at,
        };
        self.fail(&failure, notices);
    }

    /// A failure that the host did not report, by the text that tells it.
    fn inferred_failure<'a>(&self, call: &Call<'_>, output: &Output<'a>) -> Option<&'a str> {
        let texts = output.texts().iter().map(|text| text.as_str());
        texts
            .into_iter()
            .find(|text| self.config.means_failure(call.tool(), text))
    }

    fn fail(&mut self, failure: &Failure<'_>, notices: &mut Notices) {
        if self.config.is_transient(failure.message) {
            return self.unanswered(failure.call);
        }
        let values = self.config.of(failure.call.tool());
        let identity = failure.call.identity().fingerprint();
        let chains = &mut self.state.chains;
        let chain = match chains.iter().position(|chain| chain.call == identity) {
            Some(at) => {
                let mut chain = chains.remove(at);
                chain.fail(failure, values);
                chain
            }
            None => Chain::begin(failure, values),
        };
        if chains.len() >= self.config.chains() {
            chains.remove(0);
        }
        if chain.count == values.max_failures && !chain.reported && !self.config.deny_inferred() {
            notices.push(texts::inferred_failures(
                &self.id,
                &self.config,
                failure.call,
                &chain,
            ));
        }
        chains.push(chain);
        if let Some(limit) = values.max_similar_failures
            && self.state.similar.count(failure, limit)
        {
            let similar = &self.state.similar;
            notices.push(texts::similar_failures(
                &self.id,
                &self.config,
                failure,
                similar,
            ));
        }
    }

    fn unanswered(&mut self, call: &Call<'_>) {
        if let Some(chain) = self.state.chain(call.identity().fingerprint()) {
            chain.unanswered(call, self.config.of(call.tool()));
        }
    }
}

impl State {
    fn chain(&mut self, identity: Fingerprint) -> Option<&mut Chain> {
        self.chains.iter_mut().find(|chain| chain.call == identity)
    }

    fn clear(&mut self) {
        self.chains.clear();
        self.similar = Similar::default();
    }
}

impl Guard for CircuitBreaker {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        let (identity, at) = (call.identity(), call.submitted_at());
        let mut chains = self.state.chains.iter();
        let Some(chain) = chains.find(|chain| chain.call == identity.fingerprint()) else {
            return Verdict::Admit;
        };
        let values = self.config.of(call.tool());
        if identity.is_exact()
            && chain.refuses(values, self.config.deny_inferred(), at)
            && !self.state.activity.has_paused(at, values.quiet_gap_ms)
            && self.config.filter().admits(call.tool())
        {
            return texts::circuit_open(&self.id, &self.config, call, chain);
        }
        Verdict::Admit
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        let gap = |call: &Call<'_>| self.config.of(call.tool()).quiet_gap_ms;
        if self.state.activity.follow(event, gap) || event.starts_over() {
            self.state.clear();
        }
        match event {
            Event::Admitted(call) => {
                if let Some(chain) = self.state.chain(call.identity().fingerprint()) {
                    chain.admitted(call, self.config.of(call.tool()));
                }
            }
            Event::Refused(call, _) => {
                if let Some(chain) = self.state.chain(call.identity().fingerprint()) {
                    chain.refused();
                }
            }
            Event::Finished { call, outcome, at } if self.config.filter().admits(call.tool()) => {
                self.finished(call, outcome, *at, notices);
            }
            Event::Pardoned(identity) => {
                self.state
                    .chains
                    .retain(|chain| chain.call != identity.fingerprint());
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
            &self.state,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        let state: State = saved.open(NAME, STATE_VERSION, self.config.fingerprint())?;
        if state.chains.len() > self.config.chains() {
            return Err(RestoreError::Impossible("more chains than are configured"));
        }
        self.state = state;
        Ok(())
    }
}
