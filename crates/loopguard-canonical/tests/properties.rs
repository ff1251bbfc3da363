//! Properties of identities and canonical texts over values and spellings of all kinds.

#![allow(clippy::unwrap_used, reason = "a helper's failure is a test's failure")]

mod model;

use loopguard_canonical::{
    Arguments, Identity, Seed, canonical_preview, canonical_text, cut, text_preview, utf16_len,
};
use model::{Json, json, naive_canonical, naive_number, same, spelling};
use proptest::prelude::*;
use serde_json::Value;

fn of(arguments: Arguments<'_>) -> Identity {
    Identity::of(Seed::new(42), "tool", arguments)
}

fn of_text(text: &str) -> Identity {
    of(Arguments::Text(text))
}

/// A naive cut: the first units one by one, never through a pair.
fn naive_cut(text: &str, max: u64) -> Option<String> {
    let mut units = 0;
    let mut shown = String::new();
    for c in text.chars() {
        units += c.len_utf16() as u64;
        if units > max {
            return Some(shown);
        }
        shown.push(c);
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_spelling_of_a_value_has_its_identity(value in json(), seed: u64, other: u64) {
        let (a, b) = (spelling(&value, seed), spelling(&value, other));
        prop_assert_eq!(of_text(&a), of_text(&b), "{} and {}", a, b);
        prop_assert_eq!(canonical_text(Arguments::Text(&a)), naive_canonical(&value));
    }

    #[test]
    fn identities_are_equal_exactly_when_values_are(
        a in json(), b in json(), seed: u64, step in 0_usize..40,
    ) {
        // A value like another in all but one place is the harder neighbour.
        for b in [b, model::altered(&a, step)] {
            let (x, y) = (spelling(&a, seed), spelling(&b, seed));
            prop_assert_eq!(of_text(&x) == of_text(&y), same(&a, &b), "{} and {}", x, y);
        }
    }

    #[test]
    fn text_and_parsed_value_agree(value in json(), seed: u64) {
        let text = spelling(&value, seed);
        if let Ok(parsed) = serde_json::from_str::<Value>(&text) {
            let identity = of(Arguments::Value(&parsed));
            if identity.is_exact() {
                prop_assert_eq!(identity, of_text(&text), "{}", text);
                // Where serde_json keeps digits as text it rewrites `1E400` to `1e+400`.
                let keeps_digits = std::mem::needs_drop::<serde_json::Number>();
                let plain = |text: String| {
                    if keeps_digits { text.to_lowercase().replace("e+", "e") } else { text }
                };
                let written = canonical_text(Arguments::Value(&parsed));
                prop_assert_eq!(plain(written), plain(naive_canonical(&value)));
            }
            // What is printed of a parsed value stands for it, lost digits or not.
            let printed = canonical_text(Arguments::Value(&parsed));
            prop_assert_eq!(of_text(&printed).fingerprint(), identity.fingerprint());
        }
    }

    #[test]
    fn previews_are_cuts_of_the_canonical_text(value in json(), seed: u64, cap in 0_u64..120) {
        let raw = spelling(&value, seed);
        let parsed = serde_json::from_str::<Value>(&raw).ok();
        for arguments in parsed.iter().map(Arguments::Value).chain([Arguments::Text(&raw)]) {
            let whole = canonical_text(arguments);
            let wanted = match naive_cut(&whole, cap) {
                None => whole,
                Some(shown) => {
                    let omitted = whole.encode_utf16().count() - shown.encode_utf16().count();
                    format!("{shown}… (+{omitted} more chars)")
                }
            };
            prop_assert_eq!(canonical_preview(arguments, cap), wanted);
        }
    }

    #[test]
    fn any_text_is_total(text in "[\\[\\]{}\",:0-9eE.+\\-ntrufalsx\\\\ 😀\u{0}]{0,24}") {
        let identity = of_text(&text);
        let canonical = canonical_text(Arguments::Text(&text));
        prop_assert_eq!(of_text(&canonical), identity);
        // Whatever the standard parser takes, this one takes, but for its depth and range.
        let is_string = canonical == serde_json::to_string(&text).unwrap();
        if serde_json::from_str::<Value>(&text).is_ok() {
            prop_assert!(!is_string || text.starts_with('"'), "{}", text);
        }
    }

    #[test]
    fn integers_of_any_length_are_exact(digits in "[1-9][0-9]{0,60}", zeros in 0_usize..40) {
        let text = digits.clone() + &"0".repeat(zeros);
        prop_assert_eq!(canonical_text(Arguments::Text(&text)), &text[..]);
        prop_assert_ne!(of_text(&text), of_text(&(digits.clone() + &"0".repeat(zeros + 1))));
        prop_assert_ne!(of_text(&text), of_text(&format!("-{text}")));
        let mut other = text.clone().into_bytes();
        let last = digits.len() - 1;
        other[last] = if other[last] == b'1' { b'2' } else { b'1' };
        prop_assert_ne!(of_text(&text), of_text(std::str::from_utf8(&other).unwrap()));
    }

    #[test]
    fn numbers_are_the_same_exactly_when_their_normal_forms_are(
        a in model::number(), b in model::number(), places in 0_usize..30, plus in 0_i64..20,
    ) {
        prop_assert_eq!(of_text(&a) == of_text(&b), naive_number(&a) == naive_number(&b),
            "{} {}", a, b);
        let moved = model::moved_point(&a, places, plus);
        prop_assert_eq!(of_text(&a) == of_text(&moved), naive_number(&a) == naive_number(&moved),
            "{} {}", a, moved);
    }

    #[test]
    fn doubles_print_as_they_do_elsewhere(bits: u64, scale in 0_i32..18, small: i32) {
        for double in [f64::from_bits(bits), f64::from(small) / 10_f64.powi(scale)] {
            let Some(number) = serde_json::Number::from_f64(double) else { continue };
            let value = Value::Number(number);
            let canonical = canonical_text(Arguments::Value(&value));
            prop_assert_eq!(&canonical, &serde_json_canonicalizer::to_string(&value).unwrap());
            let exponent = format!("{double:e}");
            prop_assert_eq!(of_text(&exponent).fingerprint(),
                of(Arguments::Value(&value)).fingerprint());
        }
    }

    #[test]
    fn canonical_text_is_that_of_rfc_8785_where_the_two_mean_to_agree(value in json()) {
        // Keys that are array indices are ordered otherwise, long integers keep their digits.
        let text = spelling(&value.with_plain_keys_and_numbers(), 1);
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let canonical = canonical_text(Arguments::Value(&value));
            prop_assert_eq!(canonical, serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }

    #[test]
    fn cuts_agree_with_counting(
        text in "(\\PC|[a-c😀é\u{10ffff}]){0,200}", max in 0_u64..260,
    ) {
        let wanted = naive_cut(&text, max);
        prop_assert_eq!(cut(&text, max), wanted.as_deref());
        prop_assert_eq!(utf16_len(&text), text.encode_utf16().count() as u64);
    }

    #[test]
    fn text_previews_agree_with_a_naive_model(
        text in "([a-c😀]|[ \n\r\t\u{b}\u{a0}\u{feff}\u{3000}\u{2028}\u{85}]){0,400}",
    ) {
        let is_blank = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
        let words: Vec<&str> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
        let joined = words.join(" ");
        let wanted = naive_cut(&joined, 160).map_or(joined, |shown| shown + "…");
        prop_assert_eq!(text_preview(&text), wanted);
    }
}

#[test]
fn a_tool_and_its_arguments_are_never_another_pair() {
    let texts = [
        "",
        "{}",
        "[]",
        "\"\"",
        "a",
        "\"a\"",
        "1",
        "{\"a\":1}",
        "null",
    ];
    let mut seen = std::collections::HashSet::new();
    for tool in ["", "a", "\"a\"", "{}", "1", "null", "a{}"] {
        for text in texts {
            seen.insert((
                Identity::of(Seed::FIXED, tool, Arguments::Text(text)),
                tool,
                { canonical_text(Arguments::Text(text)) },
            ));
        }
    }
    let identities: std::collections::HashSet<_> = seen.iter().map(|seen| seen.0).collect();
    assert_eq!(identities.len(), seen.len());
    assert_ne!(
        Identity::of(Seed::new(1), "a", Arguments::Text("")),
        Identity::of(Seed::new(2), "a", Arguments::Text(""))
    );
}

#[test]
fn a_model_value_is_what_it_says() {
    // The model is checked against texts written by hand, so that it cannot drift along.
    let value = Json::Object(vec![
        (
            "b".encode_utf16().collect(),
            Json::Number("1.50e1".to_owned()),
        ),
        (
            "10".encode_utf16().collect(),
            Json::Array(vec![Json::Null, Json::Bool(true)]),
        ),
        (
            "9".encode_utf16().collect(),
            Json::Text(vec![0xd800, 0x22, 0x0a]),
        ),
    ]);
    assert_eq!(
        naive_canonical(&value),
        r#"{"9":"\ud800\"\n","10":[null,true],"b":15}"#
    );
}
