//! The characters that a JSON string stands for, as WTF-8.
//!
//! WTF-8 is UTF-8 that can also hold a lone surrogate. A pair written as two escapes is
//! always put together, so equal strings are equal bytes.

use xxhash_rust::xxh3::Xxh3;

use crate::hash::{Hash128, Hasher};
use crate::scan;

/// Takes bytes piece by piece.
pub(crate) trait Pieces {
    fn piece(&mut self, piece: &[u8]);
}

impl Pieces for Vec<u8> {
    #[inline(always)]
    fn piece(&mut self, piece: &[u8]) {
        self.extend_from_slice(piece);
    }
}

/// How many bytes are gathered at most before they are hashed.
pub(crate) const GATHERED: usize = 8 * 1024;

/// Puts out what the inside of a well-formed JSON string stands for.
#[inline]
pub(crate) fn unescape(raw: &[u8], out: &mut impl Pieces) {
    let mut rest = raw;
    loop {
        let run = scan::backslash(rest);
        if run > 0 {
            out.piece(&rest[..run]);
        }
        let [_, escape, after @ ..] = &rest[run..] else {
            return;
        };
        rest = after;
        let byte = match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 0x08,
            b'f' => 0x0c,
            b'u' => {
                rest = unicode(rest, out);
                continue;
            }
            other => *other,
        };
        out.piece(&[byte]);
    }
}

/// The hash of the string that the inside of a well-formed JSON string stands for.
pub(crate) fn hash_unescaped(hasher: Hasher, raw: &[u8], scratch: &mut Vec<u8>) -> Hash128 {
    scratch.clear();
    if raw.len() <= GATHERED {
        // No escape is shorter than what it stands for.
        unescape(raw, scratch);
        return hasher.string(scratch);
    }
    let mut stream = Stream::new(hasher, scratch);
    unescape(raw, &mut stream);
    stream.finish()
}

/// Hashes bytes that come in pieces like one string, holding back only a few of them.
pub(crate) struct Stream<'a> {
    hasher: Xxh3,
    gathered: &'a mut Vec<u8>,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(hasher: Hasher, scratch: &'a mut Vec<u8>) -> Self {
        scratch.clear();
        Self {
            hasher: Xxh3::with_seed(hasher.seed()),
            gathered: scratch,
        }
    }

    pub(crate) fn finish(mut self) -> Hash128 {
        self.hasher.update(self.gathered);
        self.hasher.digest128().into()
    }
}

impl Pieces for Stream<'_> {
    #[inline]
    fn piece(&mut self, piece: &[u8]) {
        if self.gathered.len() + piece.len() > GATHERED {
            self.hasher.update(self.gathered);
            self.gathered.clear();
            if piece.len() > GATHERED {
                self.hasher.update(piece);
                return;
            }
        }
        self.gathered.extend_from_slice(piece);
    }
}

/// Puts out what `\u` and the digits at the head of `rest` stand for; gives what follows.
#[inline]
fn unicode<'a>(rest: &'a [u8], out: &mut impl Pieces) -> &'a [u8] {
    let Some((digits, rest)) = rest.split_first_chunk::<4>() else {
        return b"";
    };
    let unit = hex(*digits);
    if unit < 0x80 {
        out.piece(&[unit as u8]);
        return rest;
    }
    if unit < 0x800 {
        out.piece(&[0xc0 | (unit >> 6) as u8, continuation(unit)]);
        return rest;
    }
    if (0xd800..0xdc00).contains(&unit)
        && let Some(([b'\\', b'u', digits @ ..], after)) = rest.split_first_chunk::<6>()
    {
        let low = hex(*digits);
        if (0xdc00..0xe000).contains(&low) {
            let c = 0x1_0000 + ((unit - 0xd800) << 10 | (low - 0xdc00));
            out.piece(&[
                0xf0 | (c >> 18) as u8,
                continuation(c >> 12),
                continuation(c >> 6),
                continuation(c),
            ]);
            return after;
        }
    }
    out.piece(&[
        0xe0 | (unit >> 12) as u8,
        continuation(unit >> 6),
        continuation(unit),
    ]);
    rest
}

#[inline(always)]
const fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3f) as u8
}

#[inline(always)]
fn hex(digits: [u8; 4]) -> u32 {
    digits.iter().fold(0, |sum, &digit| {
        // Letters have bit 6 set, and 9 is what lifts their low bits to their value.
        sum << 4 | (u32::from(digit & 15) + 9 * u32::from(digit >> 6))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn unescaped(raw: &str) -> Vec<u8> {
        let mut out = Vec::new();
        unescape(raw.as_bytes(), &mut out);
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
    fn a_stream_hashes_like_one_string() {
        let hasher = Hasher::new(Seed::new(3));
        let mut scratch = Vec::new();
        for count in [1, 400, 800, 801, 4096, 9000] {
            let raw = r"plain\n\u00e9".repeat(count) + &"z".repeat(count * 3);
            let hash = hash_unescaped(hasher, raw.as_bytes(), &mut scratch);
            assert_eq!(hash, hasher.string(&unescaped(&raw)));
        }
    }
}
