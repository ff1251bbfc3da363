//! Telling a format from content.

use super::outline::Outline;
use super::recognises;
use super::{anthropic, openai};
use crate::format::Format;
use crate::layout::{self, Layout};
use crate::lines::BYTE_ORDER_MARK;

/// Tells the format of an input from its first bytes, unpacked; `None` where nothing in them
/// is surely of one format. The last line may be cut off.
///
/// A format is told by the keys and types that only it has, so lines that several formats
/// share are passed over. Messages that show nothing but a role and a text are taken for
/// those of the most common API, `openai`, if nothing else is there.
#[must_use]
pub fn detect(head: &[u8]) -> Option<Format> {
    detect_head(head, true)
}

/// The same; if there is `more` of the input, only what is sure is said.
pub(crate) fn detect_head(head: &[u8], over: bool) -> Option<Format> {
    let text = String::from_utf8_lossy(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head));
    parts(head, &text)
        .find_map(|part| {
            let mut formats = Format::ALL.iter().copied();
            formats.find(|&format| recognises(format, &part))
        })
        .or_else(|| over.then(|| parts(head, &text).find_map(|part| guess(&part)))?)
}

/// Whether anything in the first bytes of an input is surely of this format.
pub(crate) fn claims(format: Format, head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head));
    parts(head, &text).any(|part| recognises(format, &part))
}

/// What an input consists of: the elements of an array, a single object, or lines.
fn parts<'a>(head: &[u8], text: &'a str) -> Box<dyn Iterator<Item = Outline<'a>> + 'a> {
    if layout::of(head) == Layout::Lines {
        return Box::new(text.split('\n').filter_map(Outline::of));
    }
    let text = text.trim_start();
    if text.starts_with('[') {
        Box::new(Outline::elements(text))
    } else {
        Box::new(Outline::of(text).into_iter())
    }
}

fn guess(part: &Outline<'_>) -> Option<Format> {
    let mut plain = part.list("messages").filter(openai::may_be);
    let message = plain.next();
    let message = message.as_ref().or_else(|| {
        let single: Option<&Outline<'_>> = Some(part);
        single.filter(|part| openai::may_be(part))
    })?;
    Some(if anthropic::may_be(message) {
        Format::Anthropic
    } else {
        Format::OpenAi
    })
}
