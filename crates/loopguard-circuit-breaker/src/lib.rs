//! A loop guard that denies an LLM agent's tool call that already failed identically.
//!
//! - [`CircuitBreaker`] is the guard, one for each agent.
//! - [`BreakerConfig`] is what it goes by, shared by all of them.
//!
//! # Example: after two identical failures the circuit is open
//!
//! ```
//! use std::sync::Arc;
//! use loopguard_circuit_breaker::core::{
//!     Arguments, Call, Event, Guard, Notices, Outcome, Output, Seed, Verdict,
//! };
//! use loopguard_circuit_breaker::{BreakerConfig, CircuitBreaker, DEFAULT_ID};
//!
//! let mut guard = CircuitBreaker::new(DEFAULT_ID.into(), Arc::new(BreakerConfig::default()));
//! let call = Call::new(Seed::FIXED, "bash", Arguments::Text(r#"{"command":"make"}"#));
//! for _ in 0..2 {
//!     assert_eq!(guard.decide(&call), Verdict::Admit);
//!     let outcome = Outcome::Failure { message: "no rule", output: &Output::default() };
//!     guard.observe(&Event::Finished { call: &call, outcome, at: None }, &mut Notices::new());
//! }
//! let Verdict::Refuse(denial) = guard.decide(&call) else { unreachable!() };
//! assert!(denial.reason.starts_with("The identical bash call already failed 2 consecutive times."));
//! ```
//!
//! # What counts
//!
//! - A failure adds one; a failure of another call starts a chain of its own.
//! - A success of any guarded tool, and a human message, close the circuit.
//! - Denied and cancelled calls are neither; calls that the filter leaves out are transparent.
//!
//! # Beyond a count
//!
//! `chains` remembers several failing calls at once; with `resultAware` a failure that reads
//! otherwise is progress and starts at 1; `transientPatterns` names failures that pass by
//! themselves; `failurePatterns` names texts that mean failure though the host says success.
//! After `halfOpenAfterMs`, or `halfOpenAfterCalls` denied attempts, the circuit is half-open:
//! one probe is admitted; success closes it, failure opens it again, and a probe that tells
//! nothing lets another one go. `maxSimilarFailures` advises when everything fails alike.
//!
//! # Limits
//!
//! A guard keeps for each chain, at most [`MAX_CHAINS`], one fingerprint, some numbers and at most
//! `errorPreviewChars` UTF-16 units of one message. Calls that already run in parallel may all
//! fail before it can deny the next. A call whose identity is inexact is never denied.
#![forbid(unsafe_code)]

mod breaker;
mod chain;
mod config;
mod similar;
mod texts;

pub use breaker::CircuitBreaker;
pub use config::{BreakerConfig, DEFAULT_ID, KEYS, MAX_CHAINS, NAME, NAMES};
pub use loopguard_config as config_rows;
pub use loopguard_core as core;
