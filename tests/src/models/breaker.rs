//! The breaker, naively.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Model, Quiet, Submitted, Told, line, names, normalised, passed, some_tool};
use crate::life::{Call, FAILURES, How, TOOLS};

/// What the breaker goes by.
#[derive(Clone, Debug)]
pub struct BreakerRules {
    /// Identical failures in a row that open a circuit.
    pub max_failures: usize,
    /// Tools that are left out.
    pub exclude: Vec<usize>,
    /// UTF-16 units of a message that are kept.
    pub preview: usize,
    /// What goes beyond the original.
    pub beyond: Beyond,
}

/// The keys beyond the original.
#[derive(Clone, Debug)]
pub struct Beyond {
    /// A tool with a number of failures of its own.
    pub own: Option<(usize, usize)>,
    /// Failing calls that are remembered at once.
    pub chains: usize,
    /// Whether a failure that reads otherwise starts anew.
    pub result_aware: bool,
    /// Whether the failure `no such file` passes by itself.
    pub transient: bool,
    /// Whether texts of a line mean failure, and whether that may deny.
    pub inferred: Option<bool>,
    /// How long after the last failure a probe is admitted.
    pub after_ms: Option<i64>,
    /// After how many denied attempts a probe is admitted.
    pub after_calls: Option<usize>,
    /// The same failure from so many calls in a row is told.
    pub similar: Option<usize>,
    /// The longest pause that does not start anew.
    pub gap: Option<i64>,
}

/// What a text that means failure has in it.
const MEANS_FAILURE: &str = "same line";

impl BreakerRules {
    /// Any rules of the original, within small ranges.
    pub fn any() -> impl Strategy<Value = Self> {
        (1..4usize, some_tool(), 1..16usize).prop_map(|(max_failures, exclude, preview)| Self {
            max_failures,
            exclude,
            preview,
            beyond: Beyond {
                own: None,
                chains: 1,
                result_aware: false,
                transient: false,
                inferred: None,
                after_ms: None,
                after_calls: None,
                similar: None,
                gap: None,
            },
        })
    }

    /// Any rules at all, within small ranges.
    pub fn wider() -> impl Strategy<Value = Self> {
        let own = prop::option::of((0..TOOLS.len(), 1..4usize));
        let flags = (
            any::<bool>(),
            any::<bool>(),
            prop::option::of(any::<bool>()),
        );
        let ms = || prop::option::of((2..9i64).prop_map(|steps| steps * 250));
        let counts = (prop::option::of(1..4usize), prop::option::of(2..4usize));
        let all = (Self::any(), own, 1..4usize, flags, ms(), counts, ms());
        all.prop_map(|(rules, own, chains, flags, after_ms, counts, gap)| Self {
            beyond: Beyond {
                own,
                chains,
                result_aware: flags.0,
                transient: flags.1,
                inferred: flags.2,
                after_ms,
                after_calls: counts.0,
                similar: counts.1,
                gap,
            },
            ..rules
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
        let beyond = &self.beyond;
        let own = beyond.own.iter();
        let own = own.map(|(tool, own)| json!({"tools": [TOOLS[*tool]], "maxFailures": own}));
        let transient: &[&str] = if beyond.transient {
            &["SUCH file"]
        } else {
            &[]
        };
        let inferred = beyond.inferred.iter();
        let config = json!({
            "maxFailures": self.max_failures,
            "exclude": names(&self.exclude),
            "errorPreviewChars": self.preview,
            "overrides": own.collect::<Vec<_>>(),
            "chains": beyond.chains,
            "resultAware": beyond.result_aware,
            "transientPatterns": transient,
            "failurePatterns": inferred.map(|_| json!({"pattern": MEANS_FAILURE})).collect::<Vec<_>>(),
            "denyInferred": beyond.inferred.unwrap_or_default(),
            "halfOpenAfterMs": beyond.after_ms,
            "halfOpenAfterCalls": beyond.after_calls,
            "maxSimilarFailures": beyond.similar,
            "quietGapMs": beyond.gap,
        });
        json!({"name": "circuit-breaker", "config": config})
    }

    fn limit(&self, call: Call) -> usize {
        match self.beyond.own {
            Some((tool, own)) if tool == call.tool => own,
            _ => self.max_failures,
        }
    }
}

/// Every failure since the last success or word of a person, and what was tried since.
#[derive(Debug)]
pub struct BreakerModel {
    rules: BreakerRules,
    /// The failures of each call, the call that failed longest ago first.
    failing: Vec<Failing>,
    /// What the failures said, in a row.
    failures: Vec<String>,
    quiet: Quiet,
}

/// One call that fails.
#[derive(Debug)]
struct Failing {
    call: Call,
    failures: Vec<Failure>,
    /// What has been tried since the last failure.
    tried: Vec<Attempt>,
}

#[derive(Clone, Debug)]
struct Failure {
    message: String,
    /// What it is compared by: the result, or the message where there is none.
    text: Vec<String>,
    exact: bool,
    reported: bool,
    at: Option<i64>,
}

#[derive(Debug, PartialEq)]
enum Attempt {
    Refused,
    Probe {
        number: u64,
        at: Option<i64>,
        given_up: bool,
    },
}

impl Failing {
    /// The last failures that count together.
    fn chain(&self, result_aware: bool) -> Vec<&Failure> {
        let last = self.failures.last();
        let counts = |failure: &&Failure| {
            !result_aware || last.is_some_and(|last| last.text == failure.text)
        };
        self.failures.iter().rev().take_while(counts).collect()
    }

    fn last_probe(&mut self) -> Option<&mut Attempt> {
        let mut tried = self.tried.iter_mut().rev();
        tried.find(|attempt| **attempt != Attempt::Refused)
    }

    /// Whether the wait is over.
    fn admits_probe(&self, beyond: &Beyond, now: Option<i64>) -> bool {
        let is_probe = |attempt: &&Attempt| **attempt != Attempt::Refused;
        let refused = self
            .tried
            .iter()
            .rev()
            .take_while(|attempt| !is_probe(attempt))
            .count();
        let (since, is_free) = match self.tried.iter().rev().find(is_probe) {
            Some(Attempt::Probe {
                at,
                given_up: false,
                ..
            }) => (*at, false),
            Some(_) => (self.failures.last().and_then(|it| it.at), true),
            None => (self.failures.last().and_then(|it| it.at), false),
        };
        beyond
            .after_ms
            .is_some_and(|wait| passed(since, now) >= wait)
            || beyond
                .after_calls
                .is_some_and(|calls| is_free || refused >= calls)
    }
}

impl BreakerModel {
    /// A breaker that has seen nothing.
    pub fn new(rules: BreakerRules) -> Self {
        Self {
            rules,
            failing: Vec::new(),
            failures: Vec::new(),
            quiet: Quiet::default(),
        }
    }

    fn clear(&mut self) {
        self.failing.clear();
        self.failures.clear();
    }

    fn of(&mut self, call: Call) -> Option<&mut Failing> {
        self.failing.iter_mut().find(|failing| failing.call == call)
    }

    /// A message as it is quoted.
    fn quoted(&self, message: &str) -> String {
        if message.is_empty() {
            return "(no message)".to_owned();
        }
        if message.encode_utf16().count() <= self.rules.preview {
            return message.to_owned();
        }
        let mut quoted = String::new();
        for character in message.chars() {
            let longer = quoted.encode_utf16().count() + character.len_utf16();
            if longer > self.rules.preview {
                break;
            }
            quoted.push(character);
        }
        quoted + "…"
    }

    fn submitted(&mut self, call: &Submitted) {
        let (limit, aware) = (self.rules.limit(call.call), self.rules.beyond.result_aware);
        let Some(failing) = self.of(call.call) else {
            return;
        };
        if call.refused {
            failing.tried.push(Attempt::Refused);
        } else if call.exact && failing.chain(aware).len() >= limit {
            failing.tried.push(Attempt::Probe {
                number: call.number,
                at: call.at,
                given_up: false,
            });
        }
    }

    /// A call that ended, and neither failed nor succeeded.
    fn gave_up(&mut self, call: &Submitted) {
        if let Some(Attempt::Probe {
            number, given_up, ..
        }) = self.of(call.call).and_then(Failing::last_probe)
            && *number == call.number
        {
            *given_up = true;
        }
    }

    fn failed(&mut self, call: &Submitted, failure: Failure) -> Vec<String> {
        let (rules, mut said) = (self.rules.clone(), Vec::new());
        if rules.beyond.transient && failure.message.contains("such file") {
            self.gave_up(call);
            return said;
        }
        let message = normalised(&failure.message);
        let at = self
            .failing
            .iter()
            .position(|failing| failing.call == call.call);
        let mut failing = match at {
            Some(at) => self.failing.remove(at),
            None => Failing {
                call: call.call,
                failures: Vec::new(),
                tried: Vec::new(),
            },
        };
        failing.failures.push(failure);
        failing.tried.clear();
        let chain = failing.chain(rules.beyond.result_aware);
        let reported = chain.iter().all(|failure| failure.reported);
        if chain.len() == rules.limit(call.call)
            && !reported
            && rules.beyond.inferred == Some(false)
        {
            let summary = format!("{} failed × {}", TOOLS[call.call.tool], chain.len());
            said.push(line("inferred-failures", &summary, ""));
        }
        self.failing.push(failing);
        let too_many = self.failing.len().saturating_sub(rules.beyond.chains);
        self.failing.drain(..too_many);
        self.failures.push(message.clone());
        let count = self
            .failures
            .iter()
            .rev()
            .take_while(|other| **other == message)
            .count();
        if rules
            .beyond
            .similar
            .is_some_and(|limit| count.is_multiple_of(limit))
        {
            let summary = format!("similar failures × {count}");
            said.push(line("similar-failures", &summary, ""));
        }
        said
    }

    fn ended(
        &mut self,
        call: &Submitted,
        how: How,
        texts: &[&str],
        at: Option<i64>,
    ) -> Vec<String> {
        let inferred = texts.iter().find(|text| text.contains(MEANS_FAILURE));
        let inferred = inferred.filter(|_| self.rules.beyond.inferred.is_some());
        let (message, reported) = match (how, inferred) {
            (How::Failure(message), _) => (FAILURES[message], true),
            (How::Success, Some(text)) => (*text, false),
            (How::Success, None) => {
                self.clear();
                return Vec::new();
            }
            (How::Denied | How::Cancelled, _) => {
                self.gave_up(call);
                return Vec::new();
            }
        };
        let text = match texts {
            [] => vec!["no result".to_owned(), normalised(message)],
            _ => texts.iter().map(|text| normalised(text)).collect(),
        };
        let failure = Failure {
            message: message.to_owned(),
            text,
            exact: call.exact,
            reported,
            at,
        };
        self.failed(call, failure)
    }
}

impl Model for BreakerModel {
    fn decide(&self, call: &Submitted) -> Option<String> {
        let beyond = &self.rules.beyond;
        let failing = self
            .failing
            .iter()
            .find(|failing| failing.call == call.call)?;
        let chain = failing.chain(beyond.result_aware);
        let is_open = chain.len() >= self.rules.limit(call.call)
            && chain.iter().all(|failure| failure.exact)
            && (beyond.inferred == Some(true) || chain.iter().all(|failure| failure.reported));
        if !is_open
            || !call.exact
            || failing.admits_probe(beyond, call.at)
            || self.quiet.is_over(call.at, beyond.gap)
        {
            return None;
        }
        let (tool, count) = (TOOLS[call.call.tool], chain.len());
        let message = self.quoted(&chain[0].message);
        let reason = format!(
            "The identical {tool} call already failed {count} consecutive times. Last failure: \
             {message}. Change the arguments or approach, inspect external state, or ask the \
             user instead of retrying unchanged."
        );
        Some(line("circuit-open", &count.to_string(), &reason))
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        match told {
            Told::StartedOver => self.clear(),
            Told::Pardoned(call) => self.failing.retain(|failing| failing.call != *call),
            Told::Submitted(call) => {
                if self.quiet.is_over(call.at, self.rules.beyond.gap) {
                    self.clear();
                }
                self.submitted(call);
            }
            _ => {}
        }
        self.quiet.note(told);
        match told {
            Told::Ended {
                call,
                how: Some(how),
                texts,
                at,
            } if !self.rules.exclude.contains(&call.call.tool) => {
                self.ended(call, *how, texts, *at)
            }
            _ => Vec::new(),
        }
    }
}
