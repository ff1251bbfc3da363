//! Near-duplicates: calls or texts that share almost all of their words.

use std::collections::VecDeque;

use loopguard_core::{CallNumber, Timestamp, elapsed_ms};
use serde::{Deserialize, Serialize};

/// How many groups of similar things are remembered.
pub const MAX_GROUPS: usize = 64;

/// How many words stand for a text: the least hashes of all its words, so that a comparison
/// of two texts is exact up to that many words and a fair estimate beyond.
const SKETCH: usize = 64;

/// The groups of similar things that one agent has shown, the one longest unseen first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Groups(VecDeque<Group>);

/// Similar things, told by the first of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Group {
    /// What they have in common for certain: a tool's name, hashed; 0 for texts.
    kind: u64,
    sketch: Vec<u32>,
    count: u64,
    first: CallNumber,
    since: Option<Timestamp>,
}

/// A group that something was added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grown {
    pub(crate) count: u64,
    pub(crate) first: CallNumber,
}

impl Groups {
    /// One more text: the group that it belongs to, how often it has come. Two belong together
    /// where the words that they share are at least `least` of all their words. After
    /// `window_ms` a group begins anew.
    pub(crate) fn add(
        &mut self,
        kind: u64,
        text: &str,
        least: f64,
        number: CallNumber,
        (now, window_ms): (Option<Timestamp>, Option<u64>),
    ) -> Grown {
        let sketch = sketch(text);
        let is_it =
            |group: &Group| group.kind == kind && similarity(&group.sketch, &sketch) >= least;
        let mut group = match self
            .0
            .iter()
            .rposition(is_it)
            .and_then(|at| self.0.remove(at))
        {
            Some(group) => group,
            None => Group {
                kind,
                sketch,
                count: 0,
                first: number,
                since: now,
            },
        };
        if window_ms.is_some_and(|window| elapsed_ms(group.since, now) > window) {
            (group.count, group.first, group.since) = (0, number, now);
        }
        group.count = group.count.saturating_add(1);
        let grown = Grown {
            count: group.count,
            first: group.first,
        };
        if self.0.len() == MAX_GROUPS {
            self.0.pop_front();
        }
        self.0.push_back(group);
        grown
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether this came out of a saved state as one that can be gone on with.
    pub(crate) fn is_sound(&self) -> bool {
        let is_sound =
            |group: &Group| group.sketch.len() <= SKETCH && group.sketch.is_sorted_by(|a, b| a < b);
        self.0.len() <= MAX_GROUPS && self.0.iter().all(is_sound)
    }
}

/// The least hashes of a text's words, ascending.
fn sketch(text: &str) -> Vec<u32> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut hashes: Vec<u32> = words.map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(SKETCH);
    hashes
}

fn hash(word: &str) -> u32 {
    let mut hash: u64 = 0x9E37_79B9_7F4A_7C15;
    for c in word.chars().flat_map(char::to_lowercase) {
        hash = (hash ^ u64::from(c)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash ^= hash >> 32;
    }
    hash as u32
}

/// The share of common words among all words of both, 0 to 1; of two texts without words, 1.
fn similarity(one: &[u32], other: &[u32]) -> f64 {
    let (mut all, mut common) = (0_u32, 0_u32);
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    // No more than the sketch holds: beyond, a word of one may be missing in the other only
    // because it was cut off.
    while all < SKETCH as u32 {
        match (one.peek(), other.peek()) {
            (None, None) => break,
            (Some(a), Some(b)) if a == b => {
                common += 1;
                one.next();
                other.next();
            }
            (Some(a), Some(b)) if a < b => {
                one.next();
            }
            (Some(_), None) => {
                one.next();
            }
            _ => {
                other.next();
            }
        }
        all += 1;
    }
    if all == 0 {
        1.0
    } else {
        f64::from(common) / f64::from(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> f64 {
        similarity(&sketch(one), &sketch(other))
    }

    #[test]
    fn similarity_is_the_share_of_common_words() {
        assert_eq!(alike("", "!?"), 1.0);
        assert_eq!(alike("a b c d", "D c, B a"), 1.0);
        assert_eq!(alike("a b c", "a b d"), 0.5);
        assert_eq!(alike("a b", "c d"), 0.0);
    }

    #[test]
    fn long_texts_are_estimated() {
        let words = |from: u32, to: u32| {
            (from..to)
                .map(|word| format!("word{word} "))
                .collect::<String>()
        };
        let half = alike(&words(0, 3000), &words(1000, 4000));
        assert!((0.3..0.7).contains(&half), "{half}");
        assert_eq!(alike(&words(0, 3000), &words(0, 3000)), 1.0);
    }

    #[test]
    fn groups_are_bounded_and_of_one_kind() {
        let mut groups = Groups::default();
        let mut add = |kind, text: &str| {
            groups
                .add(kind, text, 0.7, CallNumber(1), (None, None))
                .count
        };
        assert_eq!(
            [add(1, "find the red fox"), add(1, "find the red fox now")],
            [1, 2]
        );
        assert_eq!(add(2, "find the red fox"), 1);
        for other in 0..1000 {
            add(3, &format!("x{other}"));
        }
        assert_eq!(add(1, "find the red fox"), 1, "longest unseen, and dropped");
        assert_eq!(groups.0.len(), MAX_GROUPS);
        assert!(groups.is_sound());
    }
}
