//! One row of a configuration.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::Problem;
use crate::node::{Data, Entry, Node, Place};
use crate::origin::{Origin, Warnings};
use crate::{ConfigError, ConfigErrors, nearest};

/// The keys of a row.
const ROW_KEYS: [&str; 4] = ["id", "name", "config", "disabled"];

/// What a host's patch of a configuration has in place of rows.
const INSERT: &str = "insert";

/// One row: what it configures, under which id, and its configuration, which a
/// [`Section`](crate::Section) reads.
#[derive(Debug, Clone)]
pub struct Row {
    pub(crate) origin: Origin,
    pub(crate) config: Node,
    pub(crate) warnings: Warnings,
    entries: Vec<Entry>,
    place: Option<Place>,
    id: Option<String>,
    name: Option<String>,
    disabled: bool,
}

impl Row {
    /// The id that the row gives.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name of what the row configures.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What messages call the row: `row 2 (dsh-brake)`, with its name or else its id.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.origin.label
    }

    /// The row's place in the list, counted from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.origin.row.unwrap_or_default()
    }

    /// Whether the row is to be skipped.
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        self.disabled
    }

    /// The error that one of the row's own keys (`id`, `name`, …) has a value that is not
    /// allowed; `expected` completes the words "allowed is".
    #[must_use]
    pub fn reject(&self, key: &str, expected: impl Into<String>) -> ConfigError {
        match self.entry(key) {
            Some(Entry { node, .. }) => {
                let problem = Problem::not_allowed(node.brief(), expected);
                self.origin.error(key, node.place, problem)
            }
            None => {
                let problem = Problem::Missing {
                    expected: expected.into(),
                };
                self.origin.error(key, self.place, problem)
            }
        }
    }

    /// The error that nothing goes by the row's name (or its id, where it has no name), with
    /// the nearest of the known ones.
    #[must_use]
    pub fn unknown_name(&self, known: &[&str]) -> ConfigError {
        let key = if self.name.is_some() { "name" } else { "id" };
        let node = self.entry(key).map(|entry| &entry.node);
        let word = node.and_then(Node::as_text).unwrap_or_default();
        let problem = Problem::NotAllowed {
            found: node.map_or_else(|| "nothing".to_owned(), Node::brief),
            expected: format!("one of {}", known.join(", ")),
            reason: None,
            suggestion: nearest(word, known.iter().copied()).map(str::to_owned),
        };
        self.origin
            .error(key, node.and_then(|node| node.place), problem)
    }

    /// Reads a row; what is wrong with it goes to `errors`, and what is right is kept.
    pub(crate) fn read(
        file: &Arc<str>,
        number: usize,
        node: Node,
        warnings: &Warnings,
        errors: &mut ConfigErrors,
    ) -> Self {
        let (place, brief) = (node.place, node.brief());
        let (entries, is_map) = match node.data {
            Data::Map(entries) => (entries, true),
            _ => (Vec::new(), false),
        };
        let text = |key: &str| {
            let entry = entries.iter().find(|entry| entry.key == key);
            entry
                .and_then(|entry| entry.node.as_text())
                .filter(|text| !text.is_empty())
        };
        let (id, name) = (
            text("id").map(str::to_owned),
            text("name").map(str::to_owned),
        );
        let label = match name.as_ref().or(id.as_ref()) {
            Some(name) => format!("row {number} ({})", name.escape_debug()),
            None => format!("row {number}"),
        };
        let origin = Origin {
            file: file.clone(),
            row: Some(number),
            label: label.into(),
        };
        let mut row = Self {
            origin,
            config: Node {
                place,
                data: Data::Null,
            },
            warnings: warnings.clone(),
            entries,
            place,
            id,
            name,
            disabled: false,
        };
        if is_map {
            row.read_entries(errors);
        } else {
            let expected = "a mapping with the keys id, name, config, disabled";
            errors.push(
                row.origin
                    .error("", place, Problem::not_allowed(brief, expected)),
            );
        }
        row
    }

    fn read_entries(&mut self, errors: &mut ConfigErrors) {
        unrepeat(&mut self.entries, "", &self.origin, errors);
        let mut entries = std::mem::take(&mut self.entries);
        for entry in &mut entries {
            let expected = match (entry.key.as_str(), &entry.node.data) {
                ("id" | "name" | "disabled", Data::Null) => continue,
                ("config", Data::Null | Data::Map(_)) => {
                    // The header needs no second copy of it.
                    let empty = Node {
                        place: entry.node.place,
                        data: Data::Map(Vec::new()),
                    };
                    self.config = std::mem::replace(&mut entry.node, empty);
                    continue;
                }
                ("disabled", Data::Flag(flag)) => {
                    self.disabled = *flag;
                    continue;
                }
                ("id" | "name", Data::Text(text)) if !text.is_empty() => continue,
                ("id" | "name", _) => "a text that is not empty",
                ("config", _) => "a mapping of keys",
                ("disabled", _) => "true or false",
                (key, _) => {
                    errors.push(self.unknown_key(key, entry.place));
                    continue;
                }
            };
            let problem = Problem::not_allowed(entry.node.brief(), expected);
            errors.push(self.origin.error(&entry.key, entry.node.place, problem));
        }
        self.entries = entries;
        let nameless = |key: &str| self.entry(key).is_none();
        // Of a patch's row all is said already.
        if nameless("name") && nameless("id") && nameless(INSERT) {
            errors.push(self.reject("name", "the name of a guard (or an id that is one)"));
        }
    }

    fn unknown_key(&self, key: &str, place: Option<Place>) -> ConfigError {
        let problem = if key == INSERT {
            Problem::not_allowed(
                "\"insert\" (a host's patch file?)".to_owned(),
                crate::rows::LIST,
            )
        } else {
            Problem::UnknownKey {
                key: key.to_owned(),
                suggestion: nearest(key, ROW_KEYS).map(str::to_owned),
                known: ROW_KEYS.join(", "),
            }
        };
        self.origin.error("", place, problem)
    }

    /// One of the row's own keys, where it is given.
    fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.key == key && !entry.node.is_null())
    }

    /// The error that another row has this one's id.
    pub(crate) fn same_id(&self, other: usize) -> ConfigError {
        self.reject("id", format!("an id of its own (row {other} has this one)"))
    }
}

/// Reports keys that a mapping has twice, at any depth, and keeps the first of each.
fn unrepeat(entries: &mut Vec<Entry>, path: &str, origin: &Origin, errors: &mut ConfigErrors) {
    let mut seen = BTreeSet::new();
    entries.retain(|entry| {
        let first = seen.insert(entry.key.clone());
        if !first {
            let problem = Problem::DuplicateKey {
                key: entry.key.clone(),
            };
            errors.push(origin.error(path, entry.place, problem));
        }
        first
    });
    for entry in entries {
        // Inside the row's `config`, paths name what is in it.
        let inner = match (path, entry.key.as_str()) {
            ("", "config") => String::new(),
            _ => join(path, &entry.key),
        };
        unrepeat_below(&mut entry.node, &inner, origin, errors);
    }
}

fn unrepeat_below(node: &mut Node, path: &str, origin: &Origin, errors: &mut ConfigErrors) {
    match &mut node.data {
        Data::Map(entries) => unrepeat(entries, path, origin, errors),
        Data::List(nodes) => {
            for (i, node) in nodes.iter_mut().enumerate() {
                unrepeat_below(node, &format!("{path}[{i}]"), origin, errors);
            }
        }
        _ => {}
    }
}

/// The path of a key inside a mapping.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
