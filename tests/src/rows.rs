//! Rows of the three guards, with random rules.

use loopguard::Preset;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::{BrakeRules, BreakerRules, ReminderRules};

/// The rows of the three guards, with any rules: those of the originals, or more, or those of
/// a preset with any of its keys as it has them.
pub fn any_rows() -> impl Strategy<Value = [Value; 3]> {
    prop_oneof![2 => rows(), 3 => wider_rows(), 1 => preset_rows(), 2 => modelled_rows()]
}

/// The rows of the three guards, with any rules that their models know.
pub fn modelled_rows() -> impl Strategy<Value = [Value; 3]> {
    let rules = (
        ReminderRules::wider(),
        BrakeRules::wider(),
        BreakerRules::wider(),
    );
    rules.prop_map(|(reminder, brake, breaker)| [reminder.row(), brake.row(), breaker.row()])
}

/// The rows of the preset `recommended`, some of whose keys are those of random rules.
fn preset_rows() -> impl Strategy<Value = [Value; 3]> {
    let text = Preset::Recommended.text().lines();
    let text: String = text
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let preset: [Value; 3] = serde_json::from_str(&text).expect("a preset has three rows");
    (wider_rows(), any::<bool>()).prop_map(move |(random, is_denying)| {
        let mut rows = preset.clone();
        for (row, random) in rows.iter_mut().zip(&random) {
            // A life is short: what concerns time and text is as short.
            for key in SHORT {
                if let Some(value) = random["config"].get(key) {
                    row["config"][key] = value.clone();
                }
            }
        }
        if is_denying {
            rows[1]["config"]["mode"] = json!("deny");
        }
        rows
    })
}

/// Keys whose values in the presets are too long for a short life.
const SHORT: [&str; 5] = [
    "quietGapMs",
    "halfOpenAfterMs",
    "minimumDuplicateChars",
    "duplicateTextWindowMs",
    "duplicateTextCooldownMs",
];

/// What goes beyond the originals: the place of the guard's row, the key and a value.
fn wider_keys() -> Vec<(usize, &'static str, Value)> {
    let own_failure = json!([{"tools": ["*"], "pattern": "same line"}]);
    vec![
        (0, "remindEvery", json!(2)),
        (0, "denyAt", json!(5)),
        (0, "resultAware", json!(true)),
        (0, "stepAware", json!(true)),
        (0, "quietGapMs", json!(1500)),
        (
            0,
            "overrides",
            json!([{"tools": ["g*"], "thresholds": [2]}]),
        ),
        (
            0,
            "messages",
            json!({"repeated-call": "{tool} {count} {arguments}"}),
        ),
        (1, "resultAware", json!(true)),
        (1, "stepAware", json!(true)),
        (1, "quietGapMs", json!(1500)),
        (1, "sequenceMaxLength", json!(6)),
        (1, "sequenceDenyCount", json!(4)),
        (1, "callDenyCount", json!(20)),
        (1, "similarCalls", json!(0.6)),
        (1, "similarText", json!(0.6)),
        (1, "assistantText", json!(true)),
        (1, "exclude", json!(["list"])),
        (
            1,
            "overrides",
            json!([{"tools": ["r*"], "resultAware": true, "duplicateTextThreshold": 2}]),
        ),
        (1, "messages", json!({"sequence-loop": "{tools} {count}"})),
        (2, "chains", json!(3)),
        (2, "resultAware", json!(true)),
        (2, "overrides", json!([{"tools": ["l*"], "maxFailures": 1}])),
        (
            2,
            "messages",
            json!({"similar-failures": "{count} {message}"}),
        ),
        (2, "transientPatterns", json!(["such file"])),
        (2, "failurePatterns", own_failure),
        (2, "denyInferred", json!(true)),
        (2, "halfOpenAfterMs", json!(1000)),
        (2, "halfOpenAfterCalls", json!(2)),
        (2, "maxSimilarFailures", json!(2)),
        (2, "quietGapMs", json!(1500)),
    ]
}

fn wider_rows() -> impl Strategy<Value = [Value; 3]> {
    let keys = wider_keys();
    let some = prop::sample::subsequence(keys.clone(), 1..=keys.len());
    (rows(), some).prop_map(|(mut rows, keys)| {
        for (at, key, value) in keys {
            rows[at]["config"][key] = value;
        }
        if rows[1]["config"]["sequenceMaxLength"].is_null() {
            rows[1]["config"]["sequenceDenyCount"] = Value::Null;
        }
        rows
    })
}

/// The rows of the three guards, with any rules of the originals.
pub fn rows() -> impl Strategy<Value = [Value; 3]> {
    let rules = (ReminderRules::any(), BrakeRules::any(), BreakerRules::any());
    rules.prop_map(|(reminder, brake, breaker)| [reminder.row(), brake.row(), breaker.row()])
}
