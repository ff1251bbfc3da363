//! Depth, length, number of keys: nothing overflows, nothing grows faster than its input.

use std::time::{Duration, Instant};

use loopguard_canonical::{
    Arguments, Fingerprint, Identity, Mask, Seed, canonical_preview, canonical_text,
};
use serde_json::{Map, Value};

const DEPTH: usize = 100_000;

fn of(arguments: Arguments<'_>) -> Identity {
    Identity::of(Seed::FIXED, "tool", arguments)
}

/// A value as deep as wanted, and its text.
///
/// The value is leaked: dropping it recurses as deep as it is.
fn deep(depth: usize, object: bool) -> (&'static Value, String) {
    let mut value = Value::from(1);
    for _ in 0..depth {
        value = if object {
            Value::Object(Map::from_iter([("k".to_owned(), value)]))
        } else {
            Value::Array(vec![value])
        };
    }
    let (open, close) = if object { ("{\"k\":", "}") } else { ("[", "]") };
    (
        Box::leak(Box::new(value)),
        open.repeat(depth) + "1" + &close.repeat(depth),
    )
}

#[test]
fn both_ways_in_hold_at_any_depth() {
    for object in [false, true] {
        for depth in [1, 126, 127, 128, 129, 130, 1000, DEPTH] {
            let (value, text) = deep(depth, object);
            assert_eq!(
                of(Arguments::Value(value)),
                of(Arguments::Text(&text)),
                "{depth}"
            );
            assert_eq!(canonical_text(Arguments::Value(value)), text);
            assert_eq!(canonical_text(Arguments::Text(&text)), text);
            let omitted = text.len() - 2;
            let preview = format!("{}… (+{omitted} more chars)", &text[..2]);
            assert_eq!(canonical_preview(Arguments::Value(value), 2), preview);
            assert_eq!(canonical_preview(Arguments::Text(&text), 2), preview);
            let (_, other) = deep(depth + 1, object);
            assert_ne!(of(Arguments::Text(&text)), of(Arguments::Text(&other)));
        }
    }
}

#[test]
fn a_mask_is_applied_at_any_depth() {
    let (value, text) = deep(DEPTH, true);
    let place = "/k".repeat(DEPTH);
    let masks = [Mask::new(Some(&place), None, None).unwrap()];
    let masked = |arguments| Identity::of_masked(Seed::FIXED, "tool", arguments, &masks);
    let other = text.replace('1', "2");
    assert_eq!(
        masked(Arguments::Value(value)),
        masked(Arguments::Text(&other))
    );
    assert_ne!(masked(Arguments::Value(value)), of(Arguments::Value(value)));
}

#[test]
fn mixed_containers_agree_around_the_depth_of_recursion() {
    for depth in 120..140 {
        let mut value = Value::from("x");
        for level in 0..depth {
            value = match level % 3 {
                0 => Value::Array(vec![Value::Null, value, Value::from(level)]),
                1 => Value::Object(Map::from_iter([("a".to_owned(), value)])),
                _ => Value::Object(Map::from_iter([
                    ("z".to_owned(), Value::Bool(true)),
                    ("b".to_owned(), value),
                    ("a".to_owned(), Value::Array(Vec::new())),
                ])),
            };
        }
        let text = canonical_text(Arguments::Value(&value));
        assert_eq!(of(Arguments::Value(&value)), of(Arguments::Text(&text)));
    }
}

#[test]
fn a_hundred_thousand_keys_take_no_more_than_their_share() {
    let members: Vec<String> = (0..100_000_u64)
        .map(|n| format!("\"key {}\":{n}", n.wrapping_mul(0x9e37_79b9)))
        .collect();
    let forward = format!("{{{}}}", members.join(","));
    let mut reversed = members;
    reversed.reverse();
    let backward = format!("{{{}}}", reversed.join(","));
    let doubled = format!("{{{},{}", "\"key 0\":[1]", &backward[1..]);

    let start = Instant::now();
    let identity = of(Arguments::Text(&forward));
    assert_eq!(identity, of(Arguments::Text(&backward)));
    assert_eq!(identity, of(Arguments::Text(&doubled)));
    let value: Value = serde_json::from_str(&forward).unwrap();
    assert_eq!(identity, of(Arguments::Value(&value)));
    assert_eq!(
        canonical_text(Arguments::Text(&doubled)),
        canonical_text(Arguments::Value(&value))
    );
    // Each key compared with each would be minutes even on a machine that is busy.
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_same_key_many_times_is_its_last_value() {
    let many = "\"k\":[{\"x\":1}],".repeat(100_000);
    let text = format!("{{{many}\"k\":2}}");
    assert_eq!(of(Arguments::Text(&text)), of(Arguments::Text("{\"k\":2}")));
    assert_eq!(canonical_text(Arguments::Text(&text)), "{\"k\":2}");
}

#[test]
fn megabytes_are_one_string_however_they_are_spelled() {
    let plain = "0123456789 abcdef é 😀 ".repeat(60_000);
    let escaped = plain
        .replace('é', "\\u00e9")
        .replace('😀', "\\ud83d\\ude00");
    let (text, spelled) = (format!("[\"{plain}\"]"), format!("[\"{escaped}\"]"));
    let value = Value::Array(vec![Value::from(plain.clone())]);
    assert_eq!(of(Arguments::Text(&text)), of(Arguments::Text(&spelled)));
    assert_eq!(of(Arguments::Text(&text)), of(Arguments::Value(&value)));
    assert_eq!(
        of(Arguments::Text(&plain)),
        of(Arguments::Value(&Value::from(plain.clone())))
    );
    assert_eq!(canonical_text(Arguments::Text(&spelled)), text);
    let units = plain.encode_utf16().count() + 4;
    for arguments in [Arguments::Value(&value), Arguments::Text(&spelled)] {
        let preview = canonical_preview(arguments, 10);
        assert_eq!(
            preview,
            format!("[\"01234567… (+{} more chars)", units - 10)
        );
    }
    let changed = format!("[\"{}x\"]", &plain[..plain.len() - 1]);
    assert_ne!(of(Arguments::Text(&text)), of(Arguments::Text(&changed)));
}

#[test]
fn lone_surrogates_by_the_thousand_are_still_linear() {
    let text = format!("[\"{}\"]", "\\ud800x".repeat(200_000));
    assert_eq!(canonical_text(Arguments::Text(&text)), text);
    let preview = canonical_preview(Arguments::Text(&text), 8);
    assert_eq!(
        preview,
        format!("[\"\\ud800… (+{} more chars)", text.len() - 8)
    );
}

#[test]
fn numbers_of_any_length_are_compared_by_their_digits() {
    let zeros = "0".repeat(300_000);
    let same = [
        // A megabyte of zeros outweighed by the exponent.
        (format!("0.{zeros}15e300001"), "1.5".to_owned()),
        (format!("15{zeros}e-300001"), "1.5".to_owned()),
        (format!("15{zeros}.0e-300001"), "1.5".to_owned()),
        (format!("1{zeros}"), "1e300000".to_owned()),
        (format!("1{zeros}.0"), "10e299999".to_owned()),
        (format!("-0.{zeros}"), "0".to_owned()),
        (format!("1e{}400", &zeros[..100]), "1e400".to_owned()),
        (format!("1e-1{}", &zeros[..100]), "0".to_owned()),
        (
            format!("10e{}", "9".repeat(100)),
            format!("1e1{}", &zeros[..100]),
        ),
        (
            format!("0.01e1{}1", &zeros[..50]),
            format!("1e{}", "9".repeat(51)),
        ),
        (format!("0e{}", "9".repeat(100)), "-0".to_owned()),
        (
            format!("123456789012345678901{zeros}"),
            "1.23456789012345678901e300020".to_owned(),
        ),
    ];
    for (a, b) in &same {
        let (x, y) = (of(Arguments::Text(a)), of(Arguments::Text(b)));
        assert_eq!(x, y, "{a:.40} {b:.40}");
    }
    let other = [
        ("1e400".to_owned(), "1e401".to_owned()),
        ("1e400".to_owned(), "-1e400".to_owned()),
        ("1.5e400".to_owned(), "15e400".to_owned()),
        (
            format!("1e1{}0", &zeros[..100]),
            format!("1e1{}1", &zeros[..100]),
        ),
        (
            format!("0.01e1{}", &zeros[..51]),
            format!("1e{}", "9".repeat(51)),
        ),
    ];
    for (a, b) in &other {
        assert_ne!(
            of(Arguments::Text(a)),
            of(Arguments::Text(b)),
            "{a:.40} {b:.40}"
        );
    }
}

/// Between two doubles the nearer one counts, and right between them the even one; no digit is
/// too far behind to tell, and no exponent too long to be read.
#[test]
fn the_last_of_a_thousand_digits_tells_between_two_doubles() {
    let zeros = "0".repeat(100_000);
    let halfway = "9007199254740993";
    let far = "0".repeat(900);
    for (digits, wanted) in [
        (halfway.to_owned(), "9007199254740992"),
        (format!("{halfway}{far}"), "9007199254740992"),
        (format!("{halfway}{far}1"), "9007199254740994"),
    ] {
        let exponent = zeros.len() + halfway.len();
        for sign in ["", "-"] {
            let text = format!("{sign}0.{zeros}{digits}e{exponent}");
            let wanted = format!("{sign}{wanted}");
            assert_eq!(canonical_text(Arguments::Text(&text)), wanted);
            assert_eq!(of(Arguments::Text(&text)), of(Arguments::Text(&wanted)));
        }
    }
    let text = format!("123{zeros}{far}e-101200");
    assert_eq!(canonical_text(Arguments::Text(&text)), "1.23e-298");
}

#[test]
fn a_value_whose_digits_a_parser_lost_is_inexact() {
    let keeps_digits = std::mem::needs_drop::<serde_json::Number>();
    for (text, exact) in [
        ("18446744073709551615", true),
        ("18446744073709551616", false),
        ("-9223372036854775808", true),
        ("-9223372036854775809", false),
        ("1e300", false),
        ("1e18", true),
        ("0.1", true),
        ("9007199254740993.0", true),
    ] {
        let text = format!("[{{\"id\":{text}}}]");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            of(Arguments::Value(&value)).is_exact(),
            exact || keeps_digits,
            "{text}"
        );
        assert!(of(Arguments::Text(&text)).is_exact());
    }
    assert!(!of(Arguments::Text("1")).inexact().is_exact());
}

#[test]
fn every_prefix_of_a_text_is_total() {
    let text = r#" {"a":[1,-2.50e+3,true,false,null,{"b":{}}],"é😀":"\u00e9\ud83d\ude00\ud800\n","a":""} "#;
    let masks = [
        Mask::new(Some("/a/*/b"), None, None).unwrap(),
        Mask::new(None, Some("."), Some("x")).unwrap(),
        Mask::new(Some("/*"), Some("."), None).unwrap(),
    ];
    for (end, _) in text.char_indices() {
        for prefix in [&text[..end], &text[end..]] {
            let canonical = canonical_text(Arguments::Text(prefix));
            assert_eq!(of(Arguments::Text(prefix)), of(Arguments::Text(&canonical)));
            let _ = canonical_preview(Arguments::Text(prefix), 10);
            let masked =
                |text| Identity::of_masked(Seed::FIXED, "tool", Arguments::Text(text), &masks);
            assert_eq!(masked(prefix), masked(&canonical));
            let _ = Fingerprint::of_masked_text(Seed::FIXED, prefix, &masks);
        }
    }
}
