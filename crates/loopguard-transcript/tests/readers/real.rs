//! Recorded sessions, where they are at hand, against counts made another way.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use loopguard_transcript::{EventKind, Format, ReadOptions, ReadSummary, detect, read};
use serde_json::Value;

use crate::support::shared;

pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "nothing in {}", folder.display());
    files
}

/// Reads a file whose format its content must tell, and checks what holds for every session.
pub(crate) fn read_file(path: &Path, format: Format) -> ReadSummary {
    let mut last_call = 0;
    let mut answered = HashSet::new();
    let input = BufReader::with_capacity(64 << 10, File::open(path).unwrap());
    let summary = read(input, &ReadOptions::new(), &mut |event| {
        match event.kind {
            EventKind::Session { .. } => {
                last_call = 0;
                answered.clear();
            }
            EventKind::Call { index, .. } => {
                assert_eq!(index, last_call + 1);
                last_call = index;
            }
            EventKind::Result {
                call: Some(call), ..
            } => {
                assert!(call <= last_call && answered.insert(call));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })
    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(summary.format, format, "{}", path.display());
    summary
}

pub(crate) fn values(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn recorded_dsh_sessions_read_with_every_call_and_result() {
    let Some(folder) = shared("transcripts/dsh") else {
        return;
    };
    for path in files(&folder, ".jsonl") {
        let lines = values(&path);
        let count = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count() as u64;
        let users = lines
            .iter()
            .filter(|line| {
                line["type"] == "user/message" && line["data"]["source"]["kind"] == "user"
            })
            .count() as u64;
        let summary = read_file(&path, Format::Dsh);
        let name = path.display();
        assert_eq!(summary.calls, count("tool/call"), "{name}");
        assert_eq!(summary.results, count("tool/result"), "{name}");
        assert_eq!(summary.unpaired_results, 0, "{name}");
        assert_eq!(summary.sessions, 1, "{name}");
        let kinds = kinds(&path);
        assert_eq!(kinds.users, users, "{name}");
        assert_eq!(
            kinds.users + kinds.messages,
            count("user/message"),
            "{name}"
        );
        assert_eq!(kinds.compactions, count("compaction/summary"), "{name}");
        use loopguard_transcript::SkipReason::{Broken, UnknownType};
        assert_eq!(
            summary.skipped.get(Broken) + summary.skipped.get(UnknownType),
            0,
            "{name}"
        );
    }
}

#[test]
fn recorded_claude_code_sessions_read_with_every_call_and_result() {
    let Some(folder) = shared("transcripts/claude-code") else {
        return;
    };
    for path in files(&folder, ".jsonl") {
        let lines = values(&path);
        let blocks = |line: &str, block: &str| {
            lines
                .iter()
                .filter(|value| value["type"] == line)
                .filter_map(|value| value["message"]["content"].as_array())
                .flatten()
                .filter(|value| value["type"] == block)
                .filter_map(|value| value["id"].as_str().or(value["tool_use_id"].as_str()))
                .collect::<HashSet<_>>()
                .len() as u64
        };
        let summary = read_file(&path, Format::ClaudeCode);
        let name = path.display();
        assert_eq!(summary.calls, blocks("assistant", "tool_use"), "{name}");
        assert_eq!(summary.results, blocks("user", "tool_result"), "{name}");
        assert_eq!(summary.sessions, 1, "{name}");
        assert_eq!(summary.unpaired_results, 0, "{name}");
        let boundaries = lines
            .iter()
            .filter(|line| line["subtype"] == "compact_boundary")
            .count() as u64;
        assert_eq!(kinds(&path).compactions, boundaries, "{name}");
    }
}

#[test]
fn every_recorded_session_is_told_by_its_content() {
    let Some(folder) = shared("transcripts") else {
        return;
    };
    for entry in fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.is_dir() {
            continue;
        }
        let format = name.trim_end_matches("-cli").parse().ok();
        for path in files(&folder, "") {
            let found = detect(&fs::read(&path).unwrap());
            assert_eq!(found, format, "{}", path.display());
        }
    }
}

#[derive(Default)]
struct Kinds {
    users: u64,
    messages: u64,
    compactions: u64,
}

fn kinds(path: &Path) -> Kinds {
    let mut kinds = Kinds::default();
    let input = BufReader::new(File::open(path).unwrap());
    read(input, &ReadOptions::new(), &mut |event| {
        match event.kind {
            EventKind::User { .. } => kinds.users += 1,
            EventKind::Message { .. } => kinds.messages += 1,
            EventKind::Compaction => kinds.compactions += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    kinds
}

/// How each call ended, in order.
pub(crate) fn statuses(path: &Path) -> Vec<String> {
    let mut statuses = Vec::new();
    let input = BufReader::new(File::open(path).unwrap());
    read(input, &ReadOptions::new(), &mut |event| {
        if let EventKind::Result { status, .. } = event.kind {
            statuses.push(format!("{status:?}"));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    statuses
}

#[test]
fn recorded_statuses_are_what_the_recordings_say() {
    let Some(folder) = shared("transcripts") else {
        return;
    };
    let statuses = |name: &str| statuses(&folder.join(name));
    assert_eq!(
        statuses("dsh/cancel-tool-calls.jsonl"),
        ["Cancelled", "Cancelled"]
    );
    assert_eq!(statuses("dsh/escalation-rejected.jsonl"), ["Denied"]);
    assert_eq!(statuses("dsh/hook-cc-pretool-deny.jsonl"), ["Denied"]);
    assert_eq!(
        statuses("dsh/fs-policy-reject.jsonl"),
        ["Error", "Ok", "Ok"]
    );
    assert_eq!(statuses("dsh/tool-outcome-unknown.jsonl"), ["Error"]);
    assert_eq!(
        statuses("claude-code/handmade-rejection.jsonl"),
        ["Ok", "Denied", "Ok", "Denied"]
    );
}

/// Counts by searching lines for the key a line of the type must have; no parser involved.
fn naive(text: &str, kind: &str) -> u64 {
    let key = format!("\"type\":\"{kind}\"");
    text.lines()
        .filter(|line| line.find(&key).is_some_and(|at| at < 40))
        .count() as u64
}

fn check_stream(path: &Path, text: &str) {
    let summary = read_file(path, Format::Events);
    let name = path.display();
    assert_eq!(summary.calls, naive(text, "call"), "{name}");
    assert_eq!(summary.results, naive(text, "result"), "{name}");
    assert_eq!(summary.sessions, naive(text, "session"), "{name}");
    assert_eq!(summary.lines, text.lines().count() as u64, "{name}");
    assert_eq!(summary.events, summary.lines, "{name}");
    assert_eq!(summary.unpaired_results, 0, "{name}");
    assert_eq!(
        summary.unanswered_calls,
        summary.calls - summary.results,
        "{name}"
    );
}

#[test]
fn every_scenario_reads_whole() {
    let Some(folder) = shared("scenarios") else {
        return;
    };
    for path in files(&folder, ".jsonl") {
        check_stream(&path, &fs::read_to_string(&path).unwrap());
    }
}

#[cfg(feature = "gzip")]
#[test]
fn the_whole_corpus_reads() {
    use std::io::Read as _;
    let Some(folder) = shared("corpus") else {
        return;
    };
    for path in files(&folder, ".jsonl.gz") {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(File::open(&path).unwrap())
            .read_to_string(&mut text)
            .unwrap();
        check_stream(&path, &text);
    }
}
