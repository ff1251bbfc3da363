//! Which names are in and which are out.

use serde::Serialize;

use crate::NamePattern;

/// Names let in and names kept out.
///
/// No pattern to include means every name; what is excluded stays out even where it is
/// included too. The default admits every name.
///
/// ```
/// use loopguard_config::NameFilter;
///
/// let filter = NameFilter { include: vec!["read*".into()], exclude: vec!["*_all".into()] };
/// assert!(filter.admits("read_file"));
/// assert!(!filter.admits("read_all"));
/// assert!(!filter.admits("write"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize)]
pub struct NameFilter {
    /// Patterns of the names to admit; empty for all.
    pub include: Vec<NamePattern>,
    /// Patterns of the names to leave out.
    pub exclude: Vec<NamePattern>,
}

impl NameFilter {
    /// Whether a name is in.
    #[must_use]
    #[inline]
    pub fn admits(&self, name: &str) -> bool {
        let matches = |patterns: &[NamePattern]| patterns.iter().any(|p| p.matches(name));
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_by_default() {
        assert!(NameFilter::default().admits("anything"));
        assert!(NameFilter::default().admits(""));
    }

    #[test]
    fn a_filter_is_data() {
        let filter = NameFilter {
            include: vec!["a*".into()],
            exclude: vec!["".into()],
        };
        let text = serde_json::to_string(&filter).unwrap();
        assert_eq!(text, r#"{"include":["a*"],"exclude":[""]}"#);
    }
}
