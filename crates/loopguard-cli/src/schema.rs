//! The JSON Schema of a whole configuration, from the tables of the guards in this build.

use loopguard::config::{RowSchema, configuration_schema};
use loopguard::{GUARDS, SET_KEYS, SET_NAME};

const TITLE: &str = "loopguard configuration";

const ABOUT: &str = "A list of rows: which guards run, in their order, and how. Without a row for \
    a guard, all of them run. Each row starts from the values of a preset (the program's default \
    is `recommended`); the defaults named here are those of the preset `original`.";

/// The schema as pretty JSON text.
pub(crate) fn text() -> String {
    let abouts: Vec<_> = GUARDS
        .iter()
        .map(|kind| format!("the guard `{}`", kind.name))
        .collect();
    let mut rows = vec![RowSchema {
        name: SET_NAME,
        about: "what concerns all guards; at most one row",
        names: &[SET_NAME],
        ids: &[],
        keys: SET_KEYS,
        most: Some(1),
    }];
    // The ids that name a guard by themselves.
    let ids: Vec<_> = GUARDS.iter().map(|kind| [kind.default_id]).collect();
    for ((kind, about), ids) in GUARDS.iter().zip(&abouts).zip(&ids) {
        rows.push(RowSchema {
            name: kind.name,
            about,
            names: kind.names,
            ids,
            keys: kind.keys,
            most: None,
        });
    }
    format!("{:#}\n", configuration_schema(TITLE, ABOUT, &rows))
}
