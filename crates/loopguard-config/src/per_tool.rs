//! Values that hold for all tools, and others that hold for some.

use serde::Serialize;

use crate::NamePattern;

/// Values that hold for every tool, and others that hold for some tools in their place.
///
/// Where several overrides match a tool, the first of them holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PerTool<V> {
    base: V,
    overrides: Vec<(Vec<NamePattern>, V)>,
}

impl<V> PerTool<V> {
    /// The same values for every tool.
    pub const fn new(base: V) -> Self {
        Self {
            base,
            overrides: Vec::new(),
        }
    }

    /// Other values for the tools that the patterns match, where no earlier override does.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Vec<(Vec<NamePattern>, V)>) -> Self {
        self.overrides = overrides;
        self
    }

    /// The values for a tool.
    #[inline]
    pub fn of(&self, tool: &str) -> &V {
        let matches = |patterns: &[NamePattern]| patterns.iter().any(|it| it.matches(tool));
        let found = self
            .overrides
            .iter()
            .find(|(patterns, _)| matches(patterns));
        found.map_or(&self.base, |(_, values)| values)
    }

    /// Whether something holds of the values of any tool.
    pub fn any(&self, holds: impl Fn(&V) -> bool) -> bool {
        holds(&self.base) || self.overrides.iter().any(|(_, values)| holds(values))
    }

    /// The values for every tool that no override is for.
    pub fn base(&self) -> &V {
        &self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_override_that_matches_holds() {
        let values = PerTool::new(1).with_overrides(vec![
            (vec!["poll_*".into()], 2),
            (vec!["poll_fast".into(), "x".into()], 3),
        ]);
        assert_eq!(
            [*values.of("ls"), *values.of("poll_fast"), *values.of("x")],
            [1, 2, 3]
        );
        assert_eq!(*values.base(), 1);
        assert!([1, 2, 3].iter().all(|one| values.any(|value| value == one)));
        assert!(!values.any(|value| *value > 3));
    }
}
