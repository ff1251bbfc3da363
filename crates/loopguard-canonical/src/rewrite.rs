//! Texts in which volatile parts are replaced, which are then hashed like any other.
//!
//! A part is replaced in the text itself, so whatever stands around it keeps every digit
//! and every lone surrogate. A marker is a byte that no text from outside can have.

use crate::arguments::Arguments;
use crate::hash::Atom;
use crate::mask::Mask;
use crate::pointer::Pointer;
use crate::sink::{Sink, escape};
use crate::unescape::{Buffer, escaped_end, unescape_into};
use crate::walk::{Inside, MARKER, Malformed, Visitor, is_json, walk};
use crate::write::{Keys, write};

/// Arguments as JSON text with the masked parts replaced.
pub(crate) fn arguments<'m>(
    arguments: Arguments<'_>,
    masks: impl Iterator<Item = &'m Mask>,
) -> Vec<u8> {
    let mut text = Vec::new();
    match arguments {
        // Raw text that is JSON is best left as it is.
        Arguments::Text(raw) if is_json(raw.as_bytes()) => text.extend_from_slice(raw.as_bytes()),
        _ => write(arguments, &mut text, Keys::AsTheyCome),
    }
    for mask in masks {
        if let Some(rewritten) = json(mask, &text) {
            text = rewritten;
        }
    }
    text
}

/// A result's text with the masked part replaced; `None` if it stays as it is.
pub(crate) fn result(mask: &Mask, text: &[u8]) -> Option<Vec<u8>> {
    match mask.place {
        None => mask.replaced(text),
        Some(_) => json(mask, text),
    }
}

/// JSON text with the masked part replaced; `None` if it stays as it is or is no JSON.
fn json(mask: &Mask, text: &[u8]) -> Option<Vec<u8>> {
    let mut rewriter = Rewriter {
        mask,
        text,
        out: Vec::new(),
        copied: 0,
        buffer: Buffer::default(),
        frames: Vec::new(),
        inner: Frame {
            index: 0,
            array: false,
            steps: None,
            start: 0,
        },
        found: None,
    };
    rewriter.found = mask.place.as_ref().map(|_| 0);
    walk(text, &mut Vec::<Inside>::new(), &mut rewriter).ok()?;
    if rewriter.copied == 0 {
        return None;
    }
    let mut out = rewriter.out;
    out.extend_from_slice(&text[rewriter.copied..]);
    Some(out)
}

impl Mask {
    /// A text with what matches replaced; `None` if nothing does.
    fn replaced(&self, text: &[u8]) -> Option<Vec<u8>> {
        let replacement = self
            .replacement
            .as_ref()
            .map_or(&[MARKER][..], |text| text.as_bytes());
        let mut out = Vec::new();
        let mut copied = 0;
        let mut found = false;
        for part in self
            .pattern
            .as_ref()?
            .find_iter(text)
            .filter(|part| !part.is_empty())
        {
            found = true;
            out.extend_from_slice(&text[copied..part.start()]);
            out.extend_from_slice(replacement);
            copied = part.end();
        }
        found.then(|| {
            out.extend_from_slice(&text[copied..]);
            out
        })
    }
}

struct Rewriter<'a> {
    mask: &'a Mask,
    text: &'a [u8],
    out: Vec<u8>,
    /// How much of the text is in `out` already.
    copied: usize,
    buffer: Buffer,
    frames: Vec<Frame>,
    inner: Frame,
    /// How many steps of the place lead to the value that comes next, if they do.
    found: Option<usize>,
}

/// A container that is being walked.
#[derive(Clone, Copy)]
struct Frame {
    /// The index of the item that comes next, in an array.
    index: usize,
    array: bool,
    /// How many steps of the place lead here, if they do.
    steps: Option<usize>,
    start: usize,
}

impl Rewriter<'_> {
    fn place(&self) -> Option<&Pointer> {
        self.mask.place.as_ref()
    }

    /// Whether the value that comes next is at the place.
    fn is_found(&self, steps: Option<usize>) -> bool {
        self.place().is_some_and(|place| steps == Some(place.len()))
    }

    /// Works out whether the next item of the innermost array is on the way to the place.
    fn next_item(&mut self) {
        if self.inner.array {
            let index = self.inner.index;
            self.inner.index += 1;
            self.found = self.inner.steps.filter(|&step| {
                self.place()
                    .is_some_and(|place| place.takes_index(step, index))
            });
            self.found = self.found.map(|step| step + 1);
        }
    }

    fn scalar(&mut self, start: usize, end: usize) {
        self.next_item();
        if self.mask.pattern.is_none() && self.is_found(self.found) {
            self.splice_part(start, end);
        }
    }

    fn splice_part(&mut self, start: usize, end: usize) {
        let text = self.text;
        self.out.extend_from_slice(&text[self.copied..start]);
        match &self.mask.replacement {
            None => self.out.push(MARKER),
            Some(replacement) => self.out.put_string(replacement.as_bytes(), false),
        }
        self.copied = end;
    }

    /// Passes a string; says whether its matches are to be replaced.
    fn wants_string(&mut self, start: usize, end: usize) -> bool {
        if self.mask.pattern.is_none() {
            self.scalar(start - 1, end + 1);
            return false;
        }
        self.next_item();
        self.place().is_none() || self.is_found(self.found)
    }

    fn splice_string(&mut self, start: usize, end: usize, replaced: Option<Vec<u8>>) {
        if let Some(replaced) = replaced {
            self.out.extend_from_slice(&self.text[self.copied..start]);
            escape(&replaced, true, |piece| {
                self.out.extend_from_slice(piece);
                true
            });
            self.copied = end;
        }
    }

    /// Works out whether the value of a key is on the way to the place.
    fn enter(&mut self, key: &[u8]) {
        self.found = self
            .inner
            .steps
            .filter(|&step| self.place().is_some_and(|place| place.takes_key(step, key)));
        self.found = self.found.map(|step| step + 1);
    }

    fn open(&mut self, start: usize, array: bool) {
        self.next_item();
        self.frames.push(self.inner);
        self.inner = Frame {
            index: 0,
            array,
            steps: self.found,
            start,
        };
        // Nothing inside a part that goes as a whole can be a part of its own.
        self.found = None;
    }

    fn close(&mut self, end: usize) {
        let Frame { steps, start, .. } = self.inner;
        if self.mask.pattern.is_none() && self.is_found(steps) {
            self.splice_part(start, end);
        }
        if let Some(outer) = self.frames.pop() {
            self.inner = outer;
        }
    }
}

impl Visitor for Rewriter<'_> {
    fn atom(&mut self, _atom: Atom, start: usize, end: usize) {
        self.scalar(start, end);
    }

    fn number(&mut self, start: usize, end: usize) {
        self.scalar(start, end);
    }

    fn string(&mut self, start: usize, end: usize) {
        if self.wants_string(start, end) {
            self.splice_string(start, end, self.mask.replaced(&self.text[start..end]));
        }
    }

    fn key(&mut self, start: usize, end: usize) {
        self.enter(&self.text[start..end]);
    }

    fn escaped_string(&mut self, start: usize) -> Result<usize, Malformed> {
        let end = escaped_end(self.text, start)?;
        if self.wants_string(start, end) {
            let mut unescaped = Vec::new();
            unescape_into(self.text, start, &mut self.buffer, &mut unescaped)?;
            self.splice_string(start, end, self.mask.replaced(&unescaped));
        }
        Ok(end)
    }

    fn escaped_key(&mut self, start: usize) -> Result<usize, Malformed> {
        let mut unescaped = Vec::new();
        let end = unescape_into(self.text, start, &mut self.buffer, &mut unescaped)?;
        self.enter(&unescaped);
        Ok(end)
    }

    fn open_array(&mut self, start: usize) {
        self.open(start, true);
    }

    fn close_array(&mut self, end: usize) {
        self.close(end);
    }

    fn open_object(&mut self, start: usize) {
        self.open(start, false);
    }

    fn close_object(&mut self, end: usize) {
        self.close(end);
    }
}
