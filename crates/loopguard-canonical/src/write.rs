//! Canonical text.

use crate::arguments::Arguments;

/// The canonical text.
#[must_use]
pub fn canonical_text(arguments: Arguments<'_>) -> String {
    match arguments {
        Arguments::Value(value) => value.to_string(),
        Arguments::Text(text) => text.to_owned(),
    }
}

/// The canonical text, cut.
#[must_use]
pub fn canonical_preview(arguments: Arguments<'_>, max_units: u64) -> String {
    let text = canonical_text(arguments);
    match crate::preview::cut(&text, max_units) {
        None => text,
        Some(shown) => {
            let omitted = crate::preview::utf16_len(&text) - crate::preview::utf16_len(shown);
            format!("{shown}… (+{omitted} more chars)")
        }
    }
}
