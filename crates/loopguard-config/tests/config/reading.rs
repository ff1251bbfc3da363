//! What a guard's reader is given.

use loopguard_config::{ConfigErrors, NamePattern, Row, Rows, Section};
use serde_json::{Map, Value, json};

use crate::tables::{BRAKE, BREAKER, REMINDER, SET, read, table};

fn section(name: &str, config: &Value) -> Section {
    Section::from_value(name, config, table(name))
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => panic!("a mapping"),
    }
}

fn row(config: &Value) -> Row {
    let rows = Rows::from_value("f", &json!([{"name": "brake", "config": config}])).unwrap();
    rows.iter().next().unwrap().clone()
}

fn texts(errors: &ConfigErrors) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn each_kind_has_its_getter() {
    let brake = section(
        "brake",
        &json!({"mode": "deny", "callWarnCount": 3.0, "similarCalls": 1, "resultAware": true}),
    );
    assert_eq!(brake.choice("mode"), Some("deny"));
    assert_eq!(brake.integer("callWarnCount"), Some(3));
    assert_eq!(brake.integer("sequenceMaxLength"), None);
    assert_eq!(brake.ratio("similarCalls"), Some(1.0));
    assert_eq!(brake.flag("resultAware"), Some(true));
    assert!(brake.gives("mode") && !brake.gives("callDenyCount"));

    let reminder = section(
        "reminder",
        &json!({"thresholds": [9, 2], "include": ["a*"], "messages": {"repeated-call": "{tool}!"}}),
    );
    assert_eq!(reminder.integers("thresholds"), Some(vec![2, 9]));
    assert_eq!(
        reminder.patterns("include"),
        Some(vec![NamePattern::new("a*")])
    );
    assert!(reminder.filter("include", "exclude").admits("abc"));
    let messages = reminder.messages("messages").unwrap();
    assert_eq!(
        messages
            .get("repeated-call")
            .unwrap()
            .render(&[("tool", "read")]),
        "read!"
    );
    assert!(messages.get("silent").is_none());

    let breaker = section(
        "breaker",
        &json!({"transientPatterns": ["timed? out"], "failurePatterns": [{"pattern": "^FAIL"}]}),
    );
    assert!(breaker.regexes("transientPatterns").unwrap()[0].is_match("Time OUT"));
    let groups = breaker.groups("failurePatterns");
    assert_eq!(groups.len(), 1);
    assert!(groups[0].regex("pattern").unwrap().is_match("FAILED"));
    assert_eq!(groups[0].patterns("tools"), None);

    let set = section(
        "loopguard",
        &json!({"identity": [{"arguments": [{"at": "/a"}, {"match": "x", "as": ""}]}]}),
    );
    let rules = set.groups("identity")[0].groups("arguments");
    assert_eq!(rules[0].text("at"), Some("/a"));
    assert_eq!(rules[1].text("as"), Some(""));
}

#[test]
fn the_base_holds_where_the_row_says_nothing() {
    let base = map(json!({"callWarnCount": 4, "mode": "deny", "resultAware": null}));
    let open = |config| Section::open(&row(&config), BRAKE, Some(&base));
    let section = open(json!({"mode": "remind"}));
    assert_eq!(section.choice("mode"), Some("remind"));
    assert_eq!(section.integer("callWarnCount"), Some(4));
    assert_eq!(
        section.effective(),
        json!({"callWarnCount": 4, "mode": "remind"})
    );
    assert_eq!(open(json!({"mode": null})).choice("mode"), Some("deny"));
    // A mistake is reported, and nothing takes its place in silence.
    let wrong = open(json!({"mode": 1}));
    assert_eq!(wrong.choice("mode"), None);
    assert!(wrong.finish().is_err());
}

#[test]
fn the_base_takes_part_in_comparisons() {
    let base = map(json!({"callWarnCount": 4}));
    let mut section = Section::open(&row(&json!({"callDenyCount": 4})), BRAKE, Some(&base));
    section.greater("callDenyCount", "callWarnCount");
    let errors = section.finish().unwrap_err();
    assert_eq!(
        texts(&errors),
        ["f: row 1 (brake): callDenyCount: found 4, \
          allowed is an integer greater than callWarnCount (4)"]
    );
}

#[test]
fn an_override_starts_from_the_row() {
    let section = section(
        "brake",
        &json!({"callWarnCount": 3, "overrides": [{"tools": ["bash"], "callDenyCount": 20}]}),
    );
    let overrides = section.overrides("overrides");
    let (tools, inner) = &overrides[0];
    assert!(tools[0].matches("bash"));
    assert_eq!(inner.integer("callWarnCount"), Some(3));
    assert_eq!(inner.integer("callDenyCount"), Some(20));
    assert!(inner.gives("callDenyCount") && !inner.gives("callWarnCount"));
    assert_eq!(
        section.effective(),
        json!({"callWarnCount": 3, "overrides": [{"tools": ["bash"], "callDenyCount": 20}]})
    );
}

#[test]
fn one_mistake_is_reported_once() {
    // Wrong by itself: not compared. Wrong around an override: not compared there again.
    for (config, expected) in [
        (
            json!({"callWarnCount": 1, "callDenyCount": 1}),
            "callWarnCount",
        ),
        (
            json!({"callWarnCount": "x", "overrides": [{"tools": ["a"], "callDenyCount": 2}]}),
            "callWarnCount",
        ),
        (
            json!({"callDenyCount": 6, "overrides": [{"tools": ["a"]}]}),
            "callDenyCount",
        ),
        (
            json!({"overrides": [{"tools": ["a"], "callDenyCount": 6}]}),
            "overrides[0].callDenyCount",
        ),
    ] {
        let errors = read(section("brake", &config), "brake").unwrap_err();
        let paths: Vec<_> = errors.iter().map(|error| error.path().to_owned()).collect();
        assert_eq!(paths, [expected], "{config}");
    }
}

#[test]
fn what_a_group_rejects_is_its_rows() {
    let section = section("loopguard", &json!({"identity": [{}, {"arguments": [{}]}]}));
    for mut rule in section.groups("identity").remove(1).groups("arguments") {
        rule.reject("at", "a pointer (or \"match\")");
        rule.reject("at", "said once");
    }
    assert_eq!(
        texts(&section.finish().unwrap_err()),
        ["loopguard: identity[1].arguments[0].at: missing, allowed is a pointer (or \"match\")"]
    );
}

#[test]
fn what_means_the_same_is_written_the_same() {
    let text = |table, config| {
        Section::from_value("", &config, table)
            .effective()
            .to_string()
    };
    assert_eq!(
        text(
            REMINDER,
            json!({"thresholds": [5.0, 3], "include": ["b", "a"], "denyAt": null})
        ),
        text(
            REMINDER,
            json!({"include": ["b", "a"], "thresholds": [3, 5]})
        ),
    );
    assert_eq!(
        text(SET, json!({"identity": [{"tools": ["a"], "result": null}]})),
        r#"{"identity":[{"tools":["a"]}]}"#,
    );
    assert_eq!(
        text(
            BREAKER,
            json!({"failurePatterns": [{"tools": [], "pattern": "x"}]})
        ),
        r#"{"failurePatterns":[{"pattern":"x","tools":[]}]}"#,
    );
}

#[test]
fn a_key_on_its_way_out_is_a_warning() {
    let rows = json!([{"name": "brake", "config": {"minWindowCalls": 4}}, {"name": "brake"}]);
    let rows = Rows::from_value("guards.json", &rows).unwrap();
    for row in &rows {
        // However often it is read.
        for _ in 0..2 {
            assert!(Section::open(row, BRAKE, None).finish().is_ok());
        }
    }
    let warnings: Vec<_> = rows.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["guards.json: row 1 (brake): minWindowCalls: deprecated key, it has no effect"]
    );
    let alone = section("brake", &json!({"minWindowCalls": 4}));
    let warning = &alone.warnings()[0];
    assert_eq!((warning.file(), warning.row()), ("", None));
    assert_eq!(
        (warning.label(), warning.path()),
        ("brake", "minWindowCalls")
    );
    assert_eq!(
        (warning.line(), warning.column(), warning.length()),
        (None, None, None)
    );
    assert_eq!(warning.message(), "deprecated key, it has no effect");
}

#[test]
fn a_warning_of_a_file_tells_the_place() {
    let text = "[{\"id\": \"x\", \"name\": \"brake\", \"config\": {\n  \"minWindowCalls\": 12}}]";
    let rows = Rows::from_json("guards.json", text).unwrap();
    let row = rows.iter().next().unwrap();
    assert!(Section::open(row, BRAKE, None).finish().is_ok());
    let warning = &rows.warnings()[0];
    assert_eq!((warning.file(), warning.row()), ("guards.json", Some(1)));
    assert_eq!(
        (warning.label(), row.label()),
        ("row 1 (brake)", "row 1 (brake)")
    );
    assert_eq!((warning.line(), warning.column()), (Some(2), Some(21)));
    assert_eq!(warning.length(), Some(2));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the table has no key \"thresholds\"")]
fn a_key_outside_the_table_is_a_mistake_in_the_reader() {
    let _ = section("brake", &json!({})).integers("thresholds");
}

#[test]
#[cfg(debug_assertions)]
fn a_getter_for_another_kind_is_a_mistake_in_the_reader() {
    let getters: [fn(&Section); 5] = [
        |section| _ = section.choice("include"),
        |section| _ = section.messages("include"),
        |section| _ = section.groups("include"),
        |section| _ = section.overrides("include"),
        |section| _ = section.integer("include"),
    ];
    for getter in getters {
        let asked = std::panic::catch_unwind(|| getter(&section("reminder", &json!({}))));
        let said = asked.expect_err("a mistake").downcast::<String>().unwrap();
        assert_eq!(*said, "\"include\" is of another kind: Patterns");
    }
}

#[test]
fn a_configuration_outside_any_file_may_be_no_mapping_or_too_deep() {
    let alone = |value| section("reminder", &value).finish().unwrap_err();
    let errors = alone(json!([3]));
    assert_eq!(
        errors.to_string(),
        "reminder: found [3], allowed is a mapping with the keys thresholds, include, exclude, \
         argumentsPreviewChars, denyAt, messages"
    );
    let deep = (0..17).fold(json!(1), |inner, _| json!([inner]));
    let errors = alone(deep);
    assert_eq!(
        errors.to_string(),
        "reminder: values nest more than 16 deep"
    );
    let error = (&errors).into_iter().next().unwrap();
    assert_eq!(error.headline(), "values nest more than 16 deep");
    assert_eq!((error.found(), error.expected()), (None, None));
    assert_eq!((error.line(), error.length()), (None, None));
}

#[test]
fn everything_crosses_threads() {
    fn check<T: Send + Sync>() {}
    check::<Rows>();
    check::<Section>();
    check::<ConfigErrors>();
}

#[test]
fn a_rows_caller_can_refuse_it_too() {
    let rows = r#"[{"name": "braek", "id": "x"}, {"id": "reminder"}]"#;
    let rows = Rows::from_json("f", rows).unwrap();
    let known = ["brake", "repeat-reminder"];
    let mut errors = ConfigErrors::new();
    for row in rows.iter().rev() {
        errors.push(row.unknown_name(&known));
        errors.push(row.reject("id", "an id of its own"));
        errors.push(row.reject("disabled", "said by somebody"));
    }
    assert_eq!(
        errors.to_string(),
        "6 errors in the configuration:\n\
         f: row 1 (braek): name: found \"braek\", allowed is one of brake, repeat-reminder; \
         did you mean \"brake\"?\n\
         f: row 1 (braek): id: found \"x\", allowed is an id of its own\n\
         f: row 1 (braek): disabled: missing, allowed is said by somebody\n\
         f: row 2 (reminder): id: found \"reminder\", \
         allowed is one of brake, repeat-reminder\n\
         f: row 2 (reminder): id: found \"reminder\", allowed is an id of its own\n\
         f: row 2 (reminder): disabled: missing, allowed is said by somebody"
    );
    let first = errors.iter().next().unwrap();
    assert_eq!(
        (first.file(), first.row(), first.label()),
        ("f", Some(1), "row 1 (braek)")
    );
    assert_eq!((first.path(), first.found()), ("name", Some("\"braek\"")));
    assert_eq!(first.suggestion(), Some("brake"));
    assert_eq!((first.line(), first.column()), (Some(1), Some(11)));
}

#[test]
fn what_is_sound_is_kept_beside_the_errors() {
    let text = r#"[{"name": "brake", "x": 1, "disabled": true}, 3, {"id": "a"}]"#;
    let (rows, errors) = Rows::salvage_json("f", text);
    assert_eq!((rows.len(), errors.len()), (3, 2));
    let names: Vec<_> = rows.iter().map(|row| row.name().or(row.id())).collect();
    assert_eq!(names, [Some("brake"), None, Some("a")]);
    assert!(rows.iter().next().unwrap().is_disabled());
    assert_eq!(Rows::from_json("f", text).unwrap_err(), errors);
    let paths = errors.into_iter().map(|error| error.path().to_owned());
    assert_eq!(paths.collect::<Vec<_>>(), ["", ""]);
}

#[cfg(feature = "yaml")]
#[test]
fn a_yaml_file_is_read_or_refused_as_a_whole() {
    let rows = Rows::from_yaml("f", "- name: brake\n- id: x\n  disabled: true\n").unwrap();
    let labels: Vec<_> = rows.iter().map(Row::label).collect();
    assert_eq!(labels, ["row 1 (brake)", "row 2 (x)"]);
    let errors = Rows::from_yaml("f", "- name: brake\n- -3\n").unwrap_err();
    assert_eq!(
        errors.to_string(),
        "f: row 2: found -3, allowed is a mapping with the keys id, name, config, disabled"
    );
}

#[cfg(feature = "yaml")]
#[test]
fn a_yaml_file_that_says_one_thing_a_thousand_times_is_too_much() {
    let text = format!("- &row {{name: brake}}\n{}", "- *row\n".repeat(1000));
    let errors = Rows::from_yaml("f", &text).unwrap_err();
    let said = errors.to_string();
    assert!(said.contains("too much for a configuration ("), "{said}");
}

#[test]
fn off_undoes_what_the_base_switches_on() {
    let base = serde_json::json!({"denyAt": 9});
    let rows = |value: serde_json::Value| {
        let rows = serde_json::json!([{"name": "reminder", "config": value}]);
        loopguard_config::Rows::from_value("", &rows).unwrap()
    };
    let deny_at = |value| {
        let rows = rows(value);
        let row = rows.iter().next().unwrap();
        let section = loopguard_config::Section::open(row, REMINDER, base.as_object());
        let deny_at = section.integer("denyAt");
        section.finish().map(|()| deny_at)
    };
    assert_eq!(deny_at(serde_json::json!({})), Ok(Some(9)));
    assert_eq!(deny_at(serde_json::json!({"denyAt": null})), Ok(Some(9)));
    assert_eq!(deny_at(serde_json::json!({"denyAt": "off"})), Ok(None));
    assert!(deny_at(serde_json::json!({"denyAt": "of"})).is_err());
    assert!(deny_at(serde_json::json!({"thresholds": "off"})).is_err());
}
