//! Behaviour scenarios: recorded streams that say of themselves what guards should make of them.
//!
//! `scenarios/README.md` has the words of their `config` and the meaning of their `expect`.

mod config;
mod expect;
mod play;
mod report;

use std::path::Path;

use serde_json::Value;

use crate::files;
use expect::Expected;
pub use report::{Outcome, Report};

/// Plays every `.jsonl` file of `dir` through the guards as the preset `recommended` and the
/// scenario's own changes have them, and judges what came.
///
/// A file that cannot be read or played, or that asks for something unknown, is wrong.
pub fn run(dir: &Path) -> Report {
    let outcomes = files::ending(dir, ".jsonl")
        .iter()
        .map(|file| outcome(file))
        .collect();
    Report { outcomes }
}

fn outcome(file: &Path) -> Outcome {
    let mut outcome = Outcome {
        id: file.file_stem().unwrap_or_default().display().to_string(),
        ..Outcome::default()
    };
    if let Err(problem) = judge(file, &mut outcome) {
        outcome.wrong.push(problem);
    }
    outcome
}

fn judge(file: &Path, outcome: &mut Outcome) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let head = text.lines().next().unwrap_or_default();
    let head: Value = serde_json::from_str(head).map_err(|error| format!("line 1: {error}"))?;
    outcome.group = head["group"].as_str().unwrap_or_default().to_owned();
    outcome.title = head["title"].as_str().unwrap_or_default().to_owned();
    let expected = Expected::read(&head["expect"])?;
    let needs = config::read(&head["config"])?;
    let played = play::play(&text, &needs)?;
    outcome.came = expect::came(&played);
    outcome.wrong.extend(expected.against(&played));
    outcome.decisions = played.decisions;
    Ok(())
}
