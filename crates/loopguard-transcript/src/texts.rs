//! The text blocks of an event: mostly one, so that one needs no list.

use std::borrow::Cow;
use std::ops::Deref;
use std::slice;

/// The text blocks of a message or result, in order. Dereferences to a slice.
#[derive(Clone, Default)]
pub struct Texts<'a>(Repr<'a>);

#[derive(Clone, Default)]
enum Repr<'a> {
    #[default]
    None,
    One(Cow<'a, str>),
    Many(Vec<Cow<'a, str>>),
}

impl<'a> Texts<'a> {
    /// No text at all.
    #[must_use]
    pub const fn new() -> Self {
        Self(Repr::None)
    }

    /// A single block.
    #[must_use]
    pub const fn one(text: Cow<'a, str>) -> Self {
        Self(Repr::One(text))
    }

    /// Adds a block at the end.
    pub fn push(&mut self, text: Cow<'a, str>) {
        self.0 = match std::mem::take(&mut self.0) {
            Repr::None => Repr::One(text),
            Repr::One(first) => Repr::Many(vec![first, text]),
            Repr::Many(mut texts) => {
                texts.push(text);
                Repr::Many(texts)
            }
        };
    }

    /// All blocks as one text, separated by line breaks; borrowed where there is one block.
    #[must_use]
    pub fn joined(&self) -> Cow<'_, str> {
        match &**self {
            [] => Cow::Borrowed(""),
            [text] => Cow::Borrowed(text),
            texts => Cow::Owned(texts.join("\n")),
        }
    }
}

impl<'a> Deref for Texts<'a> {
    type Target = [Cow<'a, str>];

    fn deref(&self) -> &Self::Target {
        match &self.0 {
            Repr::None => &[],
            Repr::One(text) => slice::from_ref(text),
            Repr::Many(texts) => texts,
        }
    }
}

impl<'a> IntoIterator for Texts<'a> {
    type Item = Cow<'a, str>;
    type IntoIter =
        std::iter::Chain<std::option::IntoIter<Cow<'a, str>>, std::vec::IntoIter<Cow<'a, str>>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self.0 {
            Repr::None => (None, Vec::new()),
            Repr::One(text) => (Some(text), Vec::new()),
            Repr::Many(texts) => (None, texts),
        };
        one.into_iter().chain(many)
    }
}

impl<'a, T: Into<Cow<'a, str>>> FromIterator<T> for Texts<'a> {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut all = Self::new();
        for text in texts {
            all.push(text.into());
        }
        all
    }
}

impl<'a> From<&'a str> for Texts<'a> {
    fn from(text: &'a str) -> Self {
        Self::one(Cow::Borrowed(text))
    }
}

impl PartialEq for Texts<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Texts<'_> {}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
