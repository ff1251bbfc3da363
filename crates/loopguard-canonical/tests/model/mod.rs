//! JSON values as JavaScript holds them, with naive answers to what the crate answers fast.

use std::collections::BTreeMap;

use proptest::prelude::*;

/// A value. Strings are UTF-16, numbers their literal, keys may come twice.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(Vec<u16>),
    Array(Vec<Json>),
    Object(Vec<(Vec<u16>, Json)>),
}

impl Json {
    /// The same without what RFC 8785 treats differently, or rejects.
    pub(crate) fn with_plain_keys_and_numbers(&self) -> Self {
        let plain = |text: &[u16]| String::from_utf16_lossy(text).encode_utf16().collect();
        match self {
            Self::Number(text) if text.contains(['.', 'e', 'E']) => {
                let beyond = text.parse::<f64>().unwrap().is_infinite();
                Self::Number(if beyond {
                    "0.5".to_owned()
                } else {
                    text.clone()
                })
            }
            Self::Number(text) => {
                let small = text
                    .parse::<i64>()
                    .is_ok_and(|n| n.unsigned_abs() <= 1 << 53);
                Self::Number(if small { text.clone() } else { "7".to_owned() })
            }
            Self::Text(text) => Self::Text(plain(text)),
            Self::Array(items) => Self::Array(
                items
                    .iter()
                    .map(Self::with_plain_keys_and_numbers)
                    .collect(),
            ),
            Self::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(key, value)| {
                        let mut key: Vec<u16> = plain(key);
                        key.push(u16::from(b'k'));
                        (key, value.with_plain_keys_and_numbers())
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    }
}

fn text() -> impl Strategy<Value = Vec<u16>> {
    prop_oneof![
        "[a-c0-2]{0,2}".prop_map(|text| text.encode_utf16().collect()),
        "__proto__|10|9|4294967294|4294967295|01".prop_map(|text| text.encode_utf16().collect()),
        "\\PC{0,70}".prop_map(|text: String| text.encode_utf16().collect()),
        prop::collection::vec(
            prop_oneof![
                0_u16..0x80,
                0xd7f0_u16..0xe010,
                0xd83d_u16..0xd83e,
                0xde00_u16..0xde02,
                any::<u16>()
            ],
            0..8
        ),
    ]
}

/// Number literals, many of them near to one another.
pub(crate) fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "-?(0|[1-9][0-9]{0,2})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        2 => "-?(0|[1-9]0{0,3})(\\.0{1,3})?([eE][+-]?0{0,2}[0-9])?",
        2 => "-?[1-9][0-9]{14,24}(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?",
        1 => "-?[1-9](\\.[0-9]{1,18})?[eE](30[5-9]|31[0-2]|-32[0-6]|-31[0-9])",
        1 => "-?[1-9]0{0,3}[eE][+-]?[0-9]{3,40}",
        1 => any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| format!("{n:e}")),
        1 => any::<i64>().prop_map(|n| n.to_string()),
        1 => any::<u64>().prop_map(|n| n.to_string()),
        1 => prop::sample::select(vec![
            "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0",
            "18446744073709551615", "18446744073709551616", "9223372036854775807",
            "-9223372036854775808", "-9223372036854775809", "1e22", "10000000000000000000000",
            "1e400", "10e399", "1e309", "-1e309", "1.7976931348623157e308", "5e-324",
            "1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001",
            "1e999999999999999999", "0.1e1000000000000000000",
        ]).prop_map(str::to_owned),
    ]
}

/// Values, small enough that equal parts are common.
pub(crate) fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        number().prop_map(Json::Number),
        text().prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((text(), inner.clone()), 0..6).prop_map(Json::Object),
            // Enough members for the way that sorts.
            prop::collection::vec((text(), inner), 12..20).prop_map(Json::Object),
        ]
    })
}

/// One small change somewhere; which one is told by `step`.
pub(crate) fn altered(value: &Json, step: usize) -> Json {
    match value {
        Json::Null => Json::Text("null".encode_utf16().collect()),
        Json::Bool(value) => Json::Bool(!value),
        Json::Number(text) if step.is_multiple_of(2) => {
            Json::Number(format!("-{text}").replace("--", ""))
        }
        Json::Number(text) => Json::Text(text.encode_utf16().collect()),
        Json::Text(text) => {
            let mut text = text.clone();
            text.push(u16::from(b' '));
            Json::Text(text)
        }
        Json::Array(items) if items.is_empty() => Json::Object(Vec::new()),
        Json::Array(items) => {
            let mut items = items.clone();
            let at = step % items.len();
            if step.is_multiple_of(3) {
                items.rotate_left(1);
            } else {
                items[at] = altered(&items[at], step / 2);
            }
            Json::Array(items)
        }
        Json::Object(members) if members.is_empty() => Json::Array(Vec::new()),
        Json::Object(members) => {
            let mut members = members.clone();
            let at = step % members.len();
            if step.is_multiple_of(3) {
                members.remove(at);
            } else {
                members[at].1 = altered(&members[at].1, step / 2);
            }
            Json::Object(members)
        }
    }
}

/// Whether two values are the same.
pub(crate) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Null, Json::Null) => true,
        (Json::Bool(a), Json::Bool(b)) => a == b,
        (Json::Number(a), Json::Number(b)) => naive_number(a) == naive_number(b),
        (Json::Text(a), Json::Text(b)) => a == b,
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let (a, b) = (last_ones(a), last_ones(b));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.0 == b.0 && same(a.1, b.1))
        }
        _ => false,
    }
}

fn last_ones(members: &[(Vec<u16>, Json)]) -> BTreeMap<&[u16], &Json> {
    members
        .iter()
        .map(|(key, value)| (&key[..], value))
        .collect()
}

/// The number that a literal's canonical text denotes: sign, digits, and the exponent as
/// the digits of `exponent + 10^60`, which is never negative here.
pub(crate) fn naive_number(text: &str) -> (bool, String, String) {
    if !text.contains(['.', 'e', 'E']) {
        return naive_decimal(text);
    }
    let double: f64 = text.parse().unwrap();
    if double.is_infinite() {
        naive_decimal(text)
    } else {
        naive_decimal(&format!("{double:e}"))
    }
}

fn naive_decimal(text: &str) -> (bool, String, String) {
    let (negative, text) = text
        .strip_prefix('-')
        .map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0').trim_end_matches('0').to_owned();
    if digits.is_empty() {
        return (false, digits, String::new());
    }
    let zeros = all.len() - all.trim_end_matches('0').len();
    let shift = zeros as i128 - fraction.len() as i128;
    let offset = 10_i128.pow(38);
    // At most 40 digits are made above, so the exponent is cut into two halves.
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => (-1, exponent),
        None => (1, exponent.trim_start_matches('+')),
    };
    let padded = format!("{exponent:0>76}");
    let (high, low): (i128, i128) = (padded[..38].parse().unwrap(), padded[38..].parse().unwrap());
    let sum = sign * low + shift;
    let (high, low) = (sign * high + sum.div_euclid(offset), sum.rem_euclid(offset));
    (negative, digits, format!("{high}/{low}"))
}

/// The same number, or one near it: the point moved by some places, the exponent by as many
/// and by `plus % 2`.
pub(crate) fn moved_point(text: &str, places: usize, plus: i64) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Ok(exponent) = exponent.parse::<i64>() else {
        return text.to_owned();
    };
    let padded = format!("{fraction:0<places$}");
    let (moved, rest) = padded.split_at(places);
    let (sign, whole) = whole
        .strip_prefix('-')
        .map_or(("", whole), |whole| ("-", whole));
    let all = format!("{whole}{moved}");
    let all = all.trim_start_matches('0');
    let all = if all.is_empty() { "0" } else { all };
    let point = if rest.is_empty() { "" } else { "." };
    format!(
        "{sign}{all}{point}{rest}e{}",
        exponent - places as i64 + plus % 2
    )
}

/// What JavaScript prints, written down the plain way.
pub(crate) fn naive_canonical(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(text) => naive_printed(text),
        Json::Text(text) => naive_quoted(text),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(naive_canonical).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(members) => {
            let members = last_ones(members);
            let index = |key: &[u16]| {
                let key = String::from_utf16(key).ok()?;
                key.parse::<u32>()
                    .ok()
                    .filter(|n| *n != u32::MAX && n.to_string() == key)
            };
            let mut indices: Vec<_> = members
                .iter()
                .filter_map(|(key, value)| Some((index(key)?, key, value)))
                .collect();
            indices.sort_by_key(|(index, ..)| *index);
            let others = members.iter().filter(|(key, _)| index(key).is_none());
            let printed: Vec<String> = indices
                .iter()
                .map(|(_, key, value)| (*key, *value))
                .chain(others)
                .map(|(key, value)| format!("{}:{}", naive_quoted(key), naive_canonical(value)))
                .collect();
            format!("{{{}}}", printed.join(","))
        }
    }
}

fn naive_printed(text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" {
            "0".to_owned()
        } else {
            text.to_owned()
        };
    }
    let double: f64 = text.parse().unwrap();
    if double.is_infinite() {
        return text.to_owned();
    }
    ryu_like(double)
}

/// ECMAScript's Number::toString, from the digits that the standard library finds.
fn ryu_like(double: f64) -> String {
    if double == 0.0 {
        return "0".to_owned();
    }
    serde_json_canonicalizer::to_string(&double).unwrap()
}

fn naive_quoted(text: &[u16]) -> String {
    let mut out = String::from("\"");
    for c in char::decode_utf16(text.iter().copied()) {
        match c {
            Ok('"') => out.push_str("\\\""),
            Ok('\\') => out.push_str("\\\\"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\u{8}') => out.push_str("\\b"),
            Ok('\u{c}') => out.push_str("\\f"),
            Ok(c) if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            Ok(c) => out.push(c),
            Err(lone) => out.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    out + "\""
}

/// Spells a value as a model might: white space, escapes, order and doubling of keys as
/// chance has it.
pub(crate) fn spelling(value: &Json, seed: u64) -> String {
    let mut chance = Chance(seed | 1);
    let mut out = String::new();
    spell(value, &mut chance, &mut out);
    out
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn blank(&mut self) -> &'static str {
        [" ", "\n", "\t\r\n", "", "", ""][self.below(6) as usize]
    }
}

fn spell(value: &Json, chance: &mut Chance, out: &mut String) {
    out.push_str(chance.blank());
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(&value.to_string()),
        Json::Number(text) => out.push_str(text),
        Json::Text(text) => spell_text(text, chance, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                spell(item, chance, out);
            }
            out.push_str(chance.blank());
            out.push(']');
        }
        Json::Object(members) => {
            let mut members: Vec<(&[u16], &Json)> = last_ones(members).into_iter().collect();
            for index in (1..members.len()).rev() {
                members.swap(index, chance.below(index as u64 + 1) as usize);
            }
            // An earlier member of the same key is as if it were not there.
            let twice = chance.below(3) as usize;
            let null = Json::Null;
            let doubled: Vec<_> = members
                .iter()
                .take(twice)
                .map(|(key, _)| (*key, &null))
                .collect();
            out.push('{');
            for (index, (key, value)) in doubled.into_iter().chain(members).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(chance.blank());
                spell_text(key, chance, out);
                out.push_str(chance.blank());
                out.push(':');
                spell(value, chance, out);
            }
            out.push_str(chance.blank());
            out.push('}');
        }
    }
    out.push_str(chance.blank());
}

fn spell_text(text: &[u16], chance: &mut Chance, out: &mut String) {
    out.push('"');
    let escaped = |unit: u16, chance: &mut Chance| {
        if chance.below(2) == 0 {
            format!("\\u{unit:04x}")
        } else {
            format!("\\u{unit:04X}")
        }
    };
    for c in char::decode_utf16(text.iter().copied()) {
        match c {
            Err(lone) => out.push_str(&escaped(lone.unpaired_surrogate(), chance)),
            Ok(c) if chance.below(4) == 0 => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&escaped(*unit, chance));
                }
            }
            Ok('/') if chance.below(2) == 0 => out.push_str("\\/"),
            Ok(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Ok('\n') => out.push_str("\\n"),
            Ok(c) if c < ' ' => out.push_str(&escaped(c as u16, chance)),
            Ok(c) => out.push(c),
        }
    }
    out.push('"');
}
