//! Canonical texts and identities.

use loopguard::{Arguments, Identity, Seed};
use loopguard_canonical::canonical_text;
use serde_json::Value;

use super::report::{Checker, Row};

/// Argument texts and the canonical text that is quoted of each.
pub(super) fn texts(rows: &[Value], checker: &mut Checker) {
    for (at, row) in rows.iter().enumerate() {
        let (Some(raw), deviation) = (row["raw"].as_str(), row["deviation"].as_str()) else {
            continue;
        };
        let wanted = match deviation {
            Some("host-rejects") => {
                checker.skip();
                continue;
            }
            Some(_) => &row["exact"],
            None => &row["canonical"],
        };
        checker.row(Row {
            line: at + 1,
            tagged: deviation.is_some(),
            wanted: wanted.as_str().unwrap_or("no text").to_owned(),
            got: canonical_text(Arguments::Text(raw)),
        });
    }
}

/// Pairs of argument texts, and whether they are the same call.
pub(super) fn identities(rows: &[Value], checker: &mut Checker) {
    for (at, row) in rows.iter().enumerate() {
        let identity = |side: &str| {
            let text = row[side].as_str().unwrap_or_default();
            Identity::of(Seed::FIXED, "tool", Arguments::Text(text))
        };
        let wanted = &row["identical"];
        let originals = ["repeat_tool_reminder_says", "dsh_brake_says"];
        checker.row(Row {
            line: at + 1,
            tagged: originals.iter().any(|original| row[original] != *wanted),
            wanted: wanted.to_string(),
            got: (identity("a") == identity("b")).to_string(),
        });
    }
}
