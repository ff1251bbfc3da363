//! The vocabulary of loop guards for LLM agents, and the contract that every guard keeps.
//!
//! - [`Guard`] is one instance that watches one agent: asked before a call
//!   ([`Guard::decide`]), told afterwards ([`Guard::observe`]).
//! - [`Event`] is what a guard is told: a [`Call`] was admitted, refused or
//!   [finished](Outcome), [messages](Message) came.
//! - [`Notice`] and [`Denial`] are what it answers: a text for the model, a code and
//!   [`Facts`] for programs.
//!
//! # Example: a guard that refuses every third call
//!
//! ```
//! use loopguard_core::*;
//!
//! #[derive(Debug)]
//! struct EveryThird { id: GuardId, calls: u64 }
//!
//! impl Guard for EveryThird {
//!     fn id(&self) -> &GuardId { &self.id }
//!
//!     fn decide(&self, call: &Call<'_>) -> Verdict {
//!         if (self.calls + 1) % 3 != 0 {
//!             return Verdict::Admit;
//!         }
//!         let facts = Facts::new("every", 3).tool(call.tool()).count(self.calls + 1);
//!         Verdict::refuse(&self.id, "every-third", "One call in three is refused.", facts)
//!     }
//!
//!     fn observe(&mut self, event: &Event<'_>, _notices: &mut Notices) {
//!         if event.starts_over() {
//!             self.calls = 0;
//!         } else if matches!(event, Event::Admitted(_) | Event::Refused(..)) {
//!             self.calls += 1;
//!         }
//!     }
//!
//!     fn save(&self) -> SavedGuard {
//!         SavedGuard::new(&self.id, "every-third", 1, None, &self.calls)
//!     }
//!
//!     fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
//!         self.calls = saved.open("every-third", 1, None)?;
//!         Ok(())
//!     }
//! }
//!
//! let mut guard = EveryThird { id: GuardId::new("third"), calls: 2 };
//! let call = Call::new(Seed::FIXED, "bash", Arguments::Text(r#"{"command":"ls"}"#));
//! let Verdict::Refuse(denial) = guard.decide(&call) else { unreachable!() };
//! assert_eq!(denial.reason, "One call in three is refused.");
//! guard.observe(&Event::Refused(&call, &denial), &mut Notices::new());
//! assert_eq!(guard.decide(&call), Verdict::Admit);
//! ```
//!
//! # Limits
//!
//! Nothing here reads a clock, a file, the environment or randomness: time comes in
//! with the events, the seed with the call. What a guard keeps is bounded; [`Recent`] is
//! the table to keep it in.
#![forbid(unsafe_code)]

mod activity;
mod call;
mod call_set;
mod decision;
mod event;
mod facts;
mod guard;
mod message;
mod outcome;
mod recent;
mod redaction;
mod state;
mod text;
mod time;
mod weight;

pub use activity::Activity;
pub use call::{Call, CallNumber, StepId};
pub use call_set::CallSet;
pub use decision::{Denial, Notice, Notices, Verdict};
pub use event::Event;
pub use facts::Facts;
pub use guard::{Guard, GuardId};
pub use loopguard_canonical::{Arguments, Fingerprint, Identity, Seed};
pub use message::{Form, Message, Source};
pub use outcome::{Outcome, Output};
pub use recent::{Link, Recent};
pub use redaction::{REDACTED, Redaction};
pub use state::{RestoreError, SavedGuard, configuration_fingerprint};
pub use text::Text;
pub use time::{Timestamp, elapsed_ms};
pub use weight::Weight;
