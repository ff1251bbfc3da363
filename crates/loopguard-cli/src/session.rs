//! The sessions of one input, replayed one after the other.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::ops::ControlFlow;

use loopguard::Setup;
use loopguard_transcript::{
    Event, EventKind, ReadError, ReadOptions, ReadSummary, SessionOutcome, read,
};

use crate::engine::{Action, Decision, Replay, Tally};

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
    /// The ids of guards that panicked, and were off duty for their agents from then on.
    pub failed_guards: BTreeSet<String>,
}

/// Somebody who watches a replay, to show it.
pub trait Watch {
    /// A session begins. One that was begun before and has not ended could not be read whole.
    fn begin(&mut self) {}

    /// An event is about to be played. Events after a halt do not come here. A break ends the
    /// reading of the input at once.
    fn event(&mut self, _event: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

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
    replay_with(&mut Replay::new(setup), input, options, watch)
}

/// As [`replay`], with a replay that may have played other inputs before.
pub(crate) fn replay_with(
    replay: &mut Replay,
    input: impl BufRead,
    options: &ReadOptions,
    watch: &mut dyn Watch,
) -> Result<ReadSummary, ReadError> {
    // An input that could not be read whole leaves a session that was not finished.
    replay.abandon();
    let mut open: Option<Session> = None;
    let summary = read(input, options, &mut |event| {
        if let EventKind::Session {
            id,
            format,
            outcome,
        } = &event.kind
        {
            if let Some(before) = open.take() {
                close(replay, before, watch)?;
            }
            watch.begin();
            open = Some(Session {
                id: id.as_deref().map(str::to_owned),
                format: format.as_ref().to_owned(),
                outcome: *outcome,
                tally: Tally::default(),
                halted: false,
                decisions: Vec::new(),
                failed_guards: BTreeSet::new(),
            });
        }
        match &mut open {
            Some(session) => play(replay, &event, session, watch),
            None => ControlFlow::Continue(()),
        }
    })?;
    if let Some(last) = open.filter(|_| !summary.stopped) {
        // There is nothing left to end.
        let _ = close(replay, last, watch);
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

fn play(
    replay: &mut Replay,
    event: &Event<'_>,
    session: &mut Session,
    watch: &mut dyn Watch,
) -> ControlFlow<()> {
    note(replay.settle_before(event), session, watch);
    // A session that begins ends the halt of the one before it.
    if !replay.halted() || matches!(event.kind, EventKind::Session { .. }) {
        watch.event(event)?;
    }
    let fine = replay.tally().denied_but_succeeded;
    note(replay.event(event), session, watch);
    if replay.tally().denied_but_succeeded > fine
        && let EventKind::Result {
            call: Some(call), ..
        } = event.kind
    {
        let mut denials = session.decisions.iter_mut().rev();
        let denial = denials.find(|it| it.call_index == call && it.action == Action::Deny);
        if let Some(denial) = denial {
            denial.recorded_fine = true;
        }
    }
    ControlFlow::Continue(())
}

fn note(decisions: Vec<Decision>, session: &mut Session, watch: &mut dyn Watch) {
    for decision in &decisions {
        watch.decision(decision);
    }
    session.decisions.extend(decisions);
}

fn close(replay: &mut Replay, mut session: Session, watch: &mut dyn Watch) -> ControlFlow<()> {
    note(replay.finish(), &mut session, watch);
    session.tally = replay.tally();
    session.halted = replay.halted();
    session.failed_guards = replay.take_failed_guards();
    watch.end(session)
}
