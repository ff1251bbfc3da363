//! Whether a key table is sound.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::error::Problem;
use crate::node::{Entry, Node};
use crate::origin::{Findings, Origin, Warnings};
use crate::row::join;
use crate::{ConfigErrors, Key, Kind, check};

/// Checks a key table itself, tables inside it included: no name twice, and every default
/// `none` or the JSON text of a value that its kind allows. For a test beside the table.
///
/// # Errors
///
/// Each key that is not sound.
pub fn verify_table(keys: &'static [Key]) -> Result<(), ConfigErrors> {
    let origin = Origin {
        label: "key table".into(),
        ..Origin::default()
    };
    let findings = Findings::new(origin, Warnings::default());
    verify(&findings, "", keys);
    findings.take().into_result()
}

fn verify(findings: &Arc<Findings>, path: &str, keys: &'static [Key]) {
    let mut names = BTreeSet::new();
    for key in keys {
        if !names.insert(key.name) {
            findings.error(
                path,
                None,
                Problem::DuplicateKey {
                    key: key.name.to_owned(),
                },
            );
        }
        let inner = join(path, key.name);
        if let Kind::Groups(keys) | Kind::Overrides(keys) = key.kind_of_value() {
            verify(findings, &inner, keys);
        }
        if key.default == "none" {
            continue;
        }
        let value = serde_json::from_str::<Value>(key.default).ok();
        match value
            .and_then(|value| Node::from_value(&value).ok())
            .filter(|node| !node.is_null())
        {
            Some(node) => {
                let entry = Entry {
                    key: key.name.to_owned(),
                    place: None,
                    node,
                };
                check::given_keys(findings, path, (keys, None), &[entry]);
            }
            None => {
                let found = format!("{:?} as default", key.default);
                findings.error(
                    &inner,
                    None,
                    Problem::not_allowed(found, "JSON text or none"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsound_tables_are_told() {
        const INNER: &[Key] = &[Key::new("c", Kind::Flag, "yes", "")];
        const KEYS: &[Key] = &[
            Key::new("a", Kind::Integer { min: 2 }, "1", ""),
            Key::new("a", Kind::Text, "none", ""),
            Key::new("b", Kind::Groups(INNER), "[]", ""),
        ];
        let errors = verify_table(KEYS).unwrap_err();
        let said: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "key table: a: found 1, allowed is an integer of at least 2",
                "key table: duplicate key \"a\"",
                "key table: b.c: found \"yes\" as default, allowed is JSON text or none",
            ]
        );
    }
}
