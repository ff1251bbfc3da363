//! Texts of strangers made fit for a terminal: cut, wrapped, and without control characters.

/// The text in one line of at most `width` characters: white space runs become one blank, and
/// what is cut off is an ellipsis. Looks no further than it has to.
pub(super) fn one_line(text: &str, width: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let blank = usize::from(length > 0);
        for character in std::iter::repeat_n(' ', blank).chain(word.chars()) {
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
    for paragraph in text.lines() {
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
        assert_eq!(one_line("a\u{1b}[31mb", 20), "a\u{fffd}[31mb");
        assert_eq!(wrap("a\u{7}\u{202e}b", 20), ["a\u{fffd}\u{fffd}b"]);
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
