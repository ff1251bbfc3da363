//! All agents of a session share one state (`scope: session`), and each hears its own.

use loopguard::{Answer, Ending, Incoming, Submission};
use serde_json::{Value, json};

use crate::Host;

fn shared(guard: &str, config: &Value) -> Host {
    Host::new(&json!([
        {"name": "loopguard", "config": {"scope": "session", "haltAfterDenials": 2}},
        {"name": guard, "config": config},
    ]))
}

fn reminder(config: &Value) -> Host {
    shared("repeat-reminder", config)
}

#[test]
fn calls_of_all_agents_count_together_and_the_one_that_completes_the_run_is_told() {
    let host = reminder(&json!({"thresholds": [3]}));
    assert_eq!(host.read("one"), [""; 0]);
    assert_eq!(host.read("two"), [""; 0]);
    assert_eq!(host.read("three"), ["repeated-call"]);
    assert_eq!(host.seen(), ["three #3 repeated-call Live"]);
    assert_eq!(host.sessions.len(), 1);
}

#[test]
fn apart_they_would_not() {
    let host = Host::new(&json!([{"name": "repeat-reminder", "config": {"thresholds": [3]}}]));
    for agent in ["one", "two", "three"] {
        assert_eq!(host.read(agent), [""; 0]);
    }
    assert_eq!(host.sessions.len(), 3);
}

#[test]
fn what_a_refused_call_raises_waits_for_the_next_output_of_its_own_agent() {
    let host = Host::new(&json!([
        {"name": "loopguard", "config": {"scope": "session"}},
        {"name": "repeat-reminder", "config": {"thresholds": [3]}},
        {"name": "circuit-breaker"},
    ]));
    host.fail("one");
    host.fail("one");
    assert_eq!(host.fail("one"), ["!circuit-open"]);
    assert_eq!(host.read("two"), [""; 0]);
    assert_eq!(host.sessions.take_notices("two"), []);
    let waiting = host.sessions.take_notices("one");
    assert_eq!(waiting.len(), 1);
    assert_eq!(
        host.seen(),
        ["one #3 !circuit-open Live", "one #3 repeated-call Live"]
    );
}

#[test]
fn what_a_message_raises_is_for_the_agent_that_it_was_handed_to() {
    let config = json!({"minimumDuplicateChars": 1, "duplicateTextThreshold": 2});
    let host = shared("brake", &config);
    let text = [Incoming::plugin("mail", &["hello"])];
    host.sessions.messages("one", &text, None);
    host.sessions.messages("two", &text, None);
    assert_eq!(host.sessions.take_notices("one"), []);
    assert_eq!(host.sessions.take_notices("two").len(), 1);
    assert_eq!(host.seen(), ["two #0 duplicate-text Live"]);
}

#[test]
fn the_same_id_of_two_agents_names_two_calls() {
    let host = shared("circuit-breaker", &json!({"maxFailures": 1}));
    let submit = |agent, tool| {
        let call = Submission::new(tool, "{}").id("c1");
        assert!(matches!(
            host.sessions.submit(agent, &call),
            Answer::Admitted(_)
        ));
    };
    submit("one", "a");
    submit("two", "b");
    // The later one ends first, by the id that both have.
    host.sessions
        .finish("two", "c1", &Ending::failure("no", &[]));
    let try_again =
        |agent, tool| host.call(agent, Submission::new(tool, "{}"), Ending::cancelled());
    assert_eq!(try_again("one", "b"), ["!circuit-open"]);
    assert_eq!(try_again("two", "a"), [""; 0]);
    host.sessions
        .finish("one", "c1", &Ending::failure("no", &[]));
    assert_eq!(try_again("two", "a"), ["!circuit-open"]);
    assert_eq!(try_again("two", "b"), [""; 0]);
}

#[test]
fn each_agent_is_halted_for_its_own_refused_calls() {
    let host = shared("circuit-breaker", &json!({"maxFailures": 1}));
    host.fail("one");
    assert_eq!(host.fail("one"), ["!circuit-open"]);
    assert_eq!(host.fail("two"), ["!circuit-open"]);
    assert_eq!(host.fail("one"), ["!circuit-open", "halt"]);
    assert_eq!(host.fail("two"), ["!circuit-open", "halt"]);
    let host = shared(
        "circuit-breaker",
        &json!({"maxFailures": 1, "include": ["make"]}),
    );
    host.fail("one");
    assert_eq!(host.fail("one"), ["!circuit-open"]);
    // A success of another agent does not start the first one's count anew.
    assert_eq!(host.read("two"), [""; 0]);
    assert_eq!(host.fail("one"), ["!circuit-open", "halt"]);
}

#[test]
fn a_step_is_a_step_of_its_agent() {
    let host = reminder(&json!({"thresholds": [2], "stepAware": true}));
    let read = |agent| {
        let call = Submission::new("read", "{}").step(1);
        host.call(agent, call, Ending::success(&[]))
    };
    assert_eq!(read("one"), [""; 0]);
    assert_eq!(read("one"), [""; 0]);
    assert_eq!(read("two"), ["repeated-call"]);
}

#[test]
fn any_human_message_resets_them_all() {
    let host = reminder(&json!({"thresholds": [3]}));
    host.read("one");
    host.read("two");
    host.sessions
        .messages("three", &[Incoming::user(&["go on"])], None);
    assert_eq!(host.read("one"), [""; 0]);
    assert_eq!(host.read("two"), [""; 0]);
    assert_eq!(host.read("one"), ["repeated-call"]);
}

#[test]
fn an_agent_that_ends_leaves_the_state_and_a_session_that_ends_does_not() {
    let host = reminder(&json!({"thresholds": [3]}));
    host.read("one");
    host.read("one");
    host.sessions.end("one");
    assert_eq!(host.read("two"), ["repeated-call"]);
    host.sessions.end_all();
    host.read("one");
    assert_eq!(host.read("two"), [""; 0]);
}

#[test]
fn a_pardon_of_one_agent_holds_for_all() {
    let host = shared("circuit-breaker", &json!({"maxFailures": 1}));
    host.fail("one");
    host.sessions.pardon("two", "make", "{}");
    assert_eq!(host.fail("three"), [""; 0]);
}

#[test]
fn who_hears_what_and_who_runs_what_outlives_a_restore() {
    let rows = json!([
        {"name": "loopguard", "config": {"scope": "session", "haltAfterDenials": 2}},
        {"name": "repeat-reminder", "config": {"thresholds": [3]}},
        {"name": "circuit-breaker"},
    ]);
    let before = Host::new(&rows);
    before.fail("one");
    before.fail("two");
    assert_eq!(before.fail("one"), ["!circuit-open"]);
    before
        .sessions
        .submit("two", &Submission::new("read", "{}").id("c1"));
    before
        .sessions
        .submit("one", &Submission::new("list", "{}").id("c1"));
    let saved = before.sessions.save("three").expect("all share it");
    let text = serde_json::to_string(&saved).expect("it is JSON");
    let after = Host::new(&rows);
    let saved = serde_json::from_str(&text).expect("it comes back");
    assert_eq!(
        after.sessions.restore("three", &saved).expect("it fits"),
        []
    );
    assert_eq!(after.sessions.take_notices("two"), []);
    assert_eq!(after.sessions.take_notices("one").len(), 1);
    assert_eq!(after.fail("two"), ["!circuit-open"]);
    assert_eq!(after.fail("one"), ["!circuit-open", "halt"]);
    // Ends the call of the second, not the list of the first, which stays to be ended.
    after.sessions.finish("two", "c1", &Ending::cancelled());
    let set = after.sessions.agent("one");
    assert_eq!(
        set.lock().expect("no thread has panicked").pending_calls(),
        1
    );
}
