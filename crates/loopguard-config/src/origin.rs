//! Where a finding comes from, and where findings gather.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Problem;
use crate::node::Place;
use crate::{ConfigError, ConfigErrors, ConfigWarning};

/// A file, and mostly one row of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Empty where the configuration is no file.
    pub(crate) file: Arc<str>,
    /// Counted from 1.
    pub(crate) row: Option<usize>,
    /// What messages call the row; empty for the file as a whole.
    pub(crate) label: Arc<str>,
}

impl Origin {
    pub(crate) fn error(&self, path: &str, place: Option<Place>, problem: Problem) -> ConfigError {
        ConfigError::new(self.clone(), path, place, problem)
    }
}

/// Writes `file: row: path: `, without the parts that are not known.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.file, &self.label] {
            if !part.is_empty() {
                write!(f, "{part}: ")?;
            }
        }
        Ok(())
    }
}

/// Warnings, gathered by all that read rows of one file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<ConfigWarning>>>);

impl Warnings {
    /// Adds a warning, once however often its row is read.
    pub(crate) fn push(&self, warning: ConfigWarning) {
        let mut warnings = lock(&self.0);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    pub(crate) fn to_vec(&self) -> Vec<ConfigWarning> {
        let mut warnings = lock(&self.0).clone();
        warnings.sort_by_key(ConfigWarning::row);
        warnings
    }
}

/// What a section and the sections inside it found wrong.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) origin: Origin,
    errors: Mutex<Vec<ConfigError>>,
    pub(crate) warnings: Warnings,
}

impl Findings {
    pub(crate) fn new(origin: Origin, warnings: Warnings) -> Arc<Self> {
        Arc::new(Self {
            origin,
            errors: Mutex::default(),
            warnings,
        })
    }

    pub(crate) fn error(&self, path: &str, place: Option<Place>, problem: Problem) {
        lock(&self.errors).push(self.origin.error(path, place, problem));
    }

    /// Whether something is wrong at that path or below it.
    pub(crate) fn spoil(&self, path: &str) -> bool {
        lock(&self.errors).iter().any(|error| {
            let below = error.path().strip_prefix(path);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    pub(crate) fn take(&self) -> ConfigErrors {
        std::mem::take(&mut *lock(&self.errors))
            .into_iter()
            .collect()
    }
}

/// A list is whole after every push, so a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
