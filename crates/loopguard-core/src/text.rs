//! A text block with its fingerprint, computed when first asked for.

use std::cell::Cell;

use loopguard_canonical::{Fingerprint, Seed, text_preview, utf16_len};

use crate::Redaction;

/// One block of text, of a message or of a tool's result.
///
/// Its fingerprint (of the normalised text) is computed at most once for all guards, and
/// never where none of them asks.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    text: &'a str,
    seed: Seed,
    fingerprint: Cell<Option<Fingerprint>>,
    redaction: Option<&'a Redaction>,
}

impl<'a> Text<'a> {
    /// A block whose fingerprint is taken under `seed`.
    #[inline]
    pub fn new(seed: Seed, text: &'a str) -> Self {
        Self {
            text,
            seed,
            fingerprint: Cell::new(None),
            redaction: None,
        }
    }

    /// Says what previews of the text must not quote.
    #[must_use]
    #[inline]
    pub fn redacted_by(mut self, redaction: &'a Redaction) -> Self {
        self.redaction = Some(redaction).filter(|redaction| !redaction.is_empty());
        self
    }

    /// What is quoted back: white space runs become one blank, at most 160 UTF-16 units, then
    /// `…`.
    pub fn preview(&self) -> String {
        match self.redaction {
            Some(redaction) => text_preview(&redaction.apply(self.text)),
            None => text_preview(self.text),
        }
    }

    /// Another text, to be treated like this one.
    pub fn with_text<'b>(&self, text: &'b str) -> Text<'b>
    where
        'a: 'b,
    {
        Text {
            text,
            seed: self.seed,
            fingerprint: Cell::new(None),
            redaction: self.redaction,
        }
    }

    /// Whether something must not be quoted from it.
    #[inline]
    pub fn is_redacted(&self) -> bool {
        self.redaction.is_some()
    }

    /// The text as it came.
    #[inline]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// The fingerprint of the normalised text.
    #[inline]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.get().unwrap_or_else(|| {
            let fingerprint = Fingerprint::of_text(self.seed, self.text);
            self.fingerprint.set(Some(fingerprint));
            fingerprint
        })
    }

    /// Whether the raw text has at least `units` UTF-16 code units; counts no further than
    /// it has to.
    #[inline]
    pub fn has_units(&self, units: u64) -> bool {
        let bytes = self.text.len() as u64;
        // A UTF-16 unit takes one to three bytes of UTF-8, so most texts need no counting.
        bytes >= units && (bytes / 3 >= units || utf16_len(self.text) >= units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_utf16_code_units_of_the_raw_text() {
        for (text, units) in [
            ("", 0),
            ("abc", 3),
            ("é中", 2),
            ("😀", 2),
            (" x ", 3),
            ("中中中", 3),
        ] {
            let text = Text::new(Seed::FIXED, text);
            assert!(text.has_units(units), "{text:?}");
            assert!(!text.has_units(units + 1), "{text:?}");
        }
    }

    #[test]
    fn the_fingerprint_is_that_of_the_normalised_text() {
        let one = Text::new(Seed::FIXED, "a \r\nb");
        let other = Text::new(Seed::FIXED, "\ta\nb\n");
        assert_eq!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.fingerprint(), one.fingerprint());
        assert_ne!(
            one.fingerprint(),
            Text::new(Seed::FIXED, "a b").fingerprint()
        );
    }
}
