//! What the guards cost: nanoseconds and allocations per call, and bytes per agent.
//!
//! `cargo xtask bench [--quick] [--recordings FOLDER]` prints two tables. A call is submitted
//! and finished with a result of 1,600 characters, and nothing that it does gives rise to a
//! notice. Everything a host pays is in it: the identity, the fingerprint of the result, every
//! guard's bookkeeping.

mod agent;
mod memory;
mod setups;
mod speed;

use loopguard_bench::{Counting, Options};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let options = Options::from_arguments();
    println!("### Guards: nanoseconds per call\n");
    println!("{}.\n", options.conditions());
    println!("{}", speed::table(&options));
    println!("### Guards: bytes per agent\n");
    println!("{}", memory::table());
    println!("{}", memory::many_agents(&options));
}
