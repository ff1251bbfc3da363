//! What a thread does with an input.

use std::io::BufReader;
use std::ops::ControlFlow;

use loopguard::Setup;
use loopguard_transcript::{Event, ReadOptions};

use super::desk::{Desk, Done, Origin, Piece};
use super::{Arguments, FailOn};
use crate::engine::{Decision, Replay};
use crate::input::{self, Input, Job, PIECE_BYTES};
use crate::output::Sheet;
use crate::progress::Progress;
use crate::session::{Session, Watch, replay_with};
use crate::spread::Lane;
use crate::talk;
use crate::totals::Totals;

/// Replays one input after the other, and keeps for the next what can be used again.
pub(super) struct Worker<'a> {
    replay: Replay,
    options: &'a ReadOptions,
    fail_on: Option<FailOn>,
    sheet: Sheet,
    /// Nothing, for the guards that run.
    nothing: Totals,
    progress: &'a Progress,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        setup: &Setup,
        options: &'a ReadOptions,
        arguments: &Arguments,
        width: usize,
        progress: &'a Progress,
    ) -> Self {
        Self {
            replay: Replay::new(setup),
            options,
            fail_on: arguments.fail_on,
            sheet: Sheet::new(arguments.output, width),
            nothing: Totals::new(setup),
            progress,
        }
    }

    /// Does one job.
    pub(super) fn job(&mut self, job: &Job, lane: &Lane<'_, Desk<'_>>) {
        let piece = match job {
            Job::Replay(input) => Piece::Input(Box::new(self.input(input, lane))),
            Job::Complain(error) => Piece::Input(Box::new(Done {
                totals: self.nothing.clone(),
                met: false,
                complaint: Some(error.to_string()),
                origin: Origin::Found,
            })),
            Job::LeaveDirectory(path) => Piece::Directory(path.clone()),
        };
        // Where nobody wants more, no job follows.
        let _ = lane.put(piece);
    }

    fn input(&mut self, input: &Input, lane: &Lane<'_, Desk<'_>>) -> Done {
        let file = input.name();
        let mut done = Done {
            totals: self.nothing.clone(),
            met: false,
            complaint: None,
            origin: match input.named {
                true => Origin::Named,
                false => Origin::Found,
            },
        };
        let opened = match input.open() {
            Ok(opened) => opened,
            Err(error) => {
                done.complaint = Some(error.to_string());
                return done;
            }
        };
        let read = replay_with(
            &mut self.replay,
            BufReader::with_capacity(PIECE_BYTES, self.progress.counted(opened)),
            self.options,
            &mut Show {
                sheet: &mut self.sheet,
                lane,
                file: &file,
                fail_on: self.fail_on,
                done: &mut done,
            },
        );
        match read {
            Ok(summary) => done.totals.skipped_lines += summary.skipped.total(),
            Err(error) if !input.named && input::is_no_session(&error) => {
                done.origin = Origin::PassedOver;
                done.totals.skipped_files += 1;
            }
            Err(error) => {
                let remedy = input::remedy(&error);
                let error = talk::with_causes(&error);
                let before = match done.totals.sessions {
                    0 => "",
                    1 => " (the session before it was replayed)",
                    _ => " (the sessions before it were replayed)",
                };
                done.complaint = Some(format!("{file}: {error}; {remedy}{before}"));
            }
        }
        done
    }
}

/// Shows the sessions of one input.
struct Show<'a, 'd> {
    sheet: &'a mut Sheet,
    lane: &'a Lane<'a, Desk<'d>>,
    file: &'a str,
    fail_on: Option<FailOn>,
    done: &'a mut Done,
}

impl Watch for Show<'_, '_> {
    fn begin(&mut self) {
        self.sheet.begin();
    }

    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if self.lane.is_over() {
            return ControlFlow::Break(());
        }
        self.sheet.event(event);
        ControlFlow::Continue(())
    }

    fn decision(&mut self, decision: &Decision) {
        self.sheet.decision(decision);
    }

    fn end(&mut self, session: Session) -> ControlFlow<()> {
        self.done.totals.add(&session);
        self.done.met |= self.fail_on.is_some_and(|fail_on| {
            let mut decisions = session.decisions.iter();
            decisions.any(|decision| fail_on.is_met(decision.action))
        });
        match self.sheet.end(self.file, &session) {
            written if written.is_empty() => ControlFlow::Continue(()),
            written => self.lane.put(Piece::Session(written)),
        }
    }
}
