//! A configuration, and the agents that live under it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use loopguard::{Base, Preset, Scope, Seed, Sessions, Setup};
use napi::bindgen_prelude::{Error, Result};
use napi_derive::napi;

use crate::session::Session;

/// The guards of a host: a configuration that holds for all of its agents.
#[napi]
#[derive(Debug)]
pub struct Guards {
    sessions: Arc<Sessions>,
    scope: Scope,
    ids: Vec<String>,
    only_counts_calls: bool,
    warnings: Vec<String>,
}

#[napi]
impl Guards {
    /// Reads the rows of a configuration, written in JSON; `file` names them in messages.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the rows, at once, each with its place and remedy.
    #[napi(constructor, catch_unwind)]
    pub fn new(file: String, rows: String, preset: Option<String>) -> Result<Self> {
        let base = match preset {
            None => Base::default(),
            Some(name) => Base::Default(
                name.parse::<Preset>()
                    .map_err(|error| wrong(error.to_string()))?,
            ),
        };
        let loaded =
            Setup::from_json(&file, &rows, base).map_err(|errors| wrong(errors.to_string()))?;
        let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
        let ids = loaded.setup.guard_ids().map(ToString::to_string).collect();
        let scope = loaded.setup.scope();
        let setup = &loaded.setup;
        let only_counts_calls = !setup.may_refuse() && !setup.minds_results();
        // Live arguments come from strangers, so the seed is random.
        let seed = Seed::new(RandomState::new().hash_one("loopguard"));
        let sessions = Arc::new(Sessions::new(loaded.setup, seed));
        Ok(Self {
            sessions,
            scope,
            ids,
            only_counts_calls,
            warnings,
        })
    }

    /// The guards of one more agent. Two of one name share their state.
    #[napi(catch_unwind)]
    pub fn session(&self, agent: String) -> Session {
        Session::new(Arc::clone(&self.sessions), agent, self.scope)
    }

    /// The ids of the guards, in their order.
    #[napi(getter, catch_unwind)]
    pub fn ids(&self) -> Vec<String> {
        self.ids.clone()
    }

    /// Whether no guard may refuse a call, and none minds how one ends.
    #[napi(getter, catch_unwind)]
    pub fn only_counts_calls(&self) -> bool {
        self.only_counts_calls
    }

    /// What is allowed in the configuration but hardly meant.
    #[napi(getter, catch_unwind)]
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// How many agents are watched.
    #[napi(getter, catch_unwind)]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "there are at most 100,000 agents"
    )]
    pub fn agents(&self) -> u32 {
        self.sessions.len() as u32
    }
}

pub(crate) fn wrong(message: String) -> Error {
    Error::from_reason(message)
}
