//! The two ways in which a host holds a call's arguments.

use serde_json::Value;

/// A call's arguments, as the host holds them: parsed, or as the model wrote them.
///
/// Both ways give the same [`Identity`](crate::Identity) wherever both can hold the value.
/// Prefer the raw text where it is at hand: it has lost no digits, so its identity is
/// always exact, and it need not be parsed first.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Arguments<'a> {
    /// A parsed value.
    Value(&'a Value),
    /// The argument text as the model wrote it.
    ///
    /// An empty text is the empty object. A text that is not JSON (by the grammar of
    /// JavaScript's `JSON.parse`) is the JSON string of that text, so `plain` is the same
    /// as `"plain"`.
    Text(&'a str),
}

impl<'a> From<&'a Value> for Arguments<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Value(value)
    }
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Arguments<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}
