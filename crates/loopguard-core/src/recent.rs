//! A bounded table that drops what was longest unseen.

use std::fmt;

use loopguard_canonical::Fingerprint;

/// A bounded map from fingerprints to values that drops the entry longest unseen when a new
/// one needs its place.
///
/// It grows up to its capacity and never beyond; full, it allocates nothing any more. An
/// entry costs its value, 16 bytes of key, and four to six links: of two bytes each in the
/// tables that guards keep, of four (`Recent<V, u32>`) in larger ones.
///
/// # Example: the two last seen of three
///
/// ```
/// use loopguard_core::{Fingerprint, Recent};
///
/// let [a, b, c] = [1, 2, 3].map(Fingerprint::from_u128);
/// let mut seen: Recent<&str> = Recent::new(2);
/// seen.see(a, || "a");
/// seen.see(b, || "b");
/// seen.see(a, || unreachable!());
/// let (_, dropped) = seen.see(c, || "c");
/// assert_eq!(dropped, Some("b"));
/// assert_eq!(seen.get(&a), Some(&"a"));
/// ```
#[derive(Clone, Debug)]
pub struct Recent<V, L: Link = u16> {
    entries: Vec<Entry<V, L>>,
    /// Open addressing with linear probing; at most half full.
    index: Vec<L>,
    newest: L,
    oldest: L,
    capacity: L,
}

#[derive(Clone, Debug)]
struct Entry<V, L> {
    key: Fingerprint,
    newer: L,
    older: L,
    value: V,
}

/// How a [`Recent`] refers to its entries: `u16` for up to 16,384 of them, `u32` for up to
/// 2^30.
pub trait Link: Copy + Eq + fmt::Debug + private::Sealed {
    /// No entry: the end of the list of entries, and an empty place of the index.
    #[doc(hidden)]
    const NONE: Self;
    #[doc(hidden)]
    const MAX_CAPACITY: usize;
    #[doc(hidden)]
    fn of(at: usize) -> Self;
    #[doc(hidden)]
    fn at(self) -> usize;
}

mod private {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

impl Link for u16 {
    const NONE: Self = u16::MAX;
    const MAX_CAPACITY: usize = 1 << 14;
    fn of(at: usize) -> Self {
        at as u16
    }
    fn at(self) -> usize {
        usize::from(self)
    }
}

impl Link for u32 {
    const NONE: Self = u32::MAX;
    const MAX_CAPACITY: usize = 1 << 30;
    fn of(at: usize) -> Self {
        at as u32
    }
    fn at(self) -> usize {
        self as usize
    }
}

impl<V, L: Link> Recent<V, L> {
    /// An empty table for at most `capacity` entries: at least one, and no more than the
    /// [`Link`] can tell apart.
    pub fn new(capacity: usize) -> Self {
        let capacity = L::of(capacity.clamp(1, L::MAX_CAPACITY));
        Self {
            entries: Vec::new(),
            index: Vec::new(),
            newest: L::NONE,
            oldest: L::NONE,
            capacity,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many entries there may be.
    pub fn capacity(&self) -> usize {
        self.capacity.at()
    }

    /// The value of `key`; being looked at does not count as being seen.
    pub fn get(&self, key: &Fingerprint) -> Option<&V> {
        let place = self.find(key)?;
        Some(&self.entries[self.index[place].at()].value)
    }

    /// `key` was seen: its value, made by `new` where there is none yet, and the value that
    /// had to go for it.
    pub fn see(&mut self, key: Fingerprint, new: impl FnOnce() -> V) -> (&mut V, Option<V>) {
        if let Some(place) = self.find(&key) {
            let at = self.index[place];
            self.unlink(at);
            self.link_newest(at);
            return (&mut self.entries[at.at()].value, None);
        }
        if self.entries.len() == self.capacity() {
            return self.replace_oldest(key, new());
        }
        self.grow();
        let at = L::of(self.entries.len());
        self.entries.push(Entry {
            key,
            newer: L::NONE,
            older: L::NONE,
            value: new(),
        });
        self.link_newest(at);
        self.enter(at);
        (&mut self.entries[at.at()].value, None)
    }

    /// Gives the place of the entry longest unseen to a new one.
    fn replace_oldest(&mut self, key: Fingerprint, value: V) -> (&mut V, Option<V>) {
        let at = self.oldest;
        if let Some(place) = self.find(&self.entries[at.at()].key) {
            self.vacate(place);
        }
        self.unlink(at);
        let entry = &mut self.entries[at.at()];
        entry.key = key;
        let dropped = std::mem::replace(&mut entry.value, value);
        self.link_newest(at);
        self.enter(at);
        (&mut self.entries[at.at()].value, Some(dropped))
    }

    /// Takes `key` out.
    pub fn remove(&mut self, key: &Fingerprint) -> Option<V> {
        let place = self.find(key)?;
        let at = self.index[place];
        self.vacate(place);
        self.unlink(at);
        let last = L::of(self.entries.len() - 1);
        if at != last {
            // The last entry moves into the gap: whoever points at it has to follow.
            if let Some(place) = self.find(&self.entries[last.at()].key) {
                self.index[place] = at;
            }
            let Entry { newer, older, .. } = self.entries[last.at()];
            self.set_older(newer, at);
            self.set_newer(older, at);
        }
        Some(self.entries.swap_remove(at.at()).value)
    }

    /// Drops all entries; the memory is kept for the next ones.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.index.fill(L::NONE);
        self.newest = L::NONE;
        self.oldest = L::NONE;
    }

    /// The entries, the one longest unseen first.
    pub fn iter(&self) -> impl Iterator<Item = (Fingerprint, &V)> {
        let mut next = self.oldest;
        std::iter::from_fn(move || {
            let entry = self.entries.get(next.at())?;
            next = entry.newer;
            Some((entry.key, &entry.value))
        })
    }

    fn home(&self, key: &Fingerprint) -> usize {
        // Fingerprints are uniform under a seed that nobody knows, so any bits will do.
        key.to_u128() as usize & (self.index.len() - 1)
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }

    fn find(&self, key: &Fingerprint) -> Option<usize> {
        if self.index.is_empty() {
            return None;
        }
        let mut place = self.home(key);
        loop {
            match self.index[place] {
                at if at == L::NONE => return None,
                at if self.entries[at.at()].key == *key => return Some(place),
                _ => place = self.next(place),
            }
        }
    }

    fn enter(&mut self, at: L) {
        let mut place = self.home(&self.entries[at.at()].key);
        while self.index[place] != L::NONE {
            place = self.next(place);
        }
        self.index[place] = at;
    }

    /// Empties a place and moves those behind it up, so that every search still ends right.
    fn vacate(&mut self, mut gap: usize) {
        let mut place = self.next(gap);
        while self.index[place] != L::NONE {
            let home = self.home(&self.entries[self.index[place].at()].key);
            let mask = self.index.len() - 1;
            // Whether the way from its home to its place leads over the gap.
            if (place.wrapping_sub(home) & mask) >= (place.wrapping_sub(gap) & mask) {
                self.index[gap] = self.index[place];
                gap = place;
            }
            place = self.next(place);
        }
        self.index[gap] = L::NONE;
    }

    /// Makes room for one more entry.
    fn grow(&mut self) {
        let count = self.entries.len();
        if count == self.entries.capacity() {
            // In small steps: most agents end long before their tables are full.
            let step = (count / 8 + 8).min(self.capacity() - count);
            self.entries.reserve_exact(step);
        }
        let needed = (count + 1) * 2;
        if needed > self.index.len() {
            self.index = vec![L::NONE; needed.next_power_of_two()];
            for at in 0..count {
                self.enter(L::of(at));
            }
        }
    }

    fn unlink(&mut self, at: L) {
        let Entry { newer, older, .. } = self.entries[at.at()];
        self.set_older(newer, older);
        self.set_newer(older, newer);
    }

    fn link_newest(&mut self, at: L) {
        let entry = &mut self.entries[at.at()];
        entry.newer = L::NONE;
        entry.older = self.newest;
        self.set_newer(self.newest, at);
        self.newest = at;
    }

    /// What is older than `at`; what is older than nothing is the newest.
    fn set_older(&mut self, at: L, older: L) {
        match self.entries.get_mut(at.at()) {
            Some(entry) => entry.older = older,
            None => self.newest = older,
        }
    }

    /// What is newer than `at`; what is newer than nothing is the oldest.
    fn set_newer(&mut self, at: L, newer: L) {
        match self.entries.get_mut(at.at()) {
            Some(entry) => entry.newer = newer,
            None => self.oldest = newer,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, told with a list: the last is the newest.
    #[derive(Debug)]
    struct Model {
        entries: Vec<(u128, u32)>,
        capacity: usize,
    }

    impl Model {
        fn see(&mut self, key: u128, value: u32) -> Option<u32> {
            let mut dropped = None;
            let entry = match self.entries.iter().position(|entry| entry.0 == key) {
                Some(at) => self.entries.remove(at),
                None => {
                    if self.entries.len() == self.capacity {
                        dropped = Some(self.entries.remove(0).1);
                    }
                    (key, value)
                }
            };
            self.entries.push(entry);
            dropped
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        See(u128, u32),
        Remove(u128),
        Clear,
    }

    fn step() -> impl Strategy<Value = Step> {
        // Few distinct keys, many of which want the same place of the index.
        let key = (0u128..6, 0u128..8).prop_map(|(low, high)| (high << 64) | low);
        prop_oneof![
            20 => (key.clone(), any::<u32>()).prop_map(|(key, value)| Step::See(key, value)),
            6 => key.prop_map(Step::Remove),
            1 => Just(Step::Clear),
        ]
    }

    proptest! {
        #[test]
        fn it_does_what_a_list_would_do(
            capacity in 0usize..20,
            steps in proptest::collection::vec(step(), 0..200),
        ) {
            let mut table: Recent<u32> = Recent::new(capacity);
            let mut model = Model { entries: Vec::new(), capacity: capacity.max(1) };
            for step in steps {
                match step {
                    Step::See(key, value) => {
                        let dropped = table.see(Fingerprint::from_u128(key), || value).1;
                        prop_assert_eq!(dropped, model.see(key, value));
                    }
                    Step::Remove(key) => {
                        let at = model.entries.iter().position(|entry| entry.0 == key);
                        let wanted = at.map(|at| model.entries.remove(at).1);
                        prop_assert_eq!(table.remove(&Fingerprint::from_u128(key)), wanted);
                    }
                    Step::Clear => {
                        table.clear();
                        model.entries.clear();
                    }
                }
                let seen: Vec<_> = table.iter().map(|(key, value)| (key.to_u128(), *value)).collect();
                prop_assert_eq!(&seen, &model.entries);
                prop_assert_eq!(table.len(), model.entries.len());
                for (key, value) in &model.entries {
                    prop_assert_eq!(table.get(&Fingerprint::from_u128(*key)), Some(value));
                }
                prop_assert_eq!(table.get(&Fingerprint::from_u128(1 << 100)), None);
            }
        }
    }

    #[test]
    fn a_full_table_keeps_its_size() {
        let mut table: Recent<u128> = Recent::new(100);
        for key in 0..100 {
            table.see(Fingerprint::from_u128(key), || key);
        }
        let room = (table.entries.capacity(), table.index.capacity());
        for key in 100..5000 {
            assert_eq!(
                table.see(Fingerprint::from_u128(key), || key).1,
                Some(key - 100)
            );
        }
        assert_eq!((table.entries.capacity(), table.index.capacity()), room);
        assert_eq!(room, (100, 256));
    }
}
