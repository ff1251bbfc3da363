//! Recorded agent sessions of many hosts, read as one neutral stream of events.
//!
//! Hosts of language-model agents record their sessions each in a format of its own.
//! [`read`] takes such a recording from any [`BufRead`](std::io::BufRead), plain or packed
//! with gzip or zstd, and hands one [`Event`] after the other to a closure: what the user and
//! the model said, which tools were called and how each call ended. It returns a
//! [`ReadSummary`] of what was read and what was passed over, and why. [`Format`] lists the
//! formats; [`detect`] tells one from the content, which `read` does by itself unless
//! [`ReadOptions`] name one.
//!
//! Whatever the host, the stream keeps the same rules. Every session begins with
//! [`EventKind::Session`]. Calls are numbered from 1 within their session, over all agents,
//! and a result carries the number of the call that it answers: the oldest unanswered one of
//! its agent with its id. Arguments are raw text, just as the model wrote them, no digit
//! rounded and nothing parsed twice. Steps never come again within an agent. What a host
//! records twice, such as the history of a resumed session, is told once.
//!
//! # Example: count the failures of each tool
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::ops::ControlFlow;
//!
//! use loopguard_transcript::{EventKind, ReadOptions, Status, read};
//!
//! let recording = r#"{"type":"session","version":1,"id":"s1","format":"events"}
//! {"type":"call","id":"c1","tool":"bash","arguments":{"command":"make"}}
//! {"type":"result","id":"c1","status":"error","text":"make: no rule"}
//! {"type":"call","id":"c2","tool":"read","arguments":{"path":"Makefile"}}
//! {"type":"result","id":"c2","status":"ok","text":"all:"}
//! "#;
//!
//! let mut tools = BTreeMap::new();
//! let mut failures = BTreeMap::new();
//! let summary = read(recording.as_bytes(), &ReadOptions::new(), &mut |event| {
//!     match event.kind {
//!         EventKind::Call { index, tool, .. } => {
//!             tools.insert(index, tool.into_owned());
//!         }
//!         EventKind::Result { call: Some(call), status: Status::Error, .. } => {
//!             *failures.entry(tools[&call].clone()).or_insert(0) += 1;
//!         }
//!         _ => {}
//!     }
//!     ControlFlow::Continue(())
//! })?;
//!
//! assert_eq!(failures, BTreeMap::from([("bash".to_owned(), 1)]));
//! assert_eq!(summary.calls, 2);
//! assert_eq!(summary.skipped.total(), 0);
//! # Ok::<(), loopguard_transcript::ReadError>(())
//! ```
//!
//! # What is an error and what is skipped
//!
//! An event stream is written by programs that know its rules: its first malformed line is an
//! error that names line and key. Sessions of hosts end in half a line when the host crashed
//! and hold lines of versions to come: what is broken, unknown or cut off in them is skipped
//! and counted by [`SkipReason`], and bytes that are not UTF-8 become U+FFFD. A session that
//! is one JSON document is whole or an error, which names the place. No input makes a reader
//! panic or overflow the stack; arguments may be nested as deep as they like.
//!
//! Where a host records no flag for a failure, only what the host itself wrote can tell one,
//! such as an exit code in its own header; what tells nothing counts as a success.
//!
//! # Limits
//!
//! - One line is in memory at a time, at most [`MAX_LINE_BYTES`] long unless the options say
//!   otherwise; a longer one is skipped and counted.
//! - A session that is one JSON document is in memory as a whole, at most
//!   [`MAX_DOCUMENT_BYTES`] of it unless the options say otherwise. Its events have no line.
//! - The open calls of a session are remembered until they are answered. The readers of hosts
//!   also remember a number for each step, and those for Claude Code and Gemini CLI the ids of
//!   calls and messages, so that a copy is told from news: a few dozen bytes each, never a text.
//! - A session that names no format is looked at up to its first telling line, 16 MiB at most.
//! - A lone surrogate (`\ud800`) in a text becomes U+FFFD, as no Rust string can hold it; in
//!   arguments it stays as it was written.
//! - Nothing here opens a file or reads a clock.
//!
//! # Features
//!
//! - `gzip` and `zstd`, both on by default: read input that is packed like that. Without one,
//!   such input is an error that says so.

#![forbid(unsafe_code)]

mod compression;
mod error;
mod event;
mod format;
mod formats;
mod json;
mod layout;
mod lines;
mod options;
mod output;
mod pairing;
mod read;
mod summary;
mod texts;
mod time;

pub use compression::Compression;
pub use error::{LineProblem, ReadError};
pub use event::{AgentRef, Event, EventKind, MessageForm, Piece, SessionOutcome, Status};
pub use format::{Format, ParseFormatError};
pub use formats::detect;
pub use options::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, ReadOptions};
pub use read::read;
pub use summary::{ReadSummary, SkipReason, Skipped};
pub use texts::Texts;

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
