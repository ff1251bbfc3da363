//! Content as several hosts write it: a string, or a list of blocks of a `type`.

use std::borrow::Cow;

use crate::json::Json;
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
