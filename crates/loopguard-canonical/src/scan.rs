//! Looking for the few bytes that matter, many at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many bytes are looked at together in long runs. Such a block compiles to vector
/// instructions where the target has them.
const BLOCK: usize = 64;

/// Whether a byte ends a run of plain characters inside a JSON string.
#[inline(always)]
pub(crate) const fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// Where the first quote, backslash or control character stands, from `at` on; the length
/// of the text if there is none.
#[inline]
pub(crate) fn special(text: &[u8], mut at: usize) -> usize {
    // Most strings are short: words first, blocks only for what is long.
    let mut words = 0;
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let found = special_mask(u64::from_le_bytes(*word));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        if words == 8 {
            at = skip_blocks(text, at);
        }
    }
    while at < text.len() && !is_special(text[at]) {
        at += 1;
    }
    at
}

/// The high bit of each special byte; bits above the first may be wrong.
#[inline(always)]
const fn special_mask(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20);
    let zero = quote.wrapping_sub(ONES) & !quote | backslash.wrapping_sub(ONES) & !backslash;
    (zero | control & !word) & HIGHS
}

#[inline(never)]
fn skip_blocks(text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        if block
            .iter()
            .fold(false, |found, &byte| found | is_special(byte))
        {
            break;
        }
        at += BLOCK;
    }
    at
}

/// Where the first backslash stands; the length of the text if there is none.
#[inline]
pub(crate) fn backslash(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word) ^ (ONES * b'\\' as u64);
        let found = word.wrapping_sub(ONES) & !word & HIGHS;
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < text.len() && text[at] != b'\\' {
        at += 1;
    }
    at
}

/// Whether a text has a CR, or a blank or tab right before a LF.
pub(crate) fn has_loose_line_end(text: &[u8]) -> bool {
    let mut at = 0;
    // One byte more than the block, so that each byte sees its neighbour.
    while let Some(block) = text
        .get(at..)
        .and_then(<[u8]>::first_chunk::<{ BLOCK + 1 }>)
    {
        let mut found = false;
        for i in 0..BLOCK {
            found |= is_loose(block[i], block[i + 1]);
        }
        if found {
            return true;
        }
        at += BLOCK;
    }
    let tail = &text[at..];
    tail.windows(2).any(|pair| is_loose(pair[0], pair[1])) || tail.last() == Some(&b'\r')
}

#[inline(always)]
const fn is_loose(byte: u8, next: u8) -> bool {
    (byte == b'\r') | ((byte == b' ') | (byte == b'\t')) & (next == b'\n')
}

/// How many UTF-16 units the characters of UTF-8 bytes have.
pub(crate) fn utf16_units(text: &[u8]) -> u64 {
    sum(text, |byte| {
        u8::from(byte as i8 >= -64) + u8::from(byte >= 0xf0)
    })
}

/// How many UTF-16 units WTF-8 bytes have as the inside of a JSON string, lone surrogates
/// aside.
pub(crate) fn escaped_units(text: &[u8]) -> u64 {
    sum(text, |byte| {
        let short = (8..=13).contains(&byte) & (byte != 11);
        let mut units = u8::from(byte as i8 >= -64) + u8::from(byte >= 0xf0);
        units += u8::from(byte == b'"') + u8::from(byte == b'\\');
        units += 5 * u8::from(byte < 0x20) - 4 * u8::from(short);
        units
    })
}

/// Sums a small number (at most 6) for each byte.
#[inline(always)]
fn sum(text: &[u8], units: impl Fn(u8) -> u8) -> u64 {
    let (blocks, tail) = text.as_chunks::<32>();
    let mut total = 0;
    for block in blocks {
        // 32 times 6 fits into a byte, which lets the block be summed as bytes.
        total += u64::from(block.iter().fold(0_u8, |sum, &byte| sum + units(byte)));
    }
    total + tail.iter().map(|&byte| u64::from(units(byte))).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_wherever_it_stands() {
        for length in [0, 1, 7, 8, 9, 63, 64, 65, 130, 200, 300] {
            let plain = "é".repeat(length);
            let plain = &plain.as_bytes()[..length];
            assert_eq!(special(plain, 0), length);
            for at in 0..length {
                for byte in [b'"', b'\\', 0, 0x1f] {
                    let mut text = plain.to_vec();
                    text[at] = byte;
                    if at + 2 < length {
                        text[at + 2] = b'"';
                    }
                    for from in [0, at / 2, at] {
                        assert_eq!(special(&text, from), at);
                    }
                }
            }
        }
        assert_eq!(special(b"\x7f\x80\xff !#[]", 0), 8);
    }

    #[test]
    fn units_are_counted_as_utf16_counts_them() {
        for text in ["", "abc", "é€😀", &"a😀\"\\\n\u{1}\u{b}\u{7f}é".repeat(20)] {
            assert_eq!(
                utf16_units(text.as_bytes()),
                text.encode_utf16().count() as u64
            );
            let json = serde_json::to_string(text).unwrap();
            let inside = json.encode_utf16().count() as u64 - 2;
            assert_eq!(escaped_units(text.as_bytes()), inside);
        }
    }

    #[test]
    fn loose_line_ends_are_found_wherever_they_stand() {
        for length in [1, 2, 63, 64, 65, 66, 128, 129, 130] {
            let plain = "a\n".repeat(length)[..length].to_owned();
            assert!(!has_loose_line_end(plain.as_bytes()), "{length}");
            for at in 0..length {
                let mut text = plain.clone().into_bytes();
                text[at] = b'\r';
                assert!(has_loose_line_end(&text), "{length} {at}");
                if at + 1 < length {
                    (text[at], text[at + 1]) = (b'\t', b'\n');
                    assert!(has_loose_line_end(&text), "{length} {at}");
                }
            }
        }
    }
}
