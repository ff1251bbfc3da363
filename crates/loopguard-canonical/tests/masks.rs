//! Volatile parts, in arguments and in results.

#![allow(clippy::unwrap_used, reason = "a helper's failure is a test's failure")]

use loopguard_canonical::{Arguments, Fingerprint, Identity, Mask, Seed};
use proptest::prelude::*;
use regex::Regex;
use serde_json::Value;

/// Rules as they are written: place, pattern, replacement.
type Rule<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

fn masks(rules: &[Rule<'_>]) -> Vec<Mask> {
    rules
        .iter()
        .map(|rule| Mask::new(rule.0, rule.1, rule.2).unwrap())
        .collect()
}

fn of(text: &str, rules: &[Rule<'_>]) -> Identity {
    Identity::of_masked(Seed::FIXED, "tool", Arguments::Text(text), &masks(rules))
}

fn check(rules: &[Rule<'_>], a: &str, b: &str, equal: bool) {
    assert_eq!(of(a, rules) == of(b, rules), equal, "arguments {a} and {b}");
    for text in [a, b] {
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            let arguments = Arguments::Value(&value);
            let identity = Identity::of_masked(Seed::FIXED, "tool", arguments, &masks(rules));
            if identity.is_exact() {
                assert_eq!(identity, of(text, rules), "arguments {text}");
            }
        }
    }
}

fn check_result(rules: &[Rule<'_>], a: &str, b: &str, equal: bool) {
    let of = |text| Fingerprint::of_masked_text(Seed::FIXED, text, &masks(rules));
    assert_eq!(of(a) == of(b), equal, "results {a} and {b}");
}

#[test]
fn a_place_is_replaced_whatever_it_holds() {
    let rule: Rule<'_> = (Some("/id"), None, None);
    check(
        &[rule],
        r#"{"id":1,"q":2}"#,
        r#"{"q":2,"id":[{"x":"y"}]}"#,
        true,
    );
    check(&[rule], r#"{"id":1,"q":2}"#, r#"{"id":null,"q":2}"#, true);
    check(&[rule], r#"{"id":1,"q":2}"#, r#"{"id":1,"q":3}"#, false);
    check(&[rule], r#"{"id":1,"q":2}"#, r#"{"q":2}"#, false);
    check(&[rule], r#"{"id":1}"#, r#"{"\u0069d":2}"#, true);
    check(&[rule], r#"{"id":1,"id":{"a":[]}}"#, r#"{"id":2}"#, true);
    check(&[rule], r#"[{"id":1}]"#, r#"[{"id":2}]"#, false);
    check(&[(Some(""), None, None)], r#"{"id":1}"#, "[]", true);
    check(&[(Some(""), None, None)], "plain", "", true);
}

#[test]
fn places_are_json_pointers_with_steps_for_any() {
    check(
        &[(Some("/a~1b/~0c"), None, None)],
        r#"{"a/b":{"~c":1}}"#,
        r#"{"a/b":{"~c":2}}"#,
        true,
    );
    check(&[(Some("/"), None, None)], r#"{"":1}"#, r#"{"":2}"#, true);
    check(
        &[(Some("/l/1"), None, None)],
        r#"{"l":[0,1,2]}"#,
        r#"{"l":[0,9,2]}"#,
        true,
    );
    check(
        &[(Some("/l/1"), None, None)],
        r#"{"l":[0,1,2]}"#,
        r#"{"l":[0,1,9]}"#,
        false,
    );
    check(
        &[(Some("/l/01"), None, None)],
        r#"{"l":[0,1]}"#,
        r#"{"l":[0,2]}"#,
        false,
    );
    check(
        &[(Some("/l/1"), None, None)],
        r#"{"l":{"1":1}}"#,
        r#"{"l":{"1":2}}"#,
        true,
    );
    let any: Rule<'_> = (Some("/*/id"), None, None);
    check(
        &[any],
        r#"[{"id":1,"x":0},{"id":2}]"#,
        r#"[{"id":3,"x":0},{"id":4}]"#,
        true,
    );
    check(
        &[any],
        r#"{"a":{"id":1},"b":[1]}"#,
        r#"{"a":{"id":2},"b":[1]}"#,
        true,
    );
    check(
        &[any],
        r#"{"a":{"id":1},"b":[1]}"#,
        r#"{"a":{"id":1},"b":[2]}"#,
        false,
    );
    check(
        &[(Some("/*"), None, None)],
        r#"{"*":1,"b":2}"#,
        r#"{"*":3,"b":4}"#,
        true,
    );
    check(
        &[(Some("/a/*"), None, None)],
        r#"{"a":[1,[2]]}"#,
        r#"{"a":[{},3]}"#,
        true,
    );
    check(
        &[(Some("/a/*"), None, None)],
        r#"{"a":[1]}"#,
        r#"{"a":[1,2]}"#,
        false,
    );
}

#[test]
fn a_pattern_alone_applies_to_every_string_value_and_to_no_key() {
    let rule: Rule<'_> = (None, Some("[0-9]+"), None);
    check(
        &[rule],
        r#"{"a":["t 1"],"b":"2"}"#,
        r#"{"a":["t 99"],"b":"34"}"#,
        true,
    );
    check(&[rule], r#"{"a1":"x"}"#, r#"{"a2":"x"}"#, false);
    check(&[rule], r#"{"a":1}"#, r#"{"a":2}"#, false);
    check(&[rule], r#"{"a":"t 1"}"#, r#"{"a":"t "}"#, false);
    check(&[rule], r#"{"a":"\u0031x"}"#, r#"{"a":"2x"}"#, true);
    check(&[rule], "run 1", "run 2", true);
    check(&[rule], "run 1", r#""run 3""#, true);
    check(
        &[(None, Some("x*"), None)],
        r#"["abc"]"#,
        r#"["abxxc"]"#,
        false,
    );
    check(&[(None, Some("^$"), None)], r#"[""]"#, r#"["a"]"#, false);
}

#[test]
fn a_pattern_at_a_place_applies_to_the_string_there() {
    let rule: Rule<'_> = (Some("/log"), Some(r"\d+ms"), None);
    check(
        &[rule],
        r#"{"log":"took 1ms","x":"5ms"}"#,
        r#"{"log":"took 20ms","x":"5ms"}"#,
        true,
    );
    check(
        &[rule],
        r#"{"log":"took 1ms","x":"5ms"}"#,
        r#"{"log":"took 1ms","x":"6ms"}"#,
        false,
    );
    check(&[rule], r#"{"log":["1ms"]}"#, r#"{"log":["2ms"]}"#, false);
    check(&[rule], r#"{"log":1}"#, r#"{"log":2}"#, false);
    check(
        &[(Some("/*"), Some("a"), None)],
        r#"["a",1]"#,
        r#"["a",2]"#,
        false,
    );
    check(&[(Some(""), Some("[0-9]"), None)], "try 1", "try 2", true);
}

#[test]
fn a_replacement_is_taken_literally() {
    let at: Rule<'_> = (Some("/a"), None, Some("x\"\n"));
    check(&[at], r#"{"a":1}"#, r#"{"a":"x\"\n"}"#, true);
    let pattern: Rule<'_> = (None, Some("([0-9]+)"), Some("$1\\"));
    check(&[pattern], r#"["a 17"]"#, r#"["a $1\\"]"#, false);
    check(&[pattern], r#"["a 17"]"#, r#"["a 5"]"#, true);
    let gone: Rule<'_> = (None, Some(" *#.*"), Some(""));
    check(&[gone], r#"["ls # one"]"#, r#"["ls"]"#, true);
}

#[test]
fn the_marker_is_like_nothing_a_model_can_write() {
    let at: Rule<'_> = (Some("/a"), None, None);
    let pattern: Rule<'_> = (Some("/a"), Some("^x$"), None);
    for value in [
        "null",
        "\"\"",
        "\"\\u00ff\"",
        "\"\\udcff\"",
        "\"\u{fffd}\"",
        "\"ÿ\"",
        "[]",
        "{}",
    ] {
        let plain = Identity::of(
            Seed::FIXED,
            "tool",
            format!("{{\"a\":{value}}}").as_str().into(),
        );
        assert_ne!(of(r#"{"a":"x"}"#, &[at]), plain, "{value}");
        assert_ne!(of(r#"{"a":"x"}"#, &[pattern]), plain, "{value}");
    }
    assert_ne!(of(r#"{"a":"x"}"#, &[at]), of(r#"{"a":"x"}"#, &[pattern]));
}

#[test]
fn rules_apply_in_order_to_what_is_left() {
    let rules: [Rule<'_>; 2] = [(None, Some("a"), Some("b")), (None, Some("b+"), Some("c"))];
    check(&rules, r#"["ab"]"#, r#"["bbb"]"#, true);
    let rules: [Rule<'_>; 2] = [(None, Some("b+"), Some("c")), (None, Some("a"), Some("b"))];
    check(&rules, r#"["ab"]"#, r#"["bbb"]"#, false);
    // A part that is gone has no parts.
    let rules: [Rule<'_>; 2] = [(Some("/a"), None, None), (Some("/a/b"), None, Some("x"))];
    check(&rules, r#"{"a":{"b":1}}"#, r#"{"a":2}"#, true);
    // A text that took the place of a part is a string like any other.
    let rules: [Rule<'_>; 2] = [(Some("/a"), None, Some("7")), (None, Some("7"), None)];
    check(&rules, r#"{"a":[],"b":"7"}"#, r#"{"a":{},"b":"7"}"#, true);
}

#[test]
fn what_is_not_masked_keeps_its_digits_and_surrogates() {
    let rules: [Rule<'_>; 2] = [(Some("/a"), None, None), (None, Some("[0-9]"), None)];
    let big = |n: &str, s: &str| format!(r#"{{"a":0,"n":{n},"s":"x1{s}"}}"#);
    let (n, m) = (
        "123456789012345678901234567890",
        "123456789012345678901234567891",
    );
    check(&rules, &big(n, r"\ud800"), &big(n, r"\ud800"), true);
    check(&rules, &big(n, r"\ud800"), &big(m, r"\ud800"), false);
    check(&rules, &big(n, r"\ud800"), &big(n, r"\ud801"), false);
    check(&rules, &big(n, r"\ud800"), &big(n, "\u{fffd}"), false);
    let value: Value = serde_json::from_str(r#"{"a":0,"n":1e300}"#).unwrap();
    let masked = Identity::of_masked(
        Seed::FIXED,
        "tool",
        Arguments::Value(&value),
        &masks(&rules),
    );
    let plain = Identity::of(Seed::FIXED, "tool", Arguments::Value(&value));
    assert_eq!(masked.is_exact(), plain.is_exact());
}

#[test]
fn masks_that_find_nothing_change_nothing() {
    for text in [r#"{"a":[1.50,"x"]}"#, "plain", "", "null"] {
        let plain = Identity::of(Seed::FIXED, "tool", Arguments::Text(text));
        assert_eq!(of(text, &[]), plain);
        assert_eq!(
            of(text, &[(Some("/b"), None, None), (None, Some("zz"), None)]),
            plain
        );
    }
}

#[test]
fn in_a_result_a_place_needs_json() {
    let rule: Rule<'_> = (Some("/time"), None, None);
    check_result(
        &[rule],
        r#"{"time":1,"x":[2]}"#,
        r#"{"time":"2","x":[2]}"#,
        true,
    );
    check_result(
        &[rule],
        r#"{"time":1,"x":[2]}"#,
        r#"{"time":1,"x":[3]}"#,
        false,
    );
    check_result(&[rule], "\n{\"time\":1}\r\n", r#"{"time":2}"#, true);
    check_result(&[rule], r#"{"time":1"#, r#"{"time":2"#, false);
    check_result(&[rule], "time 1", "time 2", false);
    let rule: Rule<'_> = (Some("/log"), Some("[0-9]+"), None);
    check_result(
        &[rule],
        r#"{"log":"\u0031 ms"}"#,
        r#"{"log":"23 ms"}"#,
        true,
    );
    // Unlike arguments, a result is a text: the order of its keys stays.
    check_result(
        &[rule],
        r#"{"a":1,"log":"1"}"#,
        r#"{"log":"1","a":1}"#,
        false,
    );
}

#[test]
fn in_a_result_a_pattern_alone_applies_to_the_whole_text() {
    let rule: Rule<'_> = (None, Some(r"(?m)^\d+ms$"), None);
    check_result(&[rule], "ok\r\n12ms \r\n", "ok\n7ms", true);
    check_result(&[rule], "ok\n12ms", "ok", false);
    check_result(
        &[(None, Some(r"took \d+"), Some(""))],
        "done  took 12",
        "done",
        true,
    );
    check_result(
        &[(None, Some("\"t\":[0-9]+"), None)],
        r#"{"t":1}"#,
        r#"{"t":2}"#,
        true,
    );
    let rules: [Rule<'_>; 2] = [(None, Some("^#.*\n"), Some("")), (Some("/t"), None, None)];
    check_result(&rules, "# x\n{\"t\":1}", "# y\n{\"t\":2}", true);
    // The marker is a value like any other to the rule that comes after.
    let rules: [Rule<'_>; 2] = [(Some("/a"), None, None), (Some("/b"), None, None)];
    check_result(&rules, r#"{"a":1,"b":2}"#, r#"{"a":3,"b":[4]}"#, true);
    let text = "a\r\nb";
    assert_eq!(
        Fingerprint::of_masked_text(Seed::FIXED, text, &masks(&[(None, Some("z"), None)])),
        Fingerprint::of_text(Seed::FIXED, text)
    );
}

/// What stands for the marker in the model. No text made below has it.
const MARK: &str = "\u{1}";

fn naive(value: &Value, rule: &Rule<'_>) -> Value {
    let pattern = rule.1.map(|pattern| Regex::new(pattern).unwrap());
    let steps = rule
        .0
        .map(|place| place.split('/').skip(1).collect::<Vec<_>>());
    naive_at(value, steps.as_deref(), pattern.as_ref(), rule.2)
}

fn naive_at(
    value: &Value,
    steps: Option<&[&str]>,
    pattern: Option<&Regex>,
    replacement: Option<&str>,
) -> Value {
    match (steps, pattern, value) {
        (Some([]), None, _) => match replacement {
            Some(text) => Value::from(text),
            None => Value::from(MARK),
        },
        (Some([]) | None, Some(pattern), Value::String(text)) => {
            // A match of no characters is no match; the patterns below have none.
            let replacement = replacement.unwrap_or(MARK);
            Value::from(
                pattern
                    .replace_all(text, regex::NoExpand(replacement))
                    .into_owned(),
            )
        }
        (Some([]), Some(_), other) => other.clone(),
        (_, _, Value::Array(items)) => Value::Array(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| match steps {
                    Some(steps) if steps[0] != "*" && steps[0] != index.to_string() => item.clone(),
                    steps => naive_at(item, steps.map(|s| &s[1..]), pattern, replacement),
                })
                .collect(),
        ),
        (_, _, Value::Object(members)) => Value::Object(
            members
                .iter()
                .map(|(key, item)| match steps {
                    Some(steps) if steps[0] != "*" && steps[0] != key => {
                        (key.clone(), item.clone())
                    }
                    steps => {
                        let steps = steps.map(|s| &s[1..]);
                        (key.clone(), naive_at(item, steps, pattern, replacement))
                    }
                })
                .collect(),
        ),
        (_, _, scalar) => scalar.clone(),
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..3).prop_map(Value::from),
        "[ab01é\"\n]{0,3}".prop_map(Value::from),
        Just(Value::Null)
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map("[ab01]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn rule() -> impl Strategy<Value = (Option<String>, Option<String>, Option<String>)> {
    let place = prop::option::of("(/[ab01*]){0,2}");
    let pattern = prop::option::of(prop::sample::select(vec!["[01]+", "a", "é|\"", "\n"]))
        .prop_map(|pattern| pattern.map(str::to_owned));
    (place, pattern, prop::option::of("[ab\"]{0,2}")).prop_filter("nothing to find", |rule| {
        rule.0.is_some() || rule.1.is_some()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn masked_identities_are_equal_exactly_when_masked_values_are(
        a in value(), b in value(), rules in prop::collection::vec(rule(), 1..4),
    ) {
        let rules: Vec<Rule<'_>> = rules
            .iter()
            .map(|rule| (rule.0.as_deref(), rule.1.as_deref(), rule.2.as_deref()))
            .collect();
        let [x, y] = [&a, &b].map(|value| {
            rules.iter().fold(value.clone(), |value, rule| naive(&value, rule))
        });
        let masks = masks(&rules);
        let of = |arguments| Identity::of_masked(Seed::FIXED, "tool", arguments, &masks);
        let identities = [&a, &b].map(|value| of(Arguments::Value(value)));
        prop_assert_eq!(identities[0] == identities[1], x == y, "{} and {}", a, b);
        prop_assert_eq!(of(Arguments::Text(&a.to_string())), identities[0]);
    }
}
