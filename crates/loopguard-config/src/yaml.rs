//! YAML text to nodes.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Error, Location, Options, Spanned};

use crate::node::{Data, Entry, MAX_DEPTH, Node, Place, Unreadable};

/// Events that aliases may add: far more than any configuration needs, and no burden.
const ALIAS_EVENTS: usize = 20_000;

/// Reads one YAML document.
pub(crate) fn parse(text: &str) -> Result<Node, Unreadable> {
    let lines = Lines::of(text);
    let mut document: Spanned<Document> = serde_saphyr::from_str_with_options(text, options())
        .map_err(|error| Unreadable {
            place: error
                .location()
                .and_then(place)
                .map(|place| lines.in_text(place)),
            message: message(&error),
        })?;
    document.value.0.place = place(document.referenced);
    lines.correct(&mut document.value.0);
    Ok(document.value.0)
}

/// Where the lines of YAML begin in the text. To YAML a lone carriage return ends a line, too;
/// to those who show the text, and to JSON, it does not.
struct Lines {
    /// The line of the text and the characters before, for each; empty where both are the same.
    starts: Vec<(usize, usize)>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let mut starts = vec![(1, 0)];
        let (mut line, mut column, mut is_same) = (1, 0, true);
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            column += 1;
            match character {
                '\n' => (line, column) = (line + 1, 0),
                '\r' if characters.peek() != Some(&'\n') => is_same = false,
                _ => continue,
            }
            starts.push((line, column));
        }
        if is_same {
            starts.clear();
        }
        Self { starts }
    }

    fn in_text(&self, place: Place) -> Place {
        match self.starts.get(place.line - 1) {
            Some(&(line, before)) => Place {
                line,
                column: before + place.column,
                ..place
            },
            None => place,
        }
    }

    fn correct(&self, node: &mut Node) {
        if self.starts.is_empty() {
            return;
        }
        node.place = node.place.map(|place| self.in_text(place));
        match &mut node.data {
            Data::List(nodes) => nodes.iter_mut().for_each(|node| self.correct(node)),
            Data::Map(entries) => {
                for entry in entries {
                    entry.place = entry.place.map(|place| self.in_text(place));
                    self.correct(&mut entry.node);
                }
            }
            _ => {}
        }
    }
}

fn options() -> Options {
    serde_saphyr::options! {
        // Repeated keys come through, to be reported together with everything else.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Merge,
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: ALIAS_EVENTS,
        },
        // YAML 1.2: `yes` and `on` are texts.
        strict_booleans: true,
        // A key `null` is the text, so that it is an unknown key like any other.
        null_as_string: true,
        // Refused below, in this crate's words.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH + 1,
            max_nodes: 200_000,
        },
    }
}

/// A node whose place its holder knows.
struct Document(Node);

fn placed(spanned: Spanned<Document>) -> Node {
    Node {
        place: place(spanned.referenced),
        data: spanned.value.0.data,
    }
}

fn place(location: Location) -> Option<Place> {
    let line = usize::try_from(location.line())
        .ok()
        .filter(|line| *line > 0)?;
    let column = usize::try_from(location.column()).ok()?;
    // A block of text goes on over lines, which the caret under its beginning does not.
    let length = usize::try_from(location.span().len()).unwrap_or(1).max(1);
    Some(Place {
        line,
        column,
        length,
    })
}

/// The message without the place, which the error carries by itself, and in the words of a
/// configuration's author where the reader's are those of its callers.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let text = text.lines().next().unwrap_or_default();
    let text = text.find(" at line ").map_or(text, |at| &text[..at]);
    match error.without_snippet() {
        Error::MultipleDocuments { .. } => "a second document begins here".to_owned(),
        Error::Budget {
            breach: BudgetBreach::Depth { .. },
            ..
        } => Unreadable::too_deep(None).message,
        Error::Budget { .. } => format!("too much for a configuration ({text})"),
        // The error of an alias wraps that of what it stands for.
        _ if text.starts_with("alias replay limit") => "aliases expand to too much".to_owned(),
        _ if text.contains("alias") => {
            format!("{text}; a text that begins with \"*\" needs quotes")
        }
        _ => text.to_owned(),
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(Nodes)
            .map(|data| Document(Node { place: None, data }))
    }
}

struct Nodes;

impl<'de> Visitor<'de> for Nodes {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Data, E> {
        Ok(Data::Flag(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Data, E> {
        Ok(Data::Number(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Data, E> {
        Ok(Data::Number(value.into()))
    }

    // Integers beyond 64 bits come as doubles, too: they are out of every range or saturate.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Data, E> {
        let number = Number::from_f64(value);
        number
            .map(Data::Number)
            .ok_or_else(|| E::custom("numbers must be finite"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Data, E> {
        Ok(Data::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Data, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = seq.next_element::<Spanned<Document>>()? {
            nodes.push(placed(node));
        }
        Ok(Data::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            let node = placed(map.next_value::<Spanned<Document>>()?);
            entries.push(Entry {
                place: place(key.referenced),
                key: key.value,
                node,
            });
        }
        Ok(Data::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::{BytesDeserializer, Error};

    use super::*;

    #[test]
    fn what_no_configuration_holds_is_refused_in_words() {
        let bytes = BytesDeserializer::<Error>::new(b"");
        let error = Document::deserialize(bytes).err().unwrap();
        assert_eq!(
            error.to_string(),
            "invalid type: byte array, expected a value"
        );
    }
}
