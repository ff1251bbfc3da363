//! Guards that are saved, dropped and restored while a session goes on.

use std::ops::ControlFlow;

use loopguard::{Preset, Setup};
use loopguard_cli::{Decision, Replay, replay_all};
use loopguard_transcript::{ReadOptions, read};

use super::setup;

/// Replays a session whose guards are restored after every event.
fn restored(setup: &Setup, stream: &str) -> Vec<Decision> {
    let mut replay = Replay::new(setup);
    let mut decisions = Vec::new();
    let mut sink = |event: loopguard_transcript::Event<'_>| {
        decisions.extend(replay.event(&event));
        let afresh = replay.save_and_restore().expect("state that is plain data");
        assert!(afresh.is_empty(), "{afresh:?}");
        ControlFlow::Continue(())
    };
    read(stream.as_bytes(), &ReadOptions::new(), &mut sink).expect("an event stream");
    decisions.extend(replay.finish());
    decisions
}

fn check(setup: &Setup, stream: &str) {
    let (sessions, _) =
        replay_all(stream.as_bytes(), &ReadOptions::new(), setup).expect("an event stream");
    let [session] = &sessions[..] else {
        panic!("one session");
    };
    assert!(!session.decisions.is_empty());
    assert_eq!(restored(setup, stream), session.decisions);
}

#[test]
fn restored_guards_decide_as_if_nothing_had_happened() {
    let demo = include_str!("../../../../docs/demo/looping-agent.jsonl");
    for preset in Preset::ALL {
        check(&Setup::preset(preset), demo);
    }
}

#[test]
fn so_do_those_that_agents_share_and_those_that_count_towards_a_halt() {
    let shared = setup(
        r#"[
            {"name":"loopguard","config":{"scope":"session","haltAfterDenials":2}},
            {"name":"repeat-reminder","config":{"thresholds":[2]}},
            {"name":"circuit-breaker","config":{"maxFailures":1}}
        ]"#,
    );
    let mut stream = Vec::new();
    for agent in ["a", "b", "a", "b"] {
        stream.extend([
            super::call(agent, "x", "1"),
            super::result(agent, "x", "error"),
        ]);
    }
    check(&shared, &stream.join("\n"));
}
