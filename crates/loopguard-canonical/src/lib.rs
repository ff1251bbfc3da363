//! Decides what makes two tool calls the same call: canonical JSON, exact fingerprints and
//! volatile parts.
//!
//! - [`Identity`] stands for a call: a tool's name and its arguments as one 128-bit
//!   [`Fingerprint`], the same for every spelling of the same JSON value. Taken straight
//!   off a parsed value or the raw text ([`Arguments`]), without a copy and without an
//!   allocation.
//! - [`Fingerprint::of_text`] does the same for a result, line ends and outer white space
//!   aside.
//! - [`Mask`] names a volatile part, a request id or a time, that does not count.
//!
//! What is quoted back to a model is made by [`canonical_text`], [`canonical_preview`],
//! [`text_preview`] and [`cut`], all of which count UTF-16 units where they cap.
//!
//! # Example: telling whether a call repeats the last one
//!
//! ```
//! use loopguard_canonical::{Arguments, Identity, Seed, canonical_preview};
//! use serde_json::json;
//!
//! // A live host draws a seed at random and keeps it; a replay uses the fixed one.
//! let seed = Seed::FIXED;
//!
//! let value = json!({"path": "src/lib.rs", "limit": 40});
//! let first = Identity::of(seed, "read", Arguments::Value(&value));
//!
//! let text = r#"{ "limit": 4e1, "path": "src\/lib.rs" }"#;
//! let second = Identity::of(seed, "read", Arguments::Text(text));
//!
//! assert_eq!(first, second);
//! assert!(second.is_exact());
//! assert_eq!(
//!     canonical_preview(Arguments::Text(text), 500),
//!     r#"{"limit":40,"path":"src/lib.rs"}"#
//! );
//! ```
//!
//! # What is the same
//!
//! | | same? |
//! | --- | --- |
//! | object keys in another order, at any depth | yes |
//! | `1`, `1.0`, `1e0`; `0`, `-0` | yes |
//! | `"a"` and `"\u0061"` | yes |
//! | `{"a":1,"a":2}` and `{"a":2}` | yes |
//! | array items in another order | no |
//! | two integers that differ in any digit, however long | no |
//! | `"1"` and `1`; `null` and a missing key | no |
//! | strings that differ in white space, case or Unicode normalisation | no |
//!
//! Raw text is read by exactly the grammar of JavaScript's `JSON.parse`; a text that is not
//! JSON is the JSON string of that text, and an empty one is `{}`. A number with a fraction
//! or an exponent is the nearest double, or its exact decimal where no double is as large.
//! A lone surrogate (`"\ud800"`) equals only itself.
//!
//! A parsed value may have lost digits: a double of at least 2^64, or of at most -2^63, may
//! once have been an integer that fits no word. An identity with such a number is not
//! [exact](Identity::is_exact).
//!
//! # Limits
//!
//! Nothing here fails on data, and no depth overflows the stack. Time is linear in the
//! input, but for `n log n` in the number of keys of one object in raw text and in canonical
//! text. Memory: identities of values allocate only below 128 levels. Raw text and
//! [`Fingerprint::of_text`] use buffers that stay with the thread, at most 1 MiB; what needs
//! more gives it back after the call. Fingerprints are no cryptographic hash: whoever knows
//! the seed can make up inputs that collide.
//!
//! # Features
//!
//! None. `float_roundtrip` of `serde_json` is switched on, because a parsed double has to be
//! the nearest one for text and value to agree. `preserve_order` and `arbitrary_precision`
//! are not, and nothing changes if another crate of the build switches them on, except that
//! no parsed value has lost digits then.

#![forbid(unsafe_code)]

mod arguments;
mod decimal;
mod fingerprint;
mod hash;
mod hex;
mod identity;
mod mask;
mod number;
mod order;
mod pointer;
mod preview;
mod raw;
#[cfg(doctest)]
mod readme;
mod rewrite;
mod scan;
mod scratch;
mod seed;
mod sink;
mod text;
mod tree;
mod unescape;
mod value;
mod walk;
mod write;

pub use crate::arguments::Arguments;
pub use crate::fingerprint::Fingerprint;
pub use crate::hex::ParseHexError;
pub use crate::identity::Identity;
pub use crate::mask::{Mask, MaskError};
pub use crate::preview::{cut, text_preview, utf16_len};
pub use crate::seed::Seed;
pub use crate::write::{canonical_preview, canonical_text};
