//! One pass over the text of a value: where it ends, and whether it is JSON at all.

use std::borrow::Cow;

use super::{Json, string};

/// Where a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotJson {
    /// The byte, counted from 0.
    pub(crate) offset: usize,
    /// What should stand there.
    pub(crate) reason: &'static str,
    /// Whether the text begins like another kind of value than the one that was wanted.
    pub(crate) other_kind: bool,
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The value that begins here, after any white space.
    pub(super) fn value(&mut self) -> Result<Json<'a>, NotJson> {
        self.white_space();
        let start = self.at;
        self.skip_value()?;
        Ok(Json(&self.text[start..self.at]))
    }

    /// Nothing but white space is left.
    pub(super) fn end(&mut self) -> Result<(), NotJson> {
        self.white_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            self.fail("the end of the line")
        }
    }

    fn skip_value(&mut self) -> Result<(), NotJson> {
        let mut open = Nesting::default();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{') => {
                    self.at += 1;
                    self.white_space();
                    if self.peek() == Some(b'}') {
                        self.at += 1;
                    } else {
                        open.push(true);
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.white_space();
                    if self.peek() == Some(b']') {
                        self.at += 1;
                    } else {
                        open.push(false);
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') => self.literal("null")?,
                _ => return self.fail("a value"),
            }
            // A value has ended, and with it perhaps what it stands in.
            loop {
                let Some(in_object) = open.innermost() else {
                    return Ok(());
                };
                self.white_space();
                match (self.peek(), in_object) {
                    (Some(b','), true) => {
                        self.at += 1;
                        self.white_space();
                        self.key()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        self.white_space();
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        open.pop();
                    }
                    (_, true) => return self.fail("`,` or `}`"),
                    (_, false) => return self.fail("`,` or `]`"),
                }
            }
        }
    }

    /// A key and its colon, up to the value. Returns what stands between the quotes.
    fn key(&mut self) -> Result<&'a str, NotJson> {
        if self.peek() != Some(b'"') {
            return self.fail("a key");
        }
        let key = self.string()?;
        self.white_space();
        if self.peek() != Some(b':') {
            return self.fail("`:`");
        }
        self.at += 1;
        self.white_space();
        Ok(key)
    }

    /// A string, from its opening quote on. Returns what stands between the quotes.
    fn string(&mut self) -> Result<&'a str, NotJson> {
        self.at += 1;
        let start = self.at;
        loop {
            self.at += string::plain_prefix(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(&self.text[start..self.at - 1]);
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return self.fail("no control character inside a string"),
                None => return self.fail("the end of a string"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NotJson> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return self.fail("a hexadecimal digit");
                    }
                    self.at += 1;
                }
            }
            _ => return self.fail("a known escape"),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), NotJson> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), NotJson> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            self.fail("a digit")
        } else {
            Ok(())
        }
    }

    fn literal(&mut self, literal: &str) -> Result<(), NotJson> {
        if self.text.as_bytes()[self.at..].starts_with(literal.as_bytes()) {
            self.at += literal.len();
            Ok(())
        } else {
            self.fail("a value")
        }
    }

    fn white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, reason: &'static str) -> Result<T, NotJson> {
        Err(NotJson {
            offset: self.at,
            reason,
            other_kind: false,
        })
    }
}

/// The kinds of what is open, one bit a level: `true` for an object. The first 64 levels
/// allocate nothing.
#[derive(Default)]
struct Nesting {
    depth: usize,
    bits: u64,
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }

    fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }
}

/// The entries of an object, checked as they are passed. After an error there is nothing more.
pub(crate) struct Entries<'a> {
    scanner: Scanner<'a>,
    place: Place,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Before,
    Within,
    After,
}

impl<'a> Entries<'a> {
    /// The entries of a text that is one object, with nothing but white space around it.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            scanner: Scanner::new(text),
            place: Place::Before,
        }
    }

    fn advance(&mut self) -> Result<Option<(Cow<'a, str>, Json<'a>)>, NotJson> {
        let scanner = &mut self.scanner;
        scanner.white_space();
        match self.place {
            Place::After => return Ok(None),
            Place::Before => {
                if scanner.peek() != Some(b'{') {
                    // Another value is no object; what is no value is no JSON.
                    scanner.value()?;
                    scanner.end()?;
                    return Err(NotJson {
                        offset: 0,
                        reason: "an object",
                        other_kind: true,
                    });
                }
                scanner.at += 1;
                scanner.white_space();
                if scanner.peek() == Some(b'}') {
                    scanner.at += 1;
                    self.place = Place::After;
                    return scanner.end().map(|()| None);
                }
                self.place = Place::Within;
            }
            Place::Within => match scanner.peek() {
                Some(b',') => {
                    scanner.at += 1;
                    scanner.white_space();
                }
                Some(b'}') => {
                    scanner.at += 1;
                    self.place = Place::After;
                    return scanner.end().map(|()| None);
                }
                _ => return scanner.fail("`,` or `}`"),
            },
        }
        let key = string::unescape(scanner.key()?);
        Ok(Some((key, scanner.value()?)))
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(Cow<'a, str>, Json<'a>), NotJson>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.advance();
        if entry.is_err() {
            self.place = Place::After;
        }
        entry.transpose()
    }
}

/// The elements of an array that is known to be valid.
pub(crate) struct Items<'a> {
    scanner: Scanner<'a>,
}

impl<'a> Items<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut scanner = Scanner::new(text);
        // Anything but an array gives nothing.
        scanner.at = if text.starts_with('[') { 1 } else { text.len() };
        Self { scanner }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.white_space();
        if self.scanner.peek() == Some(b',') {
            self.scanner.at += 1;
        }
        self.scanner.value().ok()
    }
}
