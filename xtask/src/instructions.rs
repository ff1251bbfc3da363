//! `cargo xtask instructions`: what a call costs, in instructions.
//!
//! A count does not change with the machine's load, so it can be checked where a time cannot.
//! It does change with the compiler, and a little with the vector instructions that the
//! processor has.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Fault;
use crate::cargo::{Cargo, root};

/// Where the counts are that others are compared with.
const RECORDED: &str = "crates/loopguard/benches/guards/instructions.txt";

/// How many calls the two runs of a scenario make: what comes before them costs the same.
const CALLS: (u64, u64) = (500, 2_500);

/// How much more than recorded a call may take, in percent.
const MAX_GROWTH: u64 = 10;

/// Instructions per call, by scenario.
type Counts = BTreeMap<String, u64>;

/// Counts, and writes down what came.
pub(crate) fn record() -> Result<(), Fault> {
    require_valgrind()?;
    let mut text =
        "# Instructions per call, written by `cargo xtask instructions --record`.\n".to_owned();
    for (scenario, count) in count_all()? {
        let _ = writeln!(text, "{scenario} {count}");
        println!("{scenario:32} {count:>6}");
    }
    Ok(fs::write(root().join(RECORDED), text)?)
}

/// Counts, and compares with what is written down.
pub(crate) fn check() -> Result<(), Fault> {
    require_valgrind()?;
    let recorded = recorded()?;
    let counts = count_all()?;
    let mut faults = Vec::new();
    for (scenario, &count) in &counts {
        let Some(&before) = recorded.get(scenario) else {
            faults.push(format!("{scenario}: not recorded"));
            continue;
        };
        let change = (count as f64 / before as f64 - 1.0) * 100.0;
        println!("{scenario:32} {count:>6}, recorded {before:>6}: {change:+.1} %");
        if count * 100 > before * (100 + MAX_GROWTH) {
            faults.push(format!(
                "{scenario}: {change:+.1} %, at most +{MAX_GROWTH} % is let through"
            ));
        }
    }
    let gone = recorded
        .keys()
        .filter(|scenario| !counts.contains_key(*scenario));
    faults.extend(gone.map(|scenario| format!("{scenario}: recorded, and not there any more")));
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\nWhere that is meant: cargo xtask instructions --record, and say why in the commit",
        faults.join("\n")
    )
    .into())
}

/// The check, where it can be made.
pub(crate) fn check_if_possible() -> Result<(), Fault> {
    match require_valgrind() {
        Ok(()) => check(),
        Err(reason) => {
            println!("no instructions are counted: {reason}");
            Ok(())
        }
    }
}

fn require_valgrind() -> Result<(), Fault> {
    let found = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err("valgrind is not installed (on Debian: apt-get install valgrind)".into()),
    }
}

fn recorded() -> Result<Counts, Fault> {
    let text = fs::read_to_string(root().join(RECORDED))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (scenario, count) = line
                .rsplit_once(' ')
                .ok_or_else(|| format!("{RECORDED}: no count in {line:?}"))?;
            Ok((scenario.to_owned(), count.parse()?))
        })
        .collect()
}

fn count_all() -> Result<Counts, Fault> {
    let program = build()?;
    let names = Command::new(&program).arg("--instructions").output()?;
    let names = String::from_utf8(names.stdout)?;
    let count = |name: &str| {
        let (few, many) = (
            count(&program, name, CALLS.0)?,
            count(&program, name, CALLS.1)?,
        );
        let per_call = many.saturating_sub(few) / (CALLS.1 - CALLS.0);
        Ok((name.to_owned(), per_call))
    };
    names.lines().map(count).collect()
}

/// The benchmark that knows the scenarios, built as benchmarks are.
fn build() -> Result<PathBuf, Fault> {
    let messages = Cargo::new(["bench", "--package", "loopguard", "--bench", "guards"])
        .arg("--no-run")
        .arg("--message-format=json")
        .output()?;
    let mut executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_it = message["target"]["name"] == "guards";
        let path = message["executable"].as_str().filter(|_| is_it)?;
        Some(PathBuf::from(path))
    });
    executables
        .next_back()
        .ok_or_else(|| "cargo names no executable of the benchmark".into())
}

/// All instructions of one run.
fn count(program: &Path, scenario: &str, calls: u64) -> Result<u64, Fault> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--instructions", scenario, &calls.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let total = said.lines().find_map(|line| line.split_once("Collected :"));
    match total {
        Some((_, total)) if output.status.success() => Ok(total.trim().parse()?),
        _ => Err(format!("valgrind failed on {scenario}:\n{said}").into()),
    }
}
