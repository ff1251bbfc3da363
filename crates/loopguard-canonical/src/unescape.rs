//! The characters that a JSON string stands for, as WTF-8.
//!
//! WTF-8 is UTF-8 that can also hold a lone surrogate. A pair written as two escapes is
//! always put together, so equal strings are equal bytes.

use xxhash_rust::xxh3::Xxh3;

use crate::hash::{Hash128, Hasher};
use crate::scan::{self, CHUNK};
use crate::walk::Malformed;

/// How long a buffer for [`unescape`] is.
pub(crate) const BUFFER: usize = 8 * 1024;

/// What one step puts out at most.
const STEP: usize = 32;

/// Checks the inside of a JSON string, from `at` to its closing quote, and puts out what it
/// stands for: in whole buffers to `flush`, and the rest at the head of the buffer.
///
/// Gives the place of the quote and the length of the rest.
#[inline]
pub(crate) fn unescape(
    text: &[u8],
    mut at: usize,
    buffer: &mut [u8; BUFFER],
    mut flush: impl FnMut(&[u8]),
) -> Result<(usize, usize), Malformed> {
    let mut length = 0;
    loop {
        if length > BUFFER - STEP {
            flush(&buffer[..length]);
            length = 0;
        }
        // A chunk is always copied, whatever it is; only what is plain of it is kept.
        if let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk::<CHUNK>) {
            buffer[length..length + CHUNK].copy_from_slice(chunk);
            let plain = scan::plain_in(chunk);
            // A step of constant length does not wait for the count of the last one.
            if plain == CHUNK {
                length += CHUNK;
                at += CHUNK;
                continue;
            }
            length += plain;
            at += plain;
        }
        match *text.get(at).ok_or(Malformed)? {
            b'"' => return Ok((at, length)),
            b'\\' => {}
            0..0x20 => return Err(Malformed),
            byte => {
                buffer[length] = byte;
                length += 1;
                at += 1;
                continue;
            }
        }
        // Escapes like company: none is looked for word by word that stands right here.
        while length <= BUFFER - STEP {
            let &escape = text.get(at + 1).ok_or(Malformed)?;
            if escape == b'u' {
                let (next, character, bytes) = unicode(text, at)?;
                buffer[length..length + 4].copy_from_slice(&character);
                length += bytes;
                at = next;
            } else {
                let byte = SIMPLE[usize::from(escape)];
                if byte == 0 {
                    return Err(Malformed);
                }
                buffer[length] = byte;
                length += 1;
                at += 2;
            }
            if text.get(at) != Some(&b'\\') {
                break;
            }
        }
    }
}

/// Checks the inside of a JSON string and gives the place of its closing quote.
pub(crate) fn escaped_end(text: &[u8], mut at: usize) -> Result<usize, Malformed> {
    loop {
        at = scan::special(text, at);
        match text.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => match text.get(at + 1) {
                Some(b'u') => at = unicode_unit(text, at)?.1,
                Some(&escape) if SIMPLE[usize::from(escape)] != 0 => at += 2,
                _ => return Err(Malformed),
            },
            _ => return Err(Malformed),
        }
    }
}

/// Adds to `out` what the inside of a string stands for; gives the place of the quote.
pub(crate) fn unescape_into(
    text: &[u8],
    at: usize,
    buffer: &mut Buffer,
    out: &mut Vec<u8>,
) -> Result<usize, Malformed> {
    let buffer = buffer.get();
    let (end, rest) = unescape(text, at, buffer, |piece| out.extend_from_slice(piece))?;
    out.extend_from_slice(&buffer[..rest]);
    Ok(end)
}

/// Hashes what the inside of a string stands for; gives the place of the quote too.
#[inline]
pub(crate) fn hash_unescaped(
    hasher: Hasher,
    text: &[u8],
    at: usize,
    buffer: &mut Buffer,
) -> Result<(usize, Hash128), Malformed> {
    let buffer = buffer.get();
    let mut stream = Stream::new(hasher);
    let (end, rest) = unescape(text, at, buffer, |piece| stream.update(piece))?;
    Ok((end, stream.finish(&buffer[..rest])))
}

/// Memory for [`unescape`], taken when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct Buffer(Option<Box<[u8; BUFFER]>>);

impl Buffer {
    #[inline]
    pub(crate) fn get(&mut self) -> &mut [u8; BUFFER] {
        self.0.get_or_insert_with(|| Box::new([0; BUFFER]))
    }

    pub(crate) fn size(&self) -> usize {
        self.0.as_ref().map_or(0, |_| BUFFER)
    }
}

/// Hashes bytes that come in pieces like one string.
pub(crate) struct Stream {
    hasher: Hasher,
    // Large, and seldom needed: most strings are one piece.
    state: Option<Xxh3>,
}

impl Stream {
    #[inline]
    pub(crate) fn new(hasher: Hasher) -> Self {
        Self {
            hasher,
            state: None,
        }
    }

    #[cold]
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.state
            .get_or_insert_with(|| Xxh3::with_seed(self.hasher.seed()))
            .update(piece);
    }

    #[inline]
    pub(crate) fn finish(self, last: &[u8]) -> Hash128 {
        match self.state {
            None => self.hasher.string(last),
            Some(mut state) => {
                state.update(last);
                state.digest128().into()
            }
        }
    }
}

/// What the letter after a backslash stands for; NUL where it may not stand there.
const SIMPLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0c;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};

/// What a hexadecimal digit stands for; 255 for anything else.
const HEX: [u8; 256] = {
    let mut table = [255; 256];
    let mut digit = 0;
    while digit < 16 {
        table[b"0123456789abcdef"[digit] as usize] = digit as u8;
        table[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
};

/// Reads the UTF-16 unit that a `\u` escape at a place is; gives what follows too.
#[inline(always)]
fn unicode_unit(text: &[u8], at: usize) -> Result<(u32, usize), Malformed> {
    let digits = text
        .get(at + 2..)
        .and_then(<[u8]>::first_chunk::<4>)
        .ok_or(Malformed)?;
    let [a, b, c, d] = digits.map(|digit| u32::from(HEX[usize::from(digit)]));
    // A digit that is none sets bits above its four.
    if a | b | c | d > 15 {
        return Err(Malformed);
    }
    Ok((a << 12 | b << 8 | c << 4 | d, at + 6))
}

/// Reads the character that a `\u` escape at a place is, a pair as one: what follows, its bytes
/// and how many they are.
#[inline(always)]
fn unicode(text: &[u8], at: usize) -> Result<(usize, [u8; 4], usize), Malformed> {
    let (unit, next) = unicode_unit(text, at)?;
    if unit < 0x80 {
        return Ok((next, [unit as u8, 0, 0, 0], 1));
    }
    if unit < 0x800 {
        return Ok((next, [0xc0 | (unit >> 6) as u8, tail(unit), 0, 0], 2));
    }
    if (0xd800..0xdc00).contains(&unit) && text.get(next..next + 2) == Some(b"\\u") {
        let (low, after) = unicode_unit(text, next)?;
        if (0xdc00..0xe000).contains(&low) {
            let c = 0x1_0000 + ((unit - 0xd800) << 10 | (low - 0xdc00));
            return Ok((
                after,
                [0xf0 | (c >> 18) as u8, tail(c >> 12), tail(c >> 6), tail(c)],
                4,
            ));
        }
    }
    Ok((
        next,
        [0xe0 | (unit >> 12) as u8, tail(unit >> 6), tail(unit), 0],
        3,
    ))
}

#[inline(always)]
const fn tail(bits: u32) -> u8 {
    0x80 | (bits & 0x3f) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn unescaped(raw: &str) -> Vec<u8> {
        let text = format!("{raw}\"");
        let mut out = Vec::new();
        let end = unescape_into(text.as_bytes(), 0, &mut Buffer::default(), &mut out);
        assert_eq!(end, Ok(raw.len()));
        assert_eq!(escaped_end(text.as_bytes(), 0), Ok(raw.len()));
        out
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        assert_eq!(unescaped(r#"a\"\\\/\b\f\n\r\tz"#), b"a\"\\/\x08\x0c\n\r\tz");
        assert_eq!(
            unescaped(r"\u0041\u00e9\u20AC\ud83d\uDE00\u0000"),
            "Aé€😀\0".as_bytes()
        );
    }

    #[test]
    fn lone_surrogates_stay_apart() {
        assert_eq!(unescaped(r"\ud800"), [0xed, 0xa0, 0x80]);
        assert_eq!(
            unescaped(r"\udfff\ud800"),
            [0xed, 0xbf, 0xbf, 0xed, 0xa0, 0x80]
        );
        assert_eq!(
            unescaped(r"\ud800\ud83d\ude00"),
            b"\xed\xa0\x80\xf0\x9f\x98\x80"
        );
        assert_eq!(unescaped(r"\ud800\n"), b"\xed\xa0\x80\n");
    }

    #[test]
    fn what_is_no_escape_is_malformed() {
        for raw in [
            r"\x",
            r"\",
            r"\u",
            r"\u12",
            r"\u12g4",
            r"\ud800\u12",
            "\u{1}",
            "abc",
            r"\U0041",
        ] {
            for filling in ["", "123456789 123456789 123456789 123456789 1234567890"] {
                let text = format!("{filling}{raw}");
                for text in [text.clone(), text.clone() + " 12345678", text + "\""] {
                    let text = text.as_bytes();
                    let mut out = Vec::new();
                    let end = unescape_into(text, 0, &mut Buffer::default(), &mut out);
                    assert_eq!(end, escaped_end(text, 0), "{raw}");
                    assert!(end.is_err() || raw == r"\" || raw == "abc");
                }
            }
        }
    }

    #[test]
    fn a_stream_hashes_like_one_string() {
        let hasher = Hasher::new(Seed::new(3));
        let mut buffer = Buffer::default();
        for count in [1, 100, 400, 800, 801, 4096, 9000] {
            let raw = r"plain\n\u00e9".repeat(count) + &"z".repeat(count * 3);
            let text = raw.clone() + "\"";
            let hash = hash_unescaped(hasher, text.as_bytes(), 0, &mut buffer);
            assert_eq!(hash, Ok((raw.len(), hasher.string(&unescaped(&raw)))));
        }
    }
}
