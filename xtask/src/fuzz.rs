//! The fuzz targets, each for a while.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::Fault;
use crate::cargo::root;

/// How to use this chore.
const USAGE: &str = "usage: cargo xtask fuzz [--seconds N] [--target NAME]";

/// How long each target runs where nobody says otherwise.
const SECONDS: u64 = 60;

/// What an input may cost: no more memory than a document that is read whole may need and a
/// decoder's window, no more time than the slowest machine takes for a hundred expressions. Long
/// inputs from the beginning: a few choices are no life.
const LIMITS: [&str; 4] = [
    "-rss_limit_mb=2048",
    "-malloc_limit_mb=512",
    "-timeout=30",
    "-len_control=0",
];

/// Runs all targets, or the one that is named.
///
/// # Errors
///
/// Where the line is wrong, a tool is missing, or something was found.
pub(crate) fn fuzz(options: &[&str]) -> Result<(), Fault> {
    let (mut seconds, mut only) = (SECONDS, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--seconds" => seconds = options.next().ok_or(USAGE)?.parse()?,
            "--target" => only = Some(*options.next().ok_or(USAGE)?),
            _ => return Err(USAGE.into()),
        }
    }
    let targets = targets()?;
    if let Some(only) = only
        && !targets.iter().any(|target| target == only)
    {
        return Err(format!("no target {only:?}; there are {}", targets.join(", ")).into());
    }
    need_tools()?;
    let run = targets
        .iter()
        .filter(|target| only.is_none_or(|only| *target == only));
    let found: Vec<String> = run
        .map(|target| run_one(target, seconds))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(found.join("\n").into()),
    }
}

fn folder() -> PathBuf {
    root().join("fuzz")
}

/// The names of the targets: their files.
fn targets() -> Result<Vec<String>, Fault> {
    let mut targets = Vec::new();
    for file in std::fs::read_dir(folder().join("targets"))? {
        let path = file?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        targets.extend(name.map(str::to_owned));
    }
    targets.sort();
    Ok(targets)
}

/// Says what is missing, and where it comes from.
fn need_tools() -> Result<(), Fault> {
    let needs = [
        (
            vec!["rustc", "--version"],
            "a nightly compiler is needed: `rustup toolchain install nightly`",
        ),
        (
            vec!["cargo", "fuzz", "--version"],
            "cargo-fuzz is needed: `cargo install cargo-fuzz --locked`",
        ),
    ];
    for (words, remedy) in needs {
        let mut command = nightly(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().is_ok_and(|status| status.success()) {
            return Err(remedy.into());
        }
    }
    Ok(())
}

fn nightly(words: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly"]).args(words);
    command.current_dir(root());
    command
}

/// Runs one target: what it found, if it did.
fn run_one(target: &str, seconds: u64) -> Result<Option<String>, Fault> {
    // The first folder is where inputs that reach something new gather, the others are read.
    let corpus = folder().join("corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    let started = SystemTime::now();
    let mut command = nightly(&["cargo", "fuzz", "run", "--fuzz-dir", "fuzz", target]);
    command.arg(&corpus).args(seeds(target)).arg("--");
    command.arg(format!("-max_total_time={seconds}"));
    command.args(LIMITS);
    eprintln!("$ fuzzing {target} for {seconds} s");
    if command.status()?.success() {
        return Ok(None);
    }
    let artifact = newest(&folder().join("artifacts").join(target), started);
    Ok(Some(match artifact {
        Some(artifact) => format!(
            "{target}: found something; it comes again with `cargo +nightly fuzz run {target} \
             {}`: mend it, and keep it as a test of its crate",
            artifact.strip_prefix(root()).unwrap_or(&artifact).display()
        ),
        None => format!("{target}: could not be run to its end"),
    }))
}

/// Inputs to begin with: its own, and those that other tests have.
fn seeds(target: &str) -> Vec<PathBuf> {
    let others: &[&str] = match target {
        "canonical" => &["fuzz/seeds/identity"],
        "configuration" => &["crates/loopguard/presets"],
        "readers" => &["crates/loopguard-transcript/tests/fixtures", "docs/demo"],
        _ => &[],
    };
    let own = folder().join("seeds").join(target);
    let others = others.iter().map(|other| root().join(other));
    let all = std::iter::once(own).chain(others);
    all.filter(|folder| folder.is_dir()).collect()
}

/// The newest file of a folder, if it came about since then.
fn newest(folder: &Path, since: SystemTime) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let dated = files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file)));
    let newest = dated.max_by_key(|(modified, _)| *modified);
    newest
        .filter(|(modified, _)| *modified >= since)
        .map(|(_, file)| file.path())
}
