//! What holds for every input.

use loopguard_config::{NameFilter, NamePattern, Regex, Rows, Section, nearest};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::tables::{BRAKE, read, read_all};

/// A pattern as a regular expression: the naive model.
fn model(pattern: &str) -> Regex {
    let literal: Vec<_> = pattern.split('*').map(regex::escape).collect();
    Regex::new(&format!("(?s)^{}$", literal.join(".*"))).unwrap()
}

fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| model(pattern).is_match(name))
}

fn patterns(texts: &[String]) -> Vec<NamePattern> {
    texts.iter().map(|text| NamePattern::new(text)).collect()
}

/// Names and patterns of few letters, so that they meet.
const NAME: &str = "[ab.é\n]{0,8}";
const PATTERN: &str = "[ab.é\n*]{0,6}";

/// Values for a brake's keys, right and wrong.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2i64..14).prop_map(Value::from),
        (0u8..40).prop_map(|n| (f64::from(n) / 4.0).into()),
        prop_oneof!["deny", "remind", "x"].prop_map(Value::from),
        Just(json!([])),
        (0u8..14, 0u8..14).prop_map(|(warn, deny)| json!([
            {"tools": ["a"], "callWarnCount": warn},
            {"tools": ["b"], "callDenyCount": deny, "x": 1},
        ])),
    ]
}

fn key() -> impl Strategy<Value = String> {
    let known = BRAKE.iter().map(|key| key.name).collect::<Vec<_>>();
    prop_oneof![
        8 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "[a-c]{1,2}",
    ]
}

fn object(entries: &[(&String, &Value)]) -> String {
    let entries: Vec<_> = entries
        .iter()
        .map(|(k, v)| format!("{}: {v}", json!(k)))
        .collect();
    format!(
        "[{{\"name\": \"brake\", \"config\": {{{}}}}}]",
        entries.join(", ")
    )
}

proptest! {
    #[test]
    fn a_pattern_is_its_model(pattern in PATTERN, name in NAME) {
        let expected = model(&pattern).is_match(&name);
        prop_assert_eq!(NamePattern::new(&pattern).matches(&name), expected);
    }

    #[test]
    fn a_filter_is_its_model(
        include in prop::collection::vec(PATTERN, 0..3),
        exclude in prop::collection::vec(PATTERN, 0..3),
        name in NAME,
    ) {
        let expected = (include.is_empty() || matches_any(&include, &name))
            && !matches_any(&exclude, &name);
        let filter = NameFilter { include: patterns(&include), exclude: patterns(&exclude) };
        prop_assert_eq!(filter.admits(&name), expected);
    }

    #[test]
    fn no_text_is_too_much(text in "(?s).{0,60}") {
        let _ = read_all(Rows::salvage_json("f", &text)).1.to_string();
    }

    #[test]
    fn no_almost_json_is_too_much(text in r#"(\[|\]|\{|\}|,|:|"name"|"id"|"config"|"brake"|"mode"|1e9|-|null|\\u|é| |\n){0,24}"#) {
        let _ = read_all(Rows::salvage_json("f", &text)).1.to_string();
    }

    #[test]
    fn the_order_of_keys_changes_no_error(
        (entries, shuffled) in prop::collection::btree_map(key(), value(), 0..8).prop_flat_map(|map| {
            let entries: Vec<(String, Value)> = map.into_iter().collect();
            (Just(entries.clone()), Just(entries).prop_shuffle())
        }),
    ) {
        let said = |entries: &[(String, Value)]| {
            let entries: Vec<_> = entries.iter().map(|(k, v)| (k, v)).collect();
            let (_, errors) = read_all(Rows::salvage_json("f", &object(&entries)));
            let mut said: Vec<_> = errors.iter().map(ToString::to_string).collect();
            said.sort();
            said
        };
        prop_assert_eq!(said(&entries), said(&shuffled));
    }

    #[test]
    fn a_text_and_its_value_are_read_alike(
        map in prop::collection::btree_map(key(), value(), 0..8),
    ) {
        let entries: Vec<_> = map.iter().collect();
        let (_, from_text) = read_all(Rows::salvage_json("f", &object(&entries)));
        let config: Map<String, Value> = map.clone().into_iter().collect();
        let alone = read(Section::from_value("", &config.into(), BRAKE), "brake");
        prop_assert_eq!(from_text.len(), alone.err().map_or(0, |errors| errors.len()));
    }

    #[test]
    fn what_holds_reads_back_as_itself(map in prop::collection::btree_map(key(), value(), 0..4)) {
        let config: Map<String, Value> = map.into_iter().collect();
        if let Ok(effective) = read(Section::from_value("", &config.into(), BRAKE), "brake") {
            let again = read(Section::from_value("", &effective, BRAKE), "brake");
            prop_assert_eq!(again.unwrap(), effective);
        }
    }

    #[test]
    fn a_typo_in_a_long_word_is_understood(
        word in "[a-z]{6,12}",
        at in any::<prop::sample::Index>(),
        kind in 0..4,
    ) {
        let mut typo: Vec<char> = word.chars().collect();
        let at = at.index(typo.len() - 1);
        match kind {
            0 => typo.insert(at, 'x'),
            1 => typo[at] = 'x',
            2 => typo.swap(at, at + 1),
            _ => { typo.remove(at); }
        }
        let typo: String = typo.into_iter().collect();
        prop_assert_eq!(nearest(&typo, [word.as_str(), "0123456789"]), Some(word.as_str()));
    }

    #[test]
    fn the_word_itself_is_nearest(words in prop::collection::btree_set("[a-c]{1,5}", 1..6), at in any::<prop::sample::Index>()) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let word = words[at.index(words.len())];
        prop_assert_eq!(nearest(word, words), Some(word));
    }
}

#[cfg(feature = "yaml")]
proptest! {
    #[test]
    fn no_yaml_is_too_much(text in r#"(- |  |\n|name: |config: |brake|\{|\}|\[|\]|&a |\*a|<<: |\||>|'|"|\? |: |, |é|!!int |\t|#|---\n){0,24}"#) {
        let _ = read_all(Rows::salvage_yaml("f", &text)).1.to_string();
    }

    #[test]
    fn json_is_yaml(map in prop::collection::btree_map(key(), value(), 0..8)) {
        let text = object(&map.iter().collect::<Vec<_>>());
        let said = |read: (Rows, loopguard_config::ConfigErrors)| {
            read_all(read).1.iter().map(|e| (e.to_string(), e.line(), e.column())).collect::<Vec<_>>()
        };
        prop_assert_eq!(said(Rows::salvage_json("f", &text)), said(Rows::salvage_yaml("f", &text)));
    }
}
