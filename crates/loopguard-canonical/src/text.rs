//! Texts as they count: line ends, blanks before them and outer white space aside.

use crate::fingerprint::Fingerprint;
use crate::hash::Hasher;
use crate::mask::Mask;
use crate::rewrite;
use crate::scan;
use crate::scratch;
use crate::seed::Seed;
use crate::unescape::{BUFFER, Stream};

/// The fingerprint of a text, normalised.
pub(crate) fn fingerprint(seed: Seed, text: &[u8]) -> Fingerprint {
    let text = trim(text);
    if !scan::has_loose_line_end(text) {
        return Fingerprint::of_bytes(seed, text);
    }
    scratch::with(|scratch| {
        let mut gathered = Gathered {
            stream: Stream::new(Hasher::new(seed)),
            buffer: scratch.buffer.get(),
            length: 0,
        };
        normalise_lines(text, &mut |piece| gathered.add(piece));
        gathered
            .stream
            .finish(&gathered.buffer[..gathered.length])
            .into()
    })
}

/// Hashes pieces, gathering them first where they are small.
struct Gathered<'a> {
    stream: Stream,
    buffer: &'a mut [u8; BUFFER],
    length: usize,
}

impl Gathered<'_> {
    #[inline]
    fn add(&mut self, piece: &[u8]) {
        if piece.len() > BUFFER - self.length {
            self.stream.update(&self.buffer[..self.length]);
            self.length = 0;
            if piece.len() > BUFFER {
                self.stream.update(piece);
                return;
            }
        }
        self.buffer[self.length..self.length + piece.len()].copy_from_slice(piece);
        self.length += piece.len();
    }
}

/// The fingerprint of a text, normalised, in which the masked parts do not count.
pub(crate) fn masked_fingerprint<'m>(
    seed: Seed,
    text: &str,
    masks: impl Iterator<Item = &'m Mask>,
) -> Fingerprint {
    let mut masks = masks.peekable();
    if masks.peek().is_none() {
        return fingerprint(seed, text.as_bytes());
    }
    let mut masked = Vec::with_capacity(text.len());
    normalise_lines(trim(text.as_bytes()), &mut |piece| {
        masked.extend_from_slice(piece);
    });
    for mask in masks {
        if let Some(rewritten) = rewrite::result(mask, &masked) {
            masked = rewritten;
        }
    }
    fingerprint(seed, &masked)
}

/// A text without the outer white space that JavaScript's `trim` removes.
pub(crate) fn trim(mut text: &[u8]) -> &[u8] {
    while let Some(length) = leading_blank(text) {
        text = &text[length..];
    }
    while let Some(length) = trailing_blank(text) {
        text = &text[..text.len() - length];
    }
    text
}

/// How long the white space character at the head is, if there is one.
///
/// White space is what ECMAScript calls white space or line terminator: Unicode's category
/// Zs, U+2028, U+2029, U+FEFF and the ASCII blanks, and not U+0085.
#[inline]
pub(crate) fn leading_blank(text: &[u8]) -> Option<usize> {
    match *text {
        [0x09..=0x0d | b' ', ..] => Some(1),
        [0xc2, 0xa0, ..] => Some(2),
        [a @ 0xe1..=0xef, b, c, ..] if is_wide_blank([a, b, c]) => Some(3),
        _ => None,
    }
}

fn trailing_blank(text: &[u8]) -> Option<usize> {
    match *text {
        [.., 0x09..=0x0d | b' '] => Some(1),
        [.., 0xc2, 0xa0] => Some(2),
        [.., a, b, c] if is_wide_blank([a, b, c]) => Some(3),
        _ => None,
    }
}

fn is_wide_blank(bytes: [u8; 3]) -> bool {
    matches!(
        bytes,
        // U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F; U+3000; U+FEFF.
        [0xe1, 0x9a, 0x80]
            | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf]
            | [0xe2, 0x81, 0x9f]
            | [0xe3, 0x80, 0x80]
            | [0xef, 0xbb, 0xbf]
    )
}

/// Puts out a text with LF for every line end and no blanks or tabs before one.
fn normalise_lines(text: &[u8], out: &mut impl FnMut(&[u8])) {
    let mut rest = text;
    loop {
        let Some(end) = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r') else {
            out(rest);
            return;
        };
        let (line, after) = rest.split_at(end);
        let blanks = line
            .iter()
            .rev()
            .take_while(|&&byte| byte == b' ' || byte == b'\t')
            .count();
        out(&line[..line.len() - blanks]);
        out(b"\n");
        rest = after.strip_prefix(b"\r\n").unwrap_or(&after[1..]);
    }
}
