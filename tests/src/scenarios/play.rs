//! One scenario, played through the guards.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use loopguard_cli::{Decision, Replay};
use loopguard_transcript::{Event, EventKind, ReadOptions, read};
use serde_json::Value;

use super::config::Needs;

/// What was played, and what was decided.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// Of each call, in order, the line on which it begins and the one of its result.
    pub(super) calls: Vec<Lines>,
    pub(super) decisions: Vec<Decision>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) call: u64,
    pub(super) result: Option<u64>,
}

/// Plays a stream.
///
/// # Errors
///
/// Where it cannot be read, or the guards do not go on from their saved state.
pub(super) fn play(text: &str, needs: &Needs) -> Result<Played, String> {
    let mut player = Player {
        replay: Replay::new(&needs.setup),
        cuts: if needs.resumes {
            cuts(text)?
        } else {
            BTreeSet::new()
        },
        played: Played::default(),
    };
    let mut problem = None;
    let summary = read(
        text.as_bytes(),
        &ReadOptions::new(),
        &mut |event| match player.event(&event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                problem = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    let summary = summary.map_err(|error| error.to_string())?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    if summary.skipped.total() > 0 {
        return Err(format!("{} lines were skipped", summary.skipped.total()));
    }
    let last = player.replay.finish();
    player.played.decisions.extend(last);
    Ok(player.played)
}

struct Player {
    replay: Replay,
    /// The lines after which the session is stopped and resumed.
    cuts: BTreeSet<u64>,
    played: Played,
}

impl Player {
    fn event(&mut self, event: &Event<'_>) -> Result<(), String> {
        let line = event.line.unwrap_or_default();
        match event.kind {
            EventKind::Call { .. } => self.played.calls.push(Lines {
                call: line,
                result: None,
            }),
            EventKind::Result {
                call: Some(index), ..
            } => {
                let call = usize::try_from(index).ok().and_then(|at| at.checked_sub(1));
                if let Some(call) = call.and_then(|at| self.played.calls.get_mut(at)) {
                    call.result = Some(line);
                }
            }
            _ => {}
        }
        let decisions = self.replay.event(event);
        self.played.decisions.extend(decisions);
        if self.cuts.contains(&line) {
            // What came up to this line was handed over before the session stopped.
            let settled = self.replay.finish();
            self.played.decisions.extend(settled);
            let afresh = self.replay.save_and_restore();
            let afresh = afresh.map_err(|error| format!("line {line}: {error}"))?;
            if !afresh.is_empty() {
                return Err(format!("line {line}: guards start afresh: {afresh:?}"));
            }
        }
        Ok(())
    }
}

/// The lines that are marked as cuts.
fn cuts(text: &str) -> Result<BTreeSet<u64>, String> {
    let mut cuts = BTreeSet::new();
    for (line, number) in text.lines().zip(1..) {
        let value: Value =
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        if value["cut"] == true {
            cuts.insert(number);
        }
    }
    match cuts.is_empty() {
        true => Err("no line is marked cut".to_owned()),
        false => Ok(cuts),
    }
}
