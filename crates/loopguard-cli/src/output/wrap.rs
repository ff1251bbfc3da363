//! Texts of strangers made fit for a terminal: cut, wrapped, and without control characters.

use anstream::adapter::strip_str;

/// The text in one line of at most `width` characters: white space runs become one blank, and
/// what is cut off is an ellipsis. Looks no further than it has to.
pub(super) fn one_line(text: &str, width: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut blank = false;
    for character in strip_str(text).flat_map(str::chars) {
        if character.is_whitespace() {
            blank = length > 0;
            continue;
        }
        let blank = std::mem::take(&mut blank).then_some(' ');
        for character in blank.into_iter().chain([character]) {
            if length == width {
                line.pop();
                line.push('…');
                return line;
            }
            line.push(printable(character));
            length += 1;
        }
    }
    line
}

/// The text in lines of at most `width` characters, broken at blanks where there are any. Line
/// breaks stay, and so does the indentation after one.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in strip_str(text).to_string().lines() {
        let mut rest: Vec<char> = paragraph.chars().map(printable).collect();
        while rest.len() > width {
            let at = (1..=width).rev().find(|&at| rest[at] == ' ');
            let tail = rest.split_off(at.unwrap_or(width));
            lines.push(String::from_iter(&rest).trim_end().to_owned());
            rest = match at {
                Some(_) => tail[1..].to_vec(),
                None => tail,
            };
        }
        lines.push(String::from_iter(rest));
    }
    lines
}

/// A recorded text must not steer the terminal that shows it.
fn printable(character: char) -> char {
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
}
