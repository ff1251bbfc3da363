//! JSON as spans of text: a line is checked once, nothing is built, and only what is asked for
//! is decoded.
//!
//! Recorded arguments must keep every digit and may be nested deeper than a recursive parser
//! dares to go, and most of a line is never looked at; so values stay the text they were
//! written as. Nothing here recurses.

mod nesting;
mod scan;
mod string;
mod walk;

use std::borrow::Cow;

pub(crate) use scan::NotJson;
use scan::Scanner;
use walk::Items;
pub(crate) use walk::{Cut, Entries};

/// One valid JSON value: its text, without white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// Checks that a text is one value with nothing but white space around it.
    pub(crate) fn parse(text: &'a str) -> Result<Self, NotJson> {
        let mut scanner = Scanner::new(text);
        let value = scanner.value()?;
        scanner.end("the end of the document")?;
        Ok(value)
    }

    /// The text as it was written.
    pub(crate) fn raw(self) -> &'a str {
        self.0
    }

    fn first_byte(self) -> u8 {
        self.0.as_bytes().first().copied().unwrap_or(b'n')
    }

    pub(crate) fn is_null(self) -> bool {
        self.first_byte() == b'n'
    }

    pub(crate) fn is_object(self) -> bool {
        self.first_byte() == b'{'
    }

    /// The text of a string, with its escapes undone; a lone surrogate becomes U+FFFD.
    pub(crate) fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        Some(string::unescape(inner))
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A whole number, in whatever way it is written (`3`, `3.0`, `3e0`).
    pub(crate) fn as_i64(self) -> Option<i64> {
        if let Ok(number) = self.0.parse() {
            return Some(number);
        }
        // Beyond 2^53 a double does not tell neighbours apart, so such a literal is refused.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let number = self.as_f64()?;
        (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
    }

    pub(crate) fn as_u64(self) -> Option<u64> {
        self.0
            .parse()
            .ok()
            .or_else(|| u64::try_from(self.as_i64()?).ok())
    }

    /// Any number, rounded to the nearest double.
    pub(crate) fn as_f64(self) -> Option<f64> {
        self.number()?.parse().ok()
    }

    fn number(self) -> Option<&'a str> {
        matches!(self.first_byte(), b'-' | b'0'..=b'9').then_some(self.0)
    }

    /// The value of a key of an object; of a repeated key the last, as parsers do.
    pub(crate) fn get(self, key: &str) -> Option<Json<'a>> {
        let [value] = self.fields([key]);
        value
    }

    /// The values of several keys of an object, found in one pass.
    pub(crate) fn fields<const N: usize>(self, keys: [&str; N]) -> [Option<Json<'a>>; N] {
        fields(self.0, keys).unwrap_or([None; N])
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn items(self) -> Items<'a> {
        Items::new(self.0)
    }

    pub(crate) fn is_str(self) -> bool {
        self.first_byte() == b'"'
    }

    pub(crate) fn is_array(self) -> bool {
        self.first_byte() == b'['
    }
}

/// The elements of a text that begins like an array, as far as it goes.
pub(crate) fn elements(text: &str) -> Items<'_> {
    Items::new(text.trim_start())
}

/// Checks that a text is one JSON object and finds the values of some of its keys.
pub(crate) fn fields<'a, const N: usize>(
    text: &'a str,
    keys: [&str; N],
) -> Result<[Option<Json<'a>>; N], NotJson> {
    let mut found = [None; N];
    for entry in Entries::new(text) {
        let (key, value) = entry?;
        if let Some(index) = keys.iter().position(|&wanted| wanted == key) {
            found[index] = Some(value);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Json<'_>, NotJson> {
        Json::parse(text)
    }

    fn is_valid(text: &str) -> bool {
        parse(text).is_ok()
    }

    #[test]
    fn whatever_a_recursive_parser_accepts_is_accepted_and_nothing_else() {
        for text in [
            "{}",
            "[]",
            " { \"a\" : [ 1 , -0.5e+3 , true , false , null ] } ",
            r#""\u00e9\n\"\\\/""#,
            "0",
            "-0",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "nul",
            "nulll",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "[1 2]",
            "{\"a\":1]",
            "[1}",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u123\"",
            "\"a\nb\"",
            "\"a",
            "\"a\\\"",
            "",
            " ",
            "{} {}",
            "\u{feff}{}",
            "[[[[]]]",
            "]",
            "}",
        ] {
            let expected = serde_json::from_str::<serde_json::Value>(text).is_ok();
            assert_eq!(is_valid(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_million_levels_are_no_deeper_than_one() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(is_valid(&deep));
        assert!(!is_valid(&deep[1..]));
        let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        assert_eq!(
            parse(&objects).unwrap().get("a").map(|a| a.raw().len()),
            Some(600_001 - 6)
        );
    }

    #[test]
    fn of_a_repeated_key_the_last_value_counts() {
        assert_eq!(
            fields(r#"{"a":1,"b":2,"a":3}"#, ["a"]).unwrap()[0]
                .unwrap()
                .raw(),
            "3"
        );
    }

    #[test]
    fn a_key_may_be_written_with_escapes() {
        let [value] = fields(r#"{"t\u0079pe":"x"}"#, ["type"]).unwrap();
        assert_eq!(value.unwrap().as_str().as_deref(), Some("x"));
    }

    #[test]
    fn whole_numbers_are_numbers_however_they_are_written() {
        let number = |text| parse(text).unwrap().as_i64();
        assert_eq!(number("3"), Some(3));
        assert_eq!(number("3.0"), Some(3));
        assert_eq!(number("3e2"), Some(300));
        assert_eq!(number("-7"), Some(-7));
        assert_eq!(number("3.5"), None);
        assert_eq!(number("1e300"), None);
        assert_eq!(number("\"3\""), None);
        assert_eq!(number("9223372036854775807"), Some(i64::MAX));
        assert_eq!(
            parse("18446744073709551615").unwrap().as_u64(),
            Some(u64::MAX)
        );
        assert_eq!(parse("-1").unwrap().as_u64(), None);
    }

    /// Pieces of JSON in any order, valid often enough.
    fn tokens() -> impl Strategy<Value = String> {
        let token = prop::sample::select(vec![
            "[", "]", "{", "}", ":", ",", "\"a\"", "\"", "\\", "\\u00e9", "u", "0", "1", "12", "-",
            ".", "e5", "E-2", "+", "true", "false", "null", "tru", " ", "\n", "\u{7f}", "é",
        ]);
        let mixed = prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat());
        let leaf =
            prop::sample::select(vec!["0", "-1.5e3", "\"a\\n\"", "true", "null", "[]", "{ }"]);
        let valid = leaf
            .prop_map(str::to_owned)
            .prop_recursive(4, 16, 3, |inner| {
                prop_oneof![
                    prop::collection::vec(inner.clone(), 0..3)
                        .prop_map(|all| format!("[{}]", all.join(" ,"))),
                    inner.prop_map(|value| format!("{{ \"k\" :{value}, \"l\":1}}")),
                ]
            });
        // What is valid, and what is valid but for one byte.
        let cut = (valid.clone(), any::<prop::sample::Index>()).prop_map(|(mut text, at)| {
            text.remove(at.index(text.len()));
            text
        });
        prop_oneof![mixed, valid, cut]
    }

    proptest! {
        #[test]
        fn any_text_is_judged_like_a_recursive_parser_judges_it(text in tokens()) {
            let parsed = serde_json::from_str::<serde_json::Value>(&text);
            prop_assert_eq!(is_valid(&text), parsed.is_ok());
        }

        #[test]
        fn strings_come_back_as_they_were(text in any::<String>()) {
            let literal = serde_json::to_string(&text).unwrap();
            let read = parse(&literal).unwrap().as_str();
            prop_assert_eq!(read.as_deref(), Some(text.as_str()));
        }
    }
}
