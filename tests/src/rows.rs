//! Rows of the three guards, with random rules.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::{BrakeRules, BreakerRules, ReminderRules};

/// The rows of the three guards, with any rules: those of the originals, or more.
pub fn any_rows() -> impl Strategy<Value = [Value; 3]> {
    prop_oneof![2 => rows(), 3 => wider_rows()]
}

/// What goes beyond the originals: the place of the guard's row, the key and a value.
fn wider_keys() -> Vec<(usize, &'static str, Value)> {
    let own_failure = json!([{"tools": ["*"], "pattern": "same line"}]);
    vec![
        (0, "remindEvery", json!(2)),
        (0, "denyAt", json!(7)),
        (0, "resultAware", json!(true)),
        (0, "stepAware", json!(true)),
        (0, "quietGapMs", json!(1500)),
        (
            0,
            "overrides",
            json!([{"tools": ["g*"], "thresholds": [2]}]),
        ),
        (1, "resultAware", json!(true)),
        (1, "stepAware", json!(true)),
        (1, "quietGapMs", json!(1500)),
        (1, "sequenceMaxLength", json!(6)),
        (1, "sequenceDenyCount", json!(4)),
        (1, "similarCalls", json!(0.8)),
        (1, "similarText", json!(0.8)),
        (1, "assistantText", json!(true)),
        (1, "exclude", json!(["list"])),
        (2, "chains", json!(3)),
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
        rows
    })
}

/// The rows of the three guards, with any rules of the originals.
pub fn rows() -> impl Strategy<Value = [Value; 3]> {
    let rules = (ReminderRules::any(), BrakeRules::any(), BreakerRules::any());
    rules.prop_map(|(reminder, brake, breaker)| [reminder.row(), brake.row(), breaker.row()])
}
