//! Plays recorded agent sessions through the loop guards.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod config;
mod engine;
mod exit;
mod input;
mod output;
mod session;
mod talk;
mod totals;

pub use cli::run;
pub use engine::{Action, Decision, Further, Replay, ResumeError, Tally};
pub use exit::Exit;
pub use session::{Session, Watch, replay, replay_all};
pub use totals::{Counts, PerGuard, Totals};
