//! `loopguard check --schema`: what it accepts is what loads, as far as a schema can tell.

mod validator;

use loopguard::{Base, Preset, Setup};
use serde_json::{Value, json};

use self::validator::is_valid;
use super::run;

fn schema() -> Value {
    let ran = run(&["check", "--schema"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    serde_json::from_str(&ran.out).expect("JSON")
}

fn loads(configuration: &Value) -> bool {
    Setup::from_value("test.json", configuration, Base::default()).is_ok()
}

#[test]
fn the_schema() {
    insta::assert_snapshot!("schema", run(&["check", "--schema"]).out);
}

#[test]
fn every_configuration_that_loads_is_valid() {
    let schema = schema();
    let with = |name: &str, config: Value| json!([{ "name": name, "config": config }]);
    let mut right = vec![
        json!([]),
        json!([{ "id": "repeat-tool-guard" }]),
        json!([{ "id": "dsh-brake", "name": null, "disabled": true, "config": null }]),
        json!([{ "id": "mine", "name": "brake" }, { "name": "brake" }]),
        json!([{ "id": "loopguard", "config": { "dryRun": true } }]),
        with(
            "repeat-reminder",
            json!({ "thresholds": [8.0, 3, 5], "remindEvery": "off" }),
        ),
        with(
            "repeat-tool-guard",
            json!({ "thresholds": null, "include": ["mcp__*"] }),
        ),
        with(
            "brake",
            json!({ "mode": "deny", "similarCalls": 0.9, "minWindowCalls": 3 }),
        ),
        with(
            "brake",
            json!({ "overrides": [{ "tools": ["ls"], "callWarnCount": 3 }] }),
        ),
        with(
            "brake",
            json!({ "messages": { "call-count": "{tool} again" } }),
        ),
        with(
            "circuit-breaker",
            json!({ "chains": 64, "transientPatterns": ["(?x) time out"] }),
        ),
        with(
            "circuit-breaker",
            json!({ "failurePatterns": [{ "tools": ["bash"], "pattern": "No such" }] }),
        ),
        with(
            "loopguard",
            json!({ "preset": "recommended", "scope": "session", "haltAfterDenials": 3,
                "identity": [{ "tools": ["*"], "arguments": [{ "at": "/id" }] }] }),
        ),
    ];
    for preset in Preset::ALL {
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let lines = preset.text().lines().filter(|line| !is_comment(line));
        right.push(serde_json::from_str(&lines.collect::<String>()).expect("a preset"));
    }
    for configuration in right {
        assert!(loads(&configuration), "{configuration}");
        assert!(is_valid(&schema, &configuration), "{configuration}");
    }
}

#[test]
fn what_does_not_load_is_not_valid() {
    let schema = schema();
    let with = |name: &str, config: Value| json!([{ "name": name, "config": config }]);
    for configuration in [
        json!({ "name": "brake" }),
        json!(["brake"]),
        json!([{}]),
        json!([{ "name": "brakes" }]),
        json!([{ "id": "mine" }]),
        json!([{ "id": "", "name": "brake" }]),
        json!([{ "name": "brake", "configuration": {} }]),
        json!([{ "name": "brake", "disabled": "yes" }]),
        json!([{ "name": "brake", "config": [] }]),
        json!([{ "name": "loopguard" }, { "name": "loopguard" }]),
        with("loopguard", json!({ "preset": "orginal" })),
        with("loopguard", json!({ "identity": [{ "arguments": [] }] })),
        with("loopguard", json!({ "callWarnCount": 3 })),
        with("repeat-reminder", json!({ "thresholds": [] })),
        with("repeat-reminder", json!({ "thresholds": [3, 3.0] })),
        with("repeat-reminder", json!({ "thresholds": [1] })),
        with("repeat-reminder", json!({ "argumentsPreviewChars": "500" })),
        with("repeat-reminder", json!({ "argumentsPreviewChars": "off" })),
        with("repeat-reminder", json!({ "include": "bash" })),
        with("repeat-reminder", json!({ "include": [null] })),
        with("brake", json!({ "mode": "warn" })),
        with("brake", json!({ "callWarnCount": 2.5 })),
        with("brake", json!({ "similarCalls": 1.5 })),
        with(
            "brake",
            json!({ "overrides": [{ "tools": [], "callWarnCount": 3 }] }),
        ),
        with("brake", json!({ "overrides": [{ "callWarnCount": 3 }] })),
        with("brake", json!({ "overrides": [{ "tools": "off" }] })),
        with("brake", json!({ "messages": { "no-such-code": "x" } })),
        with("circuit-breaker", json!({ "chains": 65 })),
        with("circuit-breaker", json!({ "maxFailures": 0 })),
    ] {
        assert!(!loads(&configuration), "{configuration}");
        assert!(!is_valid(&schema, &configuration), "{configuration}");
    }
}

#[test]
fn every_key_is_explained() {
    fn check(schema: &Value) {
        for (name, key) in schema["properties"].as_object().into_iter().flatten() {
            if name != "config" {
                assert!(key["description"].is_string(), "{name}");
            }
            check(key);
        }
    }
    let schema = schema();
    let rows = schema["$defs"].as_object().expect("definitions");
    assert_eq!(rows.len(), 1 + loopguard::GUARDS.len());
    rows.values().for_each(check);
}
