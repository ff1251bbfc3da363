//! Traces: what happens to an agent with a breaker, in one line.
//!
//! - `a`: a call of the tool `a` that succeeds; `a2` one with other arguments; `a:x` one whose
//!   result is the text x. `a!x`: it fails with the message x; `a!x:y` with the result y beside it.
//!   Behind the name: `-`: another guard refuses it, `=`: the host refuses it, `~`: it is cancelled,
//!   `?`: its identity is inexact, `(`: it goes on running. `)` ends the one that began first, as
//!   what follows says: `)!x`, `)=`, `)~`. In a message or a result `_` stands for a blank.
//! - `clock`: from here on times are told. `+250`, `-250`: so many milliseconds pass, or the clock
//!   goes back.
//! - `USER`, `mail`: a message of that source. `RESET`, `COMPACT`, `pardon:a`.
//!
//! What is said is told as `3 denied, 4 similar failures × 4`: the place in the trace, counted
//! from 1, and a denial or the summary of a notice.

use std::collections::VecDeque;
use std::sync::Arc;

use loopguard_circuit_breaker::core::{
    Arguments, Call, CallNumber, Denial, Event, Facts, Guard, GuardId, Message, Notice, Notices,
    Outcome, Output, Seed, Source, Text, Timestamp, Verdict,
};
use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker, DEFAULT_ID};
use serde_json::Value;

/// Checks what is said to a trace under this configuration.
#[track_caller]
pub(crate) fn check(config: &Value, trace: &str, expect: &str) {
    assert_eq!(Agent::new(config).play(trace), expect, "{trace}");
}

/// A breaker, the calls that run and the time.
pub(crate) struct Agent {
    pub(crate) guard: CircuitBreaker,
    /// The last denial.
    pub(crate) denied: Option<Denial>,
    /// Everything that was advised.
    pub(crate) said: Vec<Notice>,
    running: VecDeque<Running>,
    calls: u64,
    now: Option<i64>,
}

/// A call as it was submitted.
struct Running {
    name: String,
    number: CallNumber,
    at: Option<Timestamp>,
}

impl Agent {
    pub(crate) fn new(config: &Value) -> Self {
        Self::under(BreakerConfig::from_value(config).expect("a configuration"))
    }

    /// An agent under a configuration that was read already.
    pub(crate) fn under(config: BreakerConfig) -> Self {
        Self {
            guard: CircuitBreaker::new(DEFAULT_ID.into(), Arc::new(config)),
            denied: None,
            said: Vec::new(),
            running: VecDeque::new(),
            calls: 0,
            now: None,
        }
    }

    /// Plays a trace: all that was said.
    pub(crate) fn play(&mut self, trace: &str) -> String {
        let mut said = Vec::new();
        for (at, token) in trace.split_whitespace().enumerate() {
            let before = self.said.len();
            if self.token(token) {
                said.push(format!("{} denied", at + 1));
            }
            let notices = self.said[before..].iter();
            said.extend(notices.map(|notice| format!("{} {}", at + 1, notice.summary)));
        }
        said.join(", ")
    }

    /// Plays one token: whether a call was denied.
    fn token(&mut self, token: &str) -> bool {
        match token {
            "RESET" => self.observe(&Event::Reset(self.time())),
            "COMPACT" => self.observe(&Event::Compacted(self.time())),
            "USER" => self.message(Source::User),
            "mail" => self.message(Source::Plugin("mail")),
            "ASSISTANT" => self.message(Source::Assistant),
            "clock" => self.now = Some(1_700_000_000_000),
            _ if token.starts_with(['+', '-']) => {
                let passed: i64 = token.parse().expect("milliseconds");
                self.now = self.now.map(|now| now + passed);
            }
            _ => match (token.strip_prefix("pardon:"), token.strip_prefix(')')) {
                (Some(call), _) => {
                    let identity = call_of(call).identity();
                    self.observe(&Event::Pardoned(identity));
                }
                (None, Some(end)) => {
                    let call = self.running.pop_front().expect("a call runs");
                    self.end(&call, end);
                }
                (None, None) => return self.submit(token),
            },
        }
        false
    }

    fn submit(&mut self, token: &str) -> bool {
        self.calls += 1;
        let name_ends = token.find(['!', ':', '-', '=', '~', '(']);
        let (name, end) = token.split_at(name_ends.unwrap_or(token.len()));
        let running = Running {
            name: name.to_owned(),
            number: CallNumber(self.calls),
            at: self.time(),
        };
        let call = running.call();
        let another = GuardId::new("another");
        let verdict = match end {
            "-" => Verdict::refuse(&another, "code", "reason", Facts::new("rule", 1)),
            _ => self.guard.decide(&call),
        };
        if let Verdict::Refuse(denial) = verdict {
            self.observe(&Event::Refused(&call, &denial));
            let is_own = denial.guard != another;
            self.denied = Some(*denial).filter(|_| is_own);
            return is_own;
        }
        self.observe(&Event::Admitted(&call));
        match end {
            "(" => self.running.push_back(running),
            _ => self.end(&running, end),
        }
        false
    }

    fn end(&mut self, running: &Running, end: &str) {
        let (message, result) = end.split_once(':').unwrap_or((end, ""));
        let (message, result) = (message.replace('_', " "), result.replace('_', " "));
        let texts = [Text::new(Seed::FIXED, &result)];
        let output = Output::new(if result.is_empty() { &[] } else { &texts });
        let outcome = match (message.strip_prefix('!'), &*message) {
            (Some(message), _) => Outcome::Failure {
                message,
                output: &output,
            },
            (None, "=") => Outcome::Denied,
            (None, "~") => Outcome::Cancelled,
            _ => Outcome::Success(&output),
        };
        let (call, at) = (&running.call(), self.time());
        self.observe(&Event::Finished { call, outcome, at });
    }

    fn message(&mut self, source: Source<'_>) {
        let message = Message::new(source, &[]);
        self.observe(&Event::Messages(&[message], self.time()));
    }

    fn observe(&mut self, event: &Event<'_>) {
        let mut notices = Notices::new();
        self.guard.observe(event, &mut notices);
        self.said.extend(notices.take());
    }

    fn time(&self) -> Option<Timestamp> {
        self.now.map(Timestamp::from_millis)
    }
}

impl Running {
    fn call(&self) -> Call<'_> {
        let mut call = call_of(self.name.trim_end_matches('?'));
        if self.name.ends_with('?') {
            call = Call::with_identity(call.tool(), call.identity().inexact());
        }
        call.numbered(self.number).at(self.at)
    }
}

/// The call of a token: letters are the tool, digits behind them the arguments.
fn call_of(token: &str) -> Call<'_> {
    let tool = token.trim_end_matches(|c: char| c.is_ascii_digit());
    Call::new(Seed::FIXED, tool, Arguments::Text(&token[tool.len()..]))
}
