//! Reading one row against a key table.

use std::sync::Arc;

use regex::Regex;
use serde_json::{Map, Value};

use crate::error::Problem;
use crate::node::{Data, Entry, Node, Place};
use crate::origin::{Findings, Origin, Warnings};
use crate::row::join;
use crate::value::{self, given};
use crate::{
    ConfigErrors, ConfigWarning, Key, Kind, Messages, NameFilter, NamePattern, Row, check,
};

/// The configuration of one row, checked against the guard's key table.
///
/// Opening it checks every key at once. A getter then gives the row's value; where the row has
/// none, that of the base (a preset's row); where that has none either, `None`, and the guard's
/// default holds. It also gives `None` where the value is not allowed, so a reader reads
/// everything and asks [`Section::finish`] at the end, which has all the errors together.
///
/// Asking for a key that the table does not have is a mistake in the reader: it fails in a
/// debug build and gives `None` in a release build.
#[derive(Debug)]
pub struct Section {
    pub(crate) findings: Arc<Findings>,
    pub(crate) keys: &'static [Key],
    /// Where the section is inside the row; empty for the row itself.
    pub(crate) path: String,
    pub(crate) place: Option<Place>,
    pub(crate) own: Vec<Entry>,
    /// What holds where the section itself says nothing.
    pub(crate) base: Vec<Entry>,
    /// In an override, the path of the section whose values hold where it says nothing.
    pub(crate) around: Option<String>,
}

impl Section {
    /// Checks a row against a key table, over the values that hold where it gives none.
    #[must_use]
    pub fn open(row: &Row, keys: &'static [Key], base: Option<&Map<String, Value>>) -> Self {
        let findings = Findings::new(row.origin.clone(), row.warnings.clone());
        Self::check(findings, keys, &row.config, base)
    }

    /// Checks one configuration outside any file; `label` names it in messages, and `null` is
    /// the empty one.
    #[must_use]
    pub fn from_value(label: &str, value: &Value, keys: &'static [Key]) -> Self {
        let origin = Origin {
            label: label.into(),
            ..Origin::default()
        };
        let findings = Findings::new(origin, Warnings::default());
        let node = Node::from_value(value).unwrap_or_else(|unreadable| {
            let problem = Problem::Syntax {
                message: unreadable.message,
                place: None,
            };
            findings.error("", None, problem);
            Node {
                place: None,
                data: Data::Null,
            }
        });
        Self::check(findings, keys, &node, None)
    }

    fn check(
        findings: Arc<Findings>,
        keys: &'static [Key],
        node: &Node,
        base: Option<&Map<String, Value>>,
    ) -> Self {
        let own = check::config(&findings, keys, node);
        let mut section = Self {
            findings,
            keys,
            path: String::new(),
            place: node.place,
            own,
            base: Vec::new(),
            around: None,
        };
        for (key, value) in base.into_iter().flatten() {
            // What the row gives itself is not the base's to say, be it right or wrong.
            if given(&section.own, key).is_some() {
                continue;
            }
            if let Ok(node) = Node::from_value(value) {
                section.base.push(Entry {
                    key: key.clone(),
                    place: None,
                    node,
                });
            }
        }
        // Requirements are the row's alone to meet, so the base is checked key by key.
        for entry in &section.base {
            let entries = std::slice::from_ref(entry);
            check::given_keys(&section.findings, "", (keys, None), entries);
        }
        section
    }

    /// Whether the section itself gives a value for the key, rather than its base.
    #[must_use]
    pub fn gives(&self, key: &str) -> bool {
        given(&self.own, key).is_some()
    }

    /// The value of an [`Kind::Integer`] or [`Kind::IntegerUpTo`] key.
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<u64> {
        let fits = |kind: &Kind| matches!(kind, Kind::Integer { .. } | Kind::IntegerUpTo { .. });
        value::whole(self.sound(key, fits)?.1).map(|whole| whole.value)
    }

    /// The values of an [`Kind::Integers`] key, ascending.
    #[must_use]
    pub fn integers(&self, key: &str) -> Option<Vec<u64>> {
        value::wholes(
            self.sound(key, |kind| matches!(kind, Kind::Integers { .. }))?
                .1,
        )
    }

    /// The value of a [`Kind::Flag`] key.
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        value::flag(self.sound(key, |kind| matches!(kind, Kind::Flag))?.1)
    }

    /// The value of a [`Kind::Choice`] key: one of the texts of its table.
    #[must_use]
    pub fn choice(&self, key: &str) -> Option<&'static str> {
        let (choices, node) = self.find_sound(key, |kind| match kind {
            Kind::Choice(choices) => Some(*choices),
            _ => None,
        })?;
        let text = node.as_text()?;
        choices.iter().copied().find(|choice| *choice == text)
    }

    /// The value of a [`Kind::Ratio`] key.
    #[must_use]
    pub fn ratio(&self, key: &str) -> Option<f64> {
        value::ratio(
            self.sound(key, |kind| matches!(kind, Kind::Ratio { .. }))?
                .1,
        )
    }

    /// The value of a [`Kind::Patterns`] key.
    #[must_use]
    pub fn patterns(&self, key: &str) -> Option<Vec<NamePattern>> {
        value::patterns(self.sound(key, |kind| matches!(kind, Kind::Patterns))?.1)
    }

    /// The filter of two [`Kind::Patterns`] keys, each empty where it is not given.
    #[must_use]
    pub fn filter(&self, include: &str, exclude: &str) -> NameFilter {
        NameFilter {
            include: self.patterns(include).unwrap_or_default(),
            exclude: self.patterns(exclude).unwrap_or_default(),
        }
    }

    /// The value of a [`Kind::Regex`] key.
    #[must_use]
    pub fn regex(&self, key: &str) -> Option<Regex> {
        let (_, node) = self.sound(key, |kind| matches!(kind, Kind::Regex))?;
        value::regex(node.as_text()?, false).ok()
    }

    /// The value of a [`Kind::Regexes`] or [`Kind::RegexesIgnoringCase`] key.
    #[must_use]
    pub fn regexes(&self, key: &str) -> Option<Vec<Regex>> {
        let fits = |kind: &Kind| matches!(kind, Kind::Regexes | Kind::RegexesIgnoringCase);
        let (kind, node) = self.sound(key, fits)?;
        let ignore_case = matches!(kind, Kind::RegexesIgnoringCase);
        value::texts(node)?
            .into_iter()
            .map(|text| value::regex(text, ignore_case).ok())
            .collect()
    }

    /// The value of a [`Kind::Text`] key.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.sound(key, |kind| matches!(kind, Kind::Text))?
            .1
            .as_text()
    }

    /// The value of a [`Kind::Messages`] key.
    #[must_use]
    pub fn messages(&self, key: &str) -> Option<Messages> {
        let (codes, node) = self.find_sound(key, |kind| match kind {
            Kind::Messages(codes) => Some(*codes),
            _ => None,
        })?;
        value::messages(node, codes)
    }

    /// What was warned about so far in the row or in the file it belongs to.
    #[must_use]
    pub fn warnings(&self) -> Vec<ConfigWarning> {
        self.findings.warnings.to_vec()
    }

    /// The keys that hold, own and base's, as a mapping in one way of writing it: two
    /// configurations that mean the same values give the same text. Defaults are not filled in.
    #[must_use]
    pub fn effective(&self) -> Value {
        let mut map = Map::new();
        for key in self.keys {
            if let Some(node) = given(&self.own, key.name).or_else(|| given(&self.base, key.name)) {
                map.insert(key.name.to_owned(), value::canonical(&key.kind, node));
            }
        }
        value::sorted(map)
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the row, sections inside it included.
    pub fn finish(self) -> Result<(), ConfigErrors> {
        self.findings.take().into_result()
    }

    pub(crate) fn key(&self, key: &str) -> Option<&'static Key> {
        let known = self.keys.iter().find(|known| known.name == key);
        debug_assert!(known.is_some(), "the table has no key {key:?}");
        known
    }

    /// A key's value, where it is given, with what `read` makes of its kind: `None` where that
    /// is not what the getter is for.
    pub(crate) fn find<T>(
        &self,
        key: &str,
        read: impl Fn(&'static Kind) -> Option<T>,
    ) -> Option<(T, &Node)> {
        let known = self.key(key)?;
        let kind = known.kind_of_value();
        let read = read(kind);
        debug_assert!(read.is_some(), "{key:?} is of another kind: {kind:?}");
        let node = given(&self.own, key).or_else(|| given(&self.base, key))?;
        read.filter(|_| !known.is_off(node))
            .map(|read| (read, node))
    }

    /// As [`Section::find`], where there is nothing wrong with the value.
    fn find_sound<T>(
        &self,
        key: &str,
        read: impl Fn(&'static Kind) -> Option<T>,
    ) -> Option<(T, &Node)> {
        self.find(key, read)
            .filter(|_| !self.findings.spoil(&join(&self.path, key)))
    }

    /// A key's value, where there is nothing wrong with it and its kind is one of those.
    pub(crate) fn sound(
        &self,
        key: &str,
        fits: impl Fn(&Kind) -> bool,
    ) -> Option<(&'static Kind, &Node)> {
        self.find_sound(key, |kind| fits(kind).then_some(kind))
    }
}
