//! A scripted agent loop for testing loop guards: a story goes in, the transcript as the model
//! reads it comes out.
//!
//! - [`Script`] is the story: prompts, injected context, [`Step`]s of a model with their
//!   [`ScriptedCall`]s, compaction, pauses, several agents.
//! - [`guards`] and [`combinations`] say which guards watch.
//! - [`run`] plays the story; the [`Transcript`] answers questions and renders itself as text
//!   for snapshots.
//!
//! # Example: the third identical call is advised about
//!
//! ```
//! use loopguard_testkit::{Script, call, guards, run};
//! use serde_json::json;
//!
//! let make = call("bash", json!({"command": "make"})).fails("no rule");
//! let script = Script::new().user("fix the build").repeat(3, make);
//! let transcript = run(guards(["repeat-reminder"]), &script);
//! assert_eq!(
//!     transcript.said(),
//!     ["step 3: repeat-tool-guard repeated-call: bash × 3"],
//! );
//! ```
//!
//! # The loop
//!
//! Messages gather until the agent's next step, which hands them over as one batch. Guards are
//! asked call by call in the model's order. Calls one by one end before the next one is
//! submitted; parallel ones are all submitted before the first ends. A refused call's reason
//! stands in place of its result. Notices are delivered as messages of their own after the
//! step's results, and come back with the next batch as a plugin's messages of the form notice.
//! After a halt the agent takes no further step until a person speaks.
//!
//! Time is scripted too: it passes while a call runs and in pauses, and nowhere else.
#![forbid(unsafe_code)]

mod call;
mod faulty;
mod guards;
mod journal;
mod play;
mod render;
mod script;
mod step;
mod transcript;

pub use call::{ScriptedCall, call, call_text};
pub use faulty::{Faulty, UNDECIDABLE, UNHEARABLE};
pub use guards::{Guards, combinations, guards};
pub use play::{run, run_setup};
pub use script::{InjectedMessage, Script, message};
pub use step::Step;
pub use transcript::{Entry, Heard, Status, Transcript, What};
