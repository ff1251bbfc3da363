//! The table of canonical texts and identities that JavaScript gave.

#![allow(clippy::unwrap_used, reason = "a helper's failure is a test's failure")]

use loopguard_canonical::{
    Arguments, Fingerprint, Identity, Seed, canonical_preview, canonical_text, utf16_len,
};
use serde_json::Value;

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/oracle/{name}", env!("CARGO_MANIFEST_DIR"));
    parse(&std::fs::read_to_string(path).unwrap())
}

fn parse(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn identity(arguments: Arguments<'_>) -> Identity {
    Identity::of(Seed::new(5), "tool", arguments)
}

fn fingerprint(text: &str) -> Fingerprint {
    identity(Arguments::Text(text)).fingerprint()
}

fn keeps_digits() -> bool {
    std::mem::needs_drop::<serde_json::Number>()
}

/// What is expected of one argument text, and of its parsed value where that can hold it.
fn check(raw: &str, wanted: &str) {
    assert_eq!(
        canonical_text(Arguments::Text(raw)),
        wanted,
        "raw text {raw:?}"
    );
    let units = utf16_len(wanted);
    for cap in [0, 1, units / 2, units.saturating_sub(1)] {
        let preview = canonical_preview(Arguments::Text(raw), cap);
        let omitted: u64 = preview.rsplit_once("… (+").map_or(0, |(_, rest)| {
            rest.split_once(' ').unwrap().0.parse().unwrap()
        });
        let shown = preview
            .rsplit_once("… (+")
            .map_or(&*preview, |(shown, _)| shown);
        assert!(wanted.starts_with(shown), "raw text {raw:?}");
        assert_eq!(utf16_len(shown) + omitted, units, "raw text {raw:?}");
    }
    assert_eq!(canonical_preview(Arguments::Text(raw), units), wanted);

    // The canonical text is a fixed point and stands for the same value.
    assert_eq!(canonical_text(Arguments::Text(wanted)), wanted);
    assert_eq!(fingerprint(raw), fingerprint(wanted), "{raw:?}");
    assert!(identity(Arguments::Text(raw)).is_exact());

    let Ok(value) = serde_json::from_str::<Value>(raw) else {
        return;
    };
    let parsed = identity(Arguments::Value(&value));
    if parsed.is_exact() {
        assert_eq!(parsed, identity(Arguments::Text(raw)), "parsed {raw:?}");
        // Where serde_json keeps digits as text it rewrites `1E400` to `1e+400`.
        let plain = |text: &str| {
            if keeps_digits() {
                text.to_lowercase().replace("e+", "e")
            } else {
                text.to_owned()
            }
        };
        let written = canonical_text(Arguments::Value(&value));
        assert_eq!(plain(&written), plain(wanted), "parsed {raw:?}");
    }
}

#[test]
fn canonical_texts_are_what_javascript_prints() {
    let rows = rows("canonical.jsonl");
    assert_eq!(rows.len(), 720);
    for row in rows {
        let raw = row["raw"].as_str().unwrap();
        match row["deviation"].as_str() {
            None => check(raw, row["canonical"].as_str().unwrap()),
            Some("host-rejects") => {
                // A zero has no sign; what no double can hold is quoted as it is.
                let zero = row["direct"].as_str() == Some("0");
                check(raw, if zero { "0" } else { raw });
            }
            Some(_) => check(raw, row["exact"].as_str().unwrap()),
        }
    }
}

#[test]
fn identities_are_right_where_the_originals_erred() {
    let rows = rows("identity.jsonl");
    assert_eq!(rows.len(), 30);
    for row in rows {
        let [a, b] = ["a", "b"].map(|side| row[side].as_str().unwrap());
        assert_eq!(
            fingerprint(a) == fingerprint(b),
            row["identical"].as_bool().unwrap(),
            "{row}"
        );
    }
}

#[test]
fn samples_of_rfc_8785_are_printed_as_javascript_prints_them() {
    let path = format!(
        "{}/../../../shared/oracle/canonical-rfc8785.jsonl",
        env!("CARGO_MANIFEST_DIR")
    );
    let Ok(lines) = std::fs::read_to_string(path) else {
        println!("skipped: the samples of RFC 8785 are not at hand");
        return;
    };
    for row in parse(&lines) {
        let canonical = row["canonical"].as_str().unwrap();
        check(row["raw"].as_str().unwrap(), canonical);
        if row["rfc8785_equal"].as_bool().unwrap() {
            assert_eq!(canonical, row["rfc8785"].as_str().unwrap());
        }
    }
}
