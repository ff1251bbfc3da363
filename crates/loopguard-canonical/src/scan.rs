//! Looking for the few bytes that matter, many at a time.

use wide::u8x16;

/// How many bytes are looked at together in long runs. Such a block compiles to vector
/// instructions where the target has them.
const BLOCK: usize = 64;

/// The same for runs that are shorter than that.
const SHORT_BLOCK: usize = 16;

/// Whether a byte ends a run of plain characters inside a JSON string.
#[inline(always)]
pub(crate) const fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// How many bytes [`plain_in`] looks at.
pub(crate) const CHUNK: usize = 16;

/// Where the first quote, backslash or control character stands, from `at` on; the length
/// of the text if there is none.
#[inline]
pub(crate) fn special(text: &[u8], mut at: usize) -> usize {
    // Most strings are short: chunks first, blocks only for what is long.
    let mut chunks = 0;
    while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let plain = plain_in(chunk);
        if plain < CHUNK {
            return at + plain;
        }
        // A step of constant length does not wait for the count.
        at += CHUNK;
        chunks += 1;
        if chunks == 4 {
            at = skip_blocks(text, at);
        }
    }
    while at < text.len() && !is_special(text[at]) {
        at += 1;
    }
    at
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

/// How many bytes at the head of a chunk are plain.
#[inline(always)]
pub(crate) fn plain_in(chunk: &[u8; CHUNK]) -> usize {
    let bytes = u8x16::new(*chunk);
    let is = |byte| bytes.simd_eq(u8x16::splat(byte));
    let is_control = bytes.simd_eq(bytes.min(u8x16::splat(0x1f)));
    let special = (is(b'"') | is(b'\\') | is_control).to_bitmask();
    // Without any, the first bit behind the chunk is the first.
    (special | 1 << CHUNK).trailing_zeros() as usize
}

/// Whether a text has a CR, or a blank or tab right before a LF.
pub(crate) fn has_loose_line_end(text: &[u8]) -> bool {
    if text.last() == Some(&b'\r') {
        return true;
    }
    if text.len() > BLOCK {
        has_loose_pair::<BLOCK>(text)
    } else if text.len() > SHORT_BLOCK {
        has_loose_pair::<SHORT_BLOCK>(text)
    } else {
        text.windows(2).any(|pair| is_loose(pair[0], pair[1]))
    }
}

/// Looks at blocks of bytes beside the same blocks one byte on, in a text longer than a block;
/// the last block overlaps the one before rather than leaving a tail.
fn has_loose_pair<const N: usize>(text: &[u8]) -> bool {
    let last = text.len() - 1 - N;
    let is_found = |at: usize| {
        let nexts = text[at + 1..].first_chunk::<N>();
        let blocks = text[at..].first_chunk::<N>().zip(nexts);
        blocks.is_some_and(|(bytes, nexts)| {
            let mut found = false;
            for i in 0..N {
                found |= is_loose(bytes[i], nexts[i]);
            }
            found
        })
    };
    (0..last).step_by(N).any(is_found) || is_found(last)
}

#[inline(always)]
const fn is_loose(byte: u8, next: u8) -> bool {
    (byte == b'\r') | ((byte == b' ') | (byte == b'\t')) & (next == b'\n')
}

/// How many UTF-16 units the characters of UTF-8 bytes have.
pub(crate) fn utf16_units(text: &[u8]) -> u64 {
    sum(text, character_units)
}

/// How many UTF-16 units WTF-8 bytes have as the inside of a JSON string, lone surrogates
/// aside.
pub(crate) fn escaped_units(text: &[u8]) -> u64 {
    sum(text, |byte| {
        // `\u0000` is six units; `\n` and its like, 8 to 13 but for 11, are two.
        let short = (byte.wrapping_sub(8) < 6) & (byte != 11);
        let backslash = (byte == b'"') | (byte == b'\\') | short;
        let control = (byte < 0x20) & !short;
        character_units(byte) + u8::from(backslash) + 5 * u8::from(control)
    })
}

/// One for each byte that begins a character, one more for each that begins one of four
/// bytes.
#[inline(always)]
const fn character_units(byte: u8) -> u8 {
    (byte as i8 >= -64) as u8 + (byte >= 0xf0) as u8
}

/// Sums what `units` gives for each byte, which is at most six, and zero for 0x80.
#[inline(always)]
fn sum(text: &[u8], units: impl Fn(u8) -> u8) -> u64 {
    const LANES: usize = 32;
    // Most pieces are punctuation.
    if text.len() < 4 {
        return text.iter().map(|&byte| u64::from(units(byte))).sum();
    }
    // Lane by lane, which compiles to vector instructions.
    let add = |lanes: &mut [u8; LANES], block: &[u8; LANES]| {
        for (lane, &byte) in lanes.iter_mut().zip(block) {
            *lane += units(byte);
        }
    };
    let (blocks, tail) = text.as_chunks::<LANES>();
    let mut last = [0x80; LANES];
    last[..tail.len()].copy_from_slice(tail);
    let mut lanes = [0; LANES];
    add(&mut lanes, &last);
    let mut total = 0;
    // 42 times 6 fits into a byte, one of them the last block.
    for blocks in blocks.chunks(41) {
        for block in blocks {
            add(&mut lanes, block);
        }
        total += across(&std::mem::take(&mut lanes));
    }
    total + across(&lanes)
}

/// The sum of all lanes.
#[inline(always)]
fn across(lanes: &[u8; 32]) -> u64 {
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    let (words, _) = lanes.as_chunks::<8>();
    words
        .iter()
        .map(|word| {
            let word = u64::from_le_bytes(*word);
            let pairs = (word & PAIRS) + (word >> 8 & PAIRS);
            pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
        })
        .sum()
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
