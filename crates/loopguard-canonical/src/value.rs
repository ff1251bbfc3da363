//! The hash of a parsed value, straight off the tree.

use std::slice;

use serde_json::{Value, map};

use crate::hash::{ArrayHash, Atom, Hash128, Hasher, ObjectHash};
use crate::number;

/// How deep the walk recurses before it goes on with a stack of its own. It is the depth
/// that `serde_json` parses unless told otherwise, so what is deeper is rare, and only
/// there does the walk allocate.
const RECURSED: u32 = 128;

/// The hash of a value, and whether none of its numbers had lost digits.
pub(crate) fn hash_value(hasher: Hasher, value: &Value) -> (Hash128, bool) {
    let mut walker = Walker {
        hasher,
        exact: true,
    };
    let hash = walker.recurse(value, 0);
    (hash, walker.exact)
}

struct Walker {
    hasher: Hasher,
    exact: bool,
}

/// A container that is not finished.
enum Frame<'a> {
    Array(slice::Iter<'a, Value>, ArrayHash),
    /// With the key whose value is being walked.
    Object(map::Iter<'a>, ObjectHash, Hash128),
}

impl Walker {
    fn recurse(&mut self, value: &Value, depth: u32) -> Hash128 {
        if depth == RECURSED {
            return self.iterate(value);
        }
        let hasher = self.hasher;
        match value {
            Value::Array(items) => {
                let mut array = ArrayHash::default();
                for item in items {
                    let hash = match self.scalar(item) {
                        Some(hash) => hash,
                        None => self.recurse(item, depth + 1),
                    };
                    array = hasher.push(array, hash);
                }
                hasher.array(array)
            }
            Value::Object(members) => {
                let mut object = ObjectHash::default();
                for (key, value) in members {
                    let key = hasher.string(key.as_bytes());
                    let hash = match self.scalar(value) {
                        Some(hash) => hash,
                        None => self.recurse(value, depth + 1),
                    };
                    object = hasher.insert(object, hasher.member(key, hash));
                }
                hasher.object(object)
            }
            scalar => self.scalar(scalar).unwrap_or_default(),
        }
    }

    fn iterate(&mut self, value: &Value) -> Hash128 {
        let hasher = self.hasher;
        let mut frames = Vec::new();
        let mut value = value;
        loop {
            let mut hash = match value {
                Value::Array(items) => {
                    frames.push(Frame::Array(items.iter(), ArrayHash::default()));
                    None
                }
                Value::Object(members) => {
                    let frame =
                        Frame::Object(members.iter(), ObjectHash::default(), Hash128::default());
                    frames.push(frame);
                    None
                }
                scalar => self.scalar(scalar),
            };
            // Hands the finished value to its container and finds the next one to walk.
            value = loop {
                let Some(frame) = frames.last_mut() else {
                    return hash.unwrap_or_default();
                };
                match frame {
                    Frame::Array(items, array) => {
                        if let Some(hash) = hash {
                            *array = hasher.push(*array, hash);
                        }
                        match items.next() {
                            Some(item) => break item,
                            None => hash = Some(hasher.array(*array)),
                        }
                    }
                    Frame::Object(members, object, current) => {
                        if let Some(hash) = hash {
                            *object = hasher.insert(*object, hasher.member(*current, hash));
                        }
                        match members.next() {
                            Some((key, value)) => {
                                *current = hasher.string(key.as_bytes());
                                break value;
                            }
                            None => hash = Some(hasher.object(*object)),
                        }
                    }
                }
                frames.pop();
            };
        }
    }

    /// The hash of anything but a container.
    #[inline(always)]
    fn scalar(&mut self, value: &Value) -> Option<Hash128> {
        Some(match value {
            Value::Null => self.hasher.atom(Atom::Null),
            Value::Bool(false) => self.hasher.atom(Atom::False),
            Value::Bool(true) => self.hasher.atom(Atom::True),
            Value::Number(number) => {
                let (hash, exact) = number::hash_parsed(self.hasher, number);
                self.exact &= exact;
                hash
            }
            Value::String(text) => self.hasher.string(text.as_bytes()),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }
}
