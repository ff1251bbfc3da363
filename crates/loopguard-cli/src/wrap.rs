//! Texts of strangers made fit for a terminal: cut, folded, and without control characters.
//!
//! Widths are columns: a Chinese character or an emoji takes two, a combining mark none.

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthChar as _;

/// How many columns a text takes, all of whose characters can be shown.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The text, and blanks up to a width.
pub(crate) fn padded(text: &str, to: usize) -> String {
    format!(
        "{text}{:blanks$}",
        "",
        blanks = to.saturating_sub(width(text))
    )
}

/// The text in one line of at most `width` columns: white space runs become one blank, and what
/// is cut off is an ellipsis. Looks no further than it has to.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut blank = false;
    for character in strip_str(text).flat_map(str::chars) {
        if character.is_whitespace() {
            blank = length > 0;
            continue;
        }
        let blank = std::mem::take(&mut blank).then_some(' ');
        for character in blank.into_iter().chain([printable(character)]) {
            if length + columns(character) > width {
                return cut(line, length, width);
            }
            length += columns(character);
            line.push(character);
        }
    }
    line
}

/// A line of so many columns with an ellipsis at its end, within `width`.
fn cut(mut line: String, mut length: usize, width: usize) -> String {
    while length + 1 > width {
        match line.pop() {
            Some(character) => length -= columns(character),
            None => return line,
        }
    }
    line.push('…');
    line
}

/// The text in lines of at most `width` columns, broken at blanks and between wide characters
/// where there are any, and inside a word that is longer than a line. Line breaks stay, and so
/// does the indentation after one.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in strip_str(text).to_string().lines() {
        let all: Vec<char> = paragraph.chars().map(printable).collect();
        let mut rest = &all[..];
        while let Some(fits) = overflow(rest, width) {
            let at = (1..=fits).rev().find(|&at| may_break(rest, at));
            let (line, mut tail) = rest.split_at(at.unwrap_or(fits));
            if let [' ', after @ ..] = tail {
                tail = after;
            }
            lines.push(String::from_iter(line).trim_end().to_owned());
            rest = tail;
        }
        lines.push(String::from_iter(rest));
    }
    lines
}

/// How many characters fit where not all do; at least one, however wide it is.
fn overflow(characters: &[char], width: usize) -> Option<usize> {
    let mut length = 0;
    let at = characters.iter().position(|&character| {
        length += columns(character);
        length > width
    });
    at.map(|at| at.max(1)).filter(|&at| at < characters.len())
}

/// Whether a line may end before the character `at`. A line of nothing but the indentation
/// would gain nothing.
fn may_break(characters: &[char], at: usize) -> bool {
    let (before, next) = (characters[at - 1], characters[at]);
    let is_wide = |character| columns(character) == 2;
    let is_text = characters[..at].iter().any(|&character| character != ' ');
    let between = (is_wide(before) || is_wide(next)) && !CLOSING.contains(next);
    is_text && (next == ' ' || between)
}

/// No line begins with one of these.
const CLOSING: &str = "，。、；：！？）」』】》…";

/// How many columns a character takes.
pub(crate) fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// A recorded text must not steer the terminal that shows it.
pub(crate) fn printable(character: char) -> char {
    match character {
        '\t' => ' ',
        // Invisible ones that turn the order of what follows.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        character if character.is_control() => '\u{fffd}',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_width_and_white_space_is_one_blank() {
        assert_eq!(one_line(" a\n\n b\tc ", 5), "a b c");
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line("a b c d", 4), "a b…");
        assert_eq!(one_line("", 4), "");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31mb\u{1b}[0m c", 20), "ab c");
        assert_eq!(wrap("\u{1b}]0;title\u{7}a\u{202e}b", 20), ["a\u{fffd}b"]);
        assert!(!one_line("\u{9b}31m\u{7f}\u{7}", 20).contains(char::is_control));
    }

    #[test]
    fn paragraphs_are_wrapped_at_blanks_and_long_words_at_the_width() {
        assert_eq!(
            wrap("one two three\n- four", 8),
            ["one two", "three", "- four"]
        );
        assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
        assert!(wrap("", 4).is_empty());
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(one_line("你好世界", 8), "你好世界");
        assert_eq!(one_line("你好世界", 7), "你好世…");
        assert_eq!(one_line("你好世界", 6), "你好…");
        assert_eq!(wrap("你好世界", 5), ["你好", "世界"]);
        assert_eq!(wrap("see 你好，世界", 8), ["see 你", "好，世界"]);
        assert_eq!(wrap("🦀🦀", 1), ["🦀", "🦀"]);
        assert_eq!(width("a🦀e\u{301}"), 4);
        assert_eq!(padded("你", 4), "你  ");
    }

    #[test]
    fn indentation_is_no_place_to_break() {
        assert_eq!(wrap("    abcdefgh", 8), ["    abcd", "efgh"]);
    }
}
