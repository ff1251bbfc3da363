//! JSON text, walked by exactly the grammar of JavaScript's `JSON.parse`.
//!
//! The walker keeps no value: it tells a [`Visitor`] what it meets. It is a loop over an
//! explicit stack of one byte a level, so no depth overflows anything.

use crate::hash::Atom;
use crate::scan;
use crate::unescape::escaped_end;

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Stands for a volatile part in texts that were masked, as a value or inside a string. It
/// is no part of any UTF-8, so no text that comes from outside can have it.
pub(crate) const MARKER: u8 = 0xff;

/// What a walk meets, in order. All positions are byte offsets into the text.
pub(crate) trait Visitor {
    /// `null`, `true`, `false` or the marker.
    fn atom(&mut self, atom: Atom, start: usize, end: usize);
    /// A number literal.
    fn number(&mut self, start: usize, end: usize);
    /// A string without escapes, between its quotes.
    fn string(&mut self, start: usize, end: usize);
    /// A key without escapes, between its quotes. Its value follows.
    fn key(&mut self, start: usize, end: usize);
    /// A string with escapes, to be checked and passed by the visitor, which gives the place
    /// of the closing quote.
    fn escaped_string(&mut self, start: usize) -> Result<usize, Malformed>;
    /// A key with escapes, to be checked and passed in the same way.
    fn escaped_key(&mut self, start: usize) -> Result<usize, Malformed>;
    fn open_array(&mut self, start: usize);
    fn close_array(&mut self, end: usize);
    fn open_object(&mut self, start: usize);
    fn close_object(&mut self, end: usize);
}

/// What the walk is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Nothing,
    Array,
    Object,
}

/// Walks a text. `outer` is the stack to use; it is empty before and may not be after.
///
/// What the visitor was told before a malformed place was found has to be thrown away.
#[inline]
pub(crate) fn walk<V: Visitor>(
    text: &[u8],
    outer: &mut Vec<Inside>,
    visitor: &mut V,
) -> Result<(), Malformed> {
    let mut inside = Inside::Nothing;
    let mut at = skip_blanks(text, 0);
    loop {
        // A value starts here.
        match byte(text, at) {
            b'"' => {
                let start = at + 1;
                let mut end = scan::special(text, start);
                match byte(text, end) {
                    b'"' => visitor.string(start, end),
                    b'\\' => end = visitor.escaped_string(start)?,
                    _ => return Err(Malformed),
                }
                at = end + 1;
            }
            b'{' => {
                visitor.open_object(at);
                at = skip_blanks(text, at + 1);
                if byte(text, at) == b'}' {
                    at += 1;
                    visitor.close_object(at);
                } else {
                    outer.push(inside);
                    inside = Inside::Object;
                    at = key(text, at, visitor)?;
                    continue;
                }
            }
            b'[' => {
                visitor.open_array(at);
                at = skip_blanks(text, at + 1);
                if byte(text, at) == b']' {
                    at += 1;
                    visitor.close_array(at);
                } else {
                    outer.push(inside);
                    inside = Inside::Array;
                    continue;
                }
            }
            b'-' | b'0'..=b'9' => {
                let end = number_end(text, at)?;
                visitor.number(at, end);
                at = end;
            }
            first => {
                let (atom, word): (_, &[u8]) = match first {
                    b'n' => (Atom::Null, b"null"),
                    b't' => (Atom::True, b"true"),
                    b'f' => (Atom::False, b"false"),
                    MARKER => (Atom::Marker, &[MARKER]),
                    _ => return Err(Malformed),
                };
                if !text[at..].starts_with(word) {
                    return Err(Malformed);
                }
                visitor.atom(atom, at, at + word.len());
                at += word.len();
            }
        }
        // A value has ended here.
        loop {
            at = skip_blanks(text, at);
            match (inside, byte(text, at)) {
                (Inside::Object, b',') => {
                    at = key(text, skip_blanks(text, at + 1), visitor)?;
                    break;
                }
                (Inside::Array, b',') => {
                    at = skip_blanks(text, at + 1);
                    break;
                }
                (Inside::Object, b'}') => {
                    at += 1;
                    visitor.close_object(at);
                }
                (Inside::Array, b']') => {
                    at += 1;
                    visitor.close_array(at);
                }
                (Inside::Nothing, _) if at == text.len() => return Ok(()),
                _ => return Err(Malformed),
            }
            inside = outer.pop().unwrap_or(Inside::Nothing);
        }
    }
}

/// The byte at a place; NUL, which starts nothing, behind the end.
#[inline(always)]
fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

#[inline(always)]
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\n' | b'\r' | b'\t') {
        at += 1;
    }
    at
}

/// Passes a key and its colon; gives the place of the value.
#[inline(always)]
fn key<V: Visitor>(text: &[u8], at: usize, visitor: &mut V) -> Result<usize, Malformed> {
    if byte(text, at) != b'"' {
        return Err(Malformed);
    }
    let start = at + 1;
    let mut end = scan::special(text, start);
    match byte(text, end) {
        b'"' => visitor.key(start, end),
        b'\\' => end = visitor.escaped_key(start)?,
        _ => return Err(Malformed),
    }
    let colon = skip_blanks(text, end + 1);
    if byte(text, colon) != b':' {
        return Err(Malformed);
    }
    Ok(skip_blanks(text, colon + 1))
}

#[inline(always)]
fn number_end(text: &[u8], start: usize) -> Result<usize, Malformed> {
    let digits = |mut at: usize| {
        let first = at;
        while byte(text, at).is_ascii_digit() {
            at += 1;
        }
        if at == first { Err(Malformed) } else { Ok(at) }
    };
    let mut at = start + usize::from(byte(text, start) == b'-');
    // A leading zero stands alone.
    at = if byte(text, at) == b'0' {
        at + 1
    } else {
        digits(at)?
    };
    if byte(text, at) == b'.' {
        at = digits(at + 1)?;
    }
    if matches!(byte(text, at), b'e' | b'E') {
        at += 1;
        if matches!(byte(text, at), b'+' | b'-') {
            at += 1;
        }
        at = digits(at)?;
    }
    Ok(at)
}

/// Whether a text is JSON.
pub(crate) fn is_json(text: &[u8]) -> bool {
    struct Check<'a>(&'a [u8]);

    impl Visitor for Check<'_> {
        fn atom(&mut self, _: Atom, _: usize, _: usize) {}
        fn number(&mut self, _: usize, _: usize) {}
        fn string(&mut self, _: usize, _: usize) {}
        fn key(&mut self, _: usize, _: usize) {}
        fn escaped_string(&mut self, start: usize) -> Result<usize, Malformed> {
            escaped_end(self.0, start)
        }
        fn escaped_key(&mut self, start: usize) -> Result<usize, Malformed> {
            escaped_end(self.0, start)
        }
        fn open_array(&mut self, _: usize) {}
        fn close_array(&mut self, _: usize) {}
        fn open_object(&mut self, _: usize) {}
        fn close_object(&mut self, _: usize) {}
    }

    walk(text, &mut Vec::new(), &mut Check(text)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        is_json(text.as_bytes())
    }

    #[test]
    fn the_grammar_is_that_of_json_parse() {
        for text in [
            "0",
            "-0",
            "10",
            "-1.50e+07",
            "1E-9",
            "\"\"",
            "\"a\\u00e9\\/\\ud800\"",
            "null",
            "true",
            "false",
            "[]",
            "{}",
            " [ 1 , [ ] , { } ] ",
            "\t{\r\n\"a\" : { \"\" : [ null ] } }\n",
            "\"\u{7f}\u{2028}\"",
        ] {
            assert!(accepts(text), "{text:?}");
        }
        for text in [
            "",
            " ",
            "01",
            "-",
            "+1",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "Infinity",
            "nul",
            "nulll",
            "True",
            "'a'",
            "\"a",
            "\"\\x41\"",
            "\"\\u12g4\"",
            "\"\\u12\"",
            "\"\\",
            "\"\n\"",
            "\"\u{1f}\"",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1",
            "]",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\" 1}",
            "{\"a\":}",
            "{\"a\"}",
            "{1:2}",
            "{\"a\":1",
            "[}",
            "{]",
            "1 2",
            "[] []",
            "\u{feff}1",
            "1\u{a0}",
            "\0",
            "[1]\0",
            "1//",
            "/**/1",
        ] {
            assert!(!accepts(text), "{text:?}");
        }
    }
}
