//! How a call ended.

use std::cell::Cell;

use loopguard_canonical::Fingerprint;

use crate::{Text, Weight, weight};

/// How a call ended: the host's final word, after everything that may change it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Outcome<'a> {
    /// The tool ran and reported no failure.
    Success(&'a Output<'a>),
    /// The tool failed.
    Failure {
        /// What went wrong, in the host's or the tool's words; may be empty.
        message: &'a str,
        /// The result as the model reads it.
        output: &'a Output<'a>,
    },
    /// The host refused the call after the guards had admitted it: the tool never ran.
    Denied,
    /// The call was given up before it ended; neither a failure nor a success.
    Cancelled,
}

impl<'a> Outcome<'a> {
    /// The result as the model reads it, where the tool ran.
    #[inline]
    pub fn output(&self) -> Option<&'a Output<'a>> {
        match self {
            Outcome::Success(output) | Outcome::Failure { output, .. } => Some(output),
            Outcome::Denied | Outcome::Cancelled => None,
        }
    }
}

/// The text blocks of a result.
#[derive(Clone, Debug, Default)]
pub struct Output<'a> {
    texts: &'a [Text<'a>],
    digest: Cell<Option<Fingerprint>>,
    weight: Cell<Option<Weight>>,
}

impl<'a> Output<'a> {
    /// A result of these blocks.
    #[inline]
    pub fn new(texts: &'a [Text<'a>]) -> Self {
        Self {
            texts,
            digest: Cell::new(None),
            weight: Cell::new(None),
        }
    }

    /// The same blocks, to be compared by `digest`: what is left of them once volatile parts
    /// are out of the way.
    #[must_use]
    #[inline]
    pub fn compared_by(self, digest: Fingerprint) -> Self {
        self.digest.set(Some(digest));
        self
    }

    /// The blocks, as the model reads them.
    #[inline]
    pub fn texts(&self) -> &'a [Text<'a>] {
        self.texts
    }

    /// How much the result says, weighed once.
    pub fn weight(&self) -> Weight {
        self.weight.get().unwrap_or_else(|| {
            let weight = weight::weigh(self.texts);
            self.weight.set(Some(weight));
            weight
        })
    }

    /// What two equal results share: the fingerprint of all blocks in order, computed once.
    pub fn digest(&self) -> Fingerprint {
        self.digest.get().unwrap_or_else(|| {
            let digest = self.texts.iter().fold(
                Fingerprint::from_u128(self.texts.len() as u128),
                |digest, text| digest.combine(text.fingerprint()),
            );
            self.digest.set(Some(digest));
            digest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn results_are_equal_block_by_block() {
        let digest = |blocks: &[&str]| {
            let texts: Vec<_> = blocks
                .iter()
                .map(|block| Text::new(Seed::FIXED, block))
                .collect();
            Output::new(&texts).digest()
        };
        assert_eq!(digest(&["a", "b"]), digest(&["a ", "b"]));
        assert_ne!(digest(&["a", "b"]), digest(&["b", "a"]));
        assert_ne!(digest(&["ab"]), digest(&["a", "b"]));
        assert_ne!(digest(&[]), digest(&[""]));
    }
}
