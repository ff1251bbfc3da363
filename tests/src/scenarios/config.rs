//! The configuration of a scenario: the recommended one and the changes that it names.

use loopguard::{Base, GUARDS, Preset, SET_NAME, Setup};
use serde_json::{Map, Value, json};

/// What a scenario needs.
#[derive(Debug)]
pub(super) struct Needs {
    pub(super) setup: Setup,
    /// Whether the guards are saved, dropped and restored after each line marked so.
    pub(super) resumes: bool,
}

/// Reads the `config` of a scenario.
///
/// # Errors
///
/// A change that is unknown, named; or what the guards have against the configuration.
pub(super) fn read(config: &Value) -> Result<Needs, String> {
    let changes = match config {
        Value::String(name) if name == Preset::Recommended.name() => "",
        Value::Object(map) if map.len() == 1 => map
            .get("needs")
            .and_then(Value::as_str)
            .ok_or_else(|| format!("unknown configuration {config}"))?,
        _ => return Err(format!("unknown configuration {config}")),
    };
    let mut rows = Rows::default();
    let mut resumes = false;
    for change in changes.split("; ").filter(|change| !change.is_empty()) {
        if change == "resume at every line marked cut" {
            resumes = true;
        } else {
            rows.change(change)
                .ok_or_else(|| format!("unknown change {change:?}"))?;
        }
    }
    let base = Base::Preset(Preset::Recommended);
    let loaded = Setup::from_value("scenario", &rows.into_value(), base);
    let setup = loaded.map_err(|errors| errors.to_string())?.setup;
    Ok(Needs { setup, resumes })
}

/// Rows that hold the changed keys only, by name.
#[derive(Debug, Default)]
struct Rows(Map<String, Value>);

impl Rows {
    /// Makes a change; `None` where it is unknown.
    fn change(&mut self, change: &str) -> Option<()> {
        if let Some(rest) = change.strip_prefix("mask argument ") {
            let (at, tool) = place(rest)?;
            self.identity(tool, "arguments", &json!({"at": at}));
        } else if let Some(rest) = change.strip_prefix("mask result ") {
            let (at, tool) = place(rest)?;
            self.identity(tool, "result", &json!({"at": at}));
        } else if let Some(rest) = change.strip_prefix("collapse whitespace in argument ") {
            let (at, tool) = place(rest)?;
            let rule = json!({"at": at, "match": r"\s+", "as": " "});
            self.identity(tool, "arguments", &rule);
        } else if let Some(tool) = change.strip_prefix("exclude ") {
            for guard in GUARDS {
                let can_exclude = guard.keys.iter().any(|key| key.name == "exclude");
                if can_exclude {
                    self.append(guard.name, "exclude", tool.into());
                }
            }
        } else if change == "brake may deny" {
            self.set("brake", "mode", "deny".into());
        } else {
            let count = change.strip_prefix("halt after ")?;
            let count: u64 = count.strip_suffix(" denied calls")?.parse().ok()?;
            self.set(SET_NAME, "haltAfterDenials", count.into());
        }
        Some(())
    }

    fn identity(&mut self, tool: &str, side: &str, rule: &Value) {
        self.append(SET_NAME, "identity", json!({"tools": [tool], side: [rule]}));
    }

    fn set(&mut self, row: &str, key: &str, value: Value) {
        let row = self.0.entry(row).or_insert_with(|| json!({}));
        row[key] = value;
    }

    /// Adds to a list. A row's list takes the place of the preset's, so it starts as that.
    fn append(&mut self, row: &str, key: &str, value: Value) {
        let changed = self.0.get(row).map(|row| row[key].clone());
        let list = match changed {
            Some(Value::Array(list)) => Some(list),
            _ => preset_list(row, key),
        };
        let mut list = list.unwrap_or_default();
        list.push(value);
        self.set(row, key, list.into());
    }

    /// Every guard has a row: where rows name any guard, those without one do not run.
    fn into_value(mut self) -> Value {
        for guard in GUARDS {
            self.0.entry(guard.name).or_insert_with(|| json!({}));
        }
        let rows = self.0.into_iter();
        rows.map(|(name, config)| json!({"name": name, "config": config}))
            .collect()
    }
}

/// `/POINTER for TOOL`.
fn place(text: &str) -> Option<(&str, &str)> {
    let (at, tool) = text.split_once(" for ")?;
    (at.starts_with('/') && !tool.is_empty()).then_some((at, tool))
}

/// A list that the recommended preset sets.
fn preset_list(row: &str, key: &str) -> Option<Vec<Value>> {
    // Without its comments the text is JSON.
    let lines = Preset::Recommended.text().lines();
    let json: String = lines
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let rows: Vec<Value> = serde_json::from_str(&json).ok()?;
    let row = rows.iter().find(|it| it["name"] == row)?;
    row["config"][key].as_array().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(changes: &[&str]) -> Value {
        let mut rows = Rows::default();
        for change in changes {
            rows.change(change).expect(change);
        }
        rows.0.into()
    }

    #[test]
    fn every_change_sets_its_keys_and_no_others() {
        let exclude = rows(&["exclude a", "exclude b"]);
        for guard in ["repeat-reminder", "brake", "circuit-breaker"] {
            let list = exclude[guard]["exclude"].as_array().unwrap();
            assert!(list.ends_with(&["a".into(), "b".into()]), "{exclude}");
        }
        assert_eq!(
            rows(&["brake may deny", "halt after 3 denied calls"]),
            json!({"brake": {"mode": "deny"}, "loopguard": {"haltAfterDenials": 3}})
        );
        let masks = rows(&[
            "mask argument /a/b for t",
            "mask result /id for t",
            "collapse whitespace in argument /c for t",
        ]);
        let masks = masks["loopguard"]["identity"].as_array().unwrap();
        assert!(
            masks.ends_with(&[
                json!({"tools": ["t"], "arguments": [{"at": "/a/b"}]}),
                json!({"tools": ["t"], "result": [{"at": "/id"}]}),
                json!({"tools": ["t"], "arguments": [{"at": "/c", "match": r"\s+", "as": " "}]}),
            ]),
            "{masks:?}"
        );
    }

    #[test]
    fn an_unknown_change_is_named() {
        for change in [
            "mask argument a for t",
            "mask argument /a",
            "halt after many denied calls",
            "sing",
        ] {
            let error = read(&json!({"needs": format!("brake may deny; {change}")})).unwrap_err();
            assert_eq!(error, format!("unknown change {change:?}"));
        }
        assert!(read(&json!("original")).is_err());
        assert!(read(&json!({"needs": 1})).is_err());
    }

    #[test]
    fn every_guard_runs_whatever_is_changed() {
        for config in [json!("recommended"), json!({"needs": "brake may deny"})] {
            let needs = read(&config).unwrap();
            assert_eq!(needs.setup.guard_ids().count(), GUARDS.len());
        }
    }
}
