//! Sequence loops: a window of distinct calls that comes again.

use std::collections::VecDeque;

use loopguard_core::{CallNumber, Fingerprint, Recent};
use serde::{Deserialize, Serialize};

use crate::due::Due;
use crate::names::{NameId, Names};

/// How many different sequences of one agent are remembered. Each call that is new makes a
/// new window, so this is also how many calls may lie between two occurrences.
pub const MAX_SEQUENCES: usize = 128;

/// How many calls are remembered in order: to see whether a loop that has been told goes on,
/// one call is compared with another that lies no further back. A longer loop is told once
/// per window, and a longer window than this is never complete.
pub const MAX_LOOP_CALLS: usize = 256;

/// What one agent's calls look like as sequences.
#[derive(Clone, Debug)]
pub(crate) struct Sequences {
    /// How many calls make a window.
    length: usize,
    /// The last calls, the newest last: at most [`MAX_LOOP_CALLS`].
    history: VecDeque<Past>,
    /// How many calls there have been.
    position: u32,
    known: Recent<Occurrences>,
    told: Option<Told>,
}

/// A call that has been: what it was, and, while it can be part of a window, its tool.
#[derive(Clone, Copy, Debug)]
struct Past {
    call: u64,
    tool: Option<NameId>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Occurrences {
    count: u32,
    /// The position at which the last one that counts ended.
    ended: u32,
    /// The number of the first call of the first one.
    first: u32,
}

/// A loop that has been told: it is over when a call differs from the one a period before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    sequence: Fingerprint,
    period: u32,
}

/// A call that has ended, as sequences see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    /// What it is compared by.
    pub(crate) key: u64,
    pub(crate) tool: &'a str,
    pub(crate) number: CallNumber,
}

/// A sequence that has come often enough to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// How often it has come.
    pub(crate) count: u64,
    /// How many calls before it had last come.
    pub(crate) period: u64,
    /// The tools of the window, in order.
    pub(crate) tools: Vec<String>,
    /// The first call of its first occurrence.
    pub(crate) first: CallNumber,
}

impl Sequences {
    pub(crate) fn new(length: usize) -> Self {
        Self {
            length,
            history: VecDeque::new(),
            position: 0,
            known: Recent::new(MAX_SEQUENCES),
            told: None,
        }
    }

    /// A call has ended: the loop that it completes, if one is to be told now.
    pub(crate) fn count(&mut self, step: &Ended<'_>, names: &mut Names, due: Due) -> Option<Loop> {
        self.push(step, names);
        if self
            .told
            .is_some_and(|told| !self.repeats(told.period as usize))
        {
            self.told = None;
        }
        let sequence = self.sequence()?;
        let (position, length) = (self.position, self.length);
        let begun = step.number.0.saturating_sub(length as u64 - 1);
        let first = u32::try_from(begun).unwrap_or(u32::MAX);
        let new = || Occurrences {
            count: 0,
            ended: 0,
            first,
        };
        let (known, _) = self.known.see(sequence, new);
        let since = position.saturating_sub(known.ended);
        if known.count > 0 && (since as usize) < length {
            return None; // It overlaps the last one that counted.
        }
        known.count = known.count.saturating_add(1);
        known.ended = position;
        let count = u64::from(known.count);
        let first = CallNumber(u64::from(known.first));
        if !due.at(count) || self.told.is_some_and(|told| told.sequence != sequence) {
            return None;
        }
        let period = self.window_came_before().unwrap_or(since);
        self.told = Some(Told { sequence, period });
        let window = self.history.range(self.history.len() - length..);
        let tools = window.filter_map(|past| past.tool.map(|tool| names.get(tool).to_owned()));
        Some(Loop {
            count,
            period: u64::from(period),
            tools: tools.collect(),
            first,
        })
    }

    fn push(&mut self, step: &Ended<'_>, names: &mut Names) {
        if self.history.len() == MAX_LOOP_CALLS
            && let Some(Past {
                tool: Some(tool), ..
            }) = self.history.pop_front()
        {
            names.release(tool);
        }
        self.history.push_back(Past {
            call: step.key,
            tool: Some(names.hold(step.tool)),
        });
        // The call that has just left the window needs its name no more.
        if let Some(left) = self.history.len().checked_sub(self.length + 1)
            && let Some(tool) = self.history[left].tool.take()
        {
            names.release(tool);
        }
        self.position = self.position.saturating_add(1);
    }

    /// Whether the last call equals the one `period` calls before.
    fn repeats(&self, period: usize) -> bool {
        let before = self.history.len().checked_sub(period + 1);
        let before = before.and_then(|before| self.history.get(before));
        let call = |past: &Past| past.call;
        before.is_some_and(|before| self.history.back().map(call) == Some(before.call))
    }

    /// How many calls ago this very window last came: that is the period of the loop. The
    /// occurrence of the sequence that last counted may be a rotation, and nearer or farther.
    fn window_came_before(&self) -> Option<u32> {
        let start = self.history.len().checked_sub(self.length)?;
        let call = |at: usize| self.history[at].call;
        // Its calls are distinct, so it cannot overlap itself.
        let period = (self.length..=start)
            .find(|period| (start..self.history.len()).all(|at| call(at - period) == call(at)))?;
        u32::try_from(period).ok()
    }

    /// What the last window shares with its rotations, if its calls are all distinct.
    fn sequence(&self) -> Option<Fingerprint> {
        let start = self.history.len().checked_sub(self.length)?;
        let window = |at: usize| self.history[start + at % self.length].call;
        let mut least = 0;
        for at in 0..self.length {
            if (0..at).any(|before| window(before) == window(at)) {
                return None;
            }
            if window(at) < window(least) {
                least = at;
            }
        }
        let empty = Fingerprint::from_u128(self.length as u128);
        Some((0..self.length).fold(empty, |folded, at| {
            folded.combine(Fingerprint::from_u128(u128::from(window(least + at))))
        }))
    }

    pub(crate) fn clear(&mut self, names: &mut Names) {
        for past in self.history.drain(..) {
            if let Some(tool) = past.tool {
                names.release(tool);
            }
        }
        self.position = 0;
        self.known.clear();
        self.told = None;
    }

    pub(crate) fn save(&self, names: &Names) -> SavedSequences {
        SavedSequences {
            history: self
                .history
                .iter()
                .map(|past| (past.call, past.tool.map(|tool| names.get(tool).to_owned())))
                .collect(),
            position: self.position,
            known: self
                .known
                .iter()
                .map(|(sequence, known)| (sequence, *known))
                .collect(),
            told: self.told,
        }
    }

    pub(crate) fn restore(saved: SavedSequences, length: usize, names: &mut Names) -> Self {
        let mut sequences = Self::new(length);
        let skipped = saved.history.len().saturating_sub(MAX_LOOP_CALLS);
        for (call, tool) in saved.history.into_iter().skip(skipped) {
            let tool = tool.map(|tool| names.hold(&tool));
            sequences.history.push_back(Past { call, tool });
        }
        sequences.position = saved.position;
        for (sequence, known) in saved.known {
            sequences.known.see(sequence, || known);
        }
        sequences.told = saved.told;
        sequences
    }
}

/// The sequences of one agent as plain data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedSequences {
    history: Vec<(u64, Option<String>)>,
    position: u32,
    known: Vec<(Fingerprint, Occurrences)>,
    told: Option<Told>,
}
