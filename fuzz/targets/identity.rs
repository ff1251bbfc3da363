//! Raw text has the identity of the value that it spells, however it is spelled.

#![no_main]

use std::fmt::Write as _;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use loopguard_canonical::{Arguments, Fingerprint, Identity, Mask, Seed, canonical_text};
use serde_json::{Value, json};

const SEED: Seed = Seed::new(7);

static MASKS: LazyLock<Vec<Mask>> = LazyLock::new(|| {
    [
        Mask::new(Some("/a/*/b"), None, None),
        Mask::new(None, Some("[0-9]+"), Some("N")),
        Mask::new(Some("/*"), Some("^."), None),
    ]
    .into_iter()
    .map(|mask| mask.expect("a mask"))
    .collect()
});

fuzz_target!(|data: &[u8]| {
    text_and_value(&String::from_utf8_lossy(data));
    let units = data
        .chunks_exact(2)
        .map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    spellings(&units.collect::<Vec<_>>());
});

fn of(arguments: Arguments<'_>) -> Identity {
    Identity::of(SEED, "tool", arguments)
}

fn of_text(text: &str) -> Identity {
    of(Arguments::Text(text))
}

fn masked(arguments: Arguments<'_>) -> Identity {
    Identity::of_masked(SEED, "tool", arguments, MASKS.iter())
}

fn text_and_value(text: &str) {
    let identity = of_text(text);
    assert!(identity.is_exact());
    let canonical = canonical_text(Arguments::Text(text));
    assert_eq!(of_text(&canonical), identity);
    assert_eq!(
        masked(Arguments::Text(&canonical)),
        masked(Arguments::Text(text))
    );
    let _ = Fingerprint::of_text(SEED, text);
    let _ = Fingerprint::of_masked_text(SEED, text, MASKS.iter());

    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let parsed = of(Arguments::Value(&value));
    assert_eq!(parsed.is_exact(), !has_lost_digits(&value));
    if parsed.is_exact() {
        assert_eq!(parsed, identity);
        assert_eq!(canonical_text(Arguments::Value(&value)), canonical);
        assert_eq!(
            masked(Arguments::Value(&value)),
            masked(Arguments::Text(text))
        );
    }
    // What is printed of a parsed value stands for it, lost digits or not.
    let printed = canonical_text(Arguments::Value(&value));
    assert_eq!(of_text(&printed).fingerprint(), parsed.fingerprint());
}

/// Whether a number may have been an integer whose digits are lost.
fn has_lost_digits(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_f64()
                && number
                    .as_f64()
                    .is_some_and(|double| double >= 2_f64.powi(64) || double <= -(2_f64.powi(63)))
        }
        Value::Array(items) => items.iter().any(has_lost_digits),
        Value::Object(members) => members.values().any(has_lost_digits),
        _ => false,
    }
}

/// A string of any UTF-16 units: escaped throughout, and only where it has to be.
fn spellings(units: &[u16]) {
    let mut escaped = String::new();
    for unit in units {
        let _ = write!(escaped, "\\u{unit:04x}");
    }
    let mut plain = String::new();
    for piece in char::decode_utf16(units.iter().copied()) {
        match piece {
            Ok('"') => plain.push_str("\\\""),
            Ok('\\') => plain.push_str("\\\\"),
            Ok(c) if c < ' ' => {
                let _ = write!(plain, "\\u{:04X}", c as u32);
            }
            Ok(c) => plain.push(c),
            Err(lone) => {
                let _ = write!(plain, "\\u{:04X}", lone.unpaired_surrogate());
            }
        }
    }
    let whole = |text: &str| format!("{{\"{text}\":[\"{text}\"]}}");
    let identity = of_text(&whole(&escaped));
    assert_eq!(of_text(&whole(&plain)), identity);
    assert_eq!(
        of_text(&canonical_text(Arguments::Text(&whole(&escaped)))),
        identity
    );
    if let Ok(text) = String::from_utf16(units) {
        let value = json!({ text.clone(): [text] });
        assert_eq!(of(Arguments::Value(&value)), identity);
    }
    // A unit more is another string.
    assert_ne!(of_text(&whole(&format!("{escaped}\\u0061"))), identity);
}
