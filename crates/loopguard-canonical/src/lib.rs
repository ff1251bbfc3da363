//! Decides what makes two tool calls the same call: canonical JSON, exact fingerprints and
//! volatile parts.

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
