//! Recorded sessions, played through the guards and measured.
//!
//! A recording goes on whatever guards say of it, so this measures two things: how often guards
//! speak in sessions that went well, and how soon they speak in loops that went on regardless.
//! What a loop is, [`loops`] says for itself, knowing no guard.

pub mod loops;
mod record;
mod session;
mod setup;
mod table;

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use loopguard::Setup;
use loopguard_transcript::{EventKind, ReadOptions, read};

use crate::files;
use session::Session;
pub use setup::setup;
pub use table::{CodeSeen, DenialSeen, LoopSeen, Measures, Source, Split, Table};

/// Plays every `.jsonl.gz` file of `dir`, one source each, through these guards, each session
/// by itself, and measures what they decided.
///
/// # Errors
///
/// The file that cannot be read, with what is wrong with it; or that there is none.
pub fn measure(dir: &Path, setup: &Setup) -> Result<Table, String> {
    let mut files = files::ending(dir, ENDING);
    if files.is_empty() {
        return Err(format!("{}: no file ends in {ENDING}", dir.display()));
    }
    // The largest first, so that no thread is left alone with it at the end.
    files.sort_by_key(|file| std::cmp::Reverse(file.metadata().map_or(0, |it| it.len())));
    let next = AtomicUsize::new(0);
    let sources = Mutex::new(Vec::new());
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let source = measure_file(file, setup);
            let mut sources = sources.lock().unwrap_or_else(PoisonError::into_inner);
            sources.push(source);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let sources = sources.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut sources = sources.into_iter().collect::<Result<Vec<_>, _>>()?;
    sources.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Table { sources })
}

/// How the files of a corpus end.
const ENDING: &str = ".jsonl.gz";

fn measure_file(file: &PathBuf, setup: &Setup) -> Result<Source, String> {
    let fault = |problem: String| format!("{}: {problem}", file.display());
    let input = std::fs::File::open(file).map_err(|error| fault(error.to_string()))?;
    let name = file.file_name().unwrap_or_default().display().to_string();
    let mut source = Source {
        name: name.trim_end_matches(ENDING).to_owned(),
        measures: Measures::default(),
    };
    let mut open: Option<Session> = None;
    let summary = read(BufReader::new(input), &ReadOptions::new(), &mut |event| {
        if let EventKind::Session { id, outcome, .. } = &event.kind {
            if let Some(before) = open.take() {
                before.measure(&mut source.measures);
            }
            open = Some(Session::new(setup, id.as_deref().unwrap_or("?"), *outcome));
        }
        if let Some(open) = &mut open {
            open.event(&event);
        }
        ControlFlow::Continue(())
    });
    let summary = summary.map_err(|error| fault(error.to_string()))?;
    if let Some(last) = open {
        last.measure(&mut source.measures);
    }
    match summary.skipped.total() {
        0 => Ok(source),
        skipped => Err(fault(format!("{skipped} lines were skipped"))),
    }
}
