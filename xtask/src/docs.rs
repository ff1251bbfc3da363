//! The parts of the documentation that are written from the code: key tables and texts.
//!
//! A part stands between `<!-- generated: WHAT OF -->` and `<!-- end -->`.

use std::fmt::Write as _;
use std::path::Path;

use loopguard::config::{Key, Kind, Words};
use loopguard::{GUARDS, GuardKind, SET_KEYS, SET_NAME};

use crate::Fault;
use crate::cargo::root;

/// The documents that have such parts.
const DOCUMENTS: &[&str] = &["docs/configuration.md", "docs/guards.md"];

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Writes the parts anew.
///
/// # Errors
///
/// Where a document cannot be read or written, or asks for a part that there is not.
pub(crate) fn write() -> Result<(), Fault> {
    for document in DOCUMENTS {
        let (path, old, new) = read(document)?;
        if old != new {
            std::fs::write(path, new)?;
            eprintln!("{document}: written");
        }
    }
    Ok(())
}

/// Checks that the parts are what would be written.
///
/// # Errors
///
/// The documents that are out of date, or what [`write`] cannot do.
pub(crate) fn check() -> Result<(), Fault> {
    let mut stale = Vec::new();
    for document in DOCUMENTS {
        let (_, old, new) = read(document)?;
        if old != new {
            stale.push(format!("{document}: out of date; run `cargo xtask docs`"));
        }
    }
    match stale.is_empty() {
        true => Ok(()),
        false => Err(stale.join("\n").into()),
    }
}

/// A document as it is, and as it should be.
fn read(document: &str) -> Result<(std::path::PathBuf, String, String), Fault> {
    let path = root().join(Path::new(document));
    let old = std::fs::read_to_string(&path).map_err(|error| format!("{document}: {error}"))?;
    let new = renewed(&old).map_err(|error| format!("{document}: {error}"))?;
    Ok((path, old, new))
}

/// The text with each part made anew.
fn renewed(text: &str) -> Result<String, Fault> {
    let (mut new, mut rest) = (String::new(), text);
    while let Some(begin) = rest.find(BEGIN) {
        let (before, part) = rest.split_at(begin);
        let (head, after) = part.split_once('\n').ok_or("a part without an end")?;
        let asked = head.trim_start_matches(BEGIN).trim_end_matches(" -->");
        let (_, after) = after
            .split_once(END)
            .ok_or_else(|| format!("the part {asked:?} has no end"))?;
        let _ = write!(new, "{before}{head}\n\n{}\n{END}", part_of(asked)?);
        rest = after;
    }
    new.push_str(rest);
    Ok(new)
}

fn part_of(asked: &str) -> Result<String, Fault> {
    let unknown = || format!("there is no part {asked:?}");
    match asked.split_once(' ') {
        None if asked == "names" => Ok(names()),
        Some(("keys", SET_NAME)) => Ok(keys(SET_KEYS)),
        Some(("keys", guard)) => Ok(keys(kind(guard).ok_or_else(unknown)?.keys)),
        Some(("inside", path)) => Ok(keys(inside(path).ok_or_else(unknown)?)),
        Some(("overrides", guard)) => {
            let guard = kind(guard).ok_or_else(unknown)?;
            Ok(overrides(guard.keys))
        }
        Some(("placeholders", guard)) => Ok(placeholders(words(kind(guard).ok_or_else(unknown)?))),
        Some(("texts", guard)) => Ok(texts(words(kind(guard).ok_or_else(unknown)?))),
        _ => Err(unknown().into()),
    }
}

fn kind(name: &str) -> Option<&'static GuardKind> {
    GUARDS.iter().find(|kind| kind.name == name)
}

/// The texts that a guard has.
fn words(kind: &GuardKind) -> &'static [Words] {
    let mut found: &[Words] = &[];
    for key in kind.keys {
        if let Kind::Messages(words) = key.kind.value() {
            found = words;
        }
    }
    found
}

/// The keys of the mappings under a key, such as `circuit-breaker failurePatterns`.
fn inside(path: &str) -> Option<&'static [Key]> {
    let mut steps = path.split(' ');
    let mut keys = match steps.next()? {
        SET_NAME => SET_KEYS,
        guard => kind(guard)?.keys,
    };
    for step in steps {
        let key = keys.iter().find(|key| key.name == step)?;
        let Kind::Groups(found) = key.kind.value() else {
            return None;
        };
        keys = found;
    }
    Some(keys)
}

/// The names under which a row may ask for a guard.
fn names() -> String {
    let mut table = String::from("| guard | names | id by default |\n| --- | --- | --- |\n");
    for kind in GUARDS {
        let names: Vec<_> = kind.names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            table,
            "| {} | {} | `{}` |",
            kind.name,
            names.join(", "),
            kind.default_id
        );
    }
    table
}

fn keys(keys: &[Key]) -> String {
    let mut table =
        String::from("| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n");
    for key in keys {
        let default = match key.default {
            "none" if key.kind.is_required() => "must be given".to_owned(),
            "none" => "none".to_owned(),
            default => format!("`{default}`"),
        };
        let mut about = key.about.to_owned();
        if let Some(instead) = key.kind.deprecation() {
            let _ = write!(about, " (deprecated: {instead})");
        }
        let (allowed, about) = (cell(&key.kind.allowed()), cell(&about));
        let _ = writeln!(
            table,
            "| `{}` | {default} | {allowed} | {about} |",
            key.name
        );
    }
    table
}

fn overrides(keys: &[Key]) -> String {
    let found = keys.iter().find_map(|key| match key.kind.value() {
        Kind::Overrides(keys) => Some(*keys),
        _ => None,
    });
    let names = found.unwrap_or_default().iter();
    let names: Vec<_> = names.map(|key| format!("`{}`", key.name)).collect();
    format!("{}\n", names.join(", "))
}

fn placeholders(words: &[Words]) -> String {
    let mut table = String::from("| code | placeholders |\n| --- | --- |\n");
    for text in words {
        let names: Vec<_> = text
            .placeholders
            .iter()
            .map(|it| format!("`{{{it}}}`"))
            .collect();
        let _ = writeln!(table, "| `{}` | {} |", text.code, names.join(", "));
    }
    table
}

/// Four characters are taken for a token, which is about right for English.
const CHARS_PER_TOKEN: usize = 4;

fn texts(words: &[Words]) -> String {
    let mut list = String::new();
    for text in words {
        let tokens = text.en.chars().count().div_ceil(CHARS_PER_TOKEN);
        let _ = writeln!(
            list,
            "`{}` (about {tokens} tokens, and what is filled in):\n\n```text\n{}\n```\n",
            text.code, text.en
        );
    }
    list.pop();
    list
}

/// A text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_parts_are_up_to_date() {
        if let Err(error) = check() {
            panic!("{error}");
        }
    }

    #[test]
    fn a_part_is_replaced_and_the_rest_stays() {
        let old = format!("before\n{BEGIN}names -->\nstale\n{END}\nafter\n");
        let new = renewed(&old).unwrap();
        assert!(new.starts_with("before\n<!-- generated: names -->\n\n| guard |"));
        assert!(new.ends_with("|\n\n<!-- end -->\nafter\n") && !new.contains("stale"));
        assert_eq!(renewed(&new).unwrap(), new);
    }

    #[test]
    fn a_part_that_there_is_not_is_an_error() {
        for asked in ["keys nobody", "names of", "inside brake mode"] {
            let text = format!("{BEGIN}{asked} -->\n{END}\n");
            let error = renewed(&text).unwrap_err().to_string();
            assert!(error.contains(asked), "{error}");
        }
        assert!(renewed(&format!("{BEGIN}names -->\n")).is_err());
    }
}
