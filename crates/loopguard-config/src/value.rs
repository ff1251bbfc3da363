//! Nodes to values: what each kind makes of a node, and whether it can.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use crate::key::TOOLS;
use crate::messages::{Messages, Template};
use crate::node::{Data, Entry, Node};
use crate::{Key, Kind, NamePattern, Words};

/// A whole number, and what tells two apart that are both beyond `u64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Whole {
    pub(crate) value: u64,
    /// The bits of the double, where `value` is all that `u64` can say of it.
    beyond: u64,
}

/// A whole number of at least zero, however it is written.
pub(crate) fn whole(node: &Node) -> Option<Whole> {
    let Data::Number(number) = &node.data else {
        return None;
    };
    if let Some(value) = number.as_u64() {
        return Some(Whole { value, beyond: 0 });
    }
    let float = number.as_f64()?;
    if !float.is_finite() || float < 0.0 || float.fract() != 0.0 {
        return None;
    }
    // The cast saturates.
    let value = float as u64;
    let beyond = if value == u64::MAX {
        float.to_bits()
    } else {
        0
    };
    Some(Whole { value, beyond })
}

/// The whole numbers of a list that are whole numbers, ascending.
pub(crate) fn wholes(node: &Node) -> Option<Vec<u64>> {
    let mut values: Vec<u64> = node
        .as_list()?
        .iter()
        .filter_map(whole)
        .map(|whole| whole.value)
        .collect();
    values.sort_unstable();
    values.dedup();
    Some(values)
}

pub(crate) fn flag(node: &Node) -> Option<bool> {
    match node.data {
        Data::Flag(flag) => Some(flag),
        _ => None,
    }
}

pub(crate) fn ratio(node: &Node) -> Option<f64> {
    match &node.data {
        Data::Number(number) => number.as_f64(),
        _ => None,
    }
}

pub(crate) fn texts(node: &Node) -> Option<Vec<&str>> {
    Some(node.as_list()?.iter().filter_map(Node::as_text).collect())
}

pub(crate) fn patterns(node: &Node) -> Option<Vec<NamePattern>> {
    Some(texts(node)?.into_iter().map(NamePattern::new).collect())
}

/// Compiles a regular expression; the error is a fragment for a message.
pub(crate) fn regex(text: &str, ignore_case: bool) -> Result<Regex, String> {
    RegexBuilder::new(text)
        .case_insensitive(ignore_case)
        .build()
        .map_err(|error| {
            // A syntax error draws the expression over several lines and names the cause last.
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim();
            let last = last
                .strip_prefix("error: ")
                .unwrap_or(last)
                .trim_end_matches('.');
            last.replace("Compiled regex", "compiled regex")
        })
}

pub(crate) fn messages(node: &Node, words: &'static [Words]) -> Option<Messages> {
    let given = node.as_map()?.iter().filter_map(|Entry { key, node, .. }| {
        let words = words.iter().find(|words| words.code == key)?;
        let template = Template::parse(node.as_text()?, words.placeholders).ok()?;
        Some((key.clone(), template))
    });
    Some(Messages {
        texts: given.collect(),
    })
}

/// The value in the one way of writing it: whole numbers without fraction, lists of numbers
/// ascending, mappings without keys that are absent.
pub(crate) fn canonical(kind: &Kind, node: &Node) -> Value {
    match kind.value() {
        Kind::Integer { .. } | Kind::IntegerUpTo { .. } => {
            whole(node).map_or(Value::Null, |whole| whole.value.into())
        }
        Kind::Integers { .. } => wholes(node).unwrap_or_default().into(),
        Kind::Ratio { .. } => ratio(node).map_or(Value::Null, Value::from),
        Kind::Groups(keys) => list(node, |entries| mapping(keys, None, entries)),
        Kind::Overrides(keys) => list(node, |entries| mapping(keys, Some(&TOOLS), entries)),
        _ => plain(node),
    }
}

fn list(node: &Node, each: impl Fn(&[Entry]) -> Value) -> Value {
    let nodes = node.as_list().unwrap_or_default().iter();
    nodes.filter_map(Node::as_map).map(each).collect()
}

fn mapping(keys: &[Key], more: Option<&Key>, entries: &[Entry]) -> Value {
    let mut map = Map::new();
    for key in keys.iter().chain(more) {
        if let Some(node) = given(entries, key.name) {
            map.insert(key.name.to_owned(), canonical(&key.kind, node));
        }
    }
    sorted(map)
}

/// The same keys in the same order, whether or not `serde_json` keeps insertion order.
pub(crate) fn sorted(map: Map<String, Value>) -> Value {
    let mut entries: Vec<_> = map.into_iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Value::Object(entries.into_iter().collect())
}

fn plain(node: &Node) -> Value {
    match &node.data {
        Data::Null => Value::Null,
        Data::Flag(flag) => (*flag).into(),
        Data::Number(number) => Value::Number(number.clone()),
        Data::Text(text) => text.as_str().into(),
        Data::List(nodes) => nodes.iter().map(plain).collect(),
        Data::Map(entries) => {
            let given = entries.iter().filter(|entry| !entry.node.is_null());
            sorted(
                given
                    .map(|entry| (entry.key.clone(), plain(&entry.node)))
                    .collect(),
            )
        }
    }
}

/// The value of a key; `null` is absence.
pub(crate) fn given<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Node> {
    let entry = entries.iter().find(|entry| entry.key == key)?;
    (!entry.node.is_null()).then_some(&entry.node)
}
