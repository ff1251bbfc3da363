//! Volatile parts: what changes from call to call and means nothing.

use regex::bytes::Regex;

use crate::pointer::Pointer;

/// One volatile part of arguments or results, left out when calls are compared.
///
/// | given | what is replaced |
/// | --- | --- |
/// | `at` | the value at that place, whatever it is |
/// | `match` | what matches, in every string value; keys stay as they are |
/// | both | what matches, if the value at that place is a string |
///
/// The replacement is the text `as`, and without it a marker that equals nothing else: a
/// masked part still differs from a missing one, and from every value that a model can
/// write. `as` is taken literally; `$1` in it means nothing. A match of no characters is
/// passed over.
///
/// A place is a JSON pointer, in which `*` is any key or index: `/edits/*/id`. A pattern is
/// a regular expression of the [`regex`](https://docs.rs/regex) crate.
///
/// ```
/// use loopguard_canonical::{Arguments, Identity, Mask, Seed};
///
/// let masks = [Mask::new(Some("/request_id"), None, None)?];
/// let identity = |text| {
///     Identity::of_masked(Seed::FIXED, "get", Arguments::Text(text), &masks)
/// };
/// assert_eq!(identity(r#"{"request_id":1,"q":"a"}"#), identity(r#"{"request_id":2,"q":"a"}"#));
/// assert_ne!(identity(r#"{"request_id":1,"q":"a"}"#), identity(r#"{"q":"a"}"#));
/// # Ok::<(), loopguard_canonical::MaskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mask {
    pub(crate) place: Option<Pointer>,
    // Over bytes, because a text may hold lone surrogates and markers, which no `str` does.
    pub(crate) pattern: Option<Regex>,
    pub(crate) replacement: Option<String>,
}

/// Why a [`Mask`] cannot be built.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MaskError {
    /// Neither a place nor a pattern was given.
    #[error("a volatile part needs a place (`at`), a pattern (`match`) or both")]
    Empty,
    /// The place is no JSON pointer.
    #[error("`{pointer}` is no JSON pointer: {reason}")]
    #[non_exhaustive]
    Pointer {
        /// The place as it was given.
        pointer: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The pattern does not compile.
    #[error("`{pattern}` is no regular expression")]
    #[non_exhaustive]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        source: regex::Error,
    },
}

impl Mask {
    /// A mask for what is `at` a place, what does `match` a pattern, or both; `as_text` is
    /// what takes its place, the marker if there is none.
    ///
    /// # Errors
    ///
    /// If the place is no JSON pointer, if the pattern does not compile (or is too large to),
    /// and if neither is given.
    pub fn new(
        at: Option<&str>,
        r#match: Option<&str>,
        as_text: Option<&str>,
    ) -> Result<Self, MaskError> {
        if at.is_none() && r#match.is_none() {
            return Err(MaskError::Empty);
        }
        let compile = |pattern: &str| {
            Regex::new(pattern).map_err(|source| MaskError::Pattern {
                pattern: pattern.to_owned(),
                source,
            })
        };
        Ok(Self {
            place: at.map(Pointer::new).transpose()?,
            pattern: r#match.map(compile).transpose()?,
            replacement: as_text.map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |at, pattern| Mask::new(at, pattern, None).unwrap_err().to_string();
        assert_eq!(
            error(None, None),
            "a volatile part needs a place (`at`), a pattern (`match`) or both"
        );
        assert_eq!(
            error(Some("a/b"), None),
            "`a/b` is no JSON pointer: it must be empty or begin with `/`"
        );
        for pointer in ["/a~", "/~2", "/a/~~0"] {
            let wanted = "is no JSON pointer: `~` must be followed by `0` or `1`";
            assert_eq!(
                error(Some(pointer), Some("a")),
                format!("`{pointer}` {wanted}")
            );
        }
        assert_eq!(error(None, Some("(")), "`(` is no regular expression");
        let error = Mask::new(Some(""), Some("["), None).unwrap_err();
        assert!(std::error::Error::source(&error).is_some());
        for pointer in ["", "/", "//", "/*", "/~01/~1~0", "/*/a/0"] {
            assert!(Mask::new(Some(pointer), None, Some("x")).is_ok());
        }
    }
}
