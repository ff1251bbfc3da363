//! The guards that this build holds. A new guard is one more entry in the list below.

use std::fmt;
use std::sync::Arc;

use loopguard_config::{ConfigErrors, Key, Language, Row, Section};
use loopguard_core::{Guard, GuardId};

/// Makes the guard of one row for each agent.
#[derive(Clone)]
pub struct GuardFactory {
    id: GuardId,
    build: Arc<dyn Fn(GuardId) -> Box<dyn Guard> + Send + Sync>,
}

impl GuardFactory {
    /// A factory for the guard `id`: `build` makes one instance per agent.
    pub fn new(
        id: impl Into<GuardId>,
        build: impl Fn(GuardId) -> Box<dyn Guard> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            build: Arc::new(build),
        }
    }

    /// The id of the guard's row.
    pub fn id(&self) -> &GuardId {
        &self.id
    }

    /// The guard for one more agent.
    pub fn build(&self) -> Box<dyn Guard> {
        (self.build)(self.id.clone())
    }
}

impl fmt::Debug for GuardFactory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GuardFactory")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A guard that a row may ask for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GuardKind {
    /// What the guard is called.
    pub name: &'static str,
    /// All the names under which a row may ask for it.
    pub names: &'static [&'static str],
    /// The id of a row that gives none.
    pub default_id: &'static str,
    /// The keys of its row.
    pub keys: &'static [Key],
    pub(crate) read: fn(GuardId, Section, Language) -> Result<GuardFactory, ConfigErrors>,
}

/// One line of the registry: the guard's crate, its configuration and its type.
#[allow(unused_macros, reason = "a build may hold no guard")]
macro_rules! guard {
    ($krate:ident, $config:ident, $guard:ident) => {
        GuardKind {
            name: $krate::NAME,
            names: $krate::NAMES,
            default_id: $krate::DEFAULT_ID,
            keys: $krate::KEYS,
            read: |id, section, language| {
                let config = Arc::new($krate::$config::read(section, language)?);
                Ok(GuardFactory::new(id, move |id| {
                    Box::new($krate::$guard::new(id, Arc::clone(&config)))
                }))
            },
        }
    };
}

/// The guards of this build, in the order in which they run where no row says otherwise.
pub const GUARDS: &[GuardKind] = &[
    #[cfg(feature = "repeat-reminder")]
    guard!(loopguard_repeat_reminder, ReminderConfig, RepeatReminder),
    #[cfg(feature = "brake")]
    guard!(loopguard_brake, BrakeConfig, Brake),
    #[cfg(feature = "circuit-breaker")]
    guard!(loopguard_circuit_breaker, BreakerConfig, CircuitBreaker),
];

/// The guard that goes by this name.
pub(crate) fn named(name: &str) -> Option<&'static GuardKind> {
    GUARDS.iter().find(|kind| kind.names.contains(&name))
}

/// The guard that a row asks for: by its name, or without one by its id.
pub(crate) fn of_row(row: &Row) -> Option<&'static GuardKind> {
    let asked = row.name().or(row.id())?;
    let by_id = || GUARDS.iter().find(|kind| kind.default_id == asked);
    named(asked).or_else(by_id)
}

/// Every name that a row may have, for error messages.
pub(crate) fn known_names() -> Vec<&'static str> {
    let names = GUARDS.iter().flat_map(|kind| kind.names.iter().copied());
    names.chain([crate::setup::SET_NAME]).collect()
}
