//! Volatile parts.

/// One volatile part of arguments or results.
#[derive(Clone, Debug)]
pub struct Mask {
    _private: (),
}

/// Why a [`Mask`] cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MaskError {
    /// Neither a place nor a pattern was given.
    #[error("neither a place nor a pattern is given")]
    Empty,
}

impl Mask {
    /// Builds a mask from a place, a pattern and a replacement.
    ///
    /// # Errors
    ///
    /// See [`MaskError`].
    pub fn new(
        at: Option<&str>,
        pattern: Option<&str>,
        replacement: Option<&str>,
    ) -> Result<Self, MaskError> {
        let _ = replacement;
        if at.is_none() && pattern.is_none() {
            return Err(MaskError::Empty);
        }
        Ok(Self { _private: () })
    }
}
