//! The lines of an input, one in memory at a time.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use crate::error::LineProblem;

/// One line, without its line break.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: u64,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Line<'a> {
    /// The line as text, or where it stops being text.
    pub(crate) fn strict(self) -> Result<&'a str, LineProblem> {
        std::str::from_utf8(self.bytes).map_err(|error| LineProblem::NotUtf8 {
            offset: error.valid_up_to(),
        })
    }

    /// The line as text, with U+FFFD for what is none: hosts cut strings in mid-character.
    pub(crate) fn lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes)
    }

    pub(crate) fn is_blank(self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// What comes next in an input.
pub(crate) enum Next<'a> {
    Line(Line<'a>),
    /// A line longer than allowed, passed over.
    TooLong,
    End,
}

/// Cuts an input into lines.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    max_bytes: usize,
    read: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R, max_bytes: usize) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            max_bytes,
            read: 0,
        }
    }

    /// Lines read so far, those too long included.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    pub(crate) fn next(&mut self) -> io::Result<Next<'_>> {
        self.buffer.clear();
        // Room for the longest line, its break, and no more.
        let limit = self.max_bytes as u64 + 1;
        self.input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.buffer)?;
        if self.buffer.is_empty() {
            return Ok(Next::End);
        }
        self.read += 1;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        } else if self.buffer.len() > self.max_bytes {
            self.buffer = Vec::new();
            self.pass_over()?;
            return Ok(Next::TooLong);
        }
        let mut bytes = self.buffer.as_slice();
        if self.read == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        Ok(Next::Line(Line {
            number: self.read,
            bytes,
        }))
    }

    fn pass_over(&mut self) -> io::Result<()> {
        loop {
            let piece = fill(&mut self.input)?;
            if piece.is_empty() {
                return Ok(());
            }
            let (bytes, done) = match piece.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (piece.len(), false),
            };
            self.input.consume(bytes);
            if done {
                return Ok(());
            }
        }
    }
}

/// The next bytes of an input; none at its end. An interrupted read is tried again.
pub(crate) fn fill<R: BufRead + ?Sized>(input: &mut R) -> io::Result<&[u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // Filled above: this hands out the same bytes and reads nothing.
    input.fill_buf()
}

/// Editors on some systems put it before the first line.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, max: usize, expected: &[&str]) {
        let mut lines = Lines::new(text.as_bytes(), max);
        let mut seen = Vec::new();
        loop {
            match lines.next().unwrap() {
                Next::Line(line) => {
                    seen.push(format!("{} {}", line.number, line.strict().unwrap()));
                }
                Next::TooLong => seen.push("too long".to_owned()),
                Next::End => break,
            }
        }
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_last_line_needs_no_break() {
        check("a\nb", 9, &["1 a", "2 b"]);
        check("a\nb\n", 9, &["1 a", "2 b"]);
    }

    #[test]
    fn empty_lines_count() {
        check("\n\na", 9, &["1 ", "2 ", "3 a"]);
        check("", 9, &[]);
    }

    #[test]
    fn a_line_of_exactly_the_longest_length_is_read_and_one_byte_more_is_passed_over() {
        check("abc\nd", 3, &["1 abc", "2 d"]);
        check("abcd\ne", 3, &["too long", "2 e"]);
        check("abc", 3, &["1 abc"]);
        check("abcd", 3, &["too long"]);
        check("abcdefgh\n\nx", 3, &["too long", "2 ", "3 x"]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        check("\u{feff}a\n\u{feff}b", 9, &["1 a", "2 \u{feff}b"]);
    }
}
