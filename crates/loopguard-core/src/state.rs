//! Guards' state as plain data, and why it may not fit.

use loopguard_canonical::{Arguments, Fingerprint, Identity, Seed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::GuardId;

/// What one guard knows, as plain data with a version of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SavedGuard {
    /// The id of the guard's row.
    pub id: GuardId,
    /// Which guard it is, such as `brake`.
    pub kind: String,
    /// The version of the state's shape.
    pub version: u32,
    /// A fingerprint of the configuration under which it came about; `None` where the guard
    /// has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Fingerprint>,
    /// The state itself.
    pub state: Value,
}

impl SavedGuard {
    /// Saves `state` for the guard `id` of the kind `kind`.
    ///
    /// A state that cannot be written as JSON is saved as nothing, and the guard starts afresh
    /// when it is restored: to save must never stop an agent.
    pub fn new<T: Serialize>(
        id: &GuardId,
        kind: &str,
        version: u32,
        configuration: Option<Fingerprint>,
        state: &T,
    ) -> Self {
        Self {
            id: id.clone(),
            kind: kind.to_owned(),
            version,
            configuration,
            state: serde_json::to_value(state).unwrap_or(Value::Null),
        }
    }

    /// Reads the state back, for a guard of this kind, version and configuration.
    ///
    /// # Errors
    ///
    /// Where the state is another guard's, has another version, came about under another
    /// configuration, or is damaged.
    pub fn open<T: DeserializeOwned>(
        &self,
        kind: &str,
        version: u32,
        configuration: Option<Fingerprint>,
    ) -> Result<T, RestoreError> {
        if self.kind != kind {
            return Err(RestoreError::Kind {
                found: self.kind.clone(),
                expected: kind.to_owned(),
            });
        }
        if self.version != version {
            return Err(RestoreError::Version {
                found: self.version,
                expected: version,
            });
        }
        if self.configuration != configuration {
            return Err(RestoreError::Configuration);
        }
        T::deserialize(&self.state).map_err(RestoreError::Damaged)
    }
}

/// Why a saved state does not fit. The guard that was to take it is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The state is another guard's.
    #[error("the state is that of a {found}, not of a {expected}")]
    Kind {
        /// What the state says it is.
        found: String,
        /// What was to take it.
        expected: String,
    },
    /// The state has a shape that this version does not read.
    #[error("the state has version {found}, this guard reads version {expected}")]
    Version {
        /// The state's version.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// The guard's configuration has changed since.
    #[error("the guard's configuration has changed since the state was saved")]
    Configuration,
    /// The state is not what such a guard saves.
    #[error("the saved state is damaged")]
    Damaged(#[source] serde_json::Error),
    /// The state breaks a rule that a guard of this kind always keeps.
    #[error("the saved state is damaged: {0}")]
    Impossible(&'static str),
}

/// The fingerprint of a configuration: what [`SavedGuard::configuration`] holds.
///
/// Taken under the fixed seed, so that it is the same in every process; a configuration
/// that cannot be written as JSON has none.
pub fn configuration_fingerprint<T: Serialize>(configuration: &T) -> Option<Fingerprint> {
    let value = serde_json::to_value(configuration).ok()?;
    Some(Identity::of(Seed::FIXED, "configuration", Arguments::Value(&value)).fingerprint())
}
