//! What must not be quoted.

use std::borrow::Cow;

use regex::Regex;

/// What stands where something was taken out.
pub const REDACTED: &str = "[redacted]";

/// Patterns whose matches become [`REDACTED`] in every preview, message and saved text. The
/// comparison of calls and texts never sees it.
#[derive(Clone, Debug, Default)]
pub struct Redaction(Vec<Regex>);

impl Redaction {
    /// Takes out what these patterns match.
    pub fn new(patterns: Vec<Regex>) -> Self {
        Self(patterns)
    }

    /// Whether there is anything to look for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text without what must not be quoted; a copy only where something matches.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.iter().fold(Cow::Borrowed(text), |text, pattern| {
            match pattern.replace_all(&text, regex::NoExpand(REDACTED)) {
                Cow::Borrowed(_) => text,
                Cow::Owned(text) => Cow::Owned(text),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_of_every_pattern_goes() {
        let patterns = ["sk-[a-z0-9]+", "(?i)password=\\S+"];
        let redaction = Redaction::new(
            patterns
                .map(|pattern| Regex::new(pattern).unwrap())
                .to_vec(),
        );
        let text = redaction.apply("curl -H sk-a1b2 PASSWORD=$1 sk-0");
        assert_eq!(text, "curl -H [redacted] [redacted] [redacted]");
        assert!(matches!(
            redaction.apply("nothing here"),
            Cow::Borrowed("nothing here")
        ));
    }
}
