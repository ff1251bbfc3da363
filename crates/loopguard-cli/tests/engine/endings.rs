//! Halts, dry runs, and agents that go.

use loopguard_cli::{Totals, replay_all};
use loopguard_testkit::{Faulty, UNDECIDABLE, UNHEARABLE};
use loopguard_transcript::ReadOptions;

use super::{BREAKER, call, check, line, result, sessions, setup, words};

const HALTING: &str = r#"[
    {"name":"loopguard","config":{"haltAfterDenials":2}},
    {"name":"repeat-reminder","config":{"thresholds":[3]}},
    {"name":"circuit-breaker","config":{"maxFailures":1}}
]"#;

/// A call that fails again and again.
fn hammering(times: usize, recorded: &str) -> Vec<String> {
    let mut stream = vec![call("main", "a", "1"), result("main", "a", "error")];
    for _ in 1..times {
        stream.extend([call("main", "a", "1"), result("main", "a", recorded)]);
    }
    stream
}

#[test]
fn after_a_halt_the_replay_of_the_session_ends() {
    let mut stream = hammering(5, "ok");
    stream.extend([call("other", "b", "2"), result("other", "b", "error")]);
    stream.push(call("other", "b", "2"));
    let expected = [
        "3:2 main deny circuit-open",
        "5:3 main deny circuit-open",
        // Raised by the same call, and said before the run ends.
        "5:3 main notice repeated-call",
        "5:3 main halt halt-after-denials",
    ];
    let session = check(HALTING, &stream, &expected);
    assert!(session.halted);
    assert_eq!(session.decisions[3].guard, "loopguard");
    assert_eq!(session.tally.calls, 3);
    // The recorded result of the call that brought the halt comes after it, and is counted.
    assert_eq!(session.tally.denied_but_succeeded, 2);
}

#[test]
fn the_next_session_is_replayed_after_a_halt() {
    let begin = |id| format!(r#"{{"type":"session","version":1,"id":"{id}"}}"#);
    let mut stream = vec![begin("one")];
    stream.extend(hammering(9, "error"));
    stream.push(begin("two"));
    stream.extend(hammering(2, "error"));
    let sessions = sessions(HALTING, &stream);
    assert!(sessions[0].halted);
    assert!(!sessions[1].halted);
    assert_eq!(words(&sessions[1]), ["23:2 main deny circuit-open"]);
}

#[test]
fn a_dry_run_decides_and_marks_and_goes_on() {
    let rows = HALTING.replace(
        r#""haltAfterDenials":2"#,
        r#""haltAfterDenials":2,"dryRun":true"#,
    );
    let expected = [
        "3:2 main deny circuit-open dry",
        "5:3 main deny circuit-open dry",
        "5:3 main halt halt-after-denials dry",
        "6:3 main notice repeated-call dry",
    ];
    let session = check(&rows, &hammering(3, "error"), &expected);
    assert!(!session.halted);
}

#[test]
fn in_a_dry_run_a_call_that_would_have_been_denied_runs() {
    let rows = r#"[
        {"name":"loopguard","config":{"dryRun":true}},
        {"name":"circuit-breaker","config":{"maxFailures":1}}
    ]"#;
    // Its success is told, and closes the breaker.
    let session = check(
        rows,
        &hammering(4, "ok"),
        &["3:2 main deny circuit-open dry"],
    );
    assert_eq!(session.tally.denied_but_succeeded, 1);
}

#[test]
fn an_agent_that_ends_takes_its_state_along() {
    let end = r#"{"type":"end","agent":"main"}"#;
    let mut stream = hammering(1, "");
    stream.extend([line(end), call("main", "a", "1")]);
    check(BREAKER, &stream, &[]);
    // So does a call that was still running.
    let stream = [
        call("main", "a", "1"),
        line(end),
        result("main", "a", "error"),
        call("main", "a", "1"),
    ];
    check(BREAKER, &stream, &[]);
}

#[test]
fn the_end_of_the_session_is_the_end_of_every_agent() {
    let mut stream = hammering(1, "");
    stream.extend([line(r#"{"type":"end"}"#), call("main", "a", "1")]);
    check(BREAKER, &stream, &[]);
}

#[test]
fn guards_that_fail_are_told_session_by_session() {
    let call =
        |tool| format!(r#"{{"type":"call","agent":"a","id":"c","tool":"{tool}","arguments":1}}"#);
    let begin = r#"{"type":"session","version":1}"#;
    let stream = [
        begin.to_owned(),
        call(UNDECIDABLE),
        call(UNHEARABLE),
        begin.to_owned(),
        call("read"),
        begin.to_owned(),
        call(UNHEARABLE),
    ];
    let setup = setup("[]").guard(Faulty::factory("faulty"));
    let stream = stream.join("\n");
    let (sessions, _) = replay_all(stream.as_bytes(), &ReadOptions::new(), &setup).expect("events");
    let failed: Vec<_> = sessions.iter().map(|it| it.failed_guards.len()).collect();
    assert_eq!(failed, [1, 0, 1]);

    let mut totals = Totals::new(&setup);
    sessions.iter().for_each(|session| totals.add(session));
    let report = serde_json::to_string(&totals).expect("JSON");
    assert!(
        report.ends_with(r#","failed_guards":{"faulty":2}}"#),
        "{report}"
    );
}
