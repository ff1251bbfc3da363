//! When to halt (`haltAfterDenials`), and what is only recorded (`dryRun`).

use loopguard::{Answer, Ending, Incoming, Submission};
use serde_json::{Value, json};

use crate::{Heard, Host};

fn host(set: &Value) -> Host {
    Host::new(&json!([
        {"name": "loopguard", "config": set},
        {"name": "circuit-breaker", "config": {"maxFailures": 1, "chains": 8, "include": ["make*"]}},
        {"name": "brake", "config": {"mode": "deny", "callWarnCount": 3, "callDenyCount": 4}},
    ]))
}

fn halting(after: u64) -> Host {
    host(&json!({"haltAfterDenials": after}))
}

#[test]
fn with_the_nth_refused_call_in_a_row_the_answer_is_a_halt_and_stays_one() {
    let host = halting(3);
    host.fail("agent");
    assert_eq!(host.fail("agent"), ["!circuit-open"]);
    assert_eq!(host.fail("agent"), ["!circuit-open"]);
    assert_eq!(host.fail("agent"), ["!circuit-open", "halt"]);
    assert_eq!(host.fail("agent"), ["!circuit-open", "halt"]);
    assert_eq!(
        host.seen(),
        [
            "agent #2 !circuit-open Live",
            "agent #3 !circuit-open Live",
            "agent #3 call-count Live",
            "agent #4 !circuit-open Live",
            "agent #4 halt 3 Live",
            "agent #5 !circuit-open Live",
            "agent #5 !!call-denied Live",
            "agent #5 halt 4 Live",
        ]
    );
}

#[test]
fn a_call_that_two_guards_refuse_is_one_refused_call() {
    let host = halting(6);
    for _ in 0..6 {
        host.fail("agent");
    }
    assert!(host.seen().iter().all(|line| !line.contains("halt")));
    assert_eq!(host.fail("agent"), ["!circuit-open", "halt"]);
}

#[test]
fn it_may_be_the_first() {
    let host = halting(1);
    host.fail("agent");
    let heard = host.hear("agent", Submission::new("make", "{}"), Ending::cancelled());
    let Heard::Refused(refusal) = heard else {
        panic!("it is refused");
    };
    let halt = refusal.halt.expect("it halts");
    assert_eq!(halt.denials, 1);
    assert!(halt.reason.contains('1'), "{}", halt.reason);
}

#[test]
fn without_the_key_nothing_halts() {
    let host = host(&json!({}));
    for _ in 0..20 {
        host.fail("agent");
    }
    assert!(host.seen().iter().all(|line| !line.contains("halt")));
}

#[test]
fn refused_calls_of_whatever_tool_count_together() {
    let host = halting(2);
    let fail = |tool| {
        host.call(
            "agent",
            Submission::new(tool, "{}"),
            Ending::failure("no", &[]),
        )
    };
    fail("make");
    fail("make_test");
    assert_eq!(fail("make"), ["!circuit-open"]);
    assert_eq!(fail("make_test"), ["!circuit-open", "halt"]);
}

#[test]
fn an_admitted_call_that_succeeds_starts_the_count_anew_and_another_end_does_not() {
    let endings = [
        (Ending::success(&[]), true),
        (Ending::failure("no", &[]), false),
        (Ending::denied(), false),
        (Ending::cancelled(), false),
    ];
    for (ending, is_new) in endings {
        let host = halting(2);
        host.fail("agent");
        assert_eq!(host.fail("agent"), ["!circuit-open"]);
        host.call("agent", Submission::new("read", "{}"), ending);
        assert_eq!(
            host.fail("agent").len(),
            if is_new { 1 } else { 2 },
            "{ending:?}"
        );
    }
}

#[test]
fn so_does_a_human_message_and_no_other() {
    let host = halting(2);
    let mail = [Incoming::plugin("mail", &["go on"])];
    host.fail("agent");
    assert_eq!(host.fail("agent"), ["!circuit-open"]);
    host.sessions.messages("agent", &mail, None);
    assert_eq!(host.fail("agent"), ["!circuit-open", "halt"]);
    host.sessions
        .messages("agent", &[Incoming::user(&["go on"])], None);
    host.fail("agent");
    assert_eq!(host.fail("agent"), ["!circuit-open"]);
}

#[test]
fn the_count_outlives_a_restore() {
    let before = halting(2);
    before.fail("agent");
    before.fail("agent");
    let saved = before.sessions.save("agent").expect("it is watched");
    let after = halting(2);
    assert_eq!(
        after.sessions.restore("agent", &saved).expect("it fits"),
        []
    );
    assert_eq!(after.fail("agent"), ["!circuit-open", "halt"]);
}

#[test]
fn a_dry_run_decides_and_records_and_neither_advises_denies_nor_halts() {
    let host = host(&json!({"dryRun": true, "haltAfterDenials": 2}));
    for _ in 0..5 {
        assert_eq!(host.fail("agent"), [""; 0]);
    }
    assert_eq!(host.sessions.take_notices("agent"), []);
    assert_eq!(
        host.seen(),
        [
            "agent #2 !circuit-open DryRun",
            "agent #3 !circuit-open DryRun",
            "agent #3 halt 2 DryRun",
            "agent #3 call-count DryRun",
            "agent #4 !circuit-open DryRun",
            "agent #4 halt 3 DryRun",
            "agent #5 !circuit-open DryRun",
            "agent #5 !!call-denied DryRun",
            "agent #5 halt 4 DryRun",
        ]
    );
}

#[test]
fn in_a_dry_run_the_guards_are_told_that_the_call_ran() {
    let host = host(&json!({"dryRun": true}));
    host.fail("agent");
    let call = Submission::new("make", "{}").id("c1");
    let Answer::Admitted(number) = host.sessions.submit("agent", &call) else {
        panic!("a dry run refuses nothing");
    };
    // Its success closes the circuit, as it would not were the call refused.
    host.sessions.finish("agent", number, &Ending::success(&[]));
    host.seen();
    host.call("agent", call, Ending::success(&[]));
    assert_eq!(host.seen(), ["agent #3 call-count DryRun"]);
}
