//! What a result says about progress.

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
    let (mut rest, mut acknowledges) = (text.as_bytes(), false);
    while !rest.is_empty() {
        let (word, marks, behind) = next_word(rest);
        rest = behind;
        // A name of a file is what the model itself has just said; a bare number is none, it
        // may be what was asked for.
        if word.is_empty() || marks & SLASH != 0 {
            continue;
        }
        let word = match marks & DOT {
            0 => word,
            _ => match without_dots(word) {
                inner if inner.is_empty() || inner.contains(&b'.') => continue,
                inner => inner,
            },
        };
        match role(word) {
            Role::Acknowledges => acknowledges = true,
            Role::Accompanies => {}
            Role::Tells => return Weight::Substance,
        }
    }
    if acknowledges {
        Weight::Acknowledgement
    } else {
        Weight::Substance
    }
}

/// What a byte is in a text of words: what separates them, and what makes a name of one.
const SEPARATOR: u8 = 1;
const SLASH: u8 = 2;
const DOT: u8 = 4;

static MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        marks[byte] = match byte as u8 {
            b'{' | b'}' | b'[' | b']' | b'"' | b':' | b',' | b';' | b'!' | b'(' | b')' => SEPARATOR,
            b'/' | b'\\' => SLASH,
            b'.' => DOT,
            byte if byte.is_ascii_whitespace() => SEPARATOR,
            _ => 0,
        };
        byte += 1;
    }
    marks
};

/// The bytes up to the next separator, all their marks, and what comes behind it.
fn next_word(text: &[u8]) -> (&[u8], u8, &[u8]) {
    let mut marks = 0;
    for (at, &byte) in text.iter().enumerate() {
        let mark = MARKS[usize::from(byte)];
        if mark == SEPARATOR {
            return (&text[..at], marks, &text[at + 1..]);
        }
        marks |= mark;
    }
    (text, marks, &[])
}

fn without_dots(mut word: &[u8]) -> &[u8] {
    while let [b'.', rest @ ..] | [rest @ .., b'.'] = word {
        word = rest;
    }
    word
}

/// What a word does in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Acknowledges,
    Accompanies,
    Tells,
}

fn role(word: &[u8]) -> Role {
    let word = packed(word);
    let at = WORDS.partition_point(|known| known.0 < word);
    match WORDS.get(at) {
        Some(known) if known.0 == word => known.1,
        _ => Role::Tells,
    }
}

/// A word in lower case as a number, in the order of the alphabet; all that are longer than any
/// in the lists are one.
const fn packed(word: &[u8]) -> u128 {
    if word.len() > size_of::<u128>() {
        return u128::MAX;
    }
    let mut letters = [0; size_of::<u128>()];
    let mut at = 0;
    while at < word.len() {
        letters[at] = word[at].to_ascii_lowercase();
        at += 1;
    }
    u128::from_be_bytes(letters)
}

/// Both lists in one, as numbers, in order.
static WORDS: [(u128, Role); ACKNOWLEDGING.len() + ACCOMPANYING.len()] = {
    let mut words = [(0, Role::Tells); ACKNOWLEDGING.len() + ACCOMPANYING.len()];
    let (mut a, mut b) = (0, 0);
    while a + b < words.len() {
        let next = [ACKNOWLEDGING, ACCOMPANYING];
        let first = match a < next[0].len() {
            true => packed(next[0][a].as_bytes()),
            false => u128::MAX,
        };
        let second = match b < next[1].len() {
            true => packed(next[1][b].as_bytes()),
            false => u128::MAX,
        };
        if first < second {
            words[a + b] = (first, Role::Acknowledges);
            a += 1;
        } else {
            words[a + b] = (second, Role::Accompanies);
            b += 1;
        }
    }
    words
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn weight(text: &str) -> Weight {
        weigh(&[Text::new(Seed::FIXED, text)])
    }

    #[test]
    fn the_lists_are_in_order() {
        assert!(WORDS.is_sorted_by(|one, next| one.0 < next.0));
        for (words, wanted) in [
            (ACKNOWLEDGING, Role::Acknowledges),
            (ACCOMPANYING, Role::Accompanies),
        ] {
            assert!(words.iter().all(|word| role(word.as_bytes()) == wanted));
        }
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
            "saved, acknowledgementwithoutend",
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
