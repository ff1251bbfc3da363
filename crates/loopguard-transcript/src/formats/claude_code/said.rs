//! Who speaks in a line that stands in the user's name.

use super::phrases;
use crate::texts::Texts;

/// The texts of a `user` line by who wrote them.
#[derive(Default)]
pub(super) struct Said<'a> {
    pub(super) human: Texts<'a>,
    pub(super) injected: Texts<'a>,
    pub(super) clears: bool,
}

impl<'a> Said<'a> {
    pub(super) fn sort(texts: Texts<'a>, all_injected: bool) -> Self {
        let mut said = Self::default();
        for text in texts {
            if phrases::clears(&text) {
                said.clears = true;
            } else if all_injected || phrases::is_injected(&text) {
                said.injected.push(text);
            } else {
                said.human.push(text);
            }
        }
        said
    }
}
