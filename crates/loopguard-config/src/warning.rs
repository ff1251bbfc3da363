//! What is worth a word though the configuration holds.

use crate::error::Prefix;
use crate::node::Place;
use crate::origin::Origin;

/// Something accepted that its author should know about, such as a key on its way out.
///
/// It prints as one line:
/// `loopguard.yaml: row 2 (dsh-brake): minWindowCalls: deprecated key, it has no effect`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigWarning {
    origin: Origin,
    path: String,
    place: Option<Place>,
    message: String,
}

impl ConfigWarning {
    pub(crate) fn new(origin: Origin, path: &str, place: Option<Place>, message: String) -> Self {
        Self {
            origin,
            path: path.to_owned(),
            place,
            message,
        }
    }

    /// The file, as the caller named it; empty where there is none.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.origin.file
    }

    /// The row's place in the list, counted from 1.
    #[must_use]
    pub fn row(&self) -> Option<usize> {
        self.origin.row
    }

    /// What messages call the row.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.origin.label
    }

    /// The key inside the row.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The line of the value, counted from 1, where the text is known.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.map(|place| place.line)
    }

    /// The column of the value in characters, counted from 1, where the text is known.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.map(|place| place.column)
    }

    /// How many characters there are to point at, as with
    /// [`ConfigError::length`](crate::ConfigError::length).
    #[must_use]
    pub fn length(&self) -> Option<usize> {
        self.place.map(|place| place.length)
    }

    /// The warning without its place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl std::fmt::Display for ConfigWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.origin, Prefix(&self.path), self.message)
    }
}
