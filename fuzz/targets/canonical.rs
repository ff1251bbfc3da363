//! Canonical text is what an independent parser takes for the same value, and is its own
//! canonical text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loopguard_canonical::{
    Arguments, canonical_preview, canonical_text, cut, text_preview, utf16_len,
};
use serde::de::IgnoredAny;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let canonical = canonical_text(Arguments::Text(&text));
    assert_eq!(canonical_text(Arguments::Text(&canonical)), canonical);
    assert!(is_json(&canonical), "{canonical}");
    if text.is_empty() {
        assert_eq!(canonical, "{}");
    } else if is_json(&text) {
        // Depth, and numbers that no double is as large as, stop the parser, not ours.
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let again: Value = serde_json::from_str(&canonical).expect("what was read before");
            assert!(same(&value, &again), "{text} and {canonical}");
        }
    } else {
        assert_eq!(canonical, Value::from(&*text).to_string());
    }
    previews(&text, &canonical, (data.len() % 40) as u64);
});

/// Whether it is JSON by its grammar alone, at any depth and with numbers of any size.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let are_doubles = a.is_f64() || b.is_f64();
            a == b || (are_doubles && a.as_f64() == b.as_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let is_in_b = |(key, value): (&String, &Value)| {
                b.get(key).is_some_and(|other| same(value, other))
            };
            a.len() == b.len() && a.iter().all(is_in_b)
        }
        (a, b) => a == b,
    }
}

/// A preview is the beginning, as long as there is room for, and the count of the rest.
fn previews(text: &str, canonical: &str, room: u64) {
    let preview = canonical_preview(Arguments::Text(text), room);
    assert_eq!(
        utf16_len(canonical),
        canonical.encode_utf16().count() as u64
    );
    match cut(canonical, room) {
        None => assert_eq!(preview, canonical),
        Some(head) => {
            assert!(canonical.starts_with(head));
            let (shown, all) = (utf16_len(head), utf16_len(canonical));
            // A pair is never cut in two.
            assert!(all > room && (shown == room || shown + 1 == room));
            assert_eq!(preview, format!("{head}… (+{} more chars)", all - shown));
        }
    }
    let preview = text_preview(text);
    assert!(utf16_len(&preview) <= 161);
    assert!(!preview.contains(['\n', '\r', '\t']) && !preview.contains("  "));
}
