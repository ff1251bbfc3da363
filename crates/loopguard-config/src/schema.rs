//! JSON Schemas of configurations, made from key tables.

use serde_json::{Map, Value, json};

use crate::key::TOOLS;
use crate::value::sorted;
use crate::{Key, Kind, Words};

/// What one kind of row may be, for a schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowSchema<'a> {
    /// What the row configures: names its definition.
    pub name: &'a str,
    /// What it is, in a sentence.
    pub about: &'a str,
    /// All the names under which a row may ask for it.
    pub names: &'a [&'a str],
    /// The ids by which a row without a name asks for it, beside the names.
    pub ids: &'a [&'a str],
    /// The keys of its `config`.
    pub keys: &'a [Key],
    /// How many such rows there may be.
    pub most: Option<u64>,
}

/// The JSON Schema (draft 2020-12) of a whole configuration: a list of rows, each of one of
/// these kinds.
///
/// It is for editors: whatever loads is valid, but not the other way round. What no schema can
/// say is only found on loading: values that depend on each other or on a base, repeated keys
/// and ids, expressions that do not compile, placeholders in texts.
#[must_use]
pub fn configuration_schema(title: &str, about: &str, rows: &[RowSchema<'_>]) -> Value {
    let reference = |row: &RowSchema<'_>| json!({ "$ref": format!("#/$defs/{}", row.name) });
    let variants: Vec<_> = rows.iter().map(reference).collect();
    let definitions = rows
        .iter()
        .map(|row| (row.name.to_owned(), row_schema(row)));
    let bounds: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            Some(json!({
                "contains": chosen_by_name(row.names),
                "minContains": 0,
                "maxContains": row.most?,
            }))
        })
        .collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": about,
        "type": "array",
        "items": { "anyOf": variants },
        "$defs": object(definitions),
    });
    if !bounds.is_empty() {
        schema["allOf"] = bounds.into();
    }
    in_order(schema)
}

/// One row. It is chosen by its name, or where it has none by its id.
fn row_schema(row: &RowSchema<'_>) -> Value {
    let more = row.ids.iter().filter(|id| !row.names.contains(id));
    let ids: Vec<_> = row.names.iter().chain(more).collect();
    json!({
        "title": row.name,
        "description": row.about,
        "type": "object",
        "properties": {
            "id": {
                "description": "the label of its notices and decisions; by default the guard's own",
                "type": ["string", "null"],
                "minLength": 1,
            },
            "name": {
                "description": "what the row configures",
                "enum": row.names.iter().map(|name| json!(name)).chain([Value::Null]).collect::<Vec<_>>(),
            },
            "config": nullable(mapping(row.keys, None)),
            "disabled": {
                "description": "whether the row is skipped",
                "type": ["boolean", "null"],
                "default": false,
            },
        },
        "additionalProperties": false,
        "anyOf": [
            chosen_by_name(row.names),
            {
                "required": ["id"],
                "properties": { "id": { "enum": ids }, "name": { "type": "null" } },
            },
        ],
    })
}

fn chosen_by_name(names: &[&str]) -> Value {
    json!({ "required": ["name"], "properties": { "name": { "enum": names } } })
}

/// A mapping with the keys of a table, `tools` of an override among them where `more` says so.
fn mapping(keys: &[Key], more: Option<&Key>) -> Value {
    let keys = || more.into_iter().chain(keys);
    let properties = keys().map(|key| (key.name.to_owned(), key_schema(key)));
    let mut schema = json!({
        "type": "object",
        "properties": object(properties),
        "additionalProperties": false,
    });
    let required: Vec<_> = keys()
        .filter(|key| key.kind.is_required())
        .map(|key| key.name)
        .collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn key_schema(key: &Key) -> Value {
    let mut schema = value_schema(&key.kind);
    let is_off_by_default = key.default == "none";
    let is_free_text = matches!(key.kind.value(), Kind::Text | Kind::Regex);
    if !key.kind.is_required() {
        schema = match is_off_by_default && !is_free_text {
            true => json!({ "anyOf": [schema, { "enum": ["off", null] }] }),
            false => nullable(schema),
        };
    }
    let mut about = format!("{}: {}", key.about, key.kind.allowed());
    if is_off_by_default && !key.kind.is_required() {
        about.push_str("; off by default");
    }
    if let Some(instead) = key.kind.deprecation() {
        about.push_str("; deprecated: ");
        about.push_str(instead);
        schema["deprecated"] = true.into();
    }
    schema["description"] = about.into();
    if let Ok(default) = serde_json::from_str::<Value>(key.default) {
        schema["default"] = default;
    }
    schema
}

/// The values of a kind, without what it means that there is none.
fn value_schema(kind: &Kind) -> Value {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    match kind {
        Kind::Integer { min } => json!({ "type": "integer", "minimum": min }),
        Kind::IntegerUpTo { min, max } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        Kind::Integers { min } => json!({
            "type": "array",
            "items": { "type": "integer", "minimum": min },
            "minItems": 1,
            "uniqueItems": true,
        }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(choices) => json!({ "enum": choices }),
        Kind::Ratio { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        // No `format`: what compiles here is not what ECMAScript takes for an expression.
        Kind::Regex | Kind::Text => json!({ "type": "string" }),
        Kind::Patterns | Kind::Regexes | Kind::RegexesIgnoringCase => texts(),
        Kind::Groups(keys) => json!({ "type": "array", "items": mapping(keys, None) }),
        Kind::Overrides(keys) => {
            let mut each = mapping(keys, Some(&TOOLS));
            // An override for no tool is refused.
            each["properties"][TOOLS.name]["minItems"] = 1.into();
            json!({ "type": "array", "items": each })
        }
        Kind::Messages(words) => json!({
            "type": "object",
            "properties": object(words.iter().map(|words| (words.code.to_owned(), text(words)))),
            "additionalProperties": false,
        }),
        Kind::Required(kind) | Kind::Deprecated { kind, .. } => value_schema(kind),
    }
}

/// A guard's text in own words.
fn text(words: &Words) -> Value {
    let placeholders: Vec<_> = words
        .placeholders
        .iter()
        .map(|name| format!("{{{name}}}"))
        .collect();
    let about = match placeholders.is_empty() {
        true => "a text without placeholders".to_owned(),
        false => format!("a text, which may hold {}", placeholders.join(", ")),
    };
    json!({ "description": about, "type": ["string", "null"] })
}

/// The same values, or `null`, which is absence.
fn nullable(mut schema: Value) -> Value {
    if let Some(kind) = schema.get("type").cloned() {
        schema["type"] = json!([kind, null_type()]);
    }
    if let Some(choices) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        choices.push(Value::Null);
    }
    schema
}

fn null_type() -> Value {
    "null".into()
}

fn object(entries: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.collect::<Map<_, _>>())
}

/// The same text, whether or not `serde_json` keeps insertion order.
fn in_order(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let entries = map.into_iter().map(|(key, value)| (key, in_order(value)));
            sorted(entries.collect())
        }
        Value::Array(values) => values.into_iter().map(in_order).collect(),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_and_off_are_values_where_they_are_allowed() {
        let schema = |kind, default| key_schema(&Key::new("k", kind, default, "about"));
        assert_eq!(
            schema(Kind::Integer { min: 2 }, "3"),
            json!({
                "type": ["integer", "null"], "minimum": 2, "default": 3,
                "description": "about: an integer of at least 2",
            })
        );
        assert_eq!(
            schema(Kind::Integer { min: 2 }, "none"),
            json!({
                "anyOf": [{ "type": "integer", "minimum": 2 }, { "enum": ["off", null] }],
                "description": "about: an integer of at least 2; off by default",
            })
        );
        assert_eq!(
            schema(Kind::Text, "none")["type"],
            json!(["string", "null"])
        );
        assert_eq!(
            schema(Kind::Choice(&["a", "b"]), "\"a\"")["enum"],
            json!(["a", "b", null])
        );
        let required = schema(Kind::Required(&Kind::Patterns), "none");
        assert_eq!(required["type"], "array");
    }

    #[test]
    fn what_is_on_its_way_out_is_marked() {
        const KIND: Kind = Kind::Deprecated {
            kind: &Kind::Flag,
            instead: "leave it out",
        };
        let schema = key_schema(&Key::new("k", KIND, "false", "about"));
        assert_eq!(schema["deprecated"], true);
        assert_eq!(schema["type"], json!(["boolean", "null"]));
    }
}
