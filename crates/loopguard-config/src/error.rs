//! One thing that is wrong with a configuration.

use std::fmt;

use crate::node::Place;
use crate::origin::Origin;

/// One thing that is wrong: where, what was found, and what is allowed there.
///
/// It prints as one line:
/// `loopguard.yaml: row 2 (dsh-brake): callWarnCount: found 1, allowed is an integer of at
/// least 2`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("{origin}{}{problem}", Prefix(.path))]
pub struct ConfigError {
    origin: Origin,
    path: String,
    place: Option<Place>,
    problem: Problem,
}

/// The ways to be wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("{}{message}", At(.place))]
    Syntax {
        message: String,
        place: Option<Place>,
    },
    #[error("found {found}, allowed is {expected}{}{}", Reason(.reason), Meant(.suggestion))]
    NotAllowed {
        found: String,
        expected: String,
        reason: Option<String>,
        suggestion: Option<String>,
    },
    #[error("missing, allowed is {expected}")]
    Missing { expected: String },
    #[error("unknown key {key:?}{}{known}", MeantThenKnown(.suggestion))]
    UnknownKey {
        key: String,
        suggestion: Option<String>,
        known: String,
    },
    #[error("duplicate key {key:?}")]
    DuplicateKey { key: String },
}

impl Problem {
    pub(crate) fn not_allowed(found: String, expected: impl Into<String>) -> Self {
        Self::NotAllowed {
            found,
            expected: expected.into(),
            reason: None,
            suggestion: None,
        }
    }
}

impl ConfigError {
    pub(crate) fn new(origin: Origin, path: &str, place: Option<Place>, problem: Problem) -> Self {
        Self {
            origin,
            path: path.to_owned(),
            place,
            problem,
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

    /// What messages call the row: `row 2 (dsh-brake)`; empty for the file as a whole.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.origin.label
    }

    /// The key inside the row: `thresholds[1]`; empty for the row itself. For an unknown or
    /// duplicate key it is the path of the mapping that holds it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value found, as short JSON text, or the key that is unknown or a duplicate.
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        match &self.problem {
            Problem::NotAllowed { found, .. } => Some(found),
            Problem::UnknownKey { key, .. } | Problem::DuplicateKey { key } => Some(key),
            Problem::Syntax { .. } | Problem::Missing { .. } => None,
        }
    }

    /// What is wrong, in a few words: `found 1`, `unknown key "modee"`. What is allowed, what
    /// was meant and which keys are known is not among them.
    #[must_use]
    pub fn headline(&self) -> String {
        match &self.problem {
            Problem::Syntax { message, .. } => message.clone(),
            Problem::NotAllowed { found, reason, .. } => format!("found {found}{}", Reason(reason)),
            Problem::Missing { .. } => "missing".to_owned(),
            Problem::UnknownKey { key, .. } => format!("unknown key {key:?}"),
            Problem::DuplicateKey { key } => format!("duplicate key {key:?}"),
        }
    }

    /// The keys that the mapping may have, where one is unknown: `id, name, config, disabled`.
    #[must_use]
    pub fn known_keys(&self) -> Option<&str> {
        match &self.problem {
            Problem::UnknownKey { known, .. } => Some(known),
            _ => None,
        }
    }

    /// What is allowed there.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        match &self.problem {
            Problem::NotAllowed { expected, .. } | Problem::Missing { expected } => Some(expected),
            Problem::DuplicateKey { .. } => Some("each key once"),
            Problem::Syntax { .. } | Problem::UnknownKey { .. } => None,
        }
    }

    /// What was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        match &self.problem {
            Problem::NotAllowed { suggestion, .. } | Problem::UnknownKey { suggestion, .. } => {
                suggestion.as_deref()
            }
            _ => None,
        }
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
}

impl ConfigError {
    /// How many characters there are to point at from [`ConfigError::column`] on: the value or
    /// the key, or 1 where it is the beginning of more. It may reach beyond the line.
    #[must_use]
    pub fn length(&self) -> Option<usize> {
        self.place.map(|place| place.length)
    }
}

/// `path: `, or nothing for the row itself.
pub(crate) struct Prefix<'a>(pub(crate) &'a str);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(f, "{}: ", self.0)
        }
    }
}

struct At<'a>(&'a Option<Place>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(place) => write!(f, "line {} column {}: ", place.line, place.column),
            None => Ok(()),
        }
    }
}

struct Reason<'a>(&'a Option<String>);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(reason) => write!(f, " ({reason})"),
            None => Ok(()),
        }
    }
}

struct Meant<'a>(&'a Option<String>);

impl fmt::Display for Meant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(suggestion) => write!(f, "; did you mean {suggestion:?}?"),
            None => Ok(()),
        }
    }
}

struct MeantThenKnown<'a>(&'a Option<String>);

impl fmt::Display for MeantThenKnown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(_) => write!(f, "{} known keys: ", Meant(self.0)),
            None => f.write_str("; known keys: "),
        }
    }
}
