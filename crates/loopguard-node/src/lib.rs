//! The loop guards as a native module for Node. It has no logic of its own: it hands on to
//! [`loopguard`] what JavaScript says, and back what the guards answer.
//!
//! - [`Guards`] is a configuration, checked when it is made.
//! - [`Session`] is one agent of it: messages are handed in, notices taken, state saved.
//! - [`submit`] and [`finish`] are for every call of an agent, or [`tell`] in place of both.
//!
//! What is written for people stands in `npm/`: the package around this module, with its
//! plugins for the DeepSeek Harness.
//!
//! # Limits
//!
//! A call's arguments cross the border once, as JSON text, and are kept until the call ends so
//! that a notice can quote them: for at most [`loopguard::MAX_PENDING_CALLS`] calls of an agent.
//! A panic becomes a JavaScript error.
//!
//! # Features
//!
//! `self-test` adds a class that panics on purpose, for the tests.
#![allow(
    unsafe_code,
    reason = "the macros of napi write the calls into Node; nothing here does by hand"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "what crosses the border is a copy, and owned"
)]

mod arguments;
mod call;
mod guards;
#[cfg(feature = "self-test")]
mod self_test;
mod session;
mod watched;

pub use call::{finish, submit, tell};
pub use guards::Guards;
pub use session::Session;
