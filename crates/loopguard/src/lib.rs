//! Keeps LLM agents from spinning: three guards watch the stream of tool calls and messages,
//! and a host asks before a call and tells after it.
//!
//! - [`Setup`] says which guards run: a [`Preset`], or the rows of a configuration.
//! - [`Sessions`] holds one [`GuardSet`] for each agent.
//! - [`Submission`], [`Ending`] and [`Incoming`] are what a host hands in; [`Answer`] and
//!   [`Notice`] are what it gets.
//!
//! # Example: the third identical call is advised about
//!
//! ```
//! use loopguard::{Answer, Ending, Preset, Seed, Sessions, Setup, Submission};
//!
//! let sessions = Sessions::new(Setup::preset(Preset::Original), Seed::FIXED);
//! let arguments = r#"{"path":"src/main.rs"}"#;
//! let mut said = Vec::new();
//! for _ in 0..3 {
//!     let Answer::Admitted(call) = sessions.submit("main", &Submission::new("read", arguments))
//!     else {
//!         unreachable!("the reminder only advises")
//!     };
//!     let result = ["fn main() {}"];
//!     said = sessions.finish("main", call, &Ending::success(&result).arguments(arguments));
//! }
//! assert_eq!(said[0].code, "repeated-call");
//! assert_eq!(said[0].summary, "read × 3");
//! ```
//!
//! # Limits
//!
//! Everything that grows is bounded: agents by the capacity of [`Sessions`], running calls by
//! [`MAX_PENDING_CALLS`], notices that wait by [`MAX_WAITING_NOTICES`], and what each guard
//! remembers by its own constants. Nothing here reads a clock, a file, the environment or
//! randomness. A guard that panics is off duty from then on and blocks nobody.
//!
//! # Features
//!
//! `repeat-reminder`, `brake` and `circuit-breaker` (all by default) compile a guard each;
//! `yaml` reads configurations written in YAML.
#![forbid(unsafe_code)]

mod observer;
mod pending;
mod policy;
mod preset;
mod registry;
mod saved;
mod sessions;
mod set;
mod setup;
mod speaker;
mod submission;
mod watch;

pub use loopguard_config as config;
pub use loopguard_config::{ConfigError, ConfigErrors, ConfigWarning};
pub use loopguard_core as core;
pub use loopguard_core::{
    Arguments, CallNumber, Denial, Facts, Form, GuardId, Identity, Notice, Seed, Source, Timestamp,
};
pub use observer::{Action, Decision, Halt, Observer};
pub use pending::MAX_PENDING_CALLS;
pub use policy::IdentityPolicy;
pub use preset::{Preset, UnknownPreset};
pub use registry::{GUARDS, GuardFactory, GuardKind};
pub use saved::{Afresh, RestoreSetError, Restored, SavedSet};
pub use sessions::{DEFAULT_AGENTS, Sessions};
pub use set::{Answer, GuardSet, Refusal};
pub use setup::{Base, Effect, Loaded, SET_KEYS, SET_NAME, Scope, Setup};
pub use speaker::MAX_WAITING_NOTICES;
pub use submission::{CallRef, Ending, Incoming, Submission};
