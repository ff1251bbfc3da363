//! Sections inside a section.

use crate::key::TOOLS;
use crate::node::{Entry, Node};
use crate::row::join;
use crate::value::{self, given};
use crate::{Kind, NamePattern, Section};

impl Section {
    /// The mappings of a [`Kind::Groups`] key, each as a section; none where it is not given.
    ///
    /// What is rejected in them is this section's to report: they need no
    /// [`Section::finish`] of their own.
    #[must_use]
    pub fn groups(&self, key: &str) -> Vec<Section> {
        let keys = |kind: &'static Kind| match kind {
            Kind::Groups(keys) => Some(*keys),
            _ => None,
        };
        let Some((keys, node)) = self.find(key, keys) else {
            return Vec::new();
        };
        self.inside(key, node)
            .map(|(inner, own)| Section { keys, own, ..inner })
            .collect()
    }

    /// The mappings of a [`Kind::Overrides`] key: for which tools, and a section in which this
    /// section's own values (and its base's) hold where the override gives none, so that one
    /// reader serves both. None where the key is not given.
    #[must_use]
    pub fn overrides(&self, key: &str) -> Vec<(Vec<NamePattern>, Section)> {
        let keys = |kind: &'static Kind| match kind {
            Kind::Overrides(keys) => Some(*keys),
            _ => None,
        };
        let Some((keys, node)) = self.find(key, keys) else {
            return Vec::new();
        };
        let inherited = keys
            .iter()
            .filter(|inner| self.knows(inner.name))
            .filter_map(|inner| {
                let (_, node) = self.sound(inner.name, |_| true)?;
                Some(Entry {
                    key: inner.name.to_owned(),
                    place: node.place,
                    node: node.clone(),
                })
            });
        let base: Vec<_> = inherited.collect();
        let around = Some(self.path.clone());
        let sections = self.inside(key, node).map(|(inner, own)| {
            let tools = given(&own, TOOLS.name)
                .and_then(value::patterns)
                .unwrap_or_default();
            (
                tools,
                Section {
                    keys,
                    own,
                    base: base.clone(),
                    around: around.clone(),
                    ..inner
                },
            )
        });
        sections.collect()
    }

    /// The sections of a list of mappings, still without key table and base.
    fn inside<'a>(
        &'a self,
        key: &'a str,
        node: &'a Node,
    ) -> impl Iterator<Item = (Section, Vec<Entry>)> + 'a {
        let nodes = node.as_list().unwrap_or_default().iter().enumerate();
        nodes.filter_map(move |(i, node)| {
            let section = Section {
                findings: self.findings.clone(),
                keys: &[],
                path: format!("{}[{i}]", join(&self.path, key)),
                place: node.place,
                own: Vec::new(),
                base: Vec::new(),
                around: None,
            };
            Some((section, node.as_map()?.to_vec()))
        })
    }

    fn knows(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known.name == key)
    }
}
