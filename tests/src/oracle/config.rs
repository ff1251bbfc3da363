//! Which configurations are accepted.

use loopguard::config::Key;
use loopguard::{ConfigError, ConfigErrors};
use loopguard_brake::BrakeConfig;
use loopguard_repeat_reminder::ReminderConfig;
use serde_json::Value;

use super::report::{Checker, Row};

/// The reminder's table.
pub(super) fn reminder(rows: &[Value], checker: &mut Checker) {
    table(rows, checker, loopguard_repeat_reminder::KEYS, |config| {
        ReminderConfig::from_value(config).map(drop)
    });
}

/// The brake's table.
pub(super) fn brake(rows: &[Value], checker: &mut Checker) {
    table(rows, checker, loopguard_brake::KEYS, |config| {
        BrakeConfig::from_value(config).map(drop)
    });
}

/// The originals ignore unknown keys; ours says which one it does not know, and nothing else.
fn table(
    rows: &[Value],
    checker: &mut Checker,
    keys: &[Key],
    read: fn(&Value) -> Result<(), ConfigErrors>,
) {
    for (at, row) in rows.iter().enumerate() {
        let config = &row["config"];
        let unknown: Vec<_> = config
            .as_object()
            .into_iter()
            .flat_map(|config| config.keys())
            .filter(|given| keys.iter().all(|key| key.name != given.as_str()))
            .collect();
        let accepted = row["accepted"] == true;
        let tagged = accepted && !unknown.is_empty();
        let wanted = match (accepted, tagged) {
            (_, true) => format!("unknown {unknown:?}"),
            (true, false) => "accepted".to_owned(),
            (false, false) => "rejected".to_owned(),
        };
        let got = match read(config) {
            Ok(()) => "accepted".to_owned(),
            Err(errors) if tagged => describe(&errors),
            Err(_) => "rejected".to_owned(),
        };
        checker.row(Row {
            line: at + 1,
            tagged,
            wanted,
            got,
        });
    }
}

/// `unknown [keys]` where the errors are about unknown keys alone, else the errors.
fn describe(errors: &ConfigErrors) -> String {
    let is_unknown = |error: &&ConfigError| error.to_string().contains("unknown key");
    let unknown: Vec<_> = errors
        .iter()
        .filter(is_unknown)
        .filter_map(ConfigError::found)
        .collect();
    match unknown.len() == errors.iter().count() {
        true => format!("unknown {unknown:?}"),
        false => errors.to_string(),
    }
}
