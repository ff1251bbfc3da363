//! As much of JSON Schema as the program's schema uses. Anything else fails, so that no part of
//! the schema goes unchecked.

use serde_json::Value;

pub(super) fn is_valid(schema: &Value, value: &Value) -> bool {
    holds(schema, schema, value)
}

fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let keywords = schema.as_object().expect("a schema");
    keywords
        .iter()
        .all(|(keyword, argument)| match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "deprecated" => true,
            "$ref" => {
                let pointer = argument
                    .as_str()
                    .expect("a text")
                    .strip_prefix('#')
                    .expect("a place in the schema");
                holds(root, root.pointer(pointer).expect(pointer), value)
            }
            "type" => match argument {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(kind, value)),
                kind => is_of_type(kind, value),
            },
            "enum" => list(argument).iter().any(|choice| equal(choice, value)),
            "anyOf" => list(argument)
                .iter()
                .any(|schema| holds(root, schema, value)),
            "allOf" => list(argument)
                .iter()
                .all(|schema| holds(root, schema, value)),
            "minimum" => number(value).is_none_or(|it| it >= argument.as_f64().expect("a number")),
            "maximum" => number(value).is_none_or(|it| it <= argument.as_f64().expect("a number")),
            "minLength" => value
                .as_str()
                .is_none_or(|it| it.chars().count() as u64 >= argument.as_u64().expect("a count")),
            "items" => elements(value).all(|it| holds(root, argument, it)),
            "minItems" => value
                .as_array()
                .is_none_or(|it| it.len() as u64 >= argument.as_u64().expect("a count")),
            "uniqueItems" => {
                let all: Vec<_> = elements(value).collect();
                let twice = |(at, one)| all[..at].iter().any(|other| equal(one, other));
                !all.iter().copied().enumerate().any(twice)
            }
            "contains" => value.as_array().is_none_or(|it| {
                let found = it.iter().filter(|it| holds(root, argument, it)).count() as u64;
                let bound = |name, default| {
                    keywords
                        .get(name)
                        .map_or(default, |it| it.as_u64().expect("a count"))
                };
                (bound("minContains", 1)..=bound("maxContains", u64::MAX)).contains(&found)
            }),
            "minContains" | "maxContains" => keywords.contains_key("contains"),
            "required" => value.as_object().is_none_or(|it| {
                let mut keys = list(argument)
                    .iter()
                    .map(|key| key.as_str().expect("a text"));
                keys.all(|key| it.contains_key(key))
            }),
            "properties" => argument
                .as_object()
                .expect("an object")
                .iter()
                .all(|(key, schema)| {
                    let given = value.as_object().and_then(|it| it.get(key));
                    given.is_none_or(|it| holds(root, schema, it))
                }),
            "additionalProperties" => {
                assert_eq!(argument, false);
                let known = schema["properties"].as_object().expect("an object");
                let given = value.as_object().into_iter().flatten();
                given.into_iter().all(|(key, _)| known.contains_key(key))
            }
            other => panic!("{other} is not checked"),
        })
}

fn is_of_type(kind: &Value, value: &Value) -> bool {
    match kind.as_str().expect("a text") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        // `3.0` is one.
        "integer" => number(value).is_some_and(|it| it.fract() == 0.0),
        other => panic!("no type {other}"),
    }
}

/// `3` and `3.0` are the same.
fn equal(one: &Value, other: &Value) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
