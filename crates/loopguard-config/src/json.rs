//! JSON text to nodes.

use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::node::{Data, Entry, MAX_DEPTH, Node, Place, Unreadable};

/// Reads one JSON text.
///
/// `serde_json` parses every piece; the pieces are slices of the text, so their places are
/// known. Each level scans what it holds once more, which the bound on depth keeps cheap.
pub(crate) fn parse(text: &str) -> Result<Node, Unreadable> {
    // Editors on Windows put a byte-order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let raw = serde_json::from_str::<&RawValue>(text).map_err(|error| Unreadable {
        place: (error.line() > 0).then(|| Place {
            line: error.line(),
            column: characters(text, error.line(), error.column()),
            length: 1,
        }),
        message: message(&error),
    })?;
    Reader {
        places: Places::new(text),
    }
    .node(raw.get(), 0)
}

struct Reader<'a> {
    places: Places<'a>,
}

impl Reader<'_> {
    fn node(&self, piece: &str, depth: usize) -> Result<Node, Unreadable> {
        let place = self.places.of(piece);
        if depth > MAX_DEPTH {
            return Err(Unreadable::too_deep(place));
        }
        let data = match piece.as_bytes().first() {
            Some(b'n') => Data::Null,
            Some(b't') => Data::Flag(true),
            Some(b'f') => Data::Flag(false),
            Some(b'"') => Data::Text(self.value(piece)?),
            Some(b'[') => {
                let pieces: Vec<&RawValue> = self.value(piece)?;
                let nodes = pieces.iter().map(|piece| self.node(piece.get(), depth + 1));
                Data::List(nodes.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let RawEntries(pieces) = self.value(piece)?;
                let entries = pieces.iter().map(|(key, piece)| {
                    Ok(Entry {
                        key: self.value(key.get())?,
                        place: self.places.of(key.get()),
                        node: self.node(piece.get(), depth + 1)?,
                    })
                });
                Data::Map(entries.collect::<Result<_, _>>()?)
            }
            _ => {
                let number: Number = self.value(piece)?;
                // Where the parser itself keeps any digits, they may denote no double at all.
                if number.as_f64().is_none_or(f64::is_infinite) {
                    return Err(Unreadable {
                        message: "number out of range".to_owned(),
                        place,
                    });
                }
                Data::Number(number)
            }
        };
        Ok(Node { place, data })
    }

    fn value<'a, T: Deserialize<'a>>(&self, piece: &'a str) -> Result<T, Unreadable> {
        // The place inside the piece would mislead: it starts anew at each piece.
        serde_json::from_str(piece).map_err(|error| Unreadable {
            message: message(&error),
            place: self.places.of(piece),
        })
    }
}

/// An object's entries, repeated keys included.
struct RawEntries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawEntries<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = RawEntries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(RawEntries(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// Finds the line and column of slices of one text.
struct Places<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Self { text, line_starts }
    }

    fn of(&self, piece: &str) -> Option<Place> {
        let offset = (piece.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = *self.line_starts.get(line.checked_sub(1)?)?;
        let column = self.text.get(start..offset)?.chars().count() + 1;
        let length = match piece.as_bytes().first() {
            Some(b'[' | b'{') => 1,
            _ => piece.chars().count().max(1),
        };
        Some(Place {
            line,
            column,
            length,
        })
    }
}

/// The column in characters of a column in bytes.
fn characters(text: &str, line: usize, column: usize) -> usize {
    let line = text.split('\n').nth(line - 1).unwrap_or_default();
    let before = line
        .bytes()
        .take(column)
        .filter(|byte| byte & 0xc0 != 0x80)
        .count();
    before.max(1)
}

/// The message without the place, which the error carries by itself.
fn message(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some(at) = text.rfind(" at line ").filter(|_| error.line() > 0) {
        text.truncate(at);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_entries_is_refused_in_words() {
        let error = serde_json::from_str::<RawEntries<'_>>("3").err().unwrap();
        assert_eq!(
            message(&error),
            "invalid type: integer `3`, expected an object"
        );
    }
}
