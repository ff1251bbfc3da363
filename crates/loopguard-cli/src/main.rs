//! The program `loopguard`; everything that it does is in the library of this crate.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    loopguard_cli::run(std::env::args_os()).into()
}
