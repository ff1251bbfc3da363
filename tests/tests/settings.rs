//! Every key beyond the originals, wrong in each way, as its author reads it.

use std::fmt::Write;

use insta::assert_snapshot;
use loopguard::{Base, GUARDS, SET_KEYS, Seed, Setup};
use serde_json::{Value, json};

/// What is said of a row of this name with each of these configurations.
fn report(name: &str, configs: &[Value]) -> String {
    let mut report = String::new();
    for config in configs {
        let rows = json!([{"name": name, "config": config}]);
        writeln!(report, "{config}\n{}\n", verdict(&rows)).expect("a text");
    }
    report
}

/// What is said of these rows.
fn verdict(rows: &Value) -> String {
    match Setup::from_json("guards.json", &rows.to_string(), Base::default()) {
        Ok(_) => "is accepted".to_owned(),
        Err(errors) => errors.to_string(),
    }
}

/// A key with each of these values.
fn each(key: &str, values: &[Value]) -> Vec<Value> {
    values.iter().map(|value| json!({key: value})).collect()
}

/// What no integer of at least one may be.
fn no_integers() -> [Value; 6] {
    [
        json!(0),
        json!(-1),
        json!(1.5),
        json!("3"),
        json!(true),
        json!([1]),
    ]
}

/// What no flag may be.
fn no_flags() -> [Value; 3] {
    [json!("true"), json!(1), json!([])]
}

#[test]
fn keys_of_the_reminder() {
    let mut configs = Vec::new();
    for key in ["remindEvery", "quietGapMs"] {
        configs.extend(each(key, &no_integers()));
    }
    for key in ["resultAware", "stepAware"] {
        configs.extend(each(key, &no_flags()));
    }
    configs.extend(each(
        "denyAt",
        &[json!(2), json!(8), json!("9"), json!(9.5), json!(9)],
    ));
    configs.extend([
        json!({"denyAt": 5, "thresholds": [2, 6, 4]}),
        json!({"denyAt": 9, "overrides": [{"tools": ["a"], "thresholds": [10]}]}),
        json!({"overrides": [{"tools": ["a"], "denyAt": 4}]}),
        json!({"overrides": [{"tools": ["a"], "remindEvery": 0, "stepAware": 1}]}),
        json!({"overrides": [{"tools": ["a"], "include": ["b"]}]}),
        json!({"overrides": [{"remindEvery": 2}]}),
        json!({"messages": {"repeated-call-denied": "{arguments}"}}),
        json!({"messages": {"repeated-call": "{path}"}}),
        json!({"messages": {"call-count": "x"}}),
        json!({"remindEvry": 3}),
    ]);
    assert_snapshot!(report("repeat-reminder", &configs));
}

#[test]
fn keys_of_the_brake() {
    let mut configs = each("quietGapMs", &no_integers());
    for key in ["resultAware", "stepAware", "assistantText"] {
        configs.extend(each(key, &no_flags()));
    }
    for key in ["similarCalls", "similarText"] {
        configs.extend(each(
            key,
            &[
                json!(0.49),
                json!(1.01),
                json!(-1),
                json!("0.8"),
                json!(true),
                json!(1),
            ],
        ));
    }
    configs.extend(each("include", &[json!("a*"), json!([3])]));
    configs.extend(each("exclude", &[json!("a*"), json!([3])]));
    configs.extend(each(
        "sequenceMaxLength",
        &[
            json!(1),
            json!(3),
            json!(33),
            json!("8"),
            json!(4.5),
            json!(4),
        ],
    ));
    configs.extend(each(
        "sequenceDenyCount",
        &[json!(2), json!(3), json!("9"), json!(null)],
    ));
    configs.extend([
        json!({"sequenceDenyCount": 4}),
        json!({"sequenceDenyCount": 4, "sequenceMaxLength": "8"}),
        json!({"sequenceLength": 9, "sequenceMaxLength": 8}),
        json!({"sequenceLength": 8, "sequenceMaxLength": 8}),
        json!({"sequenceMaxLength": 8, "sequenceCount": 4, "sequenceDenyCount": 4}),
        json!({"sequenceMaxLength": 8, "sequenceCount": 4, "sequenceDenyCount": 5}),
        json!({"overrides": [{"tools": ["a"], "callWarnCount": 10}]}),
        json!({"overrides": [{"tools": ["a"], "sequenceLength": 3}]}),
        json!({"overrides": [{"tools": ["a"], "similarCalls": 2, "mode": "never"}]}),
        json!({"messages": {"sequence-loop": "{tool}"}}),
        json!({"messages": {"duplicate-text": "{preview"}}),
        json!({"messages": {"chanting": 3}}),
    ]);
    assert_snapshot!(report("brake", &configs));
}

#[test]
fn keys_of_the_breaker() {
    let mut configs = Vec::new();
    for key in ["quietGapMs", "halfOpenAfterMs", "halfOpenAfterCalls"] {
        configs.extend(each(key, &no_integers()));
    }
    for key in ["resultAware", "denyInferred"] {
        configs.extend(each(key, &no_flags()));
    }
    configs.extend(each(
        "chains",
        &[json!(0), json!(65), json!("4"), json!(1.5), json!(64)],
    ));
    configs.extend(each(
        "maxSimilarFailures",
        &[json!(1), json!("4"), json!(2.5), json!(2)],
    ));
    configs.extend(each(
        "transientPatterns",
        &[json!("429"), json!(["("]), json!([429])],
    ));
    configs.extend(each(
        "failurePatterns",
        &[
            json!("FAIL"),
            json!(["FAIL"]),
            json!([{}]),
            json!([{"pattern": "("}]),
            json!([{"pattern": 3}]),
            json!([{"pattern": "x", "tools": "a"}]),
            json!([{"pattern": "x", "tool": ["a"]}]),
        ],
    ));
    configs.extend([
        json!({"overrides": [{"tools": ["a"], "chains": 3}]}),
        json!({"overrides": [{"tools": ["a"], "maxFailures": 0}]}),
        json!({"overrides": [{"tools": [], "maxFailures": 3}]}),
        json!({"messages": {"circuit-open": "{arguments}"}}),
        json!({"messages": {"circuit-closed": "x"}}),
    ]);
    assert_snapshot!(report("circuit-breaker", &configs));
}

#[test]
fn keys_of_the_set() {
    let rule = |part: Value| json!({"identity": [{"tools": ["a"], "arguments": [part]}]});
    let mut configs = each("haltAfterDenials", &no_integers());
    configs.extend(each("dryRun", &no_flags()));
    configs.extend(each("scope", &[json!("global"), json!("sesion"), json!(3)]));
    configs.extend(each("language", &[json!("de"), json!("ZH"), json!(["en"])]));
    configs.extend(each("preset", &[json!("recomended"), json!(1)]));
    configs.extend(each(
        "redact",
        &[json!("sk-"), json!(["("]), json!([3]), json!(["a{2,1}"])],
    ));
    configs.extend([
        json!({"identity": {}}),
        json!({"identity": [{}]}),
        json!({"identity": [{"tools": "a"}]}),
        json!({"identity": [{"tools": ["a"], "results": []}]}),
        rule(json!({})),
        rule(json!({"at": "id"})),
        rule(json!({"at": "/a~2"})),
        rule(json!({"at": 3})),
        rule(json!({"match": "("})),
        rule(json!({"match": "x{99999}{99999}"})),
        rule(json!({"at": "/id", "as": 3})),
        rule(json!({"as": "x"})),
        rule(json!({"at": "/id", "matches": "x"})),
        json!({"identity": [{"tools": ["a"], "result": [{"at": "id"}, {"match": "["}]}]}),
        json!({"haltAfterDenial": 3}),
        json!({"thresholds": [3]}),
    ]);
    assert_snapshot!(report("loopguard", &configs));
}

#[test]
fn rows_that_ask_for_nothing_or_for_the_same() {
    let all = [
        json!([{"name": "braek"}]),
        json!([{"id": "dsh-braek"}]),
        json!([{"name": "mine", "id": "brake"}]),
        json!(["brake"]),
        json!([{"name": "loopguard"}, {"name": "loopguard", "disabled": true}]),
        json!([{"id": "loopguard"}, {"id": "loopguard", "name": "brake"}]),
        json!([{"name": "loopguard"}, {"id": "loopguard"}]),
        json!([{"name": "brake"}, {"name": "brake", "config": {"mode": "dney"}}]),
        json!([{"id": "dsh-brake"}, {"name": "dsh-brake"}]),
        json!([{"id": "a", "name": "brake"}, {"id": "a", "name": "brake"}]),
        json!([{"id": "a", "name": "brake"}, {"id": "b", "name": "brake"}]),
        json!([{"name": "brake"}, {"name": "brake", "disabled": true}]),
        json!([{"name": "brake", "disabled": true, "config": {"mode": "dney"}}]),
    ];
    assert_snapshot!(all.iter().fold(String::new(), |report, rows| {
        format!("{report}{rows}\n{}\n\n", verdict(rows))
    }));
}

#[test]
fn what_is_set_up_can_be_looked_at() {
    let rows = json!([
        {"name": "loopguard", "config": {"identity": [
            {"tools": ["*"], "arguments": [{"at": "/id"}]},
        ]}},
        {"name": "brake", "id": "mine"},
        {"name": "brake", "disabled": true},
    ]);
    let loaded = Setup::from_value("f", &rows, Base::default()).expect("it is sound");
    let identity = |arguments: &str| {
        let policy = loaded.setup.policy();
        policy.identity(Seed::FIXED, "ls", arguments.into())
    };
    assert_eq!(identity(r#"{"id":1}"#), identity(r#"{"id":2}"#));
    assert_ne!(identity(r#"{"id":1}"#), identity(r#"{"no":1}"#));
    let shown = format!("{:?}", loaded.setup);
    assert!(
        shown.contains(r#"[GuardFactory { id: GuardId("mine"), .. }]"#),
        "{shown}"
    );
}

/// A key that nobody has tried to write wrongly would be new here.
#[test]
fn every_key_is_one_of_those_of_the_originals_or_was_tried() {
    let snapshots = [
        include_str!("snapshots/settings__keys_of_the_reminder.snap"),
        include_str!("snapshots/settings__keys_of_the_brake.snap"),
        include_str!("snapshots/settings__keys_of_the_breaker.snap"),
        include_str!("snapshots/settings__keys_of_the_set.snap"),
    ];
    let originals = [
        "thresholds include exclude argumentsPreviewChars",
        "mode callWarnCount callDenyCount callReWarnEvery sequenceLength sequenceCount \
         duplicateTextThreshold duplicateTextWindowMs duplicateTextCooldownMs \
         minimumDuplicateChars minWindowCalls",
        "maxFailures include exclude errorPreviewChars",
        "",
    ];
    let tables = GUARDS.iter().map(|kind| kind.keys).chain([SET_KEYS]);
    for ((keys, snapshot), originals) in tables.zip(snapshots).zip(originals) {
        for key in keys {
            let is_original = originals.split_whitespace().any(|it| it == key.name);
            let is_tried = snapshot.contains(&format!("{{\"{}\":", key.name));
            assert!(is_original || is_tried, "{}", key.name);
        }
    }
}
