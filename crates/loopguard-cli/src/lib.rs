//! Plays recorded agent sessions through the loop guards.
#![forbid(unsafe_code)]

mod engine;
mod session;

pub use engine::{Action, Decision, Further, Replay, ResumeError, Tally};
pub use session::{Session, Watch, replay, replay_all};
