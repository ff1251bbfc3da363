//! Golden data: what guards answered when they were run, and whether ours answer the same.

mod canonical;
mod config;
mod report;
mod streams;

use std::collections::BTreeMap;
use std::path::Path;

use report::{Checker, Row};
pub use report::{Failure, FileReport, MAX_FAILURES, Report};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::files;

/// Plays every file of golden data that `dir` holds through the real guards: the streams in
/// `reminder/` and `brake/`, the tables `reminder-config.jsonl`, `brake-config.jsonl`,
/// `canonical.jsonl`, `identity.jsonl` and `canonical-rfc8785.jsonl`.
///
/// A file that is not there is left out of the report; one that cannot be read is a failure.
pub fn run(dir: &Path) -> Report {
    let mut report = Report::default();
    for (folder, stream) in [
        ("reminder", streams::reminder as fn(&[Value], &mut Checker)),
        ("brake", streams::brake),
    ] {
        for file in files::ending(&dir.join(folder), ".jsonl") {
            report.files.push(check(dir, &file, stream));
        }
    }
    for (name, table) in [
        (
            "reminder-config.jsonl",
            config::reminder as fn(&[Value], &mut Checker),
        ),
        ("brake-config.jsonl", config::brake),
        ("canonical.jsonl", canonical::texts),
        ("canonical-rfc8785.jsonl", canonical::texts),
        ("identity.jsonl", canonical::identities),
    ] {
        let file = dir.join(name);
        if file.is_file() {
            report.files.push(check(dir, &file, table));
        }
    }
    report
}

/// Reads one file and checks its rows.
fn check(dir: &Path, file: &Path, rows: fn(&[Value], &mut Checker)) -> FileReport {
    let name = file.strip_prefix(dir).unwrap_or(file).to_path_buf();
    let mut checker = Checker::new(name);
    match read(file) {
        Ok(lines) => rows(&lines, &mut checker),
        Err((line, problem)) => checker.row(Row {
            line,
            tagged: false,
            wanted: "a line of JSON".to_owned(),
            got: problem,
        }),
    }
    checker.finish()
}

fn read(file: &Path) -> Result<Vec<Value>, (usize, String)> {
    let text = std::fs::read_to_string(file).map_err(|error| (0, error.to_string()))?;
    text.lines()
        .enumerate()
        .map(|(at, line)| parse(line).map_err(|error| (at + 1, format!("{error}: {line:.80}"))))
        .collect()
}

/// One line. Arguments nested deeper than a parser goes stay text, under `raw`.
fn parse(line: &str) -> Result<Value, serde_json::Error> {
    let keys: BTreeMap<String, &RawValue> = serde_json::from_str(line)?;
    let mut parsed = Map::new();
    for (key, value) in keys {
        match serde_json::from_str(value.get()) {
            Ok(value) => parsed.insert(key, value),
            Err(_) if key == "arguments" => parsed.insert("raw".to_owned(), value.get().into()),
            Err(error) => return Err(error),
        };
    }
    Ok(Value::Object(parsed))
}
