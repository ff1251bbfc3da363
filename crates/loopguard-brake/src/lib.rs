//! A loop guard for LLM agents that sees what a count of calls in a row does not: cumulative
//! repeats, sequence loops and duplicated text. It advises, and denies where it is allowed to.
//!
//! - [`Brake`] is the guard, one for each agent.
//! - [`BrakeConfig`] is what it goes by, shared by all of them; [`Mode`] says whether it may deny.
//!
//! # Example: a call that keeps coming back between others
//!
//! ```
//! use std::sync::Arc;
//! use loopguard_brake::core::{Arguments, Call, Event, Guard, Notices, Outcome, Output, Seed};
//! use loopguard_brake::{Brake, BrakeConfig, DEFAULT_ID};
//!
//! let mut guard = Brake::new(DEFAULT_ID.into(), Arc::new(BrakeConfig::default()));
//! let mut notices = Notices::new();
//! for turn in 0..6 {
//!     let other = format!(r#"{{"page":{turn}}}"#);
//!     for (tool, arguments) in [("grep", r#"{"pattern":"main"}"#), ("read", &*other)] {
//!         let call = Call::new(Seed::FIXED, tool, Arguments::Text(arguments));
//!         let outcome = Outcome::Success(&Output::default());
//!         guard.observe(&Event::Finished { call: &call, outcome, at: None }, &mut notices);
//!     }
//! }
//! assert_eq!(notices.as_slice()[0].summary, "grep × 6");
//! ```
//!
//! # What counts
//!
//! - Repeated call (`call-count`): how often one call has come since the last human message.
//! - Sequence loop (`sequence-loop`): a window of distinct calls that comes again, rotations
//!   being one sequence; a longer loop is told once.
//! - Duplicate text (`duplicate-text`): a long block that is shown again and again, by whatever
//!   tool or plugin.
//! - In mode `deny` a call that has come `callDenyCount` times is refused (`call-denied`).
//!
//! # Progress
//!
//! With `resultAware` a call counts with its result. Whatever is progress begins all counts anew:
//! a known call whose result has changed, or a new one that succeeds with something to work with
//! (not with nothing, a mere acknowledgement, or a long text that has been shown already). A new
//! call that brings nothing stands outside of every cycle. A denial rests only on repeats with
//! nothing else succeeding in between. With `sequenceMaxLength` loops are cycles of every period,
//! each told once with its shortest; with `stepAware` their steps are sets. With `assistantText`
//! the model's own words count (`duplicate-text`, `chanting`).
//!
//! # Limits
//!
//! A guard remembers at most [`MAX_CALLS`] calls, [`MAX_SEQUENCES`] sequences, [`MAX_TEXTS`]
//! texts, [`MAX_MESSAGE_IDS`] message ids and [`MAX_GROUPS`] groups of similar things, each
//! dropping the one longest unseen, the last [`MAX_LOOP_CALLS`] calls or [`MAX_PERIOD`] steps in
//! order, at most [`MAX_STREAM_BYTES`] of a message that is still streaming, and else no
//! argument and no text, only names of at most 128 UTF-16 units. A call whose identity is
//! inexact is never denied.
#![forbid(unsafe_code)]

mod assistant;
mod brake;
mod calls;
mod chanting;
mod config;
mod cycles;
mod due;
mod duplicates;
mod keys;
mod names;
mod sequence;
mod similar;
mod texts;

pub use assistant::MAX_STREAM_BYTES;
pub use brake::Brake;
pub use calls::MAX_CALLS;
pub use config::{BrakeConfig, Mode};
pub use cycles::MAX_PERIOD;
pub use duplicates::{MAX_MESSAGE_IDS, MAX_SOURCES, MAX_TEXTS};
pub use keys::{DEFAULT_ID, KEYS, NAME, NAMES};
pub use loopguard_config as config_rows;
pub use loopguard_core as core;
pub use sequence::{MAX_LOOP_CALLS, MAX_SEQUENCES};
pub use similar::MAX_GROUPS;
