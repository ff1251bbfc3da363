//! A guard that panics is off duty for its agent, and blocks nobody.

use std::sync::Arc;

use loopguard::{
    Decision, Ending, GuardFactory, GuardSet, Observer, Seed, Sessions, Setup, Submission,
};
use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker};
use loopguard_testkit::{Faulty, UNDECIDABLE, UNHEARABLE};
use loopguard_tests::host::setup;
use serde_json::json;

use super::{Host, Seen};

/// Two faulty guards and, behind them, nobody; before them, a reminder.
fn host() -> Host {
    let seen = Arc::<Seen>::default();
    let reminder = setup(&json!([{"name": "repeat-reminder", "config": {"thresholds": [2]}}]));
    let setup = Clone::clone(&*reminder)
        .guard(Faulty::factory("faulty"))
        .guard(Faulty::factory("as-faulty"))
        .observed_by(Arc::clone(&seen) as Arc<dyn Observer>);
    Host {
        sessions: Sessions::new(setup, Seed::FIXED),
        seen,
    }
}

fn call(host: &Host, agent: &str, tool: &str) -> Vec<String> {
    host.call(agent, Submission::new(tool, "{}"), Ending::success(&[]))
}

fn failed(host: &Host, agent: &str) -> Vec<String> {
    let set = host.sessions.agent(agent);
    let set = set.lock().expect("one thread");
    GuardSet::failed_guards(&set).map(str::to_owned).collect()
}

#[test]
fn whether_it_decides_or_hears_the_call_runs_and_the_others_speak() {
    for tool in [UNDECIDABLE, UNHEARABLE] {
        let host = host();
        assert!(call(&host, "a", tool).is_empty());
        assert_eq!(failed(&host, "a"), ["faulty", "as-faulty"]);
        assert_eq!(call(&host, "a", tool), ["repeated-call"]);
        // What another agent does is watched by a guard of its own.
        assert!(failed(&host, "b").is_empty());
        call(&host, "b", "read");
        assert!(failed(&host, "b").is_empty());
    }
}

#[test]
fn an_observer_hears_of_it_once() {
    let host = host();
    for tool in ["read", UNHEARABLE, UNDECIDABLE] {
        call(&host, "a", tool);
    }
    let expected = ["a #2 failed faulty Live", "a #2 failed as-faulty Live"];
    assert_eq!(host.seen(), expected);
}

#[test]
fn its_state_is_not_saved_and_it_is_on_duty_again_when_restored() {
    let host = host();
    call(&host, "a", UNHEARABLE);
    let saved = host.sessions.save("a").expect("it is watched");
    let text = serde_json::to_string(&saved).expect("it is JSON");
    assert!(!text.contains("faulty"), "{text}");
    assert_eq!(host.sessions.restore("a", &saved).expect("it fits"), []);
    assert!(failed(&host, "a").is_empty());
}

/// An observer with a fault.
#[derive(Debug)]
struct Blind;

impl Observer for Blind {
    fn decided(&self, agent: &str, _: &Decision<'_>) {
        panic!("{agent} is not to be seen");
    }
}

#[test]
fn the_guards_behind_it_go_on_whatever_an_observer_makes_of_it() {
    let breaker = Arc::<BreakerConfig>::default();
    let breaker = GuardFactory::new("breaker", move |id| {
        Box::new(CircuitBreaker::new(id, Arc::clone(&breaker)))
    });
    let setup = Setup::new()
        .guard(Faulty::factory("faulty"))
        .guard(breaker)
        .observed_by(Arc::new(Blind));
    let host = Host {
        sessions: Sessions::new(setup, Seed::FIXED),
        seen: Arc::default(),
    };
    for tool in [UNDECIDABLE, UNHEARABLE] {
        let fail = || {
            host.call(
                tool,
                Submission::new(tool, "{}"),
                Ending::failure("no", &[]),
            )
        };
        assert_eq!([fail(), fail(), fail()].concat(), ["!circuit-open"]);
        assert_eq!(failed(&host, tool), ["faulty"]);
    }
}
