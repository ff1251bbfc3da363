//! Cutting texts by UTF-16 units, the units in which every cap is given.

use crate::scan;
use crate::text;

/// How many UTF-16 units a text has.
#[must_use]
pub fn utf16_len(text: &str) -> u64 {
    scan::utf16_units(text.as_bytes())
}

/// The first `max_units` UTF-16 units of a text that is longer than that, else `None`.
///
/// Where the cut would split a surrogate pair it falls before the pair. Only the shown part
/// is looked at, however long the text is.
///
/// ```
/// use loopguard_canonical::cut;
///
/// assert_eq!(cut("loop", 4), None);
/// assert_eq!(cut("loops", 4), Some("loop"));
/// assert_eq!(cut("a😀b", 2), Some("a"));
/// ```
#[must_use]
pub fn cut(text: &str, max_units: u64) -> Option<&str> {
    // No character has more units than bytes.
    if text.len() as u64 <= max_units {
        return None;
    }
    let bytes = text.as_bytes();
    let (mut at, mut room) = (0, max_units);
    // Whole blocks first: no block of 64 bytes has more than 64 units.
    while room >= 64
        && let Some(block) = bytes.get(at..at + 64)
    {
        room -= scan::utf16_units(block);
        at += 64;
    }
    // A block may end inside a character, whose units were counted at its first byte.
    while !text.is_char_boundary(at) {
        at += 1;
    }
    for (offset, c) in text[at..].char_indices() {
        let units = c.len_utf16() as u64;
        if units > room {
            return Some(&text[..at + offset]);
        }
        room -= units;
    }
    None
}

/// The longest text that [`text_preview`] quotes, in UTF-16 units.
const TEXT_PREVIEW_UNITS: u64 = 160;

/// A text as it is quoted back: white space runs are one blank, outer white space goes, and
/// what is longer than 160 UTF-16 units is cut there and ends in `…`.
///
/// White space is what it is in JavaScript. Of a long text only the head is looked at.
///
/// ```
/// assert_eq!(loopguard_canonical::text_preview(" tests \r\n\t passed\n"), "tests passed");
/// ```
#[must_use]
pub fn text_preview(text: &str) -> String {
    let mut quoted = String::new();
    let mut rest = text;
    loop {
        while let Some(blank) = text::leading_blank(rest.as_bytes()) {
            rest = &rest[blank..];
        }
        let Some(first) = rest.chars().next() else {
            return quoted;
        };
        // Only now is it known that the white space was not at the end.
        if !quoted.is_empty() {
            quoted.push(' ');
        }
        quoted.push(first);
        rest = &rest[first.len_utf8()..];
        for c in rest.chars() {
            if text::leading_blank(rest.as_bytes()).is_some() {
                break;
            }
            quoted.push(c);
            rest = &rest[c.len_utf8()..];
            if quoted.len() as u64 > 4 * TEXT_PREVIEW_UNITS {
                break;
            }
        }
        if let Some(shown) = cut(&quoted, TEXT_PREVIEW_UNITS) {
            let shown = shown.len();
            quoted.truncate(shown);
            quoted.push('…');
            return quoted;
        }
    }
}
