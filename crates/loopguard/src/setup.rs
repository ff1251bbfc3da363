//! What all agents share: which guards run, and under which settings of the set.

use std::sync::Arc;

use loopguard_config::{ConfigErrors, ConfigWarning, Key, Kind, Language, Row, Rows, Section};
use loopguard_core::{GuardId, Redaction};
use serde_json::Value;

use crate::observer::Observer;
use crate::policy::{IdentityPolicy, RULE_KEYS};
use crate::preset::Preset;
use crate::registry::{self, GUARDS, GuardFactory, GuardKind};

/// The name of the row that configures the set.
pub const SET_NAME: &str = "loopguard";

/// The keys of the set's row.
pub const SET_KEYS: &[Key] = &[
    Key::new(
        "preset",
        Kind::Choice(&Preset::NAMES),
        "\"original\"",
        "where each row starts from (the program starts from \"recommended\")",
    ),
    Key::new(
        "scope",
        Kind::Choice(&["agent", "session"]),
        "\"agent\"",
        "whether each agent has a state of its own, or all agents of a session share one",
    ),
    Key::new(
        "identity",
        Kind::Groups(RULE_KEYS),
        "[]",
        "volatile parts of arguments and results that do not count",
    ),
    Key::new(
        "haltAfterDenials",
        Kind::Integer { min: 1 },
        "none",
        "refused calls of one agent in a row with which the answer is to halt the run",
    ),
    Key::new(
        "dryRun",
        Kind::Flag,
        "false",
        "decide and record, but neither advise, deny nor halt",
    ),
    Key::new(
        "language",
        Kind::Choice(&["en", "zh"]),
        "\"en\"",
        "the language of the guards' own texts; those of the originals stay English",
    ),
    Key::new(
        "redact",
        Kind::Regexes,
        "[]",
        "what becomes [redacted] in every preview, message and saved text",
    ),
];

/// Whose state is whose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Each agent has a state of its own: nothing that one does changes what another hears.
    #[default]
    Agent,
    /// All agents of a session share one state.
    Session,
}

/// Whether decisions take effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Notices are delivered, refused calls do not run.
    #[default]
    Live,
    /// Everything is decided and recorded, nothing is said or refused.
    DryRun,
}

/// What all agents of a host share: the guards, made anew for each agent, and the settings of
/// the set. Checked when it is built, so that nothing fails later.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub(crate) guards: Vec<GuardFactory>,
    pub(crate) policy: IdentityPolicy,
    pub(crate) halt_after_denials: Option<u64>,
    pub(crate) effect: Effect,
    pub(crate) scope: Scope,
    pub(crate) redaction: Redaction,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Setup {
    /// A set without guards, to put [`GuardFactory`]s into.
    pub fn new() -> Self {
        Self::default()
    }

    /// All guards of this build, as the preset has them.
    pub fn preset(preset: Preset) -> Self {
        let no_rows = (Rows::default(), ConfigErrors::new());
        Reader::default()
            .read(no_rows, Base::Preset(preset))
            .map_or_else(|_| Self::new(), |loaded| loaded.setup)
    }

    /// Reads a configuration written in JSON; `file` names it in messages.
    ///
    /// The rows say which guards run, in their order; a file without a row for a guard runs
    /// all guards of this build. A row starts from the preset's values and overrides them key
    /// by key. The warnings are for people.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the file, at once.
    pub fn from_json(file: &str, text: &str, base: Base) -> Result<Loaded, ConfigErrors> {
        Reader::default().read(Rows::salvage_json(file, text), base)
    }

    /// Reads a configuration written in YAML 1.2, as [`Setup::from_json`] reads one in JSON.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the file, at once.
    #[cfg(feature = "yaml")]
    pub fn from_yaml(file: &str, text: &str, base: Base) -> Result<Loaded, ConfigErrors> {
        Reader::default().read(Rows::salvage_yaml(file, text), base)
    }

    /// Reads a configuration that is parsed already, as [`Setup::from_json`] reads a text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration, at once.
    pub fn from_value(file: &str, value: &Value, base: Base) -> Result<Loaded, ConfigErrors> {
        Reader::default().read(Rows::salvage_value(file, value), base)
    }

    /// One more guard, behind those that are there.
    #[must_use]
    pub fn guard(mut self, factory: GuardFactory) -> Self {
        self.guards.push(factory);
        self
    }

    /// Gives every decision to `observer`.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The ids of the guards, in their order.
    pub fn guard_ids(&self) -> impl Iterator<Item = &GuardId> {
        self.guards.iter().map(GuardFactory::id)
    }

    /// Whether any of the guards may refuse a call. Where none may, a host need not ask before a
    /// call, and can submit and finish it in one go once it has ended.
    pub fn may_refuse(&self) -> bool {
        let mut guards = self.guards.iter().map(GuardFactory::build);
        guards.any(|guard| guard.may_refuse())
    }

    /// Whether it makes a difference to any of the guards how a call ends. Where it does to none,
    /// a host may finish every call as a success without a text.
    pub fn minds_results(&self) -> bool {
        let mut guards = self.guards.iter().map(GuardFactory::build);
        // A halt counts denials, and a call that succeeds ends the count.
        self.halt_after_denials.is_some() || guards.any(|guard| guard.minds_results())
    }

    /// Whose state is whose.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether decisions take effect.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Which parts of calls and results do not count.
    pub fn policy(&self) -> &IdentityPolicy {
        &self.policy
    }
}

/// Where the rows of a configuration start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Base {
    /// From this preset, whatever the set's row says.
    Preset(Preset),
    /// From the preset that the set's row names, or else from this one.
    Default(Preset),
}

impl Default for Base {
    /// The libraries' default: the originals' values.
    fn default() -> Self {
        Self::Default(Preset::Original)
    }
}

/// A configuration that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// What it sets up.
    pub setup: Setup,
    /// What is allowed but hardly meant.
    pub warnings: Vec<ConfigWarning>,
}

/// Reads the rows of a configuration, and collects what is wrong with them.
#[derive(Debug, Default)]
struct Reader {
    setup: Setup,
    errors: ConfigErrors,
    language: Language,
    /// The ids so far, and whether the row gives it itself.
    ids: Vec<(GuardId, bool)>,
}

impl Reader {
    fn read(
        mut self,
        (rows, errors): (Rows, ConfigErrors),
        base: Base,
    ) -> Result<Loaded, ConfigErrors> {
        self.errors = errors;
        let mut set_rows = rows.iter().filter(|row| is_set(row));
        let set_row = set_rows.next();
        for row in set_rows {
            let key = if row.name().is_some() { "name" } else { "id" };
            self.errors
                .push(row.reject(key, "at most one row that configures the set"));
        }
        let in_force = set_row.filter(|row| !row.is_disabled());
        let preset = match (base, in_force.and_then(preset_of)) {
            (Base::Preset(preset), _) | (Base::Default(_), Some(preset)) => preset,
            (Base::Default(preset), None) => preset,
        };
        if let Some(row) = set_row {
            let base = preset.config(SET_NAME);
            self.read_set(Section::open(row, SET_KEYS, base.as_ref()));
        }
        if in_force.is_none() {
            // A row that is switched off was read all the same: it may be switched on again.
            let config = Value::Object(preset.config(SET_NAME).unwrap_or_default());
            self.read_set(Section::from_value(SET_NAME, &config, SET_KEYS));
        }
        let mut guard_rows = rows.iter().filter(|row| !is_set(row)).peekable();
        if guard_rows.peek().is_none() {
            for kind in GUARDS {
                let config = Value::Object(preset.of(kind).unwrap_or_default());
                self.add(
                    kind,
                    kind.default_id.into(),
                    Section::from_value(kind.name, &config, kind.keys),
                );
            }
        }
        for row in guard_rows {
            self.read_guard(row, preset);
        }
        self.errors.into_result()?;
        Ok(Loaded {
            setup: self.setup,
            warnings: rows.warnings(),
        })
    }

    fn read_set(&mut self, section: Section) {
        self.setup.policy = IdentityPolicy::read(&section, "identity");
        self.setup.halt_after_denials = section.integer("haltAfterDenials");
        self.setup.effect = match section.flag("dryRun") {
            Some(true) => Effect::DryRun,
            _ => Effect::Live,
        };
        self.setup.scope = match section.choice("scope") {
            Some("session") => Scope::Session,
            _ => Scope::Agent,
        };
        self.setup.redaction = Redaction::new(section.regexes("redact").unwrap_or_default());
        self.language = match section.choice("language") {
            Some("zh") => Language::Zh,
            _ => Language::En,
        };
        self.errors.collect(section.finish());
    }

    fn read_guard(&mut self, row: &Row, preset: Preset) {
        let Some(kind) = registry::of_row(row) else {
            if row.name().or(row.id()).is_some() {
                self.errors.push(row.unknown_name(&registry::known_names()));
            }
            return;
        };
        let section = Section::open(row, kind.keys, preset.of(kind).as_ref());
        let id = GuardId::new(row.id().unwrap_or(kind.default_id));
        if row.is_disabled() {
            // It is read all the same: it may be switched on again.
            self.errors.collect((kind.read)(id, section, self.language));
            return;
        }
        let given = row.id().is_some();
        // Two ids that are both given have been reported with the rows.
        if self
            .ids
            .iter()
            .any(|(other, other_given)| *other == id && !(given && *other_given))
        {
            let expected = format!("an id of its own: another row goes by {:?}", id.as_str());
            self.errors.push(row.reject("id", expected));
        }
        self.ids.push((id.clone(), given));
        self.add(kind, id, section);
    }

    fn add(&mut self, kind: &GuardKind, id: GuardId, section: Section) {
        if let Some(factory) = self.errors.collect((kind.read)(id, section, self.language)) {
            self.setup.guards.push(factory);
        }
    }
}

/// Whether the row configures the set.
fn is_set(row: &Row) -> bool {
    row.name().or(row.id()) == Some(SET_NAME)
}

/// The preset that the set's row names.
fn preset_of(row: &Row) -> Option<Preset> {
    let section = Section::open(row, SET_KEYS, None);
    section.choice("preset")?.parse().ok()
}
