//! Canonical text: what JavaScript's `JSON.stringify` prints for a value with sorted keys.

use crate::arguments::Arguments;
use crate::sink::{Capped, Sink};
use crate::tree::{Node, Shape, Tape};
use crate::{number, order};

/// The canonical text of arguments.
///
/// It is what JavaScript's `JSON.stringify` prints for the value with its keys sorted at
/// every depth: array-index keys first in numeric order, the others by UTF-16 code units,
/// no white space, numbers as ECMAScript prints them, a lone surrogate as `\udxxx`. It
/// departs where JavaScript loses information: integers keep all their digits, a number
/// beyond the range of a double stays as written, and a key named `__proto__` stays.
///
/// ```
/// use loopguard_canonical::{Arguments, canonical_text};
///
/// let text = canonical_text(Arguments::Text(r#"{ "b": 1.0, "a": "\u0041", "2": [] }"#));
/// assert_eq!(text, r#"{"2":[],"a":"A","b":1}"#);
/// ```
#[must_use]
pub fn canonical_text(arguments: Arguments<'_>) -> String {
    let mut out = Vec::new();
    write(arguments, &mut out, Keys::Sorted);
    into_string(out)
}

/// The canonical text, cut where it is longer than `max_units` UTF-16 units.
///
/// Then it is the first `max_units` units, followed by `… (+N more chars)` with the number
/// of units that are not shown. Where the cut would split a surrogate pair it falls before
/// the pair. What is not shown is counted and never written.
///
/// ```
/// use loopguard_canonical::{Arguments, canonical_preview};
///
/// let preview = canonical_preview(Arguments::Text(r#"{"path":"src/lib.rs"}"#), 9);
/// assert_eq!(preview, r#"{"path":"… (+12 more chars)"#);
/// ```
#[must_use]
pub fn canonical_preview(arguments: Arguments<'_>, max_units: u64) -> String {
    let mut out = Capped::new(max_units);
    write(arguments, &mut out, Keys::Sorted);
    let (shown, omitted) = out.finish();
    let mut text = into_string(shown);
    if omitted > 0 {
        text.push_str(&format!("… (+{omitted} more chars)"));
    }
    text
}

/// The order in which keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    Sorted,
    /// Where only a hash is taken of the text.
    AsTheyCome,
}

/// Writes arguments to a sink.
pub(crate) fn write(arguments: Arguments<'_>, out: &mut impl Sink, keys: Keys) {
    match arguments {
        Arguments::Value(value) => write_node(value, out, keys),
        Arguments::Text("") => out.put(b"{}"),
        Arguments::Text(text) => match Tape::new(text.as_bytes()) {
            Ok(tape) => write_node(tape.root(), out, keys),
            Err(_) => out.put_string(text.as_bytes(), false),
        },
    }
}

/// The writer puts out nothing but UTF-8.
fn into_string(text: Vec<u8>) -> String {
    // The standard library is quick on ASCII and slow on other scripts: where one of them is
    // met early in a long text, the other check is quicker, even with the copy that it takes.
    if let Some(head) = text.first_chunk::<256>()
        && !head.is_ascii()
        && let Ok(checked) = simdutf8::basic::from_utf8(&text)
    {
        return checked.to_owned();
    }
    String::from_utf8(text)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A container that is not finished: its children lie on top of the common list.
struct Frame {
    first: usize,
    next: usize,
    object: bool,
}

fn write_node<'t, N: Node<'t>>(root: N, out: &mut impl Sink, keys: Keys) {
    let mut children: Vec<(&'t [u8], N)> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut node = root;
    loop {
        match node.shape() {
            Shape::Word(word) => out.put(word),
            Shape::Literal(text) => number::write_literal(text, &mut |text| out.put(text)),
            Shape::Number(parsed) => number::write_parsed(parsed, &mut |text| out.put(text)),
            Shape::Text(text) => put_string::<N>(text, out),
            shape @ (Shape::Array | Shape::Object) => {
                let object = matches!(shape, Shape::Object);
                let first = children.len();
                node.children(&mut children);
                if object && (N::RAW || (keys == Keys::Sorted && !out.is_full())) {
                    sort::<N>(&mut children, first);
                }
                out.put(if object { b"{" } else { b"[" });
                frames.push(Frame {
                    first,
                    next: first,
                    object,
                });
            }
        }
        node = loop {
            let Some(frame) = frames.last_mut() else {
                return;
            };
            if let Some(&(key, child)) = children.get(frame.next) {
                if frame.next > frame.first {
                    out.put(b",");
                }
                frame.next += 1;
                if frame.object {
                    put_string::<N>(key, out);
                    out.put(b":");
                }
                break child;
            }
            children.truncate(frame.first);
            out.put(if frame.object { b"}" } else { b"]" });
            frames.pop();
        };
    }
}

#[inline]
fn put_string<'t, N: Node<'t>>(text: &[u8], out: &mut impl Sink) {
    // Only what was escaped can have lone surrogates, and this byte begins them.
    out.put_string(text, N::RAW && text.contains(&0xed));
}

/// Sorts the members of an object, and keeps of equal keys only the last.
fn sort<'t, N: Node<'t>>(children: &mut Vec<(&'t [u8], N)>, first: usize) {
    // The sort is stable: equal keys stay in the order in which they were written.
    children[first..].sort_by(|a, b| order::compare(a.0, b.0));
    if !N::RAW {
        return;
    }
    let mut kept = first;
    for index in first..children.len() {
        if kept > first && children[kept - 1].0 == children[index].0 {
            kept -= 1;
        }
        children[kept] = children[index];
        kept += 1;
    }
    children.truncate(kept);
}
