//! The calls of one step, as a set.

use serde::{Deserialize, Serialize};

use crate::{Fingerprint, StepId};

/// How many different calls of one step are told apart; further ones count as new each.
const MAX_MEMBERS: usize = 64;

/// The calls that one step issued, whatever their order, identical ones once. A call without
/// a step is a set of its own.
///
/// Each call has a key: what is to be equal for two of them to be the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSet {
    step: Option<StepId>,
    members: Vec<Member>,
    sum: u64,
}

/// A call of a set, and what it is compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Member {
    call: u64,
    key: u64,
}

impl CallSet {
    /// Begins anew with a call's step; the memory is kept.
    #[inline]
    pub fn begin(&mut self, step: Option<StepId>) {
        self.step = step;
        self.members.clear();
        self.sum = 0;
    }

    /// Whether a call of `step` belongs to these.
    #[inline]
    pub fn is_of(&self, step: Option<StepId>) -> bool {
        step.is_some() && step == self.step
    }

    /// One more call; `false` where it is here already.
    #[inline]
    pub fn add(&mut self, call: Fingerprint, key: Fingerprint) -> bool {
        let member = Member {
            call: short(call),
            key: short(key),
        };
        if self.members.iter().any(|known| known.call == member.call) {
            return false;
        }
        // The sum does not depend on the order; mixed, so that two sets of one sum are one.
        self.sum = self
            .sum
            .wrapping_add(short(key.combine(Fingerprint::from_u128(1))));
        if self.members.len() < MAX_MEMBERS {
            self.members.push(member);
        }
        true
    }

    /// Whether a call is among these.
    #[inline]
    pub fn holds(&self, call: Fingerprint) -> bool {
        self.members.iter().any(|member| member.call == short(call))
    }

    /// Whether a call is all that there is.
    #[inline]
    pub fn is_only(&self, call: Fingerprint) -> bool {
        matches!(self.members.as_slice(), [member] if member.call == short(call))
    }

    /// How many calls there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// What two equal sets share.
    #[inline]
    pub fn sum(&self) -> u64 {
        self.sum
    }
}

/// Half a fingerprint tells the calls of some steps apart, and takes half the room.
fn short(fingerprint: Fingerprint) -> u64 {
    fingerprint.to_u128() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(step: u64, calls: &[u128]) -> CallSet {
        let mut set = CallSet::default();
        set.begin(Some(StepId(step)));
        for &call in calls {
            set.add(
                Fingerprint::from_u128(call),
                Fingerprint::from_u128(call + 100),
            );
        }
        set
    }

    #[test]
    fn the_order_does_not_matter_and_identical_calls_are_one() {
        assert_eq!(set(1, &[1, 2, 3]).sum(), set(2, &[3, 1, 1, 2, 3]).sum());
        assert_ne!(set(1, &[1, 2]).sum(), set(1, &[1, 2, 3]).sum());
        assert_ne!(set(1, &[1, 4]).sum(), set(1, &[2, 3]).sum());
        assert_eq!(set(1, &[1, 1]).len(), 1);
    }

    #[test]
    fn a_call_without_a_step_belongs_to_no_other() {
        let mut alone = CallSet::default();
        alone.begin(None);
        assert!(!alone.is_of(None));
        assert!(set(7, &[]).is_of(Some(StepId(7))));
        assert!(!set(7, &[]).is_of(Some(StepId(8))));
    }

    #[test]
    fn a_step_without_end_stays_small() {
        let calls: Vec<u128> = (0..10_000).collect();
        assert_eq!(set(1, &calls).len(), MAX_MEMBERS);
    }
}
