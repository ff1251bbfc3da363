//! Content as several hosts write it: a string, or a list of blocks of a `type`.

use std::borrow::Cow;

use super::stamp::{Stamp, string};
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

/// The text blocks of a content; whatever else it holds is left out.
pub(super) fn texts(content: Option<Json<'_>>) -> Texts<'_> {
    let Some(content) = content else {
        return Texts::new();
    };
    match content.as_str() {
        Some(text) => Texts::one(text),
        None => content.items().filter_map(text).collect(),
    }
}

/// The text of a block of the type `text`; nothing of any other.
pub(super) fn text(block: Json<'_>) -> Option<Cow<'_, str>> {
    let [kind, text] = block.fields(["type", "text"]);
    (kind?.as_str()? == "text").then_some(text?)?.as_str()
}

/// How a host writes the block of a call: its type, and under which key its arguments are.
#[derive(Clone, Copy)]
pub(super) struct CallBlock {
    pub(super) kind: &'static str,
    pub(super) arguments: &'static str,
}

/// Anthropic's, which others take over.
pub(super) const TOOL_USE: CallBlock = CallBlock {
    kind: "tool_use",
    arguments: "input",
};

/// What the model said and called, in the order of the blocks: `text`, and those of calls.
pub(super) fn assistant<'a>(
    stamp: Stamp,
    mut id: Option<Cow<'a, str>>,
    content: Json<'a>,
    block_of: CallBlock,
    output: &mut Output<'_, '_>,
) -> SkipReason {
    let mut texts: Texts<'_> = content.as_str().into_iter().collect();
    let mut reason = SkipReason::NoEvent;
    for block in content.items() {
        if let Some(text) = text(block) {
            texts.push(text);
            continue;
        }
        let [kind, call, name, arguments] =
            block.fields(["type", "id", "name", block_of.arguments]);
        if string(kind).as_deref() != Some(block_of.kind) {
            continue;
        }
        let Some(name) = string(name) else {
            reason = SkipReason::Broken;
            continue;
        };
        if !texts.is_empty() {
            // The message's id is on its first text.
            stamp.assistant(id.take(), std::mem::take(&mut texts), output);
        }
        let arguments = Cow::Borrowed(arguments.map_or("", Json::raw));
        stamp.call(string(call), name, arguments, output);
    }
    stamp.assistant(id, texts, output);
    reason
}
