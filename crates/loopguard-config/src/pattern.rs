//! One pattern over names.

use std::fmt;

use serde::{Serialize, Serializer};

/// A pattern over whole names in which `*` stands for any run of characters, including none
/// and including line breaks; every other character stands for itself.
///
/// Matching allocates nothing, and takes time in proportion to the length of the pattern times
/// that of the name at worst.
///
/// ```
/// use loopguard_config::NamePattern;
///
/// let pattern = NamePattern::new("mcp__*__read");
/// assert!(pattern.matches("mcp__files__read"));
/// assert!(!pattern.matches("mcp__files__read_all"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamePattern {
    text: Box<str>,
}

impl NamePattern {
    /// The pattern of that text. Every text is a pattern; the empty one matches only the
    /// empty name.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into() }
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the whole name matches.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        // Bytes suffice: each literal part is whole characters, and in UTF-8 the bytes of one
        // character never occur at an odd place inside others, so a `*` takes whole ones too.
        let (pattern, name) = (self.text.as_bytes(), name.as_bytes());
        let (mut p, mut n) = (0, 0);
        // Where to go on when the literal part after the last `*` does not fit: that `*` takes
        // one byte more. Earlier ones need no second try, since the shortest run that they
        // took leaves the most to the rest.
        let mut retry: Option<(usize, usize)> = None;
        while n < name.len() {
            match pattern.get(p) {
                Some(b'*') => {
                    p += 1;
                    retry = Some((p, n));
                }
                Some(byte) if *byte == name[n] => {
                    p += 1;
                    n += 1;
                }
                _ => {
                    let Some((after_star, from)) = retry else {
                        return false;
                    };
                    p = after_star;
                    n = from + 1;
                    retry = Some((after_star, n));
                }
            }
        }
        pattern[p..].iter().all(|byte| *byte == b'*')
    }
}

impl From<&str> for NamePattern {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for NamePattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(
            NamePattern::new(pattern).matches(name),
            expected,
            "{pattern:?} on {name:?}"
        );
    }

    #[test]
    fn literals_match_themselves_only() {
        check("read", "read", true);
        check("read", "Read", false);
        check("read", "reads", false);
        check("read", "rea", false);
        check("a.c[d](e)?+^$|\\", "a.c[d](e)?+^$|\\", true);
        check("a.c", "abc", false);
        check("?", "a", false);
    }

    #[test]
    fn a_star_is_any_run() {
        check("*", "", true);
        check("*", "a\nb\r\n", true);
        check("a*", "a", true);
        check("a*c", "abcbc", true);
        check("a*c", "abcb", false);
        check("*ab*ab*", "abab", true);
        check("*ab*ab*", "aba", false);
        check("**", "x", true);
        check("*\u{e9}", "caf\u{e9}", true);
    }

    #[test]
    fn the_empty_pattern_matches_the_empty_name() {
        check("", "", true);
        check("", "a", false);
        check("a", "", false);
    }

    #[test]
    fn many_stars_stay_quick() {
        let pattern = NamePattern::new(&"a*".repeat(200));
        assert!(!pattern.matches(&format!("{}b", "b".repeat(20_000))));
        let name = "a".repeat(20_000);
        assert!(pattern.matches(&name));
        assert!(!NamePattern::new(&format!("{}b", "a*".repeat(200))).matches(&name));
    }

    #[test]
    fn a_pattern_is_shown_and_saved_as_it_was_written() {
        let pattern = NamePattern::from("mcp__*");
        assert_eq!(
            (pattern.as_str(), pattern.to_string().as_str()),
            ("mcp__*", "mcp__*")
        );
        assert_eq!(serde_json::to_value(&pattern).unwrap(), "mcp__*");
    }
}
