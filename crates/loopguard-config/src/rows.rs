//! A configuration: a list of rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::error::Problem;
use crate::node::{Data, Node, Unreadable};
use crate::origin::{Origin, Warnings};
use crate::{ConfigErrors, ConfigWarning, Row, json};

/// What a configuration has to be.
pub(crate) const LIST: &str = "a list of rows, each with id, name, config and disabled";

/// The rows of one configuration, in order.
///
/// A row has the keys `id`, `name`, `config` and `disabled`, at least one of `id` and `name`,
/// and no id twice. What `config` may hold is for the reader of that row to say.
///
/// Each format has two ways in: `from_…` refuses a configuration whose rows are not sound, and
/// `salvage_…` gives what is sound together with the errors, for a caller that goes on to read
/// each row and reports everything at once.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    rows: Vec<Row>,
    warnings: Warnings,
}

impl Rows {
    /// Reads a JSON text; `file` names it in messages.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text and its rows: it is no JSON, no list, a row has an
    /// unknown key or a value of a wrong type, a mapping has a key twice, two rows have one id.
    pub fn from_json(file: &str, text: &str) -> Result<Self, ConfigErrors> {
        sound(Self::salvage_json(file, text))
    }

    /// Reads a JSON text as far as it is sound; the errors are those of [`Rows::from_json`].
    #[must_use]
    pub fn salvage_json(file: &str, text: &str) -> (Self, ConfigErrors) {
        Self::read(file, json::parse(text))
    }

    /// Reads a YAML 1.2 text of one document; `file` names it in messages.
    ///
    /// # Errors
    ///
    /// As [`Rows::from_json`], and also where aliases expand beyond bounds.
    #[cfg(feature = "yaml")]
    pub fn from_yaml(file: &str, text: &str) -> Result<Self, ConfigErrors> {
        sound(Self::salvage_yaml(file, text))
    }

    /// Reads a YAML 1.2 text as far as it is sound; the errors are those of
    /// [`Rows::from_yaml`].
    #[cfg(feature = "yaml")]
    #[must_use]
    pub fn salvage_yaml(file: &str, text: &str) -> (Self, ConfigErrors) {
        Self::read(file, crate::yaml::parse(text))
    }

    /// Reads a parsed value; `file` names it in messages.
    ///
    /// # Errors
    ///
    /// As [`Rows::from_json`], though keys given twice are already lost.
    pub fn from_value(file: &str, value: &Value) -> Result<Self, ConfigErrors> {
        sound(Self::salvage_value(file, value))
    }

    /// Reads a parsed value as far as it is sound; the errors are those of
    /// [`Rows::from_value`].
    #[must_use]
    pub fn salvage_value(file: &str, value: &Value) -> (Self, ConfigErrors) {
        Self::read(file, Node::from_value(value))
    }

    /// The rows, disabled ones included.
    pub fn iter(&self) -> std::slice::Iter<'_, Row> {
        self.rows.iter()
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What the readers of the rows have warned about so far, in the order of the rows: ask
    /// once every row is read.
    #[must_use]
    pub fn warnings(&self) -> Vec<ConfigWarning> {
        self.warnings.to_vec()
    }

    fn read(file: &str, node: Result<Node, Unreadable>) -> (Self, ConfigErrors) {
        let origin = Origin {
            file: file.into(),
            row: None,
            label: Arc::default(),
        };
        let mut rows = Self::default();
        let mut errors = ConfigErrors::new();
        let node = match node {
            Ok(node) => node,
            Err(Unreadable { message, place }) => {
                let problem = Problem::Syntax { message, place };
                return (rows, origin.error("", place, problem).into());
            }
        };
        let brief = node.brief();
        match node.data {
            Data::List(nodes) => {
                for (i, node) in nodes.into_iter().enumerate() {
                    let row = Row::read(&origin.file, i + 1, node, &rows.warnings, &mut errors);
                    rows.rows.push(row);
                }
                rows.check_ids(&mut errors);
            }
            _ => {
                let problem = Problem::not_allowed(brief, LIST);
                errors.push(origin.error("", node.place, problem));
            }
        }
        (rows, errors)
    }

    fn check_ids(&self, errors: &mut ConfigErrors) {
        let mut first = BTreeMap::new();
        for row in &self.rows {
            let Some(id) = row.id() else { continue };
            match first.get(id) {
                Some(other) => errors.push(row.same_id(*other)),
                None => {
                    first.insert(id, row.number());
                }
            }
        }
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = &'a Row;
    type IntoIter = std::slice::Iter<'a, Row>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn sound((rows, errors): (Rows, ConfigErrors)) -> Result<Rows, ConfigErrors> {
    errors.into_result().map(|()| rows)
}
