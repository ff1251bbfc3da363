//! The order in which JavaScript prints deep-sorted keys.

use std::cmp::Ordering;

/// Compares two keys, given as WTF-8: array indices first, by number, then the others by
/// UTF-16 code units.
#[inline]
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let may_be_index = |key: &[u8]| key.first().is_some_and(u8::is_ascii_digit);
    if may_be_index(a) || may_be_index(b) {
        match (index(a), index(b)) {
            (Some(a), Some(b)) => return a.cmp(&b),
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            (None, None) => {}
        }
    }
    compare_units(a, b)
}

/// The array index that a key is: a number up to 2^32 - 2 as it is printed.
fn index(key: &[u8]) -> Option<u32> {
    if key.len() > 10 || key.is_empty() || (key[0] == b'0' && key.len() > 1) {
        return None;
    }
    let number = key.iter().try_fold(0, |sum: u64, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + u64::from(digit - b'0'))
    })?;
    u32::try_from(number)
        .ok()
        .filter(|&number| number != u32::MAX)
}

/// Compares by UTF-16 code units without transcoding.
///
/// The order of bytes is that of code points, and differs only where a surrogate, which
/// stands for what is beyond U+FFFF or for itself, meets something from U+E000 on.
#[inline]
fn compare_units(a: &[u8], b: &[u8]) -> Ordering {
    let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else {
        return a.len().cmp(&b.len());
    };
    if a[at] < 0xed || b[at] < 0xed {
        return a[at].cmp(&b[at]);
    }
    // Both are first bytes of characters, for no later byte is so large.
    units(&a[at..]).cmp(units(&b[at..]))
}

/// The UTF-16 code units of WTF-8.
fn units(text: &[u8]) -> impl Iterator<Item = u16> {
    let mut rest = text;
    let mut low = None;
    std::iter::from_fn(move || {
        if let Some(low) = low.take() {
            return Some(low);
        }
        let (&first, _) = rest.split_first()?;
        let length = match first {
            0..=0xbf => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0.. => 4,
        };
        let (character, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        let lead = u32::from(first) & (0xff >> (length + 1).min(7));
        let lead = if length == 1 { u32::from(first) } else { lead };
        let point = character[1..]
            .iter()
            .fold(lead, |point, byte| point << 6 | u32::from(byte & 0x3f));
        if point < 0x1_0000 {
            return Some(point as u16);
        }
        let point = point - 0x1_0000;
        low = Some(0xdc00 | (point & 0x3ff) as u16);
        Some(0xd800 | (point >> 10) as u16)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unescape::{Buffer, unescape_into};

    #[test]
    fn array_indices_come_first_and_in_numeric_order() {
        let ordered = [
            "0",
            "7",
            "9",
            "10",
            "4294967294",
            "",
            "-1",
            "00",
            "01",
            "1.5",
            "4294967295",
            "9a",
            "a",
        ];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(compare(a.as_bytes(), b.as_bytes()), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn other_keys_are_ordered_by_utf16_units() {
        let raw = [
            "",
            "a",
            "ab",
            "é",
            "€",
            r"\ud7ff",
            r"\ud800",
            r"\ud800a",
            r"\ud800\udc00",
            r"\ud800\udc00a",
            r"\ud800\ud7ff",
            r"\ud83d",
            r"\ud83d\ude00",
            r"\ud83d\ue000",
            r"\udbff\udfff",
            r"\udc00",
            r"\udfff",
            r"\ue000",
            r"\uffff",
            r"x\ud83d\ude00",
            r"x\ufffd",
        ];
        let keys = raw.map(|raw| {
            let mut key = Vec::new();
            let text = format!("{raw}\"");
            unescape_into(text.as_bytes(), 0, &mut Buffer::default(), &mut key).unwrap();
            let units: Vec<u16> = units(&key).collect();
            (key, units)
        });
        for (a, a_units) in &keys {
            for (b, b_units) in &keys {
                assert_eq!(compare_units(a, b), a_units.cmp(b_units), "{a:x?} {b:x?}");
            }
        }
        let text = "aé€😀\u{10ffff}";
        assert!(units(text.as_bytes()).eq(text.encode_utf16()));
    }
}
