//! Recorded sessions beside the workspace, where there are any: they are no part of it.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use loopguard::{Preset, Setup};
use loopguard_cli::replay_all;
use loopguard_transcript::ReadOptions;

use super::run;

/// The folder of recordings, if it is there.
fn recordings() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there are no recordings beside the workspace");
    None
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder of recordings")
        .map(|entry| entry.expect("its files").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    files
}

#[test]
fn the_reminder_speaks_at_the_third_and_fifth_identical_call() {
    let Some(folder) = recordings() else { return };
    let file = folder.join("transcripts/dsh/repeat-tool-reminder.jsonl");
    let file = file.to_str().unwrap();
    let ran = run(&["replay", "--preset", "original", "--output", "jsonl", file]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    let spoken: Vec<_> = ran
        .out
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            (value["call_index"].as_u64().unwrap(), value["code"].clone())
        })
        .collect();
    let expected = [
        (3, "repeated-call".into()),
        (5, "repeated-call-detailed".into()),
    ];
    assert_eq!(spoken, expected);
}

#[test]
fn every_recorded_session_runs_through() {
    let Some(folder) = recordings() else { return };
    for format in ["dsh", "claude-code"] {
        for file in files(&folder.join("transcripts").join(format), ".jsonl") {
            let file = file.to_str().unwrap();
            let ran = run(&["replay", "--from", format, file]);
            assert_eq!((ran.code, &*ran.err), (0, ""), "{file}");
            assert_eq!(run(&["replay", file]).out, ran.out, "told from its content");
        }
    }
}

#[test]
fn every_collection_of_sessions_runs_through() {
    let Some(folder) = recordings() else { return };
    let setup = Setup::preset(Preset::Recommended);
    for file in files(&folder.join("corpus"), ".jsonl.gz") {
        let input = BufReader::new(File::open(&file).unwrap());
        let replayed = replay_all(input, &ReadOptions::new(), &setup);
        let (sessions, summary) =
            replayed.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(sessions.len() as u64, summary.sessions);
        let calls: u64 = sessions.iter().map(|session| session.tally.calls).sum();
        assert_eq!(calls, summary.calls, "{}", file.display());
    }
}
