//! Which guards watch, as rows of a configuration.

use std::collections::BTreeMap;

use loopguard::config::ConfigErrors;
use loopguard::{Base, GUARDS, SET_NAME, Setup};
use serde_json::{Map, Value, json};

/// Guards by name, in the order in which they run, with a configuration for each.
#[derive(Clone, Debug)]
pub struct Guards {
    names: Vec<String>,
    configs: BTreeMap<String, Map<String, Value>>,
    more: Vec<Value>,
}

/// These guards, each as the originals have it.
///
/// # Panics
///
/// On a name that no guard has.
pub fn guards<'n>(names: impl IntoIterator<Item = &'n str>) -> Guards {
    let names = names.into_iter().inspect(|name| assert_guard(name));
    Guards {
        names: names.map(str::to_owned).collect(),
        configs: BTreeMap::new(),
        more: Vec::new(),
    }
}

/// Each guard alone, each pair, and all of them.
pub fn combinations() -> Vec<Guards> {
    let names: Vec<_> = GUARDS.iter().map(|kind| kind.name).collect();
    let mut combinations: Vec<_> = (1..1_usize << names.len())
        .map(|chosen| {
            let chosen = names
                .iter()
                .enumerate()
                .filter(|(at, _)| chosen >> at & 1 == 1);
            guards(chosen.map(|(_, name)| *name))
        })
        .collect();
    combinations.sort_by_key(|guards| guards.names.len());
    combinations
}

impl Guards {
    /// Values for one of the guards, over those it has. Without effect where that guard is not
    /// among these: so one story can configure every combination.
    ///
    /// # Panics
    ///
    /// On a name that no guard has, and on values that are no JSON object.
    #[must_use]
    pub fn with(mut self, name: &str, config: Value) -> Self {
        assert_guard(name);
        self.merge(name, config);
        self
    }

    /// Values for the set itself.
    ///
    /// # Panics
    ///
    /// On values that are no JSON object.
    #[must_use]
    pub fn set(mut self, config: Value) -> Self {
        self.merge(SET_NAME, config);
        self
    }

    /// One more row, behind the others.
    #[must_use]
    pub fn row(mut self, row: Value) -> Self {
        self.more.push(row);
        self
    }

    /// The same guards in another order, by their places from 0.
    #[must_use]
    pub fn in_order(mut self, order: &[usize]) -> Self {
        self.names = order.iter().map(|at| self.names[*at].clone()).collect();
        self
    }

    /// The guards' names in one word, for the names of snapshots.
    pub fn label(&self) -> String {
        self.names.join("-and-")
    }

    /// Whether a guard is among them.
    pub fn has(&self, name: &str) -> bool {
        assert_guard(name);
        self.names.iter().any(|it| it == name)
    }

    /// Of these lines, each with the guard that it is about, those of the guards among these:
    /// what to expect of one story under every combination.
    ///
    /// # Panics
    ///
    /// On a name that no guard has.
    pub fn lines_of<'l>(&self, lines: &[(&str, &'l str)]) -> Vec<&'l str> {
        let ours = lines.iter().filter(|(name, _)| self.has(name));
        ours.map(|(_, line)| *line).collect()
    }

    /// The rows.
    pub fn rows(&self) -> Value {
        let set = self.configs.contains_key(SET_NAME).then_some(SET_NAME);
        let named = set.into_iter().chain(self.names.iter().map(String::as_str));
        let rows = named.map(|name| match self.configs.get(name) {
            Some(config) => json!({"name": name, "config": config}),
            None => json!({"name": name}),
        });
        Value::Array(rows.chain(self.more.iter().cloned()).collect())
    }

    /// What the rows set up.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the rows.
    pub fn setup(&self) -> Result<Setup, ConfigErrors> {
        Setup::from_value("testkit", &self.rows(), Base::default()).map(|loaded| loaded.setup)
    }

    fn merge(&mut self, name: &str, config: Value) {
        let Value::Object(config) = config else {
            panic!("the values of {name} are a JSON object, not {config}");
        };
        self.configs
            .entry(name.to_owned())
            .or_default()
            .extend(config);
    }
}

impl From<Guards> for Value {
    fn from(guards: Guards) -> Self {
        guards.rows()
    }
}

impl From<&Guards> for Value {
    fn from(guards: &Guards) -> Self {
        guards.rows()
    }
}

fn assert_guard(name: &str) {
    assert!(
        GUARDS.iter().any(|kind| kind.name == name),
        "no guard of this build is called {name:?}"
    );
}
