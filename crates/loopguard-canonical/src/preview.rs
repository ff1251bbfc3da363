//! Cutting texts by UTF-16 units.

/// How many UTF-16 units a text has.
#[must_use]
pub fn utf16_len(text: &str) -> u64 {
    text.chars().map(|c| c.len_utf16() as u64).sum()
}

/// The first `max_units` UTF-16 units of a text that is longer, else `None`.
///
/// Where the cut would split a surrogate pair, it falls before the pair.
#[must_use]
pub fn cut(text: &str, max_units: u64) -> Option<&str> {
    let mut room = max_units;
    for (at, c) in text.char_indices() {
        let units = c.len_utf16() as u64;
        if units > room {
            return Some(&text[..at]);
        }
        room -= units;
    }
    None
}

/// The longest text that [`text_preview`] shows, in UTF-16 units.
const TEXT_PREVIEW_UNITS: u64 = 160;

/// A text as it is quoted back.
#[must_use]
pub fn text_preview(text: &str) -> String {
    let joined = text
        .split(char::is_whitespace)
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>();
    let joined = joined.join(" ");
    match cut(&joined, TEXT_PREVIEW_UNITS) {
        None => joined,
        Some(shown) => format!("{shown}…"),
    }
}
