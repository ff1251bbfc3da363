//! What the guards' tables accept, against recorded answers.

use loopguard_config::{ConfigErrors, Rows, Section, verify_table};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::tables::{read, table};

#[derive(serde::Deserialize)]
struct Recorded<'a> {
    #[serde(borrow)]
    config: &'a RawValue,
    accepted: bool,
}

fn read_row(name: &str, config: &str) -> Result<Value, ConfigErrors> {
    let rows = Rows::from_json(
        "",
        &format!(r#"[{{"name": "{name}", "config": {config}}}]"#),
    )?;
    read(
        Section::open(rows.iter().next().unwrap(), table(name), None),
        name,
    )
}

fn check(name: &str, recorded: &str) {
    for line in recorded.lines() {
        let Recorded { config, accepted } = serde_json::from_str(line).unwrap();
        let config = config.get();
        // The recorded guards ignore unknown keys; these do not.
        let expected = accepted && !config.contains("\"unknown\"");
        let result = read_row(name, config);
        assert_eq!(result.is_ok(), expected, "{name} {config}: {result:?}");
        let value: Value = serde_json::from_str(config).unwrap();
        let alone = read(Section::from_value(name, &value, table(name)), name);
        assert_eq!(
            alone.is_ok(),
            expected,
            "{name} {config} as a value: {alone:?}"
        );
    }
}

#[test]
fn the_reminder_accepts_what_it_did() {
    check("reminder", include_str!("reminder.jsonl"));
}

#[test]
fn the_brake_accepts_what_it_did() {
    check("brake", include_str!("brake.jsonl"));
}

#[test]
fn whole_numbers_may_have_a_fraction_of_nothing() {
    let effective = |config: &str| read_row("reminder", config).unwrap();
    assert_eq!(
        effective(r#"{"thresholds": [8.0, 3e0, 5]}"#),
        json!({"thresholds": [3, 5, 8]})
    );
    for beyond in [
        "1e21",
        "18446744073709551616",
        "18446744073709551615",
        "1e300",
    ] {
        assert_eq!(
            effective(&format!(r#"{{"argumentsPreviewChars": {beyond}}}"#)),
            json!({"argumentsPreviewChars": u64::MAX}),
        );
    }
    // Both are kept as the greatest number there is; they were not the same, though.
    assert_eq!(
        effective(r#"{"thresholds": [1e21, 1e22]}"#),
        json!({"thresholds": [u64::MAX]})
    );
    assert!(read_row("reminder", r#"{"thresholds": [1e21, 1e21]}"#).is_err());
    assert!(read_row("reminder", r#"{"thresholds": [3, 3.0]}"#).is_err());
}

#[test]
fn null_is_absence_everywhere() {
    let rows = r#"[{"id": null, "name": "brake", "config": null, "disabled": null},
        {"id": "x", "name": null, "config": {"mode": null, "overrides": null}}]"#;
    let rows = Rows::from_json("", rows).unwrap();
    let ids: Vec<_> = rows.iter().map(|row| (row.id(), row.name())).collect();
    assert_eq!(ids, [(None, Some("brake")), (Some("x"), None)]);
    for row in &rows {
        assert!(!row.is_disabled());
        let effective = read(Section::open(row, table("brake"), None), "brake");
        assert_eq!(effective.unwrap(), json!({}));
    }
    assert!(read_row("brake", r#"{"overrides": [{"tools": null}]}"#).is_err());
}

#[test]
fn an_empty_list_is_a_configuration() {
    assert!(Rows::from_json("", " [] ").unwrap().is_empty());
    assert!(Rows::from_json("", "\u{feff}[]").unwrap().is_empty());
}

#[test]
fn the_tables_are_sound() {
    for name in ["reminder", "brake", "breaker", "loopguard"] {
        verify_table(table(name)).unwrap();
    }
}
