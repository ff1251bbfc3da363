//! From the paths on the command line to inputs that can be read.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use loopguard_transcript::{ReadError, ReadOptions, read};

/// The name of standard input on the command line and in reports.
pub(crate) const STDIN: &str = "-";

/// One input: a file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input(PathBuf);

/// Why a path gives nothing to read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("{}: cannot be opened: {source}; check the path and its permissions", .path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error(
        "{}: no recorded session in this directory or below; looked at files whose names end in {}",
        .path.display(), endings()
    )]
    NoSessions { path: PathBuf },
}

impl Input {
    /// How reports name it.
    pub(crate) fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead>, InputError> {
        if self.0.as_os_str() == STDIN {
            return Ok(Box::new(io::stdin().lock()));
        }
        let opened = File::open(&self.0).map_err(|source| InputError::Open {
            path: self.0.clone(),
            source,
        })?;
        Ok(Box::new(BufReader::with_capacity(PIECE_BYTES, opened)))
    }
}

/// The inputs that a path stands for: itself, or the sessions below a directory, sorted by
/// name, each directory's files and directories in one order.
///
/// A file that was named is an input whatever it is called and holds. Below a directory only
/// what looks like a session is one: by the ending of its name, and by its content.
pub(crate) fn expand(path: &Path, options: &ReadOptions) -> Vec<Result<Input, InputError>> {
    if path.as_os_str() == STDIN || !path.is_dir() {
        return vec![Ok(Input(path.to_owned()))];
    }
    let mut found = Vec::new();
    descend(path, options, &mut found);
    if found.is_empty() {
        let path = path.to_owned();
        found.push(Err(InputError::NoSessions { path }));
    }
    found
}

/// Files are read in pieces of this size.
const PIECE_BYTES: usize = 128 << 10;

/// How the names of recorded sessions end.
const ENDINGS: &[&str] = &[".jsonl", ".ndjson", ".json"];

/// What may follow, where a session is packed.
const PACKED: &[&str] = &["", ".gz", ".zst"];

fn endings() -> String {
    format!("{} (or these packed, as .gz or .zst)", ENDINGS.join(", "))
}

fn descend(directory: &Path, options: &ReadOptions, found: &mut Vec<Result<Input, InputError>>) {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(source) => {
            let path = directory.to_owned();
            return found.push(Err(InputError::Open { path, source }));
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // The entry's own kind: links to directories are not followed, they may lead in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            descend(&path, options, found);
        } else if has_ending(&entry.file_name().to_string_lossy()) && path.is_file() {
            let input = Input(path);
            if looks_like_session(&input, options) {
                found.push(Ok(input));
            }
        }
    }
}

fn has_ending(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PACKED.iter().any(|packed| {
        name.strip_suffix(packed)
            .is_some_and(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)))
    })
}

/// Whether it is worth a try: what cannot be read is, too, so that somebody hears of it.
fn looks_like_session(input: &Input, options: &ReadOptions) -> bool {
    let Ok(opened) = input.open() else {
        return true;
    };
    let first = read(opened, options, &mut |_| ControlFlow::Break(()));
    !matches!(
        first,
        Err(ReadError::Empty | ReadError::UnknownContent | ReadError::WrongFormat { .. })
    )
}

/// What a person can do about an input that could not be read.
pub(crate) fn remedy(error: &ReadError) -> &'static str {
    match error {
        ReadError::Empty => "leave it out",
        ReadError::UnknownContent => "give its format with `--from`, or leave it out",
        ReadError::WrongFormat { .. } => "give another format with `--from`, or none",
        ReadError::Line { .. } => "mend the line (the sessions before it were replayed)",
        ReadError::CompressionOff(_) => "unpack it first",
        ReadError::Io { .. } => "it may be damaged: try to unpack or copy it",
        _ => "leave it out",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_told_by_the_ending_of_their_name() {
        for name in [
            "a.jsonl",
            "A.JSONL",
            "a.jsonl.gz",
            "a.ndjson.zst",
            "a.traj.json",
        ] {
            assert!(has_ending(name), "{name}");
        }
        for name in ["jsonl", "a.txt", "a.gz", "a.jsonl.bak", "a.yaml"] {
            assert!(!has_ending(name), "{name}");
        }
    }
}
