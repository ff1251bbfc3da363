//! A loop guard that advises an LLM agent when it makes the same tool call several times in
//! a row: shortly at the 3rd, in detail at the 5th and the 8th.
//!
//! - [`RepeatReminder`] is the guard, one for each agent.
//! - [`ReminderConfig`] is what it goes by, shared by all of them.
//!
//! # Example: the third identical call is one too many
//!
//! ```
//! use std::sync::Arc;
//! use loopguard_repeat_reminder::core::{Arguments, Call, Event, Guard, Notices, Outcome, Output, Seed};
//! use loopguard_repeat_reminder::{DEFAULT_ID, ReminderConfig, RepeatReminder};
//!
//! let mut guard = RepeatReminder::new(DEFAULT_ID.into(), Arc::new(ReminderConfig::default()));
//! let mut notices = Notices::new();
//! for _ in 0..3 {
//!     let call = Call::new(Seed::FIXED, "bash", Arguments::Text(r#"{"command":"ls"}"#));
//!     guard.observe(&Event::Admitted(&call), &mut notices);
//!     let outcome = Outcome::Success(&Output::default());
//!     guard.observe(&Event::Finished { call: &call, outcome, at: None }, &mut notices);
//! }
//! assert_eq!(notices.as_slice()[0].summary, "bash × 3");
//! ```
//!
//! # What counts
//!
//! - A call counts when it has ended, whatever its outcome: a denied call too.
//! - A call that the filter leaves out neither counts nor resets.
//! - A human message resets the chain; injected context does not.
//!
//! # Progress
//!
//! With `resultAware` what repeats is the call with its result: a changed result starts anew. A
//! denied call repeats the last result, a cancelled one tells nothing. Another call that brings
//! nothing (it failed, or answered with nothing or a mere acknowledgement) does not break the
//! chain, and has one of its own. An answer that is empty is little evidence: it is told from the
//! second threshold on. With `stepAware` the calls of a step are a set: identical ones count
//! once, and their order does not matter. After a pause longer than `quietGapMs` all starts anew.
//!
//! # Limits
//!
//! A guard keeps the fingerprints of the calls of two steps, at most 64 each, and a few numbers;
//! no argument and no text. It denies only where `denyAt` says so, and then only a call whose
//! identity is exact, that came alone each time, with nothing else succeeding in between. Past
//! the highest threshold it is silent, but for `remindEvery`.
#![forbid(unsafe_code)]

mod config;
mod reminder;
mod run;
mod texts;

pub use config::{DEFAULT_ID, KEYS, NAME, NAMES, ReminderConfig};
pub use loopguard_config as config_rows;
pub use loopguard_core as core;
pub use reminder::RepeatReminder;
