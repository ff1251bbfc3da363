//! Recorded sessions, measured.

use std::path::{Path, PathBuf};

use loopguard_tests::corpus;

use crate::Fault;

/// How to use this chore.
pub(crate) const USAGE: &str = "\
usage: cargo xtask corpus DIR [--preset original|recommended] [--config FILE]
                              [--brake-may-deny] [--verbose]";

/// Plays every recorded session of a folder through the guards and prints what came of it.
///
/// # Errors
///
/// Where the line is wrong, the configuration, or a recording.
pub(crate) fn corpus(dir: &str, options: &[&str]) -> Result<(), Fault> {
    let (mut preset, mut file) = (None, None);
    let (mut brake_may_deny, mut verbose) = (false, false);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--brake-may-deny" => brake_may_deny = true,
            "--verbose" => verbose = true,
            "--preset" => preset = Some(options.next().ok_or(USAGE)?.parse()?),
            "--config" => file = Some(PathBuf::from(options.next().ok_or(USAGE)?)),
            _ => return Err(USAGE.into()),
        }
    }
    let setup = corpus::setup(preset, file.as_deref(), brake_may_deny)?;
    let table = corpus::measure(Path::new(dir), &setup)?;
    print!("{table}");
    if verbose {
        println!("\n{}", table.details());
    }
    Ok(())
}
