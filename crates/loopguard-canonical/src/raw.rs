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

/// Up to so many members, each key is compared with each; more are sorted.
const COMPARED: usize = 12;

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
        let object = sum(self.hasher, &mut self.members[start..]);
        self.members.truncate(start);
        self.close(self.hasher.object(object));
    }
}

/// Sums the members, of equal keys only the last.
#[inline(always)]
fn sum(hasher: Hasher, members: &mut [Member]) -> ObjectHash {
    if members.len() > COMPARED {
        return sum_many(hasher, members);
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

#[inline(never)]
fn sum_many(hasher: Hasher, members: &mut [Member]) -> ObjectHash {
    // Sorting is safe from keys that were chosen to collide, which a hash table is not.
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
