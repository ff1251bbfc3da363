//! The schema that editors are given, made from key tables.

use loopguard_config::{Key, Kind, RowSchema, configuration_schema};
use serde_json::{Value, json};

use crate::tables::{BRAKE, WORDS};

const BRAKE_ROW: RowSchema<'_> = RowSchema {
    name: "brake",
    about: "counts calls",
    names: &["brake", "old-brake"],
    ids: &["my-brake", "brake"],
    keys: BRAKE,
    most: None,
};

/// A key of each kind that the brake's table has none of.
const OTHERS: &[Key] = &[
    Key::new("list", Kind::Integers { min: 2 }, "[3, 5]", "a list"),
    Key::new("names", Kind::Required(&Kind::Patterns), "none", "names"),
    Key::new("regex", Kind::Regex, "none", "an expression"),
    Key::new("regexes", Kind::Regexes, "[]", "expressions"),
    Key::new("text", Kind::Text, "none", "a text"),
    Key::new("groups", Kind::Groups(&[]), "[]", "groups"),
    Key::new("words", Kind::Messages(WORDS), "none", "own words"),
];

#[test]
fn a_schema_says_what_each_key_of_each_row_may_be() {
    let others = RowSchema {
        name: "others",
        about: "watches",
        names: &["others"],
        ids: &[],
        keys: OTHERS,
        most: Some(1),
    };
    let schema = configuration_schema("Guards", "all of them", &[BRAKE_ROW, others]);
    let properties = |row: &str| {
        let config = &schema["$defs"][row]["properties"]["config"]["properties"];
        let keys = config.as_object().unwrap().iter();
        let lines = keys.map(|(name, key)| format!("{name} {key}\n"));
        lines.collect::<String>()
    };
    insta::assert_snapshot!(format!("{}\n{}", properties("brake"), properties("others")));
    let others = &schema["$defs"]["others"]["properties"]["config"];
    assert_eq!(others["required"], json!(["names"]));
}

#[test]
fn a_row_is_chosen_by_one_of_its_names_or_without_a_name_by_an_id() {
    let schema = configuration_schema("", "", &[BRAKE_ROW]);
    let row = &schema["$defs"]["brake"];
    let names = json!(["brake", "old-brake", null]);
    assert_eq!(row["properties"]["name"]["enum"], names);
    let by_id = &row["anyOf"][1]["properties"];
    let ids = json!(["brake", "old-brake", "my-brake"]);
    assert_eq!(
        (&by_id["id"]["enum"], &by_id["name"]["type"]),
        (&ids, &json!("null"))
    );
}

#[test]
fn the_number_of_rows_is_bounded_only_where_a_kind_says_so() {
    let bounds = |most| {
        let row = RowSchema { most, ..BRAKE_ROW };
        configuration_schema("", "", &[row])["allOf"].clone()
    };
    assert_eq!(bounds(None), Value::Null);
    assert_eq!(bounds(Some(2))[0]["maxContains"], 2);
}
