//! The hash of raw JSON text: no tree, no intermediate text.

use crate::hash::{ArrayHash, Atom, Hash128, Hasher, ObjectHash};
use crate::number;
use crate::scratch::{self, Scratch};
use crate::unescape::{Buffer, hash_unescaped};
use crate::walk::{Malformed, Visitor, walk};

/// The container around the one that is being walked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    array: ArrayHash,
    /// The key whose value is being walked, if this is an object.
    key: Hash128,
    /// Where the members of the object begin in the list of all; [`ARRAY`] for an array.
    start: usize,
}

/// A member of an object that is not finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    key: Hash128,
    hash: Hash128,
    /// Its place among all, to tell which of two equal keys is the later.
    index: usize,
}

/// The mark of an array's frame.
const ARRAY: usize = usize::MAX;

/// Up to so many members, each key is compared with each.
const COMPARED: usize = 12;

/// How many slots are tried for one key.
const PROBES: usize = 64;

/// The hash of a JSON text; of the string that it is if it is no JSON.
pub(crate) fn hash_text(hasher: Hasher, text: &[u8]) -> Hash128 {
    if text.is_empty() {
        return hasher.object(ObjectHash::default());
    }
    hash_json(hasher, text).unwrap_or_else(|Malformed| hasher.string(text))
}

fn hash_json(hasher: Hasher, text: &[u8]) -> Result<Hash128, Malformed> {
    scratch::with(|scratch| {
        let Scratch {
            buffer,
            outer,
            frames,
            members,
            slots,
        } = scratch;
        let top = Frame {
            array: ArrayHash::default(),
            key: Hash128::default(),
            start: ARRAY,
        };
        let mut walker = Walker {
            hasher,
            text,
            buffer,
            frames,
            members,
            slots,
            inner: top,
            last: Hash128::default(),
        };
        walk(text, outer, &mut walker)?;
        Ok(walker.last)
    })
}

struct Walker<'a> {
    hasher: Hasher,
    text: &'a [u8],
    buffer: &'a mut Buffer,
    frames: &'a mut Vec<Frame>,
    members: &'a mut Vec<Member>,
    slots: &'a mut Vec<u32>,
    inner: Frame,
    /// The value that ended last: at the end, the whole.
    last: Hash128,
}

impl Walker<'_> {
    #[inline(always)]
    fn value(&mut self, hash: Hash128) {
        self.last = hash;
        if self.inner.start == ARRAY {
            self.inner.array = self.hasher.push(self.inner.array, hash);
        } else {
            let key = self.inner.key;
            let hash = self.hasher.member(key, hash);
            self.members.push(Member {
                key,
                hash,
                index: self.members.len(),
            });
        }
    }

    #[inline(always)]
    fn open(&mut self, start: usize) {
        self.frames.push(self.inner);
        self.inner = Frame {
            array: ArrayHash::default(),
            key: Hash128::default(),
            start,
        };
    }

    #[inline(always)]
    fn close(&mut self, hash: Hash128) {
        if let Some(frame) = self.frames.pop() {
            self.inner = frame;
        }
        self.value(hash);
    }
}

impl Visitor for Walker<'_> {
    #[inline(always)]
    fn atom(&mut self, atom: Atom, _start: usize, _end: usize) {
        self.value(self.hasher.atom(atom));
    }

    #[inline(always)]
    fn number(&mut self, start: usize, end: usize) {
        self.value(number::hash_literal(self.hasher, &self.text[start..end]));
    }

    #[inline(always)]
    fn string(&mut self, start: usize, end: usize) {
        self.value(self.hasher.string(&self.text[start..end]));
    }

    #[inline(always)]
    fn key(&mut self, start: usize, end: usize) {
        self.inner.key = self.hasher.string(&self.text[start..end]);
    }

    #[inline]
    fn escaped_string(&mut self, start: usize) -> Result<usize, Malformed> {
        let (end, hash) = hash_unescaped(self.hasher, self.text, start, self.buffer)?;
        self.value(hash);
        Ok(end)
    }

    #[inline(never)]
    fn escaped_key(&mut self, start: usize) -> Result<usize, Malformed> {
        let (end, hash) = hash_unescaped(self.hasher, self.text, start, self.buffer)?;
        self.inner.key = hash;
        Ok(end)
    }

    #[inline(always)]
    fn open_array(&mut self, _start: usize) {
        self.open(ARRAY);
    }

    #[inline(always)]
    fn close_array(&mut self, _end: usize) {
        self.close(self.hasher.array(self.inner.array));
    }

    #[inline(always)]
    fn open_object(&mut self, _start: usize) {
        self.open(self.members.len());
    }

    #[inline(always)]
    fn close_object(&mut self, _end: usize) {
        let start = self.inner.start;
        let object = sum(self.hasher, &mut self.members[start..], self.slots);
        self.members.truncate(start);
        self.close(self.hasher.object(object));
    }
}

/// Sums the members, of equal keys only the last.
#[inline(always)]
fn sum(hasher: Hasher, members: &mut [Member], slots: &mut Vec<u32>) -> ObjectHash {
    if members.len() > COMPARED {
        return sum_hashed(hasher, members, slots)
            .unwrap_or_else(|Crowded| sum_sorted(hasher, members));
    }
    let mut object = ObjectHash::default();
    for (index, member) in members.iter().enumerate() {
        if members[index + 1..]
            .iter()
            .all(|later| later.key != member.key)
        {
            object = hasher.insert(object, member.hash);
        }
    }
    object
}

/// Too many keys belong into one slot: chance does not do that, but whoever knows the seed
/// can make such keys up.
struct Crowded;

#[inline(never)]
fn sum_hashed(
    hasher: Hasher,
    members: &[Member],
    slots: &mut Vec<u32>,
) -> Result<ObjectHash, Crowded> {
    let last = (members.len() * 2).next_power_of_two() - 1;
    // A slot holds the place of a member, from 1 on.
    let count = u32::try_from(members.len()).map_err(|_| Crowded)?;
    slots.clear();
    slots.resize(last + 1, 0);
    let mut object = ObjectHash::default();
    'members: for (place, member) in (1..=count).zip(members) {
        let home = member.key.b as usize;
        for step in 0..PROBES {
            let slot = &mut slots[home.wrapping_add(step) & last];
            if *slot == 0 {
                *slot = place;
                object = hasher.insert(object, member.hash);
                continue 'members;
            }
            let earlier = &members[*slot as usize - 1];
            if earlier.key == member.key {
                *slot = place;
                object = hasher.insert(hasher.remove(object, earlier.hash), member.hash);
                continue 'members;
            }
        }
        return Err(Crowded);
    }
    Ok(object)
}

#[cold]
fn sum_sorted(hasher: Hasher, members: &mut [Member]) -> ObjectHash {
    members.sort_unstable_by_key(|member| (member.key, member.index));
    let mut object = ObjectHash::default();
    for (index, member) in members.iter().enumerate() {
        if members
            .get(index + 1)
            .is_none_or(|later| later.key != member.key)
        {
            object = hasher.insert(object, member.hash);
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn every_way_of_finding_equal_keys_gives_one_sum() {
        let hasher = Hasher::new(Seed::FIXED);
        for (count, distinct) in [(1, 1), (13, 13), (100, 7), (1000, 999), (5000, 5000)] {
            let mut members: Vec<Member> = (0..count)
                .map(|index: usize| {
                    let key = hasher.string(&(index * 31 % distinct).to_le_bytes());
                    let hash = hasher.member(key, hasher.string(&index.to_le_bytes()));
                    Member { key, hash, index }
                })
                .collect();
            let hashed = sum_hashed(hasher, &members, &mut Vec::new()).ok();
            let compared = members
                .iter()
                .enumerate()
                .fold(ObjectHash::default(), |sum, (i, m)| {
                    let is_last = members[i + 1..].iter().all(|later| later.key != m.key);
                    if is_last {
                        hasher.insert(sum, m.hash)
                    } else {
                        sum
                    }
                });
            assert_eq!(hashed, Some(compared));
            assert_eq!(sum_sorted(hasher, &mut members), compared);
        }
    }

    #[test]
    fn keys_that_crowd_one_slot_are_still_told_apart() {
        let hasher = Hasher::new(Seed::FIXED);
        let mut members: Vec<Member> = (0..10_000)
            .map(|index: usize| Member {
                key: Hash128 {
                    a: index as u64 % 9_999,
                    b: 7,
                },
                hash: hasher.string(&index.to_le_bytes()),
                index,
            })
            .collect();
        assert!(sum_hashed(hasher, &members, &mut Vec::new()).is_err());
        let wanted = members[1..]
            .iter()
            .fold(ObjectHash::default(), |sum, member| {
                hasher.insert(sum, member.hash)
            });
        assert_eq!(sum(hasher, &mut members, &mut Vec::new()), wanted);
    }
}
