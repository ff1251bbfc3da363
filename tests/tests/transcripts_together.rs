//! Guards together: the order of rows, several rows of one guard, settings of the set.

use insta::assert_snapshot;
use loopguard_testkit::{Guards, Script, ScriptedCall, Step, call, guards, run};
use serde_json::json;

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

fn all() -> Guards {
    guards(["repeat-reminder", "brake", "circuit-breaker"])
}

fn make() -> ScriptedCall {
    call("bash", json!({"command": "make"}))
}

fn fails() -> ScriptedCall {
    make().fails("no rule")
}

#[test]
fn notices_of_one_event_come_in_row_order() {
    let rows = all().with("brake", json!({"callWarnCount": 3}));
    let script = Script::new().user("build it").repeat(3, make());
    let mut said = [
        "step 3: repeat-tool-guard repeated-call: bash × 3",
        "step 3: dsh-brake call-count: bash × 3",
    ];
    let transcript = run(&rows, &script);
    assert_eq!(transcript.said(), said);
    assert_snapshot!("reminder_before_brake", transcript);
    let transcript = run(rows.in_order(&[2, 1, 0]), &script);
    said.reverse();
    assert_eq!(transcript.said(), said);
    assert_snapshot!("brake_before_reminder", transcript);
}

#[test]
fn the_first_row_that_denies_gives_the_reason_and_the_others_are_kept() {
    let rows = all().with(
        "brake",
        json!({"mode": "deny", "callWarnCount": 2, "callDenyCount": 3}),
    );
    let script = Script::new()
        .user("build it")
        .step(Step::parallel([fails(), fails(), fails()]))
        .step(fails());
    let expected = [
        ([0, 1, 2], "call-denied", "circuit-open"),
        ([2, 1, 0], "circuit-open", "call-denied"),
    ];
    for (order, first, second) in expected {
        let transcript = run(rows.clone().in_order(&order), &script);
        let [refusal] = transcript.refusals()[..] else {
            panic!("one call is refused");
        };
        assert_eq!(refusal.denial.code, first);
        let [further] = &refusal.further[..] else {
            panic!("the other guard's finding is kept");
        };
        assert_eq!(further.code, second);
        assert_snapshot!(format!("two_denials__{first}_first"), transcript);
    }
}

#[test]
fn the_order_of_rows_never_changes_what_is_admitted() {
    let deny = json!({"mode": "deny", "callWarnCount": 3, "callDenyCount": 5});
    let rows = all().with("brake", deny);
    let read = call("read", json!({"path": "src"}));
    let scripts = [
        Script::new().repeat(12, fails()),
        Script::new().cycle(6, [fails(), read.clone()]),
        Script::new()
            .until_denied(9, [read.clone(), fails(), fails()])
            .repeat(4, read.clone()),
        Script::new().cycle(
            4,
            [
                Step::parallel([fails(), read.clone(), fails()]).ending_in_order([2, 0, 1]),
                make().cancelled().into(),
                make().denied_by_host("no").into(),
            ],
        ),
    ];
    for script in scripts {
        let usual = run(&rows, &script);
        let sorted = |mut said: Vec<String>| {
            // Who is named first is a matter of order; what is found is not.
            said.iter_mut()
                .for_each(|line| *line = line.replace(" too", ""));
            said.sort_unstable();
            said
        };
        assert!(!usual.refusals().is_empty());
        for order in ORDERS {
            let other = run(rows.clone().in_order(&order), &script);
            assert_eq!(other.admissions(), usual.admissions(), "{order:?}");
            assert_eq!(sorted(other.said()), sorted(usual.said()), "{order:?}");
        }
    }
}

#[test]
fn two_rows_of_one_guard_go_by_their_ids() {
    let rows = guards([])
        .row(json!({"id": "early", "name": "repeat-reminder", "config": {"thresholds": [2]}}))
        .row(json!({
            "id": "late",
            "name": "repeat-reminder",
            "config": {"thresholds": [2, 4], "exclude": ["read"]},
        }))
        .row(json!({"id": "strict", "name": "circuit-breaker", "config": {"maxFailures": 3}}))
        .row(json!({"id": "lenient", "name": "circuit-breaker", "config": {"maxFailures": 4}}));
    let script = Script::new()
        .user("build it")
        .repeat(2, call("read", json!({"path": "src"})))
        .step(Step::parallel([fails(), fails(), fails(), fails()]))
        .step(fails());
    let transcript = run(&rows, &script);
    let said = [
        "step 2: early repeated-call: read × 2",
        "step 3: early repeated-call: bash × 2",
        "step 3: late repeated-call: bash × 2",
        "step 3: late repeated-call-detailed: bash × 4",
        "step 4: strict circuit-open denies",
        "step 4: lenient circuit-open denies too",
    ];
    assert_eq!(transcript.said(), said);
    let sources: Vec<_> = transcript.notices().iter().map(|it| it.source()).collect();
    assert_eq!(sources[0]["plugin"], "early");
    assert_eq!(sources[2]["plugin"], "late");
    assert_snapshot!("two_rows_of_one_guard", transcript);
}

#[test]
fn a_dry_run_decides_and_says_nothing() {
    let live = all().with("brake", json!({"mode": "deny", "callDenyCount": 7}));
    let dry = live.clone().set(json!({"dryRun": true}));
    let script = Script::new().user("build it").repeat(9, fails());
    let transcript = run(dry, &script);
    assert_eq!(transcript.said(), [""; 0]);
    assert_eq!(transcript.admissions(), [true; 9]);
    assert!(transcript.waiting().is_empty());
    let withheld = [
        "step 3: tool-failure-circuit-breaker circuit-open denies",
        "step 3: repeat-tool-guard repeated-call: bash × 3",
    ];
    assert_eq!(transcript.withheld()[..2], withheld);
    assert_eq!(transcript.withheld().len(), 7 + 2 + 3 + 1);
    assert_snapshot!("dry_run", transcript);
}

#[test]
fn a_halt_ends_the_run_until_a_person_speaks() {
    let rows = all().set(json!({"haltAfterDenials": 3}));
    let script = Script::new()
        .user("build it")
        .repeat(4, fails())
        .step([fails(), fails()])
        .repeat(4, fails())
        .user("look again")
        .step(make());
    let transcript = run(&rows, &script);
    let halts: Vec<_> = transcript
        .refusals()
        .into_iter()
        .filter_map(|refusal| refusal.halt.as_ref())
        .map(|halt| halt.denials)
        .collect();
    assert_eq!(halts, [3]);
    // Two failures, three refusals, and what comes after the prompt: nothing in between.
    assert_eq!(
        transcript.admissions(),
        [true, true, false, false, false, true]
    );
    assert_snapshot!("halt", transcript);
}

#[test]
fn a_success_starts_the_count_of_refusals_anew() {
    let rows = guards(["brake", "circuit-breaker"]).set(json!({"haltAfterDenials": 3}));
    let ls = call("ls", json!({}));
    let script = |between: ScriptedCall| {
        Script::new()
            .user("build it")
            .repeat(2, fails())
            .repeat(2, fails())
            .step(between)
            .repeat(2, fails())
            .repeat(2, fails())
    };
    let succeeded = run(&rows, &script(ls.clone()));
    assert!(succeeded.refusals().iter().all(|it| it.halt.is_none()));
    let cancelled = run(&rows, &script(ls.cancelled()));
    assert_eq!(cancelled.refusals().len(), 3);
    assert!(cancelled.refusals()[2].halt.is_some());
}
