//! Whether the values of a mapping are what a key table allows.

use std::collections::BTreeSet;

use crate::error::Problem;
use crate::key::{TOOLS, known, offered};
use crate::messages::Template;
use crate::node::{Data, Entry, Node, Place};
use crate::origin::Findings;
use crate::row::join;
use crate::value::{self, given, whole};
use crate::{ConfigWarning, Key, Kind, Words, nearest};

/// An override for no tool would be one for none in silence, or one for all by surprise.
const SOME_TOOLS: &str = "a non-empty list of name patterns";

/// Checks every key of a mapping, `tools` of an override among them where `more` says so.
pub(crate) fn mapping(
    findings: &Findings,
    path: &str,
    place: Option<Place>,
    (keys, more): (&'static [Key], Option<&'static Key>),
    entries: &[Entry],
) {
    given_keys(findings, path, (keys, more), entries);
    for key in keys.iter().chain(more) {
        if key.kind.is_required() && given(entries, key.name).is_none() {
            let problem = Problem::Missing {
                expected: key.kind.allowed(),
            };
            findings.error(&join(path, key.name), place, problem);
        }
    }
}

/// Checks the keys that a mapping gives, and not whether it gives all that it must.
pub(crate) fn given_keys(
    findings: &Findings,
    path: &str,
    (keys, more): (&'static [Key], Option<&'static Key>),
    entries: &[Entry],
) {
    for entry in entries {
        let key = keys.iter().chain(more).find(|key| key.name == entry.key);
        match key {
            Some(key) if !entry.node.is_null() && !key.is_off(&entry.node) => {
                check(findings, &join(path, key.name), &key.kind, &entry.node);
            }
            Some(_) => {}
            None => {
                let mut words: Vec<_> = more.map(|key| key.name).into_iter().collect();
                words.extend(offered(keys));
                let problem = Problem::UnknownKey {
                    key: entry.key.clone(),
                    suggestion: nearest(&entry.key, words.iter().copied()).map(str::to_owned),
                    known: words.join(", "),
                };
                findings.error(path, entry.place, problem);
            }
        }
    }
}

fn check(findings: &Findings, path: &str, kind: &'static Kind, node: &Node) {
    if let Some(instead) = kind.deprecation() {
        let message = format!("deprecated key, {instead}");
        let origin = findings.origin.clone();
        let warning = ConfigWarning::new(origin, path, node.place, message);
        findings.warnings.push(warning);
    }
    let kind = kind.value();
    let refuse = || refuse(findings, path, node, kind.allowed());
    match (kind, &node.data) {
        (Kind::Integers { min }, Data::List(nodes)) if !nodes.is_empty() => {
            integers(findings, path, *min, nodes);
        }
        (Kind::Patterns, Data::List(nodes)) => each_text(findings, path, nodes, "a name pattern"),
        (Kind::Regexes | Kind::RegexesIgnoringCase, Data::List(nodes)) => {
            for (i, node) in nodes.iter().enumerate() {
                regex(findings, &format!("{path}[{i}]"), node);
            }
        }
        (Kind::Regex, _) => regex(findings, path, node),
        (Kind::Choice(choices), Data::Text(text)) if !choices.contains(&text.as_str()) => {
            let suggestion = nearest(text, choices.iter().copied()).map(str::to_owned);
            let problem = Problem::NotAllowed {
                found: node.brief(),
                expected: kind.allowed(),
                reason: None,
                suggestion,
            };
            findings.error(path, node.place, problem);
        }
        (Kind::Groups(keys), Data::List(nodes)) => {
            each_mapping(findings, path, (keys, None), nodes);
        }
        (Kind::Overrides(keys), Data::List(nodes)) => {
            each_mapping(findings, path, (keys, Some(&TOOLS)), nodes);
        }
        (Kind::Messages(words), Data::Map(entries)) => messages(findings, path, words, entries),
        (kind, _) if !single(kind, node) => refuse(),
        _ => {}
    }
}

/// Whether a node is a value of a kind that holds one plain value.
fn single(kind: &Kind, node: &Node) -> bool {
    match kind {
        Kind::Integer { min } => whole(node).is_some_and(|whole| whole.value >= *min),
        Kind::IntegerUpTo { min, max } => {
            whole(node).is_some_and(|whole| (*min..=*max).contains(&whole.value))
        }
        Kind::Flag => value::flag(node).is_some(),
        Kind::Ratio { min, max } => {
            value::ratio(node).is_some_and(|ratio| (*min..=*max).contains(&ratio))
        }
        Kind::Choice(_) | Kind::Text => node.as_text().is_some(),
        _ => false,
    }
}

fn refuse(findings: &Findings, path: &str, node: &Node, expected: impl Into<String>) {
    findings.error(
        path,
        node.place,
        Problem::not_allowed(node.brief(), expected),
    );
}

fn integers(findings: &Findings, path: &str, min: u64, nodes: &[Node]) {
    let mut seen = BTreeSet::new();
    for (i, node) in nodes.iter().enumerate() {
        let path = format!("{path}[{i}]");
        match whole(node).filter(|whole| whole.value >= min) {
            None => refuse(findings, &path, node, Kind::Integer { min }.allowed()),
            Some(whole) if !seen.insert(whole) => {
                refuse(findings, &path, node, "each value once");
            }
            Some(_) => {}
        }
    }
}

fn each_text(findings: &Findings, path: &str, nodes: &[Node], expected: &str) {
    for (i, node) in nodes.iter().enumerate() {
        if node.as_text().is_none() {
            refuse(findings, &format!("{path}[{i}]"), node, expected);
        }
    }
}

fn regex(findings: &Findings, path: &str, node: &Node) {
    let expected = Kind::Regex.allowed();
    let Some(text) = node.as_text() else {
        return refuse(findings, path, node, expected);
    };
    // Case makes no difference to whether it compiles.
    if let Err(reason) = value::regex(text, false) {
        refuse_because(findings, path, node, expected, reason);
    }
}

fn refuse_because(findings: &Findings, path: &str, node: &Node, expected: String, reason: String) {
    let problem = Problem::NotAllowed {
        found: node.brief(),
        expected,
        reason: Some(reason),
        suggestion: None,
    };
    findings.error(path, node.place, problem);
}

fn each_mapping(
    findings: &Findings,
    path: &str,
    (keys, more): (&'static [Key], Option<&'static Key>),
    nodes: &[Node],
) {
    for (i, node) in nodes.iter().enumerate() {
        let path = format!("{path}[{i}]");
        let Some(entries) = node.as_map() else {
            let names = more.map(|key| key.name).into_iter().chain(offered(keys));
            let names: Vec<_> = names.collect();
            refuse(
                findings,
                &path,
                node,
                format!("a mapping with the keys {}", names.join(", ")),
            );
            continue;
        };
        mapping(findings, &path, node.place, (keys, more), entries);
        let tools = given(entries, TOOLS.name).filter(|_| more.is_some());
        if let Some(tools) = tools.filter(|tools| tools.as_list().is_some_and(<[_]>::is_empty)) {
            refuse(findings, &join(&path, TOOLS.name), tools, SOME_TOOLS);
        }
    }
}

fn messages(findings: &Findings, path: &str, words: &'static [Words], entries: &[Entry]) {
    for Entry { key, place, node } in entries {
        let known = || words.iter().map(|words| words.code);
        let Some(Words {
            code, placeholders, ..
        }) = words.iter().find(|it| it.code == key)
        else {
            let problem = Problem::UnknownKey {
                key: key.clone(),
                suggestion: nearest(key, known()).map(str::to_owned),
                known: known().collect::<Vec<_>>().join(", "),
            };
            findings.error(path, *place, problem);
            continue;
        };
        if node.is_null() {
            continue;
        }
        let path = join(path, code);
        let expected = if placeholders.is_empty() {
            "a text without placeholders".to_owned()
        } else {
            format!(
                "a text with the placeholders {{{}}}",
                placeholders.join("}, {")
            )
        };
        match node
            .as_text()
            .map(|text| Template::parse(text, placeholders))
        {
            None => refuse(findings, &path, node, expected),
            Some(Err(reason)) => refuse_because(findings, &path, node, expected, reason),
            Some(Ok(_)) => {}
        }
    }
}

/// Checks a configuration as a whole: a mapping of keys, or nothing.
pub(crate) fn config(findings: &Findings, keys: &'static [Key], node: &Node) -> Vec<Entry> {
    let entries = match &node.data {
        Data::Null => &[][..],
        Data::Map(entries) => entries,
        _ => {
            let expected = format!("a mapping with the keys {}", known(keys));
            refuse(findings, "", node, expected);
            return Vec::new();
        }
    };
    mapping(findings, "", node.place, (keys, None), entries);
    entries.to_vec()
}
