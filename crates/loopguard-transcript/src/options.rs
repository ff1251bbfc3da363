//! What a caller may set.

use crate::format::Format;

/// The longest line that is read unless the options say otherwise: 256 MiB.
///
/// Recorded lines hold whole files that tools returned, some of them megabytes; beyond this
/// bound a line is taken for damage.
pub const MAX_LINE_BYTES: usize = 256 << 20;

/// The longest document that is read unless the options say otherwise: 1 GiB.
///
/// A format that is one JSON value can only be read when all of it is in memory.
pub const MAX_DOCUMENT_BYTES: usize = 1 << 30;

/// How to read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format; `None` tells it from the content.
    pub format: Option<Format>,
    /// The longest line that is read, in bytes without its line break. A longer one is skipped
    /// and counted, and is never in memory as a whole.
    pub max_line_bytes: usize,
    /// The longest document that is read, in bytes, where a format is one JSON value and not
    /// one a line. A longer one is an error.
    pub max_document_bytes: usize,
}

impl ReadOptions {
    /// Any format, lines up to [`MAX_LINE_BYTES`], documents up to [`MAX_DOCUMENT_BYTES`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            format: None,
            max_line_bytes: MAX_LINE_BYTES,
            max_document_bytes: MAX_DOCUMENT_BYTES,
        }
    }

    /// Reads the input as this format. Reading fails where nothing in the input is of it, and
    /// where its first bytes (of a document, all) are surely of another and not of this one.
    #[must_use]
    pub const fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets the longest line that is read, in bytes.
    #[must_use]
    pub const fn max_line_bytes(mut self, bytes: usize) -> Self {
        self.max_line_bytes = bytes;
        self
    }

    /// Sets the longest document that is read, in bytes.
    #[must_use]
    pub const fn max_document_bytes(mut self, bytes: usize) -> Self {
        self.max_document_bytes = bytes;
        self
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new()
    }
}
