//! The sessions of one input, replayed one after the other.

use std::io::BufRead;
use std::ops::ControlFlow;

use loopguard::Setup;
use loopguard_transcript::{
    Event, EventKind, ReadError, ReadOptions, ReadSummary, SessionOutcome, read,
};

use crate::engine::{Decision, Replay, Tally};

/// A session that was replayed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Session {
    /// Its id, where the recording has one.
    pub id: Option<String>,
    /// The format that it was recorded in.
    pub format: String,
    /// How its task ended, for evaluation only.
    pub outcome: SessionOutcome,
    /// What was counted.
    pub tally: Tally,
    /// Whether a halt ended its replay.
    pub halted: bool,
    /// What the guards decided, in order.
    pub decisions: Vec<Decision>,
}

/// Somebody who watches a replay, to show it.
pub trait Watch {
    /// A session begins. One that was begun before and has not ended could not be read whole.
    fn begin(&mut self) {}

    /// An event is about to be played. Events after a halt do not come here.
    fn event(&mut self, _event: &Event<'_>) {}

    /// The guards have decided something: on the latest event, or on a batch of messages that
    /// it completes.
    fn decision(&mut self, _decision: &Decision) {}

    /// A session was read whole. A break ends the reading of the input.
    fn end(&mut self, session: Session) -> ControlFlow<()>;
}

/// Replays every session of an input, each through guards of its own.
///
/// Depends on nothing but its arguments, so inputs can be replayed side by side.
///
/// # Errors
///
/// What the reader reports. The sessions before the one that could not be read have been
/// handed to the watcher; that one has not ended.
pub fn replay(
    input: impl BufRead,
    options: &ReadOptions,
    setup: &Setup,
    watch: &mut dyn Watch,
) -> Result<ReadSummary, ReadError> {
    let mut open: Option<Open> = None;
    let summary = read(input, options, &mut |event| {
        if let EventKind::Session {
            id,
            format,
            outcome,
        } = &event.kind
        {
            if let Some(before) = open.take() {
                before.close(watch)?;
            }
            watch.begin();
            open = Some(Open {
                replay: Replay::new(setup),
                session: Session {
                    id: id.as_deref().map(str::to_owned),
                    format: format.as_ref().to_owned(),
                    outcome: *outcome,
                    tally: Tally::default(),
                    halted: false,
                    decisions: Vec::new(),
                },
            });
        }
        if let Some(open) = &mut open {
            open.event(&event, watch);
        }
        ControlFlow::Continue(())
    })?;
    if let Some(last) = open {
        // There is nothing left to end.
        let _ = last.close(watch);
    }
    Ok(summary)
}

/// Replays every session of an input and gathers them.
///
/// # Errors
///
/// What the reader reports.
pub fn replay_all(
    input: impl BufRead,
    options: &ReadOptions,
    setup: &Setup,
) -> Result<(Vec<Session>, ReadSummary), ReadError> {
    struct Gather(Vec<Session>);
    impl Watch for Gather {
        fn end(&mut self, session: Session) -> ControlFlow<()> {
            self.0.push(session);
            ControlFlow::Continue(())
        }
    }
    let mut gather = Gather(Vec::new());
    let summary = replay(input, options, setup, &mut gather)?;
    Ok((gather.0, summary))
}

struct Open {
    replay: Replay,
    session: Session,
}

impl Open {
    fn event(&mut self, event: &Event<'_>, watch: &mut dyn Watch) {
        let before = self.replay.settle_before(event);
        self.note(before, watch);
        if !self.replay.halted() {
            watch.event(event);
        }
        let decisions = self.replay.event(event);
        self.note(decisions, watch);
    }

    fn note(&mut self, decisions: Vec<Decision>, watch: &mut dyn Watch) {
        for decision in &decisions {
            watch.decision(decision);
        }
        self.session.decisions.extend(decisions);
    }

    fn close(mut self, watch: &mut dyn Watch) -> ControlFlow<()> {
        let last = self.replay.finish();
        self.note(last, watch);
        self.session.tally = self.replay.tally();
        self.session.halted = self.replay.halted();
        watch.end(self.session)
    }
}
