//! Tool and source names, each kept once.

use std::num::NonZeroU8;

use loopguard_canonical::cut;

/// A name is kept up to this many UTF-16 units: longer ones are no names, and would let a
/// hostile host's memory grow.
const MAX_NAME_CHARS: u64 = 128;

/// How many different names are referred to at a time; further ones are told as `…`. An agent
/// has some dozens of tools.
const MAX_NAMES: usize = 64;

/// A name in a [`Names`] table, by its place counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameId(NonZeroU8);

impl NameId {
    /// Stands for every name that found no room.
    const OTHER: Self = Self(NonZeroU8::MAX);

    fn at(place: usize) -> Self {
        Self(NonZeroU8::MIN.saturating_add(place as u8))
    }

    fn place(self) -> usize {
        usize::from(self.0.get() - 1)
    }
}

/// The names that are referred to, counted: the tools of the last calls, and the sources of
/// the texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(Vec<Name>);

#[derive(Clone, Debug)]
struct Name {
    text: String,
    uses: u32,
}

impl Names {
    /// One more reference to `name`. A name that is not there yet takes the room of one that
    /// nobody refers to, so that names which come and go allocate nothing.
    pub(crate) fn hold(&mut self, name: &str) -> NameId {
        let cut_off = cut(name, MAX_NAME_CHARS);
        let is_it = |kept: &Name| match cut_off {
            None => kept.text == name,
            Some(head) => kept.text.strip_suffix('…') == Some(head),
        };
        if let Some(at) = self.0.iter().position(is_it) {
            self.0[at].uses += 1;
            return NameId::at(at);
        }
        let at = match self.0.iter().position(|kept| kept.uses == 0) {
            Some(free) => free,
            None if self.0.len() == MAX_NAMES => return NameId::OTHER,
            None => {
                let text = String::new();
                self.0.push(Name { text, uses: 0 });
                self.0.len() - 1
            }
        };
        let room = &mut self.0[at];
        room.uses = 1;
        room.text.clear();
        room.text.push_str(cut_off.unwrap_or(name));
        if cut_off.is_some() {
            room.text.push('…');
        }
        NameId::at(at)
    }

    /// One reference less.
    pub(crate) fn release(&mut self, id: NameId) {
        if let Some(name) = self.0.get_mut(id.place()) {
            name.uses = name.uses.saturating_sub(1);
        }
    }

    /// The name's text.
    pub(crate) fn get(&self, id: NameId) -> &str {
        self.0.get(id.place()).map_or("…", |name| &*name.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once_and_makes_room_when_nobody_refers_to_it() {
        let mut names = Names::default();
        let a = names.hold("a");
        let b = names.hold("b");
        assert_eq!(names.hold("a"), a);
        names.release(a);
        assert_eq!(names.get(a), "a");
        names.release(a);
        let c = names.hold("c");
        assert_eq!(c, a);
        assert_eq!((names.get(c), names.get(b)), ("c", "b"));
        assert_eq!(names.0.len(), 2);
    }

    #[test]
    fn names_that_find_no_room_are_told_as_others() {
        let mut names = Names::default();
        let ids: Vec<_> = (0..100).map(|name| names.hold(&name.to_string())).collect();
        assert_eq!((names.get(ids[63]), names.get(ids[64])), ("63", "…"));
        names.release(ids[64]);
        names.release(ids[5]);
        let late = names.hold("late");
        assert_eq!(names.get(late), "late");
        assert_eq!(names.0.len(), MAX_NAMES);
    }

    #[test]
    fn a_long_name_is_cut_and_found_again() {
        let mut names = Names::default();
        let long = "n".repeat(500);
        let id = names.hold(&long);
        assert_eq!(names.hold(&long), id);
        assert_eq!(names.get(id).chars().count(), 129);
    }
}
