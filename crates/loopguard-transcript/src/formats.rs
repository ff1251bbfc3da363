//! One module a format, behind one small trait.

mod blocks;
mod claude_code;
mod dsh;
mod events;
mod outline;

use crate::error::LineProblem;
use crate::format::Format;
use crate::lines::{BYTE_ORDER_MARK, Line};
use crate::output::Output;

use outline::Outline;

/// Turns the lines of one format into events.
pub(crate) trait Reader {
    /// Takes the next line; blank and overlong ones never come here.
    ///
    /// # Errors
    ///
    /// Only the event stream fails on a line; hosts' formats skip and count.
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem>;

    /// The input is over.
    fn finish(&mut self, _output: &mut Output<'_, '_>) {}
}

/// The reader of a format, at the beginning of an input.
pub(crate) fn reader(format: Format) -> Box<dyn Reader> {
    match format {
        Format::Events => Box::new(events::Events),
        Format::Dsh => Box::new(dsh::Dsh::default()),
        Format::ClaudeCode => Box::new(claude_code::ClaudeCode::default()),
    }
}

/// Tells the format of an input from its first bytes, unpacked; `None` where no line in them
/// is surely of one format. The last line may be cut off.
///
/// A format is told by the keys and types that only it has, so lines that several formats
/// share are passed over.
#[must_use]
pub fn detect(head: &[u8]) -> Option<Format> {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    head.split(|&byte| byte == b'\n').find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let outline = Outline::of(&line)?;
        Format::ALL.iter().copied().find(|format| match format {
            Format::Events => events::recognises(&outline),
            Format::Dsh => dsh::recognises(&outline),
            Format::ClaudeCode => claude_code::recognises(&outline),
        })
    })
}
