//! What a result says about progress.

use std::cmp::Ordering;

use crate::Text;

/// How much a result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Weight {
    /// Nothing at all: no evidence of progress, nor of its lack.
    Empty,
    /// A mere acknowledgement, such as `saved` or `{"ok":true}`: as little evidence.
    Acknowledgement,
    /// Something that an agent can work with.
    Substance,
}

/// Longer texts are no mere acknowledgements: to look at the beginning is enough.
const MAX_BYTES: usize = 120;

/// Words that acknowledge, in order.
const ACKNOWLEDGING: &[&str] = &[
    "accepted",
    "acknowledged",
    "added",
    "applied",
    "complete",
    "completed",
    "created",
    "deleted",
    "done",
    "edited",
    "finished",
    "modified",
    "moved",
    "noted",
    "null",
    "ok",
    "okay",
    "patched",
    "recorded",
    "removed",
    "renamed",
    "replaced",
    "saved",
    "sent",
    "set",
    "stored",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "true",
    "updated",
    "written",
    "wrote",
    "yes",
];

/// Words that may stand beside them and say nothing more, in order.
const ACCOMPANYING: &[&str] = &[
    "a",
    "all",
    "an",
    "and",
    "are",
    "as",
    "been",
    "change",
    "changes",
    "code",
    "command",
    "edit",
    "edits",
    "entry",
    "error",
    "errors",
    "executed",
    "exit",
    "file",
    "files",
    "for",
    "has",
    "have",
    "in",
    "is",
    "it",
    "item",
    "items",
    "list",
    "message",
    "no",
    "note",
    "notes",
    "of",
    "operation",
    "output",
    "plan",
    "result",
    "status",
    "task",
    "tasks",
    "text",
    "the",
    "this",
    "to",
    "todo",
    "todos",
    "was",
    "were",
    "with",
    "without",
    "your",
];

/// The weight of a result's blocks: that of the weightiest.
pub(crate) fn weigh(texts: &[Text<'_>]) -> Weight {
    let mut weight = Weight::Empty;
    for text in texts {
        match weigh_text(text.as_str()) {
            Weight::Substance => return Weight::Substance,
            Weight::Acknowledgement => weight = Weight::Acknowledgement,
            Weight::Empty => {}
        }
    }
    weight
}

fn weigh_text(text: &str) -> Weight {
    let text = text.trim();
    match text {
        "" | "(no output)" => return Weight::Empty,
        "{}" | "[]" => return Weight::Acknowledgement,
        _ => {}
    }
    if text.len() > MAX_BYTES {
        return Weight::Substance;
    }
    let mut acknowledges = false;
    for word in text.split(|c: char| c.is_whitespace() || "{}[]\":,;!()".contains(c)) {
        let word = word.trim_matches('.');
        // A name of a file or a number is what the model itself has just said or done.
        if word.is_empty() || is_name(word) {
            continue;
        }
        let is_in = |words: &[&str]| {
            words
                .binary_search_by(|known| compare_ignoring_case(known, word))
                .is_ok()
        };
        if is_in(ACKNOWLEDGING) {
            acknowledges = true;
        } else if !is_in(ACCOMPANYING) {
            return Weight::Substance;
        }
    }
    if acknowledges {
        Weight::Acknowledgement
    } else {
        Weight::Substance
    }
}

/// The order of a word in lower case and one in any, as the lists have it.
fn compare_ignoring_case(known: &str, word: &str) -> Ordering {
    known
        .bytes()
        .cmp(word.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// A path or a file name; a bare number is none, it may be what was asked for.
fn is_name(word: &str) -> bool {
    word.contains('/') || word.contains('\\') || (word.contains('.') && !word.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn weight(text: &str) -> Weight {
        weigh(&[Text::new(Seed::FIXED, text)])
    }

    #[test]
    fn the_lists_are_in_order() {
        assert!(ACKNOWLEDGING.is_sorted() && ACCOMPANYING.is_sorted());
        assert_eq!(weight("OK"), weight("ok"));
    }

    #[test]
    fn nothing_is_empty() {
        for text in ["", " \n", "(no output)"] {
            assert_eq!(weight(text), Weight::Empty, "{text:?}");
        }
        assert_eq!(weigh(&[]), Weight::Empty);
    }

    #[test]
    fn a_mere_acknowledgement_says_that_it_was_done_and_nothing_more() {
        for text in [
            "ok",
            "Saved.",
            "written",
            "patched",
            "File updated successfully.",
            "The file src/main.rs has been updated.",
            "{\"ok\": true}",
            "{\"status\":\"success\"}",
            "Todos have been modified successfully",
            "Done!",
            "{}",
            "[]",
        ] {
            assert_eq!(weight(text), Weight::Acknowledgement, "{text:?}");
        }
    }

    #[test]
    fn whatever_else_is_said_is_something_to_work_with() {
        for text in [
            "no matches",
            "none",
            "running: 14%",
            "3",
            "child-1 started",
            "60 samples loaded",
            "saved 4 of 12 rows",
            "error: not found",
            "CC ledger.o",
            "src/ledger.rs:1",
        ] {
            assert_eq!(weight(text), Weight::Substance, "{text:?}");
        }
        assert_eq!(weight(&"ok ".repeat(100)), Weight::Substance);
    }

    #[test]
    fn the_weightiest_block_counts() {
        let texts = ["ok", "", "no such host"].map(|text| Text::new(Seed::FIXED, text));
        assert_eq!(weigh(&texts), Weight::Substance);
        assert_eq!(weigh(&texts[..2]), Weight::Acknowledgement);
    }
}
