//! Traces: what happens to an agent, in one line.
//!
//! - `a`: a call of the tool `a` that succeeds; `a2` one with other arguments. Behind it, `!`: it
//!   fails, `-`: another guard refuses it, `=`: the host refuses it, `~`: it is cancelled, `?`: its
//!   identity is inexact, `(`: it goes on running. `)` ends the one that began first.
//! - `USER`, `mail`, `mail+USER`: a batch of messages by their sources.
//! - `RESET`, `COMPACT`, `pardon:a`.
//!
//! What is said is told as `3 a × 3, 5 a × 5 detailed`: the place in the trace, counted from 1,
//! the summary, and whether it is the detailed text.

use std::collections::VecDeque;
use std::sync::Arc;

use loopguard_repeat_reminder::core::{
    Arguments, Call, CallNumber, Event, Facts, Form, Guard, GuardId, Message, Notice, Notices,
    Outcome, Output, Seed, Source, Verdict,
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
        for notice in agent.play(token) {
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

/// A reminder, and the calls that run.
pub(crate) struct Agent {
    pub(crate) guard: RepeatReminder,
    running: VecDeque<String>,
    calls: u64,
}

impl Agent {
    pub(crate) fn new(config: &Value) -> Self {
        Self::with_id(DEFAULT_ID, config)
    }

    pub(crate) fn with_id(id: &str, config: &Value) -> Self {
        let config = Arc::new(ReminderConfig::from_value(config).expect("a configuration"));
        Self {
            guard: RepeatReminder::new(GuardId::new(id), config),
            running: VecDeque::new(),
            calls: 0,
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

    fn play(&mut self, token: &str) -> Vec<Notice> {
        match token {
            "RESET" => self.observe(&Event::Reset(None)),
            "COMPACT" => self.observe(&Event::Compacted(None)),
            ")" => {
                let call = self.running.pop_front().expect("a call runs");
                self.play(&call)
            }
            _ if token.contains("USER") || token.starts_with("mail") => self.messages(token),
            _ => match (token.strip_prefix("pardon:"), token.strip_suffix('(')) {
                (Some(call), _) => {
                    let identity = call_of(call).identity();
                    self.observe(&Event::Pardoned(identity))
                }
                (None, Some(call)) => {
                    self.running.push_back(call.to_owned());
                    self.observe(&Event::Admitted(&call_of(call)))
                }
                (None, None) => self.end(token),
            },
        }
    }

    /// A call that is over.
    fn end(&mut self, token: &str) -> Vec<Notice> {
        let mut call = call_of(token.trim_end_matches(['!', '-', '=', '~', '?']));
        if token.ends_with('?') {
            call = Call::with_identity(call.tool(), call.identity().inexact());
        }
        if token.ends_with('-') {
            let facts = Facts::new("rule", 1);
            let Verdict::Refuse(denial) =
                Verdict::refuse(&GuardId::new("another"), "code", "reason", facts)
            else {
                unreachable!()
            };
            return self.observe(&Event::Refused(&call, &denial));
        }
        let output = Output::default();
        let outcome = match token.chars().last() {
            Some('!') => Outcome::Failure {
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
        let at = None;
        self.observe(&Event::Finished { call, outcome, at })
    }

    fn messages(&mut self, sources: &str) -> Vec<Notice> {
        let message = |source| Message {
            id: None,
            source: match source {
                "USER" => Source::User,
                name => Source::Plugin(name),
            },
            form: Form::Plain,
            texts: &[],
        };
        let messages: Vec<_> = sources.split('+').map(message).collect();
        self.observe(&Event::Messages(&messages, None))
    }

    fn observe(&mut self, event: &Event<'_>) -> Vec<Notice> {
        let mut notices = Notices::new();
        self.guard.observe(event, &mut notices);
        notices.take()
    }
}

/// The call of a token: letters are the tool, digits behind them the arguments.
fn call_of(token: &str) -> Call<'_> {
    let tool = token.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &token[tool.len()..];
    Call::new(Seed::FIXED, tool, Arguments::Text(digits))
}
