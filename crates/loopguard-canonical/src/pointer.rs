//! Places in a JSON value: JSON pointers in which a step may be any.

use crate::mask::MaskError;

/// A JSON pointer (RFC 6901) in which the step `*` is any key or index.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Any,
    /// A key, and the array index that it is where it is one.
    One(String, Option<usize>),
}

impl Pointer {
    /// Reads a pointer. The empty one is the whole value.
    pub(crate) fn new(text: &str) -> Result<Self, MaskError> {
        let error = |reason| MaskError::Pointer {
            pointer: text.to_owned(),
            reason,
        };
        if text.is_empty() {
            return Ok(Self { steps: Vec::new() });
        }
        let Some(steps) = text.strip_prefix('/') else {
            return Err(error("it must be empty or begin with `/`"));
        };
        let steps = steps.split('/').map(|step| {
            if step == "*" {
                return Ok(Step::Any);
            }
            // Each `~` that is left once its two escapes are gone escapes nothing.
            if step.replace("~0", "").replace("~1", "").contains('~') {
                return Err(error("`~` must be followed by `0` or `1`"));
            }
            let key = step.replace("~1", "/").replace("~0", "~");
            let index = key
                .parse()
                .ok()
                .filter(|index: &usize| index.to_string() == key);
            Ok(Step::One(key, index))
        });
        Ok(Self {
            steps: steps.collect::<Result<_, _>>()?,
        })
    }

    /// How many steps it has.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether a step leads to a key, given as WTF-8.
    pub(crate) fn takes_key(&self, step: usize, key: &[u8]) -> bool {
        match self.steps.get(step) {
            Some(Step::Any) => true,
            Some(Step::One(own, _)) => own.as_bytes() == key,
            None => false,
        }
    }

    /// Whether a step leads to an array's item.
    pub(crate) fn takes_index(&self, step: usize, index: usize) -> bool {
        match self.steps.get(step) {
            Some(Step::Any) => true,
            Some(Step::One(_, own)) => *own == Some(index),
            None => false,
        }
    }
}
