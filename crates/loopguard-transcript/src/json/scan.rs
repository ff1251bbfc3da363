//! One pass over the text of a value: where it ends, and whether it is JSON at all.

use super::nesting::Nesting;
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

/// What stands between the quotes of a string.
pub(super) struct Inner<'a> {
    pub(super) text: &'a str,
    pub(super) escaped: bool,
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    pub(super) at: usize,
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

    /// Nothing but white space is left; otherwise `what` should be here.
    pub(super) fn end(&mut self, what: &'static str) -> Result<(), NotJson> {
        self.white_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            self.fail(what)
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

    /// A key and its colon, up to the value.
    pub(super) fn key(&mut self) -> Result<Inner<'a>, NotJson> {
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

    /// A string, from its opening quote on.
    fn string(&mut self) -> Result<Inner<'a>, NotJson> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            self.at += string::plain_prefix(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Inner {
                        text: &self.text[start..self.at - 1],
                        escaped,
                    });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
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

    pub(super) fn white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// All that is left from a place on.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn fail<T>(&self, reason: &'static str) -> Result<T, NotJson> {
        Err(NotJson {
            offset: self.at,
            reason,
            other_kind: false,
        })
    }
}
