//! Buffers that stay with the thread, so that a warm walk over raw text allocates nothing.

use std::cell::Cell;

use crate::raw::{Frame, Member};
use crate::unescape::Buffer;
use crate::walk::Inside;

/// What one thread keeps at most between two calls, in bytes. A larger buffer, which only
/// thousands of members or levels in one value need, is given back after the call.
pub(crate) const RETAINED: usize = 1024 * 1024;

/// The buffers of one walk; `frames`, `members` and `outer` are empty.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) buffer: Buffer,
    pub(crate) outer: Vec<Inside>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) members: Vec<Member>,
    pub(crate) slots: Vec<u32>,
}

thread_local! {
    static SCRATCH: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Lends the thread's buffers out.
///
/// They are taken out of their place meanwhile: a call inside this one, or one during the
/// thread's end, gets fresh ones.
#[inline]
pub(crate) fn with<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH
        .try_with(Cell::take)
        .ok()
        .flatten()
        .unwrap_or_default();
    let result = work(&mut scratch);
    scratch.outer.clear();
    scratch.frames.clear();
    scratch.members.clear();
    if scratch.size() <= RETAINED {
        // An error means that the thread is ending, and with it the need for buffers.
        let _ = SCRATCH.try_with(|place| place.set(Some(scratch)));
    }
    result
}

impl Scratch {
    fn size(&self) -> usize {
        self.buffer.size()
            + self.outer.capacity() * size_of::<Inside>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.members.capacity() * size_of::<Member>()
            + self.slots.capacity() * size_of::<u32>()
    }
}
