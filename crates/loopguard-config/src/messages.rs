//! Own texts with placeholders.

use std::collections::BTreeMap;

use crate::nearest;

/// A text with placeholders such as `{tool}`; `{{` and `}}` stand for the braces themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl Template {
    /// The text with each placeholder replaced by its value, given as pairs of name and value.
    ///
    /// The values are taken as they are: braces in them mean nothing. A placeholder without a
    /// value becomes nothing; which ones there can be is checked when the text is loaded.
    #[must_use]
    pub fn render(&self, values: &[(&str, &str)]) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            text.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Placeholder(name) => {
                    let value = values.iter().find(|(known, _)| known == name);
                    value.map_or("", |(_, value)| value)
                }
            });
        }
        text
    }

    /// Whether the text uses that placeholder: a costly value need not be made in vain.
    #[must_use]
    pub fn uses(&self, placeholder: &str) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Placeholder(name) if name == placeholder))
    }

    /// Reads a text that may use these placeholders; the error is a fragment for a message.
    pub(crate) fn parse(text: &str, placeholders: &[&str]) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            let end = rest
                .find(['{', '}'])
                .filter(|end| &rest[*end..=*end] == "}");
            let (Some(end), "{") = (end, brace) else {
                return Err(format!(
                    "unbalanced {brace:?}; a brace itself is written {brace}{brace}"
                ));
            };
            let name = &rest[..end];
            if !placeholders.contains(&name) {
                return Err(unknown_placeholder(name, placeholders));
            }
            if !literal.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut literal)));
            }
            pieces.push(Piece::Placeholder(name.to_owned()));
            rest = &rest[end + 1..];
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Self { pieces })
    }
}

fn unknown_placeholder(name: &str, placeholders: &[&str]) -> String {
    let name: String = name.chars().take(40).collect();
    match nearest(&name, placeholders.iter().copied()) {
        Some(near) => format!("unknown placeholder \"{{{name}}}\"; did you mean \"{{{near}}}\"?"),
        None => format!("unknown placeholder \"{{{name}}}\""),
    }
}

/// Own texts by notice code; the default has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    pub(crate) texts: BTreeMap<String, Template>,
}

impl Messages {
    /// The own text for a code, if there is one.
    #[must_use]
    pub fn get(&self, code: &str) -> Option<&Template> {
        self.texts.get(code)
    }

    /// Whether there is no own text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["tool", "count"];

    fn rendered(text: &str) -> String {
        let template = Template::parse(text, KNOWN).unwrap();
        template.render(&[("tool", "read {count}"), ("count", "3")])
    }

    fn refused(text: &str) -> String {
        Template::parse(text, KNOWN).unwrap_err()
    }

    #[test]
    fn placeholders_are_replaced_once() {
        assert_eq!(rendered("{tool} × {count}"), "read {count} × 3");
        assert_eq!(rendered("{count}{count}"), "33");
        assert_eq!(rendered(""), "");
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(rendered("{{tool}} {{{count}}}"), "{tool} {3}");
        assert_eq!(rendered("}}{{"), "}{");
    }

    #[test]
    fn mistakes_are_found_at_load() {
        assert_eq!(
            refused("{tol}"),
            "unknown placeholder \"{tol}\"; did you mean \"{tool}\"?"
        );
        assert_eq!(refused("{}"), "unknown placeholder \"{}\"");
        for text in [
            "{", "}", "a } b", "{tool", "{to{ol}", "{{{", "}}}", "{tool}}",
        ] {
            assert!(refused(text).starts_with("unbalanced"), "{text}");
        }
    }

    #[test]
    fn there_are_no_own_texts_until_one_is_given() {
        let mut own = Messages::default();
        assert!(own.is_empty() && own.get("again").is_none());
        let template = Template::parse("{tool}", KNOWN).unwrap();
        own.texts.insert("again".to_owned(), template);
        assert!(!own.is_empty() && own.get("again").is_some());
    }

    #[test]
    fn a_template_knows_what_it_uses() {
        let template = Template::parse("{tool}", KNOWN).unwrap();
        assert!(template.uses("tool") && !template.uses("count"));
    }
}
