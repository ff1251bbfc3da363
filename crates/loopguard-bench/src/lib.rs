//! What the benchmarks share, so that two tables can be read in the same way.
//!
//! - [`Race`] measures contestants in turns: whatever disturbs the machine disturbs them all.
//! - [`Counting`] is the allocator that tells how often and how much a call allocates.
//! - [`inputs`] makes arguments up, [`recordings`] reads real ones where some are at hand.
//! - [`Table`] prints Markdown, [`Options`] is the command line.

mod allocations;
pub mod inputs;
mod options;
mod race;
pub mod recordings;
mod table;
mod varied;

pub use allocations::{Counting, allocations, live_bytes};
pub use options::Options;
pub use race::{Measured, Race};
pub use table::{Align, Table, number, ratio};
pub use varied::{MARKER, Varied, VariedValue};
