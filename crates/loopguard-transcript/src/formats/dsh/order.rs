//! What belongs together: the calls of a step, the messages of a batch.

use std::collections::HashMap;

use crate::json::Json;

/// Numbers for steps; as many as the session has steps.
#[derive(Default)]
pub(super) struct Steps {
    last: u64,
    numbers: HashMap<(u64, u64), u64>,
}

impl Steps {
    pub(super) fn start(&mut self, turn: Option<Json<'_>>, step: Option<Json<'_>>) {
        if let Some(step) = pair(turn, step) {
            self.last += 1;
            self.numbers.insert(step, self.last);
        }
    }

    pub(super) fn number(&mut self, turn: Option<Json<'_>>, step: Option<Json<'_>>) -> Option<u64> {
        let step = pair(turn, step)?;
        let last = &mut self.last;
        Some(*self.numbers.entry(step).or_insert_with(|| {
            *last += 1;
            *last
        }))
    }
}

fn pair(turn: Option<Json<'_>>, step: Option<Json<'_>>) -> Option<(u64, u64)> {
    Some((turn?.as_u64()?, step?.as_u64()?))
}

/// Which messages were handed over together.
#[derive(Default)]
pub(super) struct Batches {
    number: i64,
    open: bool,
}

impl Batches {
    pub(super) fn message(&mut self) -> i64 {
        if !self.open {
            self.open = true;
            self.number += 1;
        }
        self.number
    }

    pub(super) fn close(&mut self) {
        self.open = false;
    }
}
