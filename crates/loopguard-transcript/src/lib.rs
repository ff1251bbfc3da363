//! Recorded agent sessions of many hosts as one neutral event stream.

#![forbid(unsafe_code)]

mod compression;
mod error;
mod event;
mod format;
mod options;
mod read;
mod summary;
mod texts;

pub use compression::Compression;
pub use error::{LineProblem, ReadError};
pub use event::{AgentRef, Event, EventKind, MessageForm, Piece, SessionOutcome, Status};
pub use format::{Format, ParseFormatError};
pub use options::{MAX_LINE_BYTES, ReadOptions};
pub use read::{detect, read};
pub use summary::{ReadSummary, SkipReason, Skipped};
pub use texts::Texts;
