//! Everything that is wrong with a configuration.

use std::fmt;

use crate::ConfigError;

/// Everything that is wrong with a configuration, in the order of its rows.
///
/// It is a collector too: [`ConfigErrors::merge`] what every row's reader returned, then
/// [`ConfigErrors::into_result`].
#[derive(Debug, Clone, Default, PartialEq, thiserror::Error)]
#[error("{}", Lines(.errors))]
pub struct ConfigErrors {
    errors: Vec<ConfigError>,
}

impl ConfigErrors {
    /// No error yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The errors, in the order of the rows; those of the file as a whole come first.
    pub fn iter(&self) -> std::slice::Iter<'_, ConfigError> {
        self.errors.iter()
    }

    /// How many errors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Adds one error at its row's place.
    pub fn push(&mut self, error: ConfigError) {
        let at = self
            .errors
            .partition_point(|other| other.row() <= error.row());
        self.errors.insert(at, error);
    }

    /// Adds the errors of other rows, each at its row's place.
    pub fn merge(&mut self, other: ConfigErrors) {
        self.errors.extend(other.errors);
        self.errors.sort_by_key(ConfigError::row);
    }

    /// Keeps what a reader made, or its errors.
    pub fn collect<T>(&mut self, result: Result<T, ConfigErrors>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(errors) => {
                self.merge(errors);
                None
            }
        }
    }

    /// Success if nothing is wrong.
    ///
    /// # Errors
    ///
    /// The errors themselves, if there are any.
    pub fn into_result(self) -> Result<(), ConfigErrors> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self {
            errors: vec![error],
        }
    }
}

impl FromIterator<ConfigError> for ConfigErrors {
    fn from_iter<I: IntoIterator<Item = ConfigError>>(errors: I) -> Self {
        let mut errors: Vec<_> = errors.into_iter().collect();
        errors.sort_by_key(ConfigError::row);
        Self { errors }
    }
}

impl IntoIterator for ConfigErrors {
    type Item = ConfigError;
    type IntoIter = std::vec::IntoIter<ConfigError>;

    fn into_iter(self) -> Self::IntoIter {
        self.errors.into_iter()
    }
}

impl<'a> IntoIterator for &'a ConfigErrors {
    type Item = &'a ConfigError;
    type IntoIter = std::slice::Iter<'a, ConfigError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

struct Lines<'a>(&'a [ConfigError]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("no errors in the configuration"),
            [error] => write!(f, "{error}"),
            errors => {
                write!(f, "{} errors in the configuration:", errors.len())?;
                errors.iter().try_for_each(|error| write!(f, "\n{error}"))
            }
        }
    }
}
