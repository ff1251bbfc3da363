//! What can go wrong while a session is read.

use std::io;

use thiserror::Error;

use crate::compression::Compression;
use crate::format::Format;

/// Why a session could not be read.
///
/// Events that were handed over before the error stand.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing to read: no byte, or nothing but white space.
    #[error("the input is empty")]
    Empty,
    /// The content is in none of the known formats.
    #[error(
        "this is no recorded session in a format that can be told from its content; \
         name the format if it is one of these: {known}", known = Format::list()
    )]
    UnknownContent,
    /// A format was named, and nothing in the input is in it, or the content is surely of
    /// another.
    #[error("this is no session in the format `{named}`{hint}", hint = hint(*.found))]
    WrongFormat {
        /// The format that was named.
        named: Format,
        /// The format that the content looks like.
        found: Option<Format>,
    },
    /// A line of an event stream is malformed. Sessions of hosts never fail like this: their
    /// broken lines are skipped and counted.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// A whole document is not JSON; nothing of it was handed over.
    #[error("the document is not JSON: in line {line} at byte {byte} there should be {expected}")]
    Document {
        /// The line, counted from 1.
        line: u64,
        /// The byte, counted from 0 within the line.
        byte: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A whole document is longer than the options allow.
    #[error("the document is longer than {limit} bytes")]
    TooLarge {
        /// What is allowed.
        limit: usize,
    },
    /// The input is compressed in a way that this build cannot read.
    #[error("the input is compressed with {0}, which this build does not read: its feature is off")]
    CompressionOff(Compression),
    /// Reading failed; damaged compressed data fails like this, too.
    #[error("reading failed after line {line}")]
    Io {
        /// The last line that was read whole; 0 if none.
        line: u64,
        /// What the input reported.
        #[source]
        source: io::Error,
    },
}

/// What is wrong with a line of an event stream.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// It is not UTF-8.
    #[error("not UTF-8 from byte {offset} on")]
    NotUtf8 {
        /// The first byte that is not, counted from 0 within the line.
        offset: usize,
    },
    /// It is not JSON.
    #[error("not JSON: at byte {offset} there should be {expected}")]
    NotJson {
        /// The byte, counted from 0 within the line.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// It is JSON, and not an object.
    #[error("not a JSON object")]
    NotAnObject,
    /// A key that an event of this type must have is missing.
    #[error("{event} needs the key `{key}`")]
    MissingKey {
        /// What kind of event it is.
        event: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A key has a value that it cannot have.
    #[error("the key `{key}` must be {expected}")]
    WrongValue {
        /// The key.
        key: &'static str,
        /// What is allowed.
        expected: &'static str,
    },
    /// A session of a version of the event stream that is not known.
    #[error("version {found} of the event stream is not supported; version {supported} is")]
    Version {
        /// The version as written.
        found: String,
        /// The version that is supported.
        supported: u64,
    },
}

fn hint(found: Option<Format>) -> String {
    found.map_or_else(String::new, |format| format!("; it looks like `{format}`"))
}
