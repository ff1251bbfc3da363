//! What a guard says, in which language, and in whose words.

use crate::{Messages, Template};

/// The language of the guards' texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// One text of a guard: the words that it has for one code, and what may stand in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Words {
    /// The code of the notice or denial.
    pub code: &'static str,
    /// The placeholders that a text of this code may use.
    pub placeholders: &'static [&'static str],
    /// The English text.
    pub en: &'static str,
    /// The Chinese text; none where the English one is given to the letter.
    pub zh: Option<&'static str>,
}

impl Words {
    /// A text in English only.
    #[must_use]
    pub const fn new(
        code: &'static str,
        placeholders: &'static [&'static str],
        en: &'static str,
    ) -> Self {
        Self {
            code,
            placeholders,
            en,
            zh: None,
        }
    }

    /// The same text in Chinese.
    #[must_use]
    pub const fn zh(mut self, zh: &'static str) -> Self {
        self.zh = Some(zh);
        self
    }
}

/// What is said under a code that a guard has no words for.
const NO_WORDS: Words = Words::new("", &[], "");

/// What a guard says: its own words in one language, or those that a configuration puts in
/// their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    words: &'static [Words],
    language: Language,
    own: Messages,
}

impl Wording {
    /// The words of a guard; `own` ones come first.
    #[must_use]
    pub fn new(words: &'static [Words], language: Language, own: Messages) -> Self {
        Self {
            words,
            language,
            own,
        }
    }

    /// Whether the configuration has own words for a code.
    #[must_use]
    pub fn has_own(&self, code: &str) -> bool {
        self.own.get(code).is_some()
    }

    /// The text for a code, with each placeholder replaced by its value, given as pairs of name
    /// and value. A code without words is a mistake in the guard: it fails in a debug build and
    /// is the empty text in a release build.
    #[must_use]
    pub fn text(&self, code: &str, values: &[(&str, &str)]) -> String {
        if let Some(own) = self.own.get(code) {
            return own.render(values);
        }
        let words = self.words.iter().find(|words| words.code == code);
        debug_assert!(words.is_some(), "there are no words for {code:?}");
        let words = words.unwrap_or(&NO_WORDS);
        let text = match self.language {
            Language::En => words.en,
            Language::Zh => words.zh.unwrap_or(words.en),
        };
        let template = Template::parse(text, words.placeholders);
        debug_assert!(
            template.is_ok(),
            "the words for {code:?} use other placeholders"
        );
        template.map_or_else(|_| text.to_owned(), |template| template.render(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[Words] = &[
        Words::new("again", &["tool"], "{tool} again").zh("又是 {tool}"),
        Words::new("literal", &[], "to the letter"),
    ];

    #[test]
    fn words_are_in_english_until_they_are_translated() {
        let words = Words::new("again", &["tool"], "{tool} again");
        assert_eq!((words.zh, words.zh("又是 {tool}")), (None, WORDS[0]));
    }

    #[test]
    fn own_words_come_before_the_language_and_that_before_english() {
        let said = |language, own: Messages, code| {
            Wording::new(WORDS, language, own).text(code, &[("tool", "ls")])
        };
        assert_eq!(said(Language::En, Messages::default(), "again"), "ls again");
        assert_eq!(said(Language::Zh, Messages::default(), "again"), "又是 ls");
        assert_eq!(
            said(Language::Zh, Messages::default(), "literal"),
            "to the letter"
        );
        let template = Template::parse("stop {tool}", &["tool"]).unwrap();
        let own = Messages {
            texts: [("again".to_owned(), template)].into(),
        };
        assert_eq!(said(Language::Zh, own, "again"), "stop ls");
    }
}
