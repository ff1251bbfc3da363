//! Checks that span the keys of a section.

use serde_json::Value;

use crate::error::Problem;
use crate::node::Node;
use crate::row::join;
use crate::value::{self, given};
use crate::{Kind, Section};

impl Section {
    /// Notes that the value of a key is not allowed after all: for checks that span keys.
    /// `expected` completes the words "allowed is". A key that is already known to be wrong is
    /// not reported again.
    pub fn reject(&mut self, key: &str, expected: impl Into<String>) {
        let path = join(&self.path, key);
        if self.findings.spoil(&path) {
            return;
        }
        let Some(known) = self.key(key) else { return };
        let (found, place) = match (given(&self.own, key), given(&self.base, key)) {
            (Some(node), _) => (node.brief(), node.place),
            (None, Some(node)) => (format!("{} (not set here)", node.brief()), self.place),
            (None, None) if known.default == "none" => {
                let problem = Problem::Missing {
                    expected: expected.into(),
                };
                return self.findings.error(&path, self.place, problem);
            }
            (None, None) => (format!("{} (the default)", known.default), self.place),
        };
        self.findings
            .error(&path, place, Problem::not_allowed(found, expected));
    }

    /// Rejects `key` unless its value is greater than that of `than`. The value of a list is its
    /// greatest, defaults count, and what is off or wrong by itself is not compared.
    pub fn greater(&mut self, key: &str, than: &str) {
        if let Some((value, other)) = self.compared(key, than)
            && value <= other
        {
            self.reject(key, format!("an integer greater than {than} ({other})"));
        }
    }

    /// Rejects `key` unless its value is at least that of `other`, as [`Section::greater`]
    /// compares.
    pub fn at_least(&mut self, key: &str, other: &str) {
        if let Some((value, least)) = self.compared(key, other)
            && value < least
        {
            self.reject(key, format!("an integer of at least {other} ({least})"));
        }
    }

    fn compared(&self, key: &str, other: &str) -> Option<(u64, u64)> {
        // Where both come from around an override, they are compared there.
        if self.around.is_some() && !self.gives(key) && !self.gives(other) {
            return None;
        }
        Some((self.greatest(key)?, self.greatest(other)?))
    }

    /// The number that a key stands for in a comparison: given, inherited or default.
    fn greatest(&self, key: &str) -> Option<u64> {
        let known = self.key(key)?;
        let inherited = self.around.as_ref().filter(|_| !self.gives(key));
        let path = inherited.unwrap_or(&self.path);
        if self.findings.spoil(&join(path, key)) {
            return None;
        }
        let default;
        let node = match given(&self.own, key).or_else(|| given(&self.base, key)) {
            Some(node) => node,
            None => {
                let value: Value = serde_json::from_str(known.default).ok()?;
                default = Node::from_value(&value).ok()?;
                &default
            }
        };
        match known.kind.value() {
            Kind::Integers { .. } => value::wholes(node)?.last().copied(),
            _ => value::whole(node).map(|whole| whole.value),
        }
    }
}
