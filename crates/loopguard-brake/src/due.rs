//! When something that repeats is told.

/// At one count for the first time, then each so many further ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) count: u64,
    pub(crate) again_every: u64,
}

impl Due {
    /// Whether a count is one at which to speak.
    pub(crate) fn at(self, count: u64) -> bool {
        count >= self.count && (count - self.count).is_multiple_of(self.again_every)
    }
}
