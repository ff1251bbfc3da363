//! How deep a scan is, and in what.

/// The kinds of what is open, one bit a level: `true` for an object. The first 64 levels
/// allocate nothing.
#[derive(Default)]
pub(super) struct Nesting {
    depth: usize,
    bits: u64,
    outer: Vec<u64>,
}

impl Nesting {
    pub(super) fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }

    pub(super) fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }
}
