//! Data that knows what the guards should make of it, played and judged.

use std::path::Path;

use loopguard_tests::{oracle, scenarios};

use crate::Fault;

/// Golden data: file by file how many rows came out as wanted, and the first that did not.
///
/// # Errors
///
/// Where a row came out otherwise, and where there are none.
pub(crate) fn oracle(dir: &str) -> Result<(), Fault> {
    let report = oracle::run(folder(dir)?);
    println!("{report}");
    match (report.rows(), report.failed()) {
        (0, _) => Err(format!("{dir}: no golden data").into()),
        (_, 0) => Ok(()),
        (_, failed) => Err(format!("{failed} rows came out otherwise").into()),
    }
}

/// Behaviour scenarios: one line each, and all decisions where they are wanted.
///
/// # Errors
///
/// Where a scenario is wrong, and where there are none.
pub(crate) fn scenarios(dir: &str, verbose: bool) -> Result<(), Fault> {
    let report = scenarios::run(folder(dir)?);
    for outcome in &report.outcomes {
        println!("{outcome}");
        if verbose {
            print!("    {}\n{}", outcome.title, outcome.details());
        }
    }
    println!("{}", report.total());
    match (report.outcomes.len(), report.wrong().count()) {
        (0, _) => Err(format!("{dir}: no scenarios").into()),
        (_, 0) => Ok(()),
        (_, wrong) => Err(format!("{wrong} scenarios are wrong").into()),
    }
}

fn folder(dir: &str) -> Result<&Path, Fault> {
    let path = Path::new(dir);
    match path.is_dir() {
        true => Ok(path),
        false => Err(format!("{dir}: no such folder").into()),
    }
}
