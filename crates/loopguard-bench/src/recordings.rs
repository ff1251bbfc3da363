//! Real calls, where recorded sessions are at hand.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use loopguard_transcript::{EventKind, ReadOptions, Status, read};

/// What happened in recorded sessions, one after the other: what a guard has to be told.
#[derive(Clone, Debug)]
pub enum Step {
    /// A person spoke, or a session began: everything starts over.
    Human,
    /// A call, with its result.
    Call(Call),
}

/// A recorded call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// The arguments, as the model wrote them.
    pub arguments: String,
    /// How it ended, and what the model read.
    pub ending: Option<Ending>,
}

/// How a recorded call ended.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Whether it failed.
    pub failed: bool,
    /// The blocks of the result.
    pub texts: Vec<String>,
}

/// All steps of all recordings in a folder, in the order of their names; none where there is
/// no such folder. A recording that cannot be read to its end is left out from there on.
pub fn steps(folder: &Path) -> Vec<Step> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files
        .map(|file| file.path())
        .filter(|path| path.to_string_lossy().contains(".jsonl"))
        .collect();
    files.sort();
    let mut steps = Vec::new();
    for file in files {
        if let Ok(file) = File::open(&file) {
            read_steps(file, &mut steps);
        }
    }
    steps
}

/// The calls among steps.
pub fn calls(steps: &[Step]) -> impl Iterator<Item = &Call> {
    steps.iter().filter_map(|step| match step {
        Step::Call(call) => Some(call),
        Step::Human => None,
    })
}

fn read_steps(file: File, steps: &mut Vec<Step>) {
    // The place of each unanswered call among the steps.
    let mut places = HashMap::new();
    let read = read(BufReader::new(file), &ReadOptions::new(), &mut |event| {
        match event.kind {
            EventKind::Session { .. } => {
                places.clear();
                steps.push(Step::Human);
            }
            EventKind::User { .. } => steps.push(Step::Human),
            EventKind::Call {
                index,
                tool,
                arguments,
                ..
            } => {
                places.insert(index, steps.len());
                steps.push(Step::Call(Call {
                    tool: tool.into_owned(),
                    arguments: arguments.into_owned(),
                    ending: None,
                }));
            }
            EventKind::Result {
                call: Some(index),
                status: status @ (Status::Ok | Status::Error),
                texts,
                ..
            } => {
                let place = places.remove(&index);
                if let Some(Step::Call(call)) = place.and_then(|at| steps.get_mut(at)) {
                    call.ending = Some(Ending {
                        failed: status == Status::Error,
                        texts: texts.into_iter().map(Into::into).collect(),
                    });
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    if let Err(error) = read {
        eprintln!("a recording is left out from here on: {error}");
    }
}
