//! The one way in: any input, any format.

use std::io::BufRead;
use std::ops::ControlFlow;

use crate::error::ReadError;
use crate::event::Event;
use crate::format::Format;
use crate::options::ReadOptions;
use crate::summary::ReadSummary;

/// Reads an input to its end and hands each event to the sink, in order.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read(
    _input: impl BufRead,
    _options: &ReadOptions,
    _sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    Err(ReadError::Empty)
}

/// Tells the format from the first bytes of an input.
#[must_use]
pub fn detect(_head: &[u8]) -> Option<Format> {
    None
}
