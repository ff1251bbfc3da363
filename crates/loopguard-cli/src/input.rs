//! From the paths on the command line to inputs that can be read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use loopguard_transcript::{LineProblem, ReadError};

/// The name of standard input on the command line and in reports.
pub(crate) const STDIN: &str = "-";

/// One input: a file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    path: PathBuf,
    /// Whether it was named, whatever it is called and holds. What was found below a directory
    /// is an input only if its content is a session.
    pub(crate) named: bool,
}

/// What the paths on the command line stand for, one after the other.
#[derive(Debug)]
pub(crate) enum Job {
    /// Something to replay.
    Replay(Input),
    /// Something that gives nothing to replay.
    Complain(InputError),
    /// A directory is over: had it any session?
    LeaveDirectory(PathBuf),
}

/// Why a path gives nothing to read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("{}: cannot be opened: {source}; {}", .path.display(), remedy_of_opening(.source))]
    Open { path: PathBuf, source: io::Error },
    #[error(
        "{}: no recorded session in this directory or below; looked at files whose names end in \
         {}; a file of another name is read where it is named itself",
        .path.display(), endings()
    )]
    NoSessions { path: PathBuf },
}

impl Job {
    /// The input, where there is one.
    pub(crate) fn input(&self) -> Option<&Input> {
        match self {
            Self::Replay(input) => Some(input),
            _ => None,
        }
    }
}

impl Input {
    /// How reports name it.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// How many bytes there are to read, where that is known beforehand.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self.is_stdin() {
            true => None,
            false => Some(fs::metadata(&self.path).map_or(0, |data| data.len())),
        }
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, InputError> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        match File::open(&self.path) {
            Ok(opened) => Ok(Box::new(opened)),
            Err(source) => Err(InputError::Open {
                path: self.path.clone(),
                source,
            }),
        }
    }

    fn is_stdin(&self) -> bool {
        self.named && self.path.as_os_str() == STDIN
    }
}

/// What the paths stand for: themselves, or what is below a directory, sorted by name, each
/// directory's files and directories in one order. Only names are looked at here.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for path in paths {
        if path.as_os_str() == STDIN || !path.is_dir() {
            let path = path.clone();
            jobs.push(Job::Replay(Input { path, named: true }));
        } else {
            descend(path, &mut jobs);
            jobs.push(Job::LeaveDirectory(path.clone()));
        }
    }
    jobs
}

/// Files are read in pieces of this size.
pub(crate) const PIECE_BYTES: usize = 128 << 10;

/// How the names of recorded sessions end.
const ENDINGS: &[&str] = &[".jsonl", ".ndjson", ".json", ".traj"];

/// What may follow, where a session is packed.
const PACKED: &[&str] = &["", ".gz", ".zst"];

fn endings() -> String {
    format!("{} (or these packed, as .gz or .zst)", ENDINGS.join(", "))
}

fn descend(directory: &Path, found: &mut Vec<Job>) {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(source) => {
            let path = directory.to_owned();
            return found.push(Job::Complain(InputError::Open { path, source }));
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // The entry's own kind: links to directories are not followed, they may lead in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            descend(&path, found);
        } else if has_ending(&entry.file_name().to_string_lossy()) && path.is_file() {
            found.push(Job::Replay(Input { path, named: false }));
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

/// Whether it says that there is no session at all in the input.
pub(crate) fn is_no_session(error: &ReadError) -> bool {
    matches!(
        error,
        ReadError::Empty | ReadError::UnknownContent | ReadError::WrongFormat { .. }
    )
}

fn remedy_of_opening(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check its permissions",
        _ => "check the path and its permissions",
    }
}

/// What a person can do about an input that could not be read.
pub(crate) fn remedy(error: &ReadError) -> &'static str {
    match error {
        ReadError::Empty => "leave it out",
        ReadError::UnknownContent => "do so with `--from FORMAT`, or leave it out",
        ReadError::WrongFormat { .. } => "give another format with `--from`, or none",
        ReadError::Line {
            problem: LineProblem::Version { .. },
            ..
        } => "record it in a version that is, or use a newer loopguard",
        ReadError::Line { .. } => "mend the line, or take it out",
        ReadError::CompressionOff(_) => "unpack it first",
        ReadError::Io { .. } => "it may be damaged: try to unpack or copy it",
        ReadError::Document { .. } => {
            "mend it there: a session that is one document is read whole or not at all"
        }
        ReadError::TooLarge { .. } => "write its messages one a line: lines are read one at a time",
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
            "a.traj",
            "a.traj.json",
        ] {
            assert!(has_ending(name), "{name}");
        }
        for name in ["jsonl", "a.txt", "a.gz", "a.jsonl.bak", "a.yaml"] {
            assert!(!has_ending(name), "{name}");
        }
    }

    #[test]
    fn a_document_that_is_too_large_has_a_way_out() {
        let error = ReadError::TooLarge { limit: 1 };
        assert!(remedy(&error).contains("one a line"));
        assert!(!is_no_session(&error));
    }
}
