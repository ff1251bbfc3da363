//! Saved state: what fits, what does not, and what damage can do.

use std::sync::Arc;

use loopguard::core::{
    Arguments, Call, Event, Guard, Message, Notices, Outcome, Output, RestoreError, SavedGuard,
    Text,
};
use loopguard::{GuardSet, Seed, Sessions, Setup};
use loopguard_brake::{Brake, BrakeConfig};
use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker};
use loopguard_repeat_reminder::{ReminderConfig, RepeatReminder};
use loopguard_tests::cases;
use loopguard_tests::damage::{Damage, damage};
use loopguard_tests::host::{Host, setup};
use loopguard_tests::life::lives;
use loopguard_tests::rows::any_rows;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The three guards, none of which has seen anything.
fn new_guards() -> [Box<dyn Guard>; 3] {
    let (reminder, brake, breaker) = <(Arc<ReminderConfig>, Arc<BrakeConfig>, Arc<_>)>::default();
    let breaker: Arc<BreakerConfig> = breaker;
    [
        Box::new(RepeatReminder::new("one".into(), reminder)),
        Box::new(Brake::new("two".into(), brake)),
        Box::new(CircuitBreaker::new("three".into(), breaker)),
    ]
}

/// Some calls, a failure and a message.
fn live(guard: &mut dyn Guard, tool: &str) {
    let text = "long enough to be looked at ".repeat(4);
    let text = [Text::new(Seed::FIXED, &text)];
    let output = Output::new(&text);
    let mut notices = Notices::new();
    for arguments in ["1", "2", "3", "4", "4"] {
        let call = &Call::new(Seed::FIXED, tool, Arguments::Text(arguments));
        let (message, at) = ("no", None);
        let outcome = Outcome::Failure {
            message,
            output: &output,
        };
        guard.observe(&Event::Admitted(call), &mut notices);
        guard.observe(&Event::Finished { call, outcome, at }, &mut notices);
    }
    let message = Message::new(loopguard::Source::Plugin("mail"), &text).id("id");
    guard.observe(&Event::Messages(&[message], None), &mut notices);
}

/// A changed copy of a saved state.
fn changed(saved: &SavedGuard, change: impl FnOnce(&mut SavedGuard)) -> SavedGuard {
    let mut saved = saved.clone();
    change(&mut saved);
    saved
}

#[test]
fn a_state_that_does_not_fit_is_an_error_and_leaves_the_guard_unchanged() {
    let foreign = new_guards().map(|guard| guard.save());
    for (at, guard) in new_guards().iter_mut().enumerate() {
        live(guard.as_mut(), "mine");
        let mut other = new_guards();
        live(other[at].as_mut(), "another");
        let other = other[at].save();
        let before = guard.save();
        assert_ne!(before, other);

        let mut refused = |saved: &SavedGuard| {
            let error = guard.restore(saved).expect_err("it does not fit");
            assert_eq!(guard.save(), before, "{error}");
            error
        };
        let error = refused(&foreign[(at + 1) % 3]);
        assert!(matches!(error, RestoreError::Kind { .. }), "{error}");
        let error = refused(&changed(&other, |it| it.version += 1));
        assert!(matches!(error, RestoreError::Version { .. }), "{error}");
        let error = refused(&changed(&other, |it| it.configuration = None));
        assert!(matches!(error, RestoreError::Configuration), "{error}");
        for damaged in [
            json!("text"),
            json!(17),
            json!([1]),
            json!({"calls": 1}),
            json!(true),
        ] {
            let error = refused(&changed(&other, |it| it.state = damaged));
            assert!(matches!(error, RestoreError::Damaged(_)), "{error}");
        }
        // Half of a state is as good as none.
        let keys: Vec<_> = other
            .state
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        for key in keys {
            let error = refused(&changed(&other, |it| {
                it.state.as_object_mut().expect("an object").remove(&key);
            }));
            assert!(matches!(error, RestoreError::Damaged(_)), "{key}: {error}");
        }

        guard.restore(&other).expect("it fits");
        assert_eq!(guard.save(), other);
    }
}

#[test]
fn a_state_that_no_guard_comes_to_is_refused() {
    let [_, mut brake, mut breaker] = new_guards();
    let refused = |guard: &mut Box<dyn Guard>, change: fn(&mut Value)| {
        live(guard.as_mut(), "mine");
        let before = guard.save();
        let saved = changed(&before, |it| change(&mut it.state));
        let error = guard.restore(&saved).expect_err("it is impossible");
        assert!(matches!(error, RestoreError::Impossible(_)), "{error}");
        assert_eq!(guard.save(), before);
        error.to_string()
    };
    let chains = |state: &mut Value| {
        let chains = state["chains"].as_array_mut().expect("a list");
        chains.push(chains[0].clone());
    };
    assert_eq!(
        refused(&mut breaker, chains),
        "the saved state is damaged: more chains than are configured"
    );
    let groups = |state: &mut Value| {
        let group = json!({"kind": 0, "sketch": [2, 1], "count": 1, "first": 1, "since": null});
        state["similar_texts"] = json!([group]);
    };
    assert_eq!(
        refused(&mut brake, groups),
        "the saved state is damaged: it remembers more than a brake does"
    );
}

#[test]
fn a_state_fits_under_another_id() {
    let [mut reminder, ..] = new_guards();
    live(reminder.as_mut(), "mine");
    let saved = changed(&reminder.save(), |it| it.id = "another".into());
    let [mut restored, ..] = new_guards();
    restored
        .restore(&saved)
        .expect("the id is the set's to look after");
    assert_eq!(restored.save(), reminder.save());
}

fn rows() -> Value {
    json!([
        {"name": "repeat-reminder", "config": {"thresholds": [2]}},
        {"name": "brake", "config": {"callWarnCount": 2}},
        {"name": "circuit-breaker", "config": {"maxFailures": 2}},
    ])
}

/// How often a failed call is told about, and whether it is refused at last.
fn fail_once(sessions: &Sessions) -> (Vec<String>, bool) {
    let call = loopguard::Submission::new("bash", "{}");
    let loopguard::Answer::Admitted(number) = sessions.submit("agent", &call) else {
        return (Vec::new(), true);
    };
    let said = sessions.finish("agent", number, &loopguard::Ending::failure("no", &[]));
    (said.into_iter().map(|notice| notice.code).collect(), false)
}

#[test]
fn a_guard_whose_configuration_changed_starts_afresh_and_says_so() {
    let before = Sessions::new(setup(&rows()), Seed::new(3));
    assert_eq!(fail_once(&before), (vec![], false));
    let saved = before.save("agent").expect("it is watched");

    let same = Sessions::new(setup(&rows()), Seed::new(4));
    assert_eq!(same.restore("agent", &saved).expect("it fits"), []);
    let (said, _) = fail_once(&same);
    assert_eq!(said, ["repeated-call", "call-count"]);
    assert_eq!(fail_once(&same), (vec![], true));

    for (at, key, value, id) in [
        (0, "thresholds", json!([2, 3]), "repeat-tool-guard"),
        (1, "callWarnCount", json!(3), "dsh-brake"),
        (2, "maxFailures", json!(1), "tool-failure-circuit-breaker"),
    ] {
        let mut rows = rows();
        rows[at]["config"][key] = value;
        let changed = Sessions::new(setup(&rows), Seed::new(4));
        let afresh = changed.restore("agent", &saved).expect("the others fit");
        assert_eq!(afresh.len(), 1);
        assert_eq!(afresh[0].guard.as_str(), id);
        assert!(
            afresh[0].reason.contains("configuration has changed"),
            "{}",
            afresh[0].reason
        );
        // The others go on: what they count is the second time.
        let (said, _) = fail_once(&changed);
        let others = ["repeated-call", "call-count"];
        let others = others.iter().enumerate().filter(|(other, _)| *other != at);
        assert_eq!(said, others.map(|(_, code)| *code).collect::<Vec<_>>());
        // Afresh, with one failure allowed, the breaker denies after one failure.
        let (_, refused) = fail_once(&changed);
        assert!(
            refused,
            "two failures for the breaker that went on, one for the new one"
        );
    }
}

#[test]
fn a_row_that_is_new_starts_afresh_and_one_that_is_gone_is_forgotten() {
    let before = Sessions::new(setup(&json!([rows()[1], rows()[2]])), Seed::new(3));
    assert_eq!(fail_once(&before), (vec![], false));
    let saved = before.save("agent").expect("it is watched");
    let after = Sessions::new(setup(&json!([rows()[0], rows()[1]])), Seed::new(3));
    assert_eq!(after.restore("agent", &saved).expect("it fits"), []);
    assert_eq!(fail_once(&after), (vec!["call-count".to_owned()], false));
}

#[test]
fn a_set_goes_on_under_its_own_seed() {
    let setup = setup(&rows());
    let before = Sessions::new(Arc::clone(&setup), Seed::new(3));
    fail_once(&before);
    let saved = before.save("agent").expect("it is watched");
    let restored = GuardSet::restore(setup, "agent", &saved).expect("it fits");
    assert_eq!(restored.set.seed(), Seed::new(3));
    assert_eq!(restored.set.agent(), "agent");
}

#[test]
fn states_in_which_other_calls_run_are_not_equal() {
    let saved = |tool: &str| {
        let sessions = Sessions::new(setup(&rows()), Seed::new(3));
        sessions.submit("agent", &loopguard::Submission::new(tool, "{}"));
        sessions.save("agent")
    };
    assert_eq!(saved("bash"), saved("bash"));
    assert_ne!(saved("bash"), saved("make"));
}

#[test]
fn a_set_of_another_version_or_scheme_is_refused_and_nothing_changes() {
    let sessions = Sessions::new(setup(&rows()), Seed::new(3));
    fail_once(&sessions);
    let before = sessions.save("agent").expect("it is watched");
    let with = |key: &str, value: Value| {
        let mut saved = serde_json::to_value(&before).expect("it is JSON");
        saved[key] = value;
        serde_json::from_value(saved).expect("it comes back")
    };
    let refused = |saved| {
        let error = sessions
            .restore("agent", &saved)
            .expect_err("it does not fit");
        assert_eq!(sessions.save("agent").as_ref(), Some(&before));
        error.to_string()
    };
    assert_eq!(
        refused(with("version", json!(2))),
        "the saved set has version 2, this build reads version 1: start a new one"
    );
    assert_eq!(
        refused(with("scheme", json!("loopguard-0"))),
        "the saved set's identities are of the scheme \"loopguard-0\", this build's of \
         \"loopguard-1\": start a new one"
    );
}

#[test]
fn under_another_identity_policy_every_guard_starts_afresh() {
    let before = Sessions::new(setup(&rows()), Seed::new(3));
    fail_once(&before);
    let saved = before.save("agent").expect("it is watched");
    let mut rows = rows();
    let rule = json!({"tools": ["*"], "arguments": [{"at": "/id"}]});
    let set_row = json!({"name": "loopguard", "config": {"identity": [rule]}});
    rows.as_array_mut().expect("a list").insert(0, set_row);
    let after = Sessions::new(setup(&rows), Seed::new(3));
    let afresh = after.restore("agent", &saved).expect("the set goes on");
    let ids: Vec<_> = afresh.iter().map(|afresh| afresh.guard.as_str()).collect();
    let all = [
        "repeat-tool-guard",
        "dsh-brake",
        "tool-failure-circuit-breaker",
    ];
    assert_eq!(ids, all);
    for afresh in afresh {
        let reason = "the identity policy has changed since the state was saved";
        assert_eq!(afresh.reason, reason);
    }
    assert_eq!(
        fail_once(&after),
        (vec![], false),
        "nothing is known of the first failure"
    );
}

#[test]
fn what_waits_to_be_said_and_the_calls_that_run_are_saved_too() {
    let setup = setup(&json!([{
        "name": "brake",
        "config": {"duplicateTextThreshold": 2, "callWarnCount": 2},
    }]));
    let before = Sessions::new(Arc::clone(&setup), Seed::new(3));
    let call = loopguard::Submission::new("bash", "{}").id("c1");
    before.submit("agent", &call);
    let text = "long enough to be looked at ".repeat(4);
    let texts = [text.as_str(), text.as_str()];
    before.messages(
        "agent",
        &[loopguard::Incoming::plugin("mail", &texts)],
        None,
    );
    let saved = before.save("agent").expect("it is watched");
    let text = serde_json::to_string(&saved).expect("it is JSON");

    let after = Sessions::new(setup, Seed::new(4));
    let saved = serde_json::from_str(&text).expect("it comes back");
    after.restore("agent", &saved).expect("it fits");
    let waiting = after.take_notices("agent");
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].code, "duplicate-text");
    // The call that ran is finished under its id, once, and counts.
    assert_eq!(
        after.finish("agent", "c1", &loopguard::Ending::cancelled()),
        []
    );
    let (said, _) = fail_once(&after);
    assert_eq!(said, ["call-count"]);
    assert_eq!(
        after.finish("agent", "c1", &loopguard::Ending::cancelled()),
        []
    );
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let damage = (any::<usize>(), any::<usize>(), prop::bool::weighted(0.1));
    vec(
        damage.prop_map(|(place, with, wild)| Damage { place, with, wild }),
        1..6,
    )
}

fn any_setup() -> impl Strategy<Value = Arc<Setup>> {
    any_rows().prop_map(|rows| setup(&json!(rows)))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_damaged_state_is_refused_or_goes_on_without_harm(
        setup in any_setup(),
        before in lives(40),
        after in lives(30),
        damages in damages(),
    ) {
        let sessions = Arc::new(Sessions::new(Arc::clone(&setup), Seed::new(7)));
        Host::of(&sessions, "agent").live(&before);
        sessions.submit("agent", &loopguard::Submission::new("read", "{}"));
        let mut saved = serde_json::to_value(sessions.save("agent")).expect("it is JSON");
        for (at, one) in damages.iter().enumerate() {
            match at {
                0..3 => damage(&mut saved["guards"][at]["state"], *one),
                3 => damage(&mut saved["pending"], *one),
                _ => damage(&mut saved["waiting"], *one),
            }
        }
        // Either it is no state at all, or each guard goes on or starts afresh. A host checks
        // after each event that no guard has failed.
        if let Ok(saved) = serde_json::from_value(saved) {
            let restored = Arc::new(Sessions::new(setup, Seed::new(7)));
            restored.restore("agent", &saved).expect("version and scheme are as they were");
            let mut host = Host::of(&restored, "agent");
            host.live(&after);
        }
    }
}
