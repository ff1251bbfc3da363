//! Streams written by hand: what ends how, and the whole text of every denial.
//!
//! `streams.jsonl` is JSON Lines. A line with `stream` begins a stream of its own: its name and
//! the configuration. The lines behind it are what happens, in order:
//!
//! - `call`: a tool that is called with `arguments` (a value) or `raw` (a text), both absent:
//!   `{}`. `agent` says whose call it is (`main`), `inexact` that digits may be lost.
//!   `refused` is the reason for which it must be refused; without it, it must be admitted, and
//!   ends at once: `failed` (with this message), `ended` as `denied` or `cancelled`, or else
//!   with a success. With `runs` it ends later, by `end` of the same name.
//! - `refused_by_another`: a call that another guard refuses.
//! - `messages`: a batch, by its sources (`user`, `plugin`).
//! - `event`: `reset`, `compacted`, or `pardon` of a call.

use std::collections::HashMap;
use std::sync::Arc;

use loopguard_circuit_breaker::core::{
    Arguments, Call, CallNumber, Event, Facts, Guard, GuardId, Message, Notices, Outcome, Output,
    Seed, Source, Verdict,
};
use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker, DEFAULT_ID};
use serde_json::Value;

/// The guards of one stream, one for each agent.
struct Stream {
    name: String,
    config: Arc<BreakerConfig>,
    guards: HashMap<String, CircuitBreaker>,
    running: HashMap<String, (String, Value)>,
}

impl Stream {
    fn open(line: &Value) -> Self {
        let config = BreakerConfig::from_value(&line["config"]).expect("a configuration");
        Self {
            name: text(&line["stream"]).to_owned(),
            config: Arc::new(config),
            guards: HashMap::new(),
            running: HashMap::new(),
        }
    }

    fn guard(&mut self, line: &Value) -> &mut CircuitBreaker {
        let agent = line["agent"].as_str().unwrap_or("main").to_owned();
        let new = || CircuitBreaker::new(DEFAULT_ID.into(), Arc::clone(&self.config));
        self.guards.entry(agent).or_insert_with(new)
    }

    fn play(&mut self, line: &Value) {
        if line["call"].is_string() {
            self.call(line);
        } else if let Some(name) = line["end"].as_str() {
            let (agent, call) = self.running.remove(name).expect("the call runs");
            assert_eq!(line["agent"].as_str().unwrap_or("main"), agent);
            self.end(&call, line);
        } else if line["refused_by_another"].is_string() {
            self.tell_refused(line, &GuardId::new("another"));
        } else if let Some(sources) = line["messages"].as_array() {
            self.messages(line, sources);
        } else {
            self.event(line);
        }
    }

    fn call(&mut self, line: &Value) {
        let name = self.name.clone();
        let verdict = with_call(line, |call| self.guard(line).decide(call));
        let got = match &verdict {
            Verdict::Refuse(denial) => {
                assert_eq!(denial.code, "circuit-open", "{name}: {line}");
                assert_eq!(denial.guard.as_str(), DEFAULT_ID, "{name}: {line}");
                Some(denial.reason.as_str())
            }
            _ => None,
        };
        assert_eq!(got, line["refused"].as_str(), "{name}: {line}");
        if got.is_some() {
            self.tell_refused(line, &DEFAULT_ID.into());
            return;
        }
        with_call(line, |call| self.observe(line, &Event::Admitted(call)));
        match line["runs"].as_str() {
            Some(id) => {
                let agent = line["agent"].as_str().unwrap_or("main").to_owned();
                self.running.insert(id.to_owned(), (agent, line.clone()));
            }
            None => self.end(line, line),
        }
    }

    /// The call of `line` ends as `end` says.
    fn end(&mut self, line: &Value, end: &Value) {
        let output = Output::default();
        let outcome = match (end["failed"].as_str(), end["ended"].as_str()) {
            (Some(message), _) => Outcome::Failure {
                message,
                output: &output,
            },
            (None, Some("denied")) => Outcome::Denied,
            (None, Some("cancelled")) => Outcome::Cancelled,
            (None, None) => Outcome::Success(&output),
            (None, Some(other)) => panic!("{}: no end {other}", self.name),
        };
        with_call(line, |call| {
            let at = None;
            self.observe(line, &Event::Finished { call, outcome, at });
        });
    }

    fn tell_refused(&mut self, line: &Value, by: &GuardId) {
        let facts = Facts::new("rule", 1);
        let Verdict::Refuse(denial) = Verdict::refuse(by, "code", "reason", facts) else {
            unreachable!()
        };
        with_call(line, |call| {
            self.observe(line, &Event::Refused(call, &denial));
        });
    }

    fn messages(&mut self, line: &Value, sources: &[Value]) {
        let messages: Vec<_> = sources
            .iter()
            .map(|source| match text(source) {
                "user" => Source::User,
                name => Source::Plugin(name),
            })
            .map(|source| Message::new(source, &[]))
            .collect();
        self.observe(line, &Event::Messages(&messages, None));
    }

    fn event(&mut self, line: &Value) {
        match text(&line["event"]) {
            "reset" => self.observe(line, &Event::Reset(None)),
            "compacted" => self.observe(line, &Event::Compacted(None)),
            "pardon" => {
                let identity = with_call(line, |call| call.identity());
                self.observe(line, &Event::Pardoned(identity));
            }
            other => panic!("{}: no event {other}", self.name),
        }
    }

    /// Tells the guard what happened; by itself it never advises.
    fn observe(&mut self, line: &Value, event: &Event<'_>) {
        let mut notices = Notices::new();
        self.guard(line).observe(event, &mut notices);
        assert!(notices.is_empty(), "{}: {line}", self.name);
    }
}

/// The call that a line is about.
fn with_call<T>(line: &Value, then: impl FnOnce(&Call<'_>) -> T) -> T {
    let nothing = serde_json::json!({});
    let arguments = match (line["raw"].as_str(), line.get("arguments")) {
        (Some(raw), _) => Arguments::Text(raw),
        (None, arguments) => Arguments::Value(arguments.unwrap_or(&nothing)),
    };
    let named = ["call", "refused_by_another", "tool"];
    let tool = named
        .iter()
        .find_map(|key| line[*key].as_str())
        .expect("a tool");
    let call = Call::new(Seed::FIXED, tool, arguments).numbered(CallNumber(1));
    if line["inexact"] == true {
        then(&Call::with_identity(tool, call.identity().inexact()).arguments(arguments))
    } else {
        then(&call)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn the_breaker_denies_what_the_streams_say_and_with_these_words() {
    let mut streams = 0;
    let mut denials = 0;
    let mut current: Option<Stream> = None;
    for line in include_str!("streams.jsonl").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["stream"].is_string() {
            current = Some(Stream::open(&line));
            streams += 1;
        } else {
            denials += usize::from(line["refused"].is_string());
            current.as_mut().unwrap().play(&line);
        }
    }
    assert!(streams >= 30, "{streams} streams");
    assert!(denials >= 30, "{denials} denials");
}

#[test]
fn a_denial_rests_on_these_facts() {
    let mut guard = CircuitBreaker::new(DEFAULT_ID.into(), Arc::default());
    let output = Output::default();
    let numbered = |number| {
        let call = Call::new(Seed::FIXED, "make", Arguments::Text("{}"));
        call.numbered(CallNumber(number))
    };
    for (number, message) in [(3, "one"), (5, "two")] {
        let call = &numbered(number);
        let (outcome, at) = (
            Outcome::Failure {
                message,
                output: &output,
            },
            None,
        );
        guard.observe(&Event::Finished { call, outcome, at }, &mut Notices::new());
    }
    let Verdict::Refuse(denial) = guard.decide(&numbered(7)) else {
        panic!("two failures are enough");
    };
    assert_eq!(
        serde_json::to_value(&denial.facts).unwrap(),
        serde_json::json!({
            "rule": "maxFailures",
            "limit": 2,
            "count": 2,
            "tool": "make",
            "firstCall": 3,
            "lastCall": 5,
        })
    );
}
