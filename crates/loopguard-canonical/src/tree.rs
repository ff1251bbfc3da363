//! What the writer of canonical text sees of a value, parsed or raw.

use serde_json::{Number, Value};

use crate::hash::Atom;
use crate::unescape::{Buffer, unescape_into};
use crate::walk::{Inside, Malformed, Visitor, walk};

/// A value that can be written.
pub(crate) trait Node<'t>: Copy {
    /// Whether two members of an object may have the same key, of which the last counts,
    /// and strings may have lone surrogates.
    const RAW: bool;

    fn shape(self) -> Shape<'t>;

    /// Adds what the container holds, in order, with keys if it is an object.
    fn children(self, out: &mut Vec<(&'t [u8], Self)>);
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'t> {
    /// `null`, `true` or `false`.
    Word(&'t [u8]),
    Literal(&'t [u8]),
    Number(&'t Number),
    /// As WTF-8.
    Text(&'t [u8]),
    Array,
    Object,
}

impl<'t> Node<'t> for &'t Value {
    const RAW: bool = false;

    #[inline]
    fn shape(self) -> Shape<'t> {
        match self {
            Value::Null => Shape::Word(b"null"),
            Value::Bool(false) => Shape::Word(b"false"),
            Value::Bool(true) => Shape::Word(b"true"),
            Value::Number(number) => Shape::Number(number),
            Value::String(text) => Shape::Text(text.as_bytes()),
            Value::Array(_) => Shape::Array,
            Value::Object(_) => Shape::Object,
        }
    }

    fn children(self, out: &mut Vec<(&'t [u8], Self)>) {
        let items = self.as_array().into_iter().flatten();
        out.extend(items.map(|item| (&b""[..], item)));
        let members = self.as_object().into_iter().flatten();
        out.extend(members.map(|(key, value)| (key.as_bytes(), value)));
    }
}

/// Raw text as a list of its values, each container before what it holds.
#[derive(Debug)]
pub(crate) struct Tape<'t> {
    text: &'t [u8],
    items: Vec<Item>,
    /// The strings that have escapes, without them.
    unescaped: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    kind: Kind,
    start: usize,
    /// Where the text of it ends; for a container, the index of what comes after it.
    end: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Word,
    Number,
    Text,
    Unescaped,
    Array,
    Object,
}

impl<'t> Tape<'t> {
    /// Reads a text.
    pub(crate) fn new(text: &'t [u8]) -> Result<Self, Malformed> {
        let tape = Self {
            text,
            items: Vec::new(),
            unescaped: Vec::new(),
        };
        let mut builder = Builder {
            tape,
            open: Vec::new(),
            buffer: Buffer::default(),
        };
        walk(text, &mut Vec::<Inside>::new(), &mut builder)?;
        Ok(builder.tape)
    }

    pub(crate) fn root(&self) -> Place<'_> {
        Place {
            tape: self,
            index: 0,
        }
    }
}

/// A value on a tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'t> {
    tape: &'t Tape<'t>,
    index: usize,
}

impl<'t> Place<'t> {
    fn item(self) -> Item {
        self.tape.items[self.index]
    }

    fn bytes(self) -> &'t [u8] {
        let item = self.item();
        match item.kind {
            Kind::Unescaped => &self.tape.unescaped[item.start..item.end],
            _ => &self.tape.text[item.start..item.end],
        }
    }

    fn next(self) -> Self {
        let item = self.item();
        let index = match item.kind {
            Kind::Array | Kind::Object => item.end,
            _ => self.index + 1,
        };
        Self { index, ..self }
    }
}

impl<'t> Node<'t> for Place<'t> {
    const RAW: bool = true;

    #[inline]
    fn shape(self) -> Shape<'t> {
        match self.item().kind {
            Kind::Word => Shape::Word(self.bytes()),
            Kind::Number => Shape::Literal(self.bytes()),
            Kind::Text | Kind::Unescaped => Shape::Text(self.bytes()),
            Kind::Array => Shape::Array,
            Kind::Object => Shape::Object,
        }
    }

    fn children(self, out: &mut Vec<(&'t [u8], Self)>) {
        let Item { kind, end, .. } = self.item();
        let mut place = Self {
            index: self.index + 1,
            ..self
        };
        while place.index < end {
            let mut key: &[u8] = b"";
            if matches!(kind, Kind::Object) {
                key = place.bytes();
                place = place.next();
            }
            out.push((key, place));
            place = place.next();
        }
    }
}

struct Builder<'t> {
    tape: Tape<'t>,
    open: Vec<usize>,
    buffer: Buffer,
}

impl Builder<'_> {
    #[inline(always)]
    fn add(&mut self, kind: Kind, start: usize, end: usize) {
        self.tape.items.push(Item { kind, start, end });
    }

    #[inline(always)]
    fn open(&mut self, kind: Kind) {
        self.open.push(self.tape.items.len());
        self.add(kind, 0, 0);
    }

    #[inline(always)]
    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.tape.items[open].end = self.tape.items.len();
        }
    }
}

impl Visitor for Builder<'_> {
    fn atom(&mut self, _: Atom, start: usize, end: usize) {
        self.add(Kind::Word, start, end);
    }

    fn number(&mut self, start: usize, end: usize) {
        self.add(Kind::Number, start, end);
    }

    fn string(&mut self, start: usize, end: usize) {
        self.add(Kind::Text, start, end);
    }

    fn key(&mut self, start: usize, end: usize) {
        self.add(Kind::Text, start, end);
    }

    fn escaped_string(&mut self, start: usize) -> Result<usize, Malformed> {
        let unescaped = &mut self.tape.unescaped;
        let first = unescaped.len();
        let end = unescape_into(self.tape.text, start, &mut self.buffer, unescaped)?;
        self.add(Kind::Unescaped, first, self.tape.unescaped.len());
        Ok(end)
    }

    fn escaped_key(&mut self, start: usize) -> Result<usize, Malformed> {
        self.escaped_string(start)
    }

    fn open_array(&mut self, _start: usize) {
        self.open(Kind::Array);
    }

    fn close_array(&mut self, _end: usize) {
        self.close();
    }

    fn open_object(&mut self, _start: usize) {
        self.open(Kind::Object);
    }

    fn close_object(&mut self, _end: usize) {
        self.close();
    }
}
