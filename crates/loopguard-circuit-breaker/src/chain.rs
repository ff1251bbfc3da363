//! One failing call, and its circuit.

use loopguard_canonical::cut;
use loopguard_core::{Call, CallNumber, Fingerprint, Output, Seed, Timestamp, elapsed_ms};
use serde::{Deserialize, Serialize};

use crate::config::Values;

/// Which call failed, how many times in a row, and how. Its circuit is open once the count has
/// reached `maxFailures`, half-open while it admits a probe; every other circuit is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chain {
    pub(crate) call: Fingerprint,
    pub(crate) count: u64,
    /// The last failure's message, cut.
    pub(crate) message: String,
    pub(crate) first: CallNumber,
    pub(crate) last: CallNumber,
    /// Whether the host reported each of the failures.
    pub(crate) reported: bool,
    /// Whether each of the failures was certainly one of this very call: where a parser had
    /// lost digits, two different calls look alike, and nothing is denied.
    exact: bool,
    /// What the last failure is compared by.
    text: Fingerprint,
    failed_at: Option<Timestamp>,
    /// Attempts refused since the last failure, or since the last probe.
    refused: u64,
    probe: Option<Probe>,
}

/// The one call that an open circuit has admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Probe {
    call: CallNumber,
    at: Option<Timestamp>,
}

/// A failure of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    pub(crate) call: &'a Call<'a>,
    pub(crate) message: &'a str,
    /// The whole result, as the model reads it.
    pub(crate) output: &'a Output<'a>,
    /// Whether the host reported it, or a pattern told it.
    pub(crate) reported: bool,
    pub(crate) at: Option<Timestamp>,
}

impl Failure<'_> {
    /// What two failures that are the same share: the whole result, volatile parts left out,
    /// since the message alone may be no more than an exit status; the message where there is
    /// no result. The seed does not matter: it is only ever compared with others of the agent.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match self.output.texts() {
            [] => self.message_fingerprint(),
            _ => self.output.digest(),
        }
    }

    /// What failures of different calls share that say the same: the message alone.
    pub(crate) fn message_fingerprint(&self) -> Fingerprint {
        Fingerprint::of_text(Seed::FIXED, self.message)
    }
}

impl Chain {
    pub(crate) fn begin(failure: &Failure<'_>, values: &Values) -> Self {
        let identity = failure.call.identity();
        Self {
            call: identity.fingerprint(),
            count: 1,
            message: kept_message(failure, values.error_preview_chars),
            first: failure.call.number(),
            last: failure.call.number(),
            reported: failure.reported,
            exact: identity.is_exact(),
            text: failure.fingerprint(),
            failed_at: failure.at,
            refused: 0,
            probe: None,
        }
    }

    /// The call failed once more: an open circuit opens again, and every wait starts anew.
    pub(crate) fn fail(&mut self, failure: &Failure<'_>, values: &Values) {
        let fresh = Self::begin(failure, values);
        let is_progress = values.result_aware && fresh.text != self.text;
        if is_progress {
            *self = fresh;
            return;
        }
        *self = Self {
            count: self.count.saturating_add(1),
            first: self.first,
            reported: self.reported && fresh.reported,
            exact: self.exact && fresh.exact,
            ..fresh
        };
    }

    /// Whether an attempt at `at` has to be refused.
    pub(crate) fn refuses(
        &self,
        values: &Values,
        deny_inferred: bool,
        at: Option<Timestamp>,
    ) -> bool {
        let is_open = self.count >= values.max_failures && self.exact;
        is_open && (self.reported || deny_inferred) && !self.admits_probe(values, at)
    }

    /// Whether the wait is over, counted from the last failure, or from a probe that has not
    /// been answered.
    fn admits_probe(&self, values: &Values, at: Option<Timestamp>) -> bool {
        let since = self.probe.map_or(self.failed_at, |probe| probe.at);
        values
            .half_open_after_ms
            .is_some_and(|wait| elapsed_ms(since, at) >= wait)
            || values
                .half_open_after_calls
                .is_some_and(|calls| self.refused >= calls)
    }

    /// An attempt runs: where the circuit is open, it is the probe; one that may be another
    /// call is none.
    pub(crate) fn admitted(&mut self, call: &Call<'_>, values: &Values) {
        if self.count >= values.max_failures && call.identity().is_exact() {
            self.probe = Some(Probe {
                call: call.number(),
                at: call.submitted_at(),
            });
            self.refused = 0;
        }
    }

    /// An attempt was refused.
    pub(crate) fn refused(&mut self) {
        self.refused = self.refused.saturating_add(1);
    }

    /// A call ended and was neither a failure nor a success: as a probe, it tells nothing, and
    /// another one may go.
    pub(crate) fn unanswered(&mut self, call: &Call<'_>, values: &Values) {
        if self.probe.is_some_and(|probe| probe.call == call.number()) {
            self.probe = None;
            // The wait was over when it was admitted, and it still is.
            self.refused = values.half_open_after_calls.unwrap_or_default();
        }
    }
}

/// What is kept of a failure's message: what may be quoted of it, its first `max_units` UTF-16
/// units, then `…`.
pub(crate) fn kept_message(failure: &Failure<'_>, max_units: u64) -> String {
    let message = failure.call.redacted(failure.message);
    match cut(&message, max_units) {
        Some(head) => format!("{head}…"),
        None if message.is_empty() => "(no message)".to_owned(),
        None => message.into_owned(),
    }
}
