//! What the guards cost: nanoseconds and allocations per call, and bytes per agent.
//!
//! `cargo xtask bench [--quick] [--recordings FOLDER]` prints two tables, and
//! `cargo xtask instructions` counts instructions. A call is submitted
//! and finished with a result of 1,600 characters, and nothing that it does gives rise to a
//! notice. Everything a host pays is in it: the identity, the fingerprint of the result, every
//! guard's bookkeeping.

mod agent;
mod instructions;
mod memory;
mod setups;
mod speed;

use loopguard_bench::{Counting, Options};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--instructions", rest @ ..] = words.as_slice() {
        if let Err(reason) = instructions::run(rest) {
            eprintln!("{reason}");
            std::process::exit(2);
        }
        return;
    }
    let options = Options::from_arguments();
    println!("### Guards: nanoseconds per call\n");
    println!("{}.\n", options.conditions());
    println!("{}", speed::table(&options));
    println!("### Guards: bytes per agent\n");
    println!("{}", memory::table());
    println!("{}", memory::many_agents(&options));
}
