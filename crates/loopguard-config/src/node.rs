//! A configuration as it was written: values with their places, repeated keys included.

use serde_json::{Number, Value};

/// Values nest no deeper than this, twice what any configuration needs; recursion over nodes is
/// bounded by it, and so is that of the YAML reader, which takes some 60 KiB of stack a level in
/// a debug build where a main thread may have no more than 1 MiB.
pub(crate) const MAX_DEPTH: usize = 16;

/// Quoted values are cut to this many characters in messages.
const BRIEF: usize = 60;

/// A place in a text; line and column counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// How many characters what stands there takes; 1 where it begins more than can be pointed
    /// at, such as a mapping.
    pub(crate) length: usize,
}

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) place: Option<Place>,
    pub(crate) data: Data,
}

/// What a node holds.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    Null,
    Flag(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a mapping; a mapping may hold several of the same name.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) place: Option<Place>,
    pub(crate) node: Node,
}

/// Why a text is no configuration at all.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}

impl Unreadable {
    pub(crate) fn too_deep(place: Option<Place>) -> Self {
        Self {
            message: format!("values nest more than {MAX_DEPTH} deep"),
            place,
        }
    }
}

impl Node {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(nodes) => Some(nodes),
            _ => None,
        }
    }

    pub(crate) fn as_map(&self) -> Option<&[Entry]> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The node of a parsed value.
    pub(crate) fn from_value(value: &Value) -> Result<Self, Unreadable> {
        Self::from_value_at(value, 0)
    }

    fn from_value_at(value: &Value, depth: usize) -> Result<Self, Unreadable> {
        if depth > MAX_DEPTH {
            return Err(Unreadable::too_deep(None));
        }
        let data = match value {
            Value::Null => Data::Null,
            Value::Bool(flag) => Data::Flag(*flag),
            Value::Number(number) => Data::Number(number.clone()),
            Value::String(text) => Data::Text(text.clone()),
            Value::Array(values) => {
                let nodes = values
                    .iter()
                    .map(|value| Self::from_value_at(value, depth + 1));
                Data::List(nodes.collect::<Result<_, _>>()?)
            }
            Value::Object(map) => {
                let entries = map.iter().map(|(key, value)| {
                    let node = Self::from_value_at(value, depth + 1)?;
                    Ok(Entry {
                        key: key.clone(),
                        place: None,
                        node,
                    })
                });
                Data::Map(entries.collect::<Result<_, _>>()?)
            }
        };
        Ok(Self { place: None, data })
    }

    /// The value as short JSON text, cut with `…` where it is long.
    pub(crate) fn brief(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        match text.char_indices().nth(BRIEF) {
            Some((cut, _)) => format!("{}…", &text[..cut]),
            None => text,
        }
    }

    /// Writes JSON text, and stops early once there is more than [`Node::brief`] shows.
    fn write(&self, text: &mut String) {
        // No character takes more than four bytes, so this is past the cut for certain.
        if text.len() > 4 * BRIEF {
            return;
        }
        match &self.data {
            Data::Null => text.push_str("null"),
            Data::Flag(flag) => text.push_str(if *flag { "true" } else { "false" }),
            Data::Number(number) => text.push_str(&number.to_string()),
            Data::Text(value) => push_quoted(text, value),
            Data::List(nodes) => {
                text.push('[');
                for (i, node) in nodes.iter().enumerate().take(BRIEF) {
                    if i > 0 {
                        text.push(',');
                    }
                    node.write(text);
                }
                text.push(']');
            }
            Data::Map(entries) => {
                text.push('{');
                for (i, entry) in entries.iter().enumerate().take(BRIEF) {
                    if i > 0 {
                        text.push(',');
                    }
                    push_quoted(text, &entry.key);
                    text.push(':');
                    entry.node.write(text);
                }
                text.push('}');
            }
        }
    }
}

fn push_quoted(text: &mut String, value: &str) {
    let cut = value
        .char_indices()
        .nth(BRIEF)
        .map_or(value.len(), |(cut, _)| cut);
    text.push_str(&Value::from(&value[..cut]).to_string());
}
