//! Every way to be wrong, as its author reads it.

use std::fmt::Write;

use loopguard_config::{ConfigErrors, Rows};

use crate::tables::read_all;

/// Each input with what is said about it, and the places of the errors.
fn report(inputs: &[&str], salvage: impl Fn(&str) -> (Rows, ConfigErrors)) -> String {
    let mut report = String::new();
    for input in inputs {
        let (rows, errors) = read_all(salvage(input));
        writeln!(report, "{}\n{errors}", input.trim_end()).unwrap();
        let places = errors
            .iter()
            .map(|error| match (error.line(), error.column()) {
                (Some(line), Some(column)) => format!("{line}:{column}"),
                _ => "?".to_owned(),
            });
        if !errors.is_empty() {
            writeln!(report, "at {}", places.collect::<Vec<_>>().join(", ")).unwrap();
        }
        for warning in rows.warnings() {
            writeln!(report, "warning: {warning}").unwrap();
        }
        report.push('\n');
    }
    report
}

fn json(inputs: &[&str]) -> String {
    report(inputs, |text| Rows::salvage_json("guards.json", text))
}

/// One row of that name with these configurations, one at a time.
fn configs(name: &str, configs: &[&str]) -> String {
    let inputs: Vec<_> = configs
        .iter()
        .map(|config| format!(r#"[{{"name": "{name}", "config": {config}}}]"#))
        .collect();
    json(&inputs.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn texts_that_are_no_json() {
    insta::assert_snapshot!(json(&[
        "",
        "[{\"name\": \"brake\",}]",
        "[\n  {\"name\": \"é\", 3}\n]",
        "[] []",
        "[{\"name\": \"\\ud800\"}]",
        "[1e999]",
        "[{'name': 1}]",
        "[{\"name\": \"brake\"",
        &"[".repeat(1000),
        &format!("{}{}", "[".repeat(100), "]".repeat(100)),
    ]));
}

#[test]
fn rows_that_are_no_rows() {
    insta::assert_snapshot!(json(&[
        "null",
        "3",
        "{\"name\": \"brake\"}",
        "{\"guards\": []}",
        "[3, null, [], \"brake\"]",
        "[{}]",
        "[{\"name\": \"brake\", \"config\": 3, \"disabled\": \"yes\", \"id\": 7}]",
        "[{\"nmae\": \"brake\", \"id\": \"\", \"name\": []}]",
        "[{\"id\": \"brake\", \"configuration\": {}, \"Disabled\": true, \"zzz\": 1}]",
        "[{\"insert\": [{\"name\": \"brake\"}]}]",
        "[{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"a\", \"name\": \"brake\", \"disabled\": true}]",
        "[{\"name\": \"brake\", \"name\": \"x\", \"config\": {}, \"config\": {}}]",
        "[{\"name\": \"brake\", \"config\": {\"mode\": \"deny\", \"m\\u006fde\": \"deny\",
  \"overrides\": [{\"tools\": [\"a\"], \"tools\": [\"b\"]}]}}]",
        "[{\"name\": \"a\\nb\", \"x\": 1}]",
    ]));
}

#[test]
fn single_values() {
    insta::assert_snapshot!(configs(
        "brake",
        &[
            r#"{"callWarnCount": 1}"#,
            r#"{"callWarnCount": "6"}"#,
            r#"{"callWarnCount": 2.5}"#,
            r#"{"callWarnCount": -3}"#,
            r#"{"sequenceMaxLength": 33}"#,
            r#"{"sequenceMaxLength": 1e21}"#,
            r#"{"similarCalls": 0.4}"#,
            r#"{"similarCalls": "0.9"}"#,
            r#"{"resultAware": "true"}"#,
            r#"{"resultAware": 1}"#,
            r#"{"mode": "dney"}"#,
            r#"{"mode": "block"}"#,
            r#"{"mode": false}"#,
            r#"{"minWindowCalls": 3}"#,
            r#"{"minWindowCalls": 1}"#,
            r#"{"callWarnCount": {"a": [1, 2, "an explanation that goes on for longer than a line should"]}}"#,
        ],
    ));
}

#[test]
fn lists() {
    insta::assert_snapshot!(configs(
        "reminder",
        &[
            r#"{"thresholds": []}"#,
            r#"{"thresholds": 3}"#,
            r#"{"thresholds": [1, null, "3", 4, 4.0, 2.5]}"#,
            r#"{"include": "read*", "exclude": [1, "a", null]}"#,
            r#"{"messages": []}"#,
        ],
    ));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(configs(
        "breaker",
        &[
            r#"{"transientPatterns": ["ok", "(", 3, "a{2,1}", "\\p{Greek}", "(?=x)", "x{999999999}"]}"#,
            r#"{"transientPatterns": "timeout"}"#,
            r#"{"transientPatterns": ["(\\w{900}){900}"]}"#,
        ],
    ));
}

#[test]
fn keys() {
    insta::assert_snapshot!(configs(
        "brake",
        &[
            r#"{"callWarncount": 3}"#,
            r#"{"call_warn_count": 3}"#,
            r#"{"colour": "red", "mode": "deny"}"#,
            r#"{"minWindowCall": 3}"#,
            r#"{"": 3}"#,
            r#"{"a\u001b[31m\nb": 3}"#,
        ],
    ));
}

#[test]
fn values_that_depend_on_each_other() {
    insta::assert_snapshot!(configs(
        "brake",
        &[
            r#"{"callDenyCount": 6}"#,
            r#"{"callWarnCount": 10}"#,
            r#"{"callWarnCount": 7, "callDenyCount": 7}"#,
            r#"{"sequenceMaxLength": 3}"#,
        ],
    ));
    insta::assert_snapshot!(configs(
        "reminder",
        &[
            r#"{"denyAt": 8}"#,
            r#"{"thresholds": [20, 4], "denyAt": 20}"#,
            r#"{"thresholds": [4, 2]}"#
        ],
    ));
}

#[test]
fn mappings_inside() {
    insta::assert_snapshot!(configs(
        "brake",
        &[
            r#"{"overrides": {"tools": ["a"]}}"#,
            r#"{"overrides": [3]}"#,
            r#"{"overrides": [{}]}"#,
            r#"{"overrides": [{"tools": []}]}"#,
            r#"{"overrides": [{"tools": "a", "callDenyCount": 0}]}"#,
            r#"{"overrides": [{"tool": ["a"], "mode": "deny"}]}"#,
            r#"{"overrides": [{"tools": ["a"]}, {"tools": ["a"], "callWarnCount": 12}]}"#,
        ],
    ));
    insta::assert_snapshot!(configs(
        "breaker",
        &[
            r#"{"failurePatterns": ["FAIL"]}"#,
            r#"{"failurePatterns": [{"tools": ["a"]}]}"#,
            r#"{"failurePatterns": [{"pattern": "["}]}"#,
        ],
    ));
    insta::assert_snapshot!(configs(
        "loopguard",
        &[
            r#"{"identity": [{"tools": ["a"], "arguments": [{"at": 3}, {"matches": "x"}]}]}"#,
            r#"{"redact": ["ok", "*"]}"#,
        ],
    ));
}

#[test]
fn own_texts() {
    insta::assert_snapshot!(configs(
        "reminder",
        &[
            r#"{"messages": {"repeated-cal": "x"}}"#,
            r#"{"messages": {"repeated-call": "{tol} again"}}"#,
            r#"{"messages": {"repeated-call": "{arguments}"}}"#,
            r#"{"messages": {"repeated-call": "a } b"}}"#,
            r#"{"messages": {"repeated-call": 3}}"#,
            r#"{"messages": {"silent": "{tool}"}}"#,
            r#"{"messages": {"repeated-call": null}}"#,
        ],
    ));
}

#[test]
fn all_errors_of_a_file_come_together() {
    insta::assert_snapshot!(json(&[r#"[
  {"name": "reminder", "config": {"thresholds": [1], "denyAt": 0}},
  {"name": "brake", "extra": 1, "config": {"mode": "off"}},
  {"name": "breaker", "id": 3, "config": {"maxFailures": 0, "maxFailures": 0}}
]"#]));
}

#[cfg(feature = "yaml")]
#[test]
fn yaml() {
    let bomb = {
        let mut text = "- &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..8 {
            writeln!(
                text,
                "- &a{i} [{}]",
                vec![format!("*a{}", i - 1); 9].join(", ")
            )
            .unwrap();
        }
        text
    };
    let inputs = [
        "- name: brake\n  config:\n    callWarnCount: 1\n    mode: no\n    colour: red\n",
        "- name: brake\n  config: {callWarnCount: '6', resultAware: yes}\n",
        "- name: brake\n  config:\n    mode: deny\n    mode: deny\n",
        "- name: brake\n  name: x\n",
        "name: brake\n",
        "",
        "- name: brake\n\tconfig: 3\n",
        "- name: brake\n  config: [a\n",
        "- name: brake\n---\n- name: brake\n",
        "- name: *nobody\n",
        "- name: brake\n  config: {similarCalls: .nan}\n",
        "- name: brake\n  config: {callWarnCount: 0x3, callDenyCount: 1e3, similarCalls: !!float 1}\n",
        "- name: brake\n  config: {callWarnCount: 99999999999999999999999999, callDenyCount: 1e30}\n",
        "- name: brake\n  config: {1: 2, null: 3, true: 4}\n",
        "- name: brake\n  config: {[a]: 2}\n",
        "- &row\n  name: reminder\n  config: &c {thresholds: [1]}\n- <<: *row\n  id: other\n- name: reminder\n  config: *c\n",
        "- name: reminder\n  config: {include: [read*, *, 3]}\n",
        &format!(
            "- name: brake\n  config: {}{}\n",
            "[".repeat(100),
            "]".repeat(100)
        ),
        &bomb,
    ];
    insta::assert_snapshot!(report(&inputs, |text| Rows::salvage_yaml(
        "guards.yaml",
        text
    )));
}

/// What each error points at.
fn pointed_at(text: &str, errors: &ConfigErrors) -> Vec<String> {
    let at = |error: &loopguard_config::ConfigError| {
        let line = text.split('\n').nth(error.line()? - 1)?;
        let rest = line.chars().skip(error.column()? - 1);
        Some(rest.take(error.length()?).collect())
    };
    let pointed = errors.iter().map(|error| at(error).unwrap_or_default());
    pointed.collect()
}

#[test]
fn an_error_tells_how_much_there_is_to_point_at() {
    let json = "[{\"name\": \"brake\", \"config\": {\"mode\": \"\u{e9}t\u{e9}\", \"moode\": 1,\n\
                \"callWarnCount\": 1.5, \"overrides\": {\"a\": 1}}, \"disabled\": []}]";
    let (_, errors) = read_all(Rows::salvage_json("f", json));
    let expected = ["[", "\"été\"", "\"moode\"", "1.5", "{"];
    assert_eq!(pointed_at(json, &errors), expected);
    #[cfg(feature = "yaml")]
    {
        let yaml = "- name: brake\n  config:\n    mode: \u{e9}t\u{e9} # no\n    moode: 1\n    \
                    callWarnCount: 'two'\n    overrides: {a: 1}\n  disabled: []\n";
        let (_, errors) = read_all(Rows::salvage_yaml("f", yaml));
        let expected = ["[", "été", "moode", "'two'", "{"];
        assert_eq!(pointed_at(yaml, &errors), expected);
    }
}

#[cfg(feature = "yaml")]
#[test]
fn a_lone_carriage_return_begins_no_line_to_point_at() {
    let yaml = "# one\r# two\r\n- name: brake\n  config:\r    moode: 1\r    mode: \r      x\n  \
                disabled: []\n";
    let (_, errors) = read_all(Rows::salvage_yaml("f", yaml));
    assert_eq!(pointed_at(yaml, &errors), ["[", "moode", "x"]);
    let yaml = "- name: brake\r  config: *nobody\n";
    let (_, errors) = read_all(Rows::salvage_yaml("f", yaml));
    assert_eq!(pointed_at(yaml, &errors), ["*"]);
    // Before the end of a line it is a part of that.
    let yaml = "- name: brake\r\n  moode: 1\r\n";
    let (_, errors) = read_all(Rows::salvage_yaml("f", yaml));
    assert_eq!(pointed_at(yaml, &errors), ["moode"]);
}

#[test]
fn an_error_comes_apart_into_what_is_wrong_and_what_is_allowed() {
    let json = r#"[{"name": "brake", "name": "x", "config": {"mode": "denny", "moode": 1,
        "overrides": [{}]}}]"#;
    let (_, errors) = read_all(Rows::salvage_json("f", json));
    let parts: Vec<_> = errors
        .iter()
        .map(|error| (error.headline(), error.expected(), error.suggestion()))
        .collect();
    assert_eq!(
        parts,
        [
            (
                "duplicate key \"name\"".to_owned(),
                Some("each key once"),
                None
            ),
            (
                "found \"denny\"".to_owned(),
                Some("\"remind\" or \"deny\""),
                Some("deny")
            ),
            ("unknown key \"moode\"".to_owned(), None, Some("mode")),
            ("missing".to_owned(), Some("a list of name patterns"), None),
        ]
    );
    let found: Vec<_> = errors.iter().map(|it| it.found()).collect();
    let expected = [Some("name"), Some("\"denny\""), Some("moode"), None];
    assert_eq!(found, expected);
    let known: Vec<_> = errors.iter().filter_map(|it| it.known_keys()).collect();
    assert!(
        matches!(known[..], [keys] if keys.starts_with("mode, ")),
        "{known:?}"
    );
}

#[test]
fn an_override_is_for_some_tools() {
    for tools in ["\"off\"", "[]", "null"] {
        let config =
            format!(r#"[{{"name": "brake", "config": {{"overrides": [{{"tools": {tools}}}]}}}}]"#);
        let (_, errors) = read_all(Rows::salvage_json("f", &config));
        assert_eq!(errors.len(), 1, "{tools}: {errors}");
    }
}
