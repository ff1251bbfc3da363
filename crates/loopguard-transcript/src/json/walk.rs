//! Walking through an object or an array, value by value.

use std::borrow::Cow;

use super::scan::{NotJson, Scanner};
use super::{Json, string};

/// The entries of an object, checked as they are passed. After an error there is nothing more.
pub(crate) struct Entries<'a> {
    scanner: Scanner<'a>,
    place: Place,
    cut: Option<Cut<'a>>,
}

/// A key whose value is not whole, and what is there of the value.
pub(crate) struct Cut<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) rest: &'a str,
}

const LINE_END: &str = "the end of the line";

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
            cut: None,
        }
    }

    /// Where the text stopped being JSON inside a value.
    pub(crate) fn into_cut(self) -> Option<Cut<'a>> {
        self.cut
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
                    scanner.end(LINE_END)?;
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
                    return scanner.end(LINE_END).map(|()| None);
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
                    return scanner.end(LINE_END).map(|()| None);
                }
                _ => return scanner.fail("`,` or `}`"),
            },
        }
        let key = scanner.key()?;
        let key = if key.escaped {
            string::unescape(key.text)
        } else {
            Cow::Borrowed(key.text)
        };
        let start = scanner.at;
        match scanner.value() {
            Ok(value) => Ok(Some((key, value))),
            Err(error) => {
                let rest = scanner.since(start);
                self.cut = Some(Cut { key, rest });
                Err(error)
            }
        }
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
