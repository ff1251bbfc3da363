//! The guards in one set: who hears what, and what is nobody's business.

use loopguard::{Answer, Ending, Incoming, Notice, Seed, Sessions, Submission};
use loopguard_tests::host::setup;
use serde_json::{Value, json};

/// A host of one agent.
struct Host(Sessions);

impl Host {
    fn new(rows: &Value) -> Self {
        Self(Sessions::new(setup(rows), Seed::FIXED))
    }

    /// A call that ends in this way: `Err` with the code of a denial, or the notices.
    fn call(&self, tool: &str, ending: &Ending<'_>) -> Result<Vec<Notice>, String> {
        match self.0.submit("agent", &Submission::new(tool, "{}")) {
            Answer::Admitted(number) => Ok(self.0.finish("agent", number, ending)),
            Answer::Refused(refusal) => Err(refusal.denial.code),
            _ => unreachable!("there is no other answer"),
        }
    }

    fn fail(&self, tool: &str) -> Result<Vec<Notice>, String> {
        self.call(tool, &Ending::failure("no", &[]))
    }
}

fn codes(notices: &[Notice]) -> Vec<&str> {
    notices.iter().map(|notice| notice.code.as_str()).collect()
}

fn all(config: [Value; 3]) -> Value {
    let [reminder, brake, breaker] = config;
    json!([
        {"name": "repeat-reminder", "config": reminder},
        {"name": "brake", "config": brake},
        {"name": "circuit-breaker", "config": breaker},
    ])
}

#[test]
fn a_call_that_one_guard_refuses_is_counted_by_the_others() {
    let rows = all([
        json!({"thresholds": [4]}),
        json!({"callWarnCount": 4}),
        json!({"maxFailures": 2}),
    ]);
    let host = Host::new(&rows);
    assert_eq!(host.fail("make"), Ok(vec![]));
    assert_eq!(host.fail("make"), Ok(vec![]));
    assert_eq!(host.fail("make"), Err("circuit-open".to_owned()));
    assert_eq!(host.0.take_notices("agent"), []);
    assert_eq!(host.fail("make"), Err("circuit-open".to_owned()));
    // What is raised when a call is refused waits for the next output that can carry it.
    let notices = host.call("read", &Ending::success(&[])).unwrap();
    assert_eq!(codes(&notices), ["repeated-call", "call-count"]);
}

#[test]
fn a_refused_call_is_over_and_its_result_is_ignored() {
    let rows = json!([{"name": "circuit-breaker", "config": {"maxFailures": 1}}]);
    let host = Host::new(&rows);
    host.fail("make").unwrap();
    let call = Submission::new("make", "{}").id("late");
    let Answer::Refused(refusal) = host.0.submit("agent", &call) else {
        panic!("the circuit is open");
    };
    // A success would close the circuit.
    assert_eq!(
        host.0.finish("agent", refusal.call, &Ending::success(&[])),
        []
    );
    assert_eq!(host.0.finish("agent", "late", &Ending::success(&[])), []);
    assert_eq!(host.fail("make"), Err("circuit-open".to_owned()));
}

#[test]
fn a_call_finishes_once() {
    let rows = json!([{"name": "repeat-reminder", "config": {"thresholds": [2]}}]);
    let host = Host::new(&rows);
    let Answer::Admitted(number) = host.0.submit("agent", &Submission::new("t", "{}")) else {
        panic!("nobody refuses");
    };
    let ending = Ending::success(&[]);
    for _ in 0..3 {
        assert_eq!(host.0.finish("agent", number, &ending), []);
    }
    assert_eq!(codes(&host.call("t", &ending).unwrap()), ["repeated-call"]);
}

#[test]
fn the_first_denial_is_the_reason_and_the_others_are_further_findings() {
    let brake = json!({"name": "brake", "config": {
        "mode": "deny", "callWarnCount": 2, "callDenyCount": 3,
    }});
    let breaker = json!({"name": "circuit-breaker", "config": {"maxFailures": 3}});
    for (rows, codes) in [
        (json!([brake, breaker]), ["call-denied", "circuit-open"]),
        (json!([breaker, brake]), ["circuit-open", "call-denied"]),
    ] {
        let host = Host::new(&rows);
        for _ in 0..3 {
            host.fail("make").unwrap();
        }
        let Answer::Refused(refusal) = host.0.submit("agent", &Submission::new("make", "{}"))
        else {
            panic!("both refuse");
        };
        let further: Vec<_> = refusal.further.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(
            (refusal.denial.code.as_str(), further),
            (codes[0], vec![codes[1]])
        );
    }
}

#[test]
fn what_the_guards_themselves_say_is_no_text() {
    let rows = all([
        json!({}),
        json!({"duplicateTextThreshold": 2, "minimumDuplicateChars": 1}),
        json!({}),
    ]);
    let host = Host::new(&rows);
    let said = |from: &str| {
        host.0.messages(
            "agent",
            &[Incoming::plugin(from, &["a text of some length"])],
            None,
        );
        host.0.take_notices("agent").len()
    };
    for guard in [
        "repeat-tool-guard",
        "dsh-brake",
        "tool-failure-circuit-breaker",
    ] {
        assert_eq!((said(guard), said(guard), said(guard)), (0, 0, 0));
    }
    // Nothing is recognised by its wording: the same from somebody else is text.
    assert_eq!((said("mail"), said("mail")), (0, 1));
}

#[test]
fn a_call_without_an_agent_is_ignored_by_every_guard() {
    let rows = all([
        json!({"thresholds": [2]}),
        json!({"callWarnCount": 2}),
        json!({"maxFailures": 1}),
    ]);
    let sessions = Sessions::new(setup(&rows), Seed::FIXED);
    for _ in 0..5 {
        let Answer::Admitted(number) = sessions.submit(None, &Submission::new("make", "{}")) else {
            panic!("it is none of the guards'");
        };
        assert_eq!(
            sessions.finish(None, number, &Ending::failure("no", &[])),
            []
        );
    }
    assert!(sessions.is_empty());
}

#[test]
fn what_comes_late_for_an_agent_that_is_gone_makes_no_new_one() {
    let rows = all([json!({}), json!({}), json!({})]);
    let sessions = Sessions::new(setup(&rows), Seed::FIXED);
    let call = Submission::new("make", "{}").id("c1");
    assert!(matches!(
        sessions.submit("agent", &call),
        Answer::Admitted(_)
    ));
    sessions.end("agent");
    assert_eq!(sessions.finish("agent", "c1", &Ending::cancelled()), []);
    assert_eq!(sessions.take_notices("agent"), []);
    assert_eq!(sessions.save("agent"), None);
    assert!(sessions.is_empty());
}

#[test]
fn two_rows_may_name_the_same_guard_under_different_ids() {
    let rows = json!([
        {"id": "early", "name": "repeat-reminder", "config": {"thresholds": [2]}},
        {"id": "late", "name": "repeat-reminder", "config": {"thresholds": [3], "include": ["a"]}},
    ]);
    let host = Host::new(&rows);
    let said = |tool: &str| {
        let notices = host.call(tool, &Ending::success(&[])).unwrap();
        let ids = notices.iter().map(|notice| notice.guard.to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!([said("a"), said("a"), said("a")], ["", "early", "late"]);
    assert_eq!([said("b"), said("b"), said("b")], ["", "early", ""]);
}

#[test]
fn the_undocumented_key_of_the_original_is_accepted_with_a_warning() {
    let rows = json!([{"name": "brake", "config": {"minWindowCalls": 3}}]);
    let loaded = loopguard::Setup::from_value("rows", &rows, loopguard::Base::default()).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    let warning = loaded.warnings[0].to_string();
    assert!(warning.contains("minWindowCalls"), "{warning}");
    assert_eq!(loaded.setup.guard_ids().count(), 1);
}
