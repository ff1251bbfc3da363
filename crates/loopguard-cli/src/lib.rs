//! Plays recorded agent sessions through the loop guards and checks their configuration: the
//! program `loopguard`, and its replay engine for tests and tools.
//!
//! - [`Replay`] takes the events of one session one at a time and gives the guards'
//!   [`Decision`]s at once, each with its place.
//! - [`replay`] does so for every session of an input and lets somebody [`Watch`];
//!   [`replay_all`] gathers the [`Session`]s.
//! - [`run`] is the whole program; its ends are the constants of [`Exit`].
//!
//! # Example: where would the guards have spoken?
//!
//! ```
//! use loopguard::{Preset, Setup};
//! use loopguard_cli::{Action, replay_all};
//! use loopguard_transcript::ReadOptions;
//!
//! let call = r#"{"type":"call","id":"c1","tool":"read","arguments":{"path":"a"}}"#;
//! let result = r#"{"type":"result","id":"c1","status":"ok","text":"fn main() {}"}"#;
//! let stream = [call, result].repeat(3).join("\n");
//!
//! let setup = Setup::preset(Preset::Original);
//! let (sessions, _) = replay_all(stream.as_bytes(), &ReadOptions::new(), &setup)?;
//! let decision = &sessions[0].decisions[0];
//! assert_eq!((decision.call_index, decision.action), (3, Action::Notice));
//! assert_eq!(decision.line, Some(6));
//! # Ok::<(), loopguard_transcript::ReadError>(())
//! ```
//!
//! # What the program writes
//!
//! `--output jsonl` writes one object a line for each decision, keys in this order: `file`,
//! `session`, `line`, `agent`, `call_index`, `call`, `tool`, `guard`, `action`, `code`,
//! `message`; then `dry_run` (`true`) where it was without effect, and `further` where other
//! guards were against a denied call, too: a list of `guard`, `code`, `message`. Such further
//! denials are no decisions of their own and are counted nowhere. What [`Decision`] says of
//! these fields holds there, too; `file` is the path as it was given or found, `-` for standard
//! input, and `session` is null where the recording has no id for it.
//!
//! `--output json` writes one object with the keys `totals` ([`Totals`], in the order of its
//! fields) and `sessions`: a list of `file`, `session`, `outcome` (`success`, `failure` or
//! `unknown`), `calls` and `decisions`, the objects above.
//!
//! `--output text` is for people and may change with every version.
//!
//! Of an input that cannot be read to its end, the sessions that were read whole are reported,
//! and the one that was not leaves no trace. What was decided in a dry run is reported and
//! counted like anything else, also by `--fail-on`.
//!
//! # Limits
//!
//! The program replays inputs on all cores and writes in their order. In memory are, for each
//! core, one line and one session's guards, unanswered calls and decisions; what is written of
//! inputs that are done before their turn, up to 16 MiB and no more than 32 inputs ahead; and
//! for a report the text of all its sessions. After a halt the rest of its session is not replayed,
//! whichever agent was halted. Consecutive messages of one agent with the same batch number are
//! one batch; anything in between ends it.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod config;
mod engine;
mod excerpt;
mod exit;
mod input;
mod output;
mod progress;
mod schema;
mod session;
mod spread;
mod talk;
mod totals;
mod wrap;

pub use cli::run;
pub use engine::{Action, Decision, Further, Replay, ResumeError, Tally};
pub use exit::Exit;
pub use session::{Session, Watch, replay, replay_all};
pub use totals::{Counts, PerGuard, Totals};
