//! Traces: what happens to an agent, in one line.
//!
//! - `a`: a call of the tool `a` that succeeds; `a2` one with other arguments. Behind it, `!`: it
//!   fails, `-`: another guard refuses it, `=`: the host refuses it, `~`: it is cancelled, `?`: its
//!   identity is inexact, `(`: it goes on running. `)` ends the one that began first. Behind `:` or
//!   `!` may stand the blocks of the result, `a:x+y`; without them there are none.
//! - `|`: a step of the model begins; `/`: from here on calls belong to no step.
//! - `clock`: from here on times are told. `+250`, `-250`: so many milliseconds pass, or the clock
//!   goes back.
//! - `USER`, `mail`, `mail+USER`, `ASSISTANT`: a batch of messages by their sources.
//! - `RESET`, `COMPACT`, `pardon:a`.
//!
//! What is said is told as `3 a × 3, 5 a × 5 detailed`: the place in the trace, counted from 1,
//! the summary, and whether it is the detailed text; a call that is refused as `4 denied`.

use std::collections::VecDeque;
use std::sync::Arc;

use loopguard_repeat_reminder::core::{
    Arguments, Call, CallNumber, Denial, Event, Facts, Guard, GuardId, Message, Notice, Notices,
    Outcome, Output, Seed, Source, StepId, Text, Timestamp, Verdict,
};
use loopguard_repeat_reminder::{DEFAULT_ID, ReminderConfig, RepeatReminder};
use serde_json::{Value, json};

/// Checks what is said to a trace under the default configuration.
#[track_caller]
pub(crate) fn check(trace: &str, expect: &str) {
    check_with(&json!({}), trace, expect);
}

/// Checks what is said to a trace under this configuration.
#[track_caller]
pub(crate) fn check_with(config: &Value, trace: &str, expect: &str) {
    let mut agent = Agent::new(config);
    let mut said = Vec::new();
    for (at, token) in trace.split_whitespace().enumerate() {
        let notices = agent.play(token);
        said.extend(agent.denied.iter().map(|_| format!("{} denied", at + 1)));
        for notice in notices {
            let detailed = match notice.code.as_str() {
                "repeated-call" => "",
                "repeated-call-detailed" => " detailed",
                other => panic!("no such code: {other}"),
            };
            said.push(format!("{} {}{detailed}", at + 1, notice.summary));
        }
    }
    assert_eq!(said.join(", "), expect, "{trace}");
}

/// The one notice that the last of so many identical calls raises.
pub(crate) fn notice(config: &Value, tool: &str, arguments: &str, calls: usize) -> Notice {
    let mut agent = Agent::new(config);
    let mut said = Vec::new();
    for _ in 0..calls {
        said = agent.call(tool, arguments);
    }
    assert_eq!(said.len(), 1);
    said.remove(0)
}

/// A reminder, the calls that run, the step and the time.
pub(crate) struct Agent {
    pub(crate) guard: RepeatReminder,
    /// The denial of the last call, if it was refused.
    pub(crate) denied: Option<Denial>,
    running: VecDeque<Running>,
    calls: u64,
    step: Option<u64>,
    steps: u64,
    now: Option<i64>,
}

/// A call as it was submitted.
struct Running {
    token: String,
    number: CallNumber,
    step: Option<StepId>,
    at: Option<Timestamp>,
}

impl Agent {
    pub(crate) fn new(config: &Value) -> Self {
        Self::with_id(DEFAULT_ID, config)
    }

    pub(crate) fn with_id(id: &str, config: &Value) -> Self {
        let config = ReminderConfig::from_value(config).expect("a configuration");
        let mut agent = Self::under(config.clone());
        agent.guard = RepeatReminder::new(GuardId::new(id), Arc::new(config));
        agent
    }

    /// An agent under a configuration that was read already.
    pub(crate) fn under(config: ReminderConfig) -> Self {
        Self {
            guard: RepeatReminder::new(GuardId::new(DEFAULT_ID), Arc::new(config)),
            denied: None,
            running: VecDeque::new(),
            calls: 0,
            step: None,
            steps: 0,
            now: None,
        }
    }

    /// A call that succeeds.
    pub(crate) fn call(&mut self, tool: &str, arguments: &str) -> Vec<Notice> {
        self.calls += 1;
        let number = CallNumber(self.calls);
        let call = Call::new(Seed::FIXED, tool, Arguments::Text(arguments)).numbered(number);
        self.finish(&call, Outcome::Success(&Output::default()))
    }

    /// A call whose arguments the host has not kept.
    pub(crate) fn call_without_arguments(&mut self, tool: &str) -> Vec<Notice> {
        let call = Call::new(Seed::FIXED, tool, Arguments::Text("{}"));
        let call = Call::with_identity(tool, call.identity());
        self.finish(&call, Outcome::Success(&Output::default()))
    }

    /// Plays one token.
    pub(crate) fn play(&mut self, token: &str) -> Vec<Notice> {
        self.denied = None;
        match token {
            "RESET" => self.observe(&Event::Reset(self.time())),
            "COMPACT" => self.observe(&Event::Compacted(self.time())),
            "clock" => {
                self.now = Some(1_700_000_000_000);
                Vec::new()
            }
            "|" => {
                self.steps += 1;
                self.step = Some(self.steps);
                Vec::new()
            }
            "/" => {
                self.step = None;
                Vec::new()
            }
            ")" => {
                let call = self.running.pop_front().expect("a call runs");
                self.end(&call)
            }
            _ if token.starts_with(['+', '-']) => {
                let passed: i64 = token.parse().expect("milliseconds");
                self.now = self.now.map(|now| now + passed);
                Vec::new()
            }
            _ if is_batch(token) => self.messages(token.trim_start_matches('<')),
            _ => match token.strip_prefix("pardon:") {
                Some(call) => {
                    let identity = call_of(call).identity();
                    self.observe(&Event::Pardoned(identity))
                }
                None => self.submit(token),
            },
        }
    }

    /// A call, and its end unless it goes on running.
    fn submit(&mut self, token: &str) -> Vec<Notice> {
        self.calls += 1;
        let running = Running {
            token: token.trim_end_matches('(').to_owned(),
            number: CallNumber(self.calls),
            step: self.step.map(StepId),
            at: self.time(),
        };
        let call = running.call();
        let another = GuardId::new("another");
        let verdict = match token.ends_with('-') {
            true => Verdict::refuse(&another, "code", "reason", Facts::new("rule", 1)),
            false => self.guard.decide(&call),
        };
        if let Verdict::Refuse(denial) = verdict {
            let notices = self.observe(&Event::Refused(&call, &denial));
            self.denied = Some(*denial).filter(|denial| denial.guard != another);
            return notices;
        }
        let mut notices = self.observe(&Event::Admitted(&call));
        match token.ends_with('(') {
            true => self.running.push_back(running),
            false => notices.extend(self.end(&running)),
        }
        notices
    }

    /// A call that is over.
    fn end(&mut self, running: &Running) -> Vec<Notice> {
        let call = running.call();
        let (_, result) = split(&running.token);
        let texts: Vec<_> = result
            .split('+')
            .filter(|block| !block.is_empty())
            .map(|block| Text::new(Seed::FIXED, block))
            .collect();
        let output = Output::new(&texts);
        let outcome = match running.token.chars().last() {
            _ if running.token.contains('!') => Outcome::Failure {
                message: "no",
                output: &output,
            },
            Some('=') => Outcome::Denied,
            Some('~') => Outcome::Cancelled,
            _ => Outcome::Success(&output),
        };
        self.finish(&call, outcome)
    }

    fn finish(&mut self, call: &Call<'_>, outcome: Outcome<'_>) -> Vec<Notice> {
        let at = self.time();
        self.observe(&Event::Finished { call, outcome, at })
    }

    fn messages(&mut self, sources: &str) -> Vec<Notice> {
        let message = |source| {
            let source = match source {
                "USER" => Source::User,
                "ASSISTANT" => Source::Assistant,
                name => Source::Plugin(name),
            };
            Message::new(source, &[])
        };
        let messages: Vec<_> = sources.split('+').map(message).collect();
        self.observe(&Event::Messages(&messages, self.time()))
    }

    fn observe(&mut self, event: &Event<'_>) -> Vec<Notice> {
        let mut notices = Notices::new();
        self.guard.observe(event, &mut notices);
        notices.take()
    }

    fn time(&self) -> Option<Timestamp> {
        self.now.map(Timestamp::from_millis)
    }
}

impl Running {
    fn call(&self) -> Call<'_> {
        let (named, _) = split(&self.token);
        let mut call = call_of(named.trim_end_matches(['-', '=', '~', '?']));
        if named.ends_with('?') {
            call = Call::with_identity(call.tool(), call.identity().inexact());
        }
        call.numbered(self.number).at(self.at).in_step(self.step)
    }
}

fn is_batch(token: &str) -> bool {
    token.contains("USER") || token.starts_with("mail") || token.starts_with("ASSISTANT")
}

/// A token's call and its result.
fn split(token: &str) -> (&str, &str) {
    token.split_once([':', '!']).unwrap_or((token, ""))
}

/// The call of a token: letters are the tool, digits behind them the arguments.
fn call_of(token: &str) -> Call<'_> {
    let tool = token.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &token[tool.len()..];
    Call::new(Seed::FIXED, tool, Arguments::Text(digits))
}
