//! Whether an input is a value a line or one value over many lines.

use crate::json::Json;
use crate::lines::BYTE_ORDER_MARK;

/// How an input is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A value a line.
    Lines,
    /// One value, pretty-printed or not.
    Document,
    /// More of the input must be seen to tell.
    Open,
}

/// Tells the layout from the first bytes of an input.
///
/// What begins with `[` is a document. What begins with `{` is one unless its first line is
/// an object by itself and more follows, or another object begins on the next line.
pub(crate) fn of(head: &[u8]) -> Layout {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let head = head.trim_ascii_start();
    match head.first() {
        None => return Layout::Open,
        Some(b'[') => return Layout::Document,
        Some(b'{') => {}
        Some(_) => return Layout::Lines,
    }
    let Some(end) = head.iter().position(|&byte| byte == b'\n') else {
        return Layout::Open;
    };
    let (line, rest) = head.split_at(end);
    match rest.trim_ascii_start().first() {
        None => Layout::Open,
        Some(b'{') => Layout::Lines,
        Some(_) if is_value(line) => Layout::Lines,
        Some(_) => Layout::Document,
    }
}

/// What stands fast of the first bytes of an input, whatever follows: of lines those that are
/// whole.
pub(crate) fn settled(head: &[u8]) -> &[u8] {
    match of(head) {
        Layout::Document => head,
        Layout::Lines | Layout::Open => {
            let end = head.iter().rposition(|&byte| byte == b'\n');
            end.map_or(&[], |end| &head[..=end])
        }
    }
}

/// Tells the layout of an input that is here to its end. A single object is a document if it
/// holds a session and not a part of one.
pub(crate) fn of_whole(input: &[u8]) -> Layout {
    match of(input) {
        Layout::Open => {
            let text = String::from_utf8_lossy(input);
            match Json::parse(text.trim_start_matches('\u{feff}')) {
                Ok(value) if !holds_session(value) => Layout::Lines,
                _ => Layout::Document,
            }
        }
        told => told,
    }
}

fn holds_session(value: Json<'_>) -> bool {
    let lists = value.fields(["messages", "trajectory", "history"]);
    lists.into_iter().flatten().any(Json::is_array)
}

fn is_value(line: &[u8]) -> bool {
    Json::parse(&String::from_utf8_lossy(line)).is_ok()
}

/// Whether what is no document is lines of which the first is broken: several of them are
/// values by themselves. In a document a comma follows nearly every one of its lines.
pub(crate) fn has_values_as_lines(text: &str) -> bool {
    let (mut values, mut others) = (0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with('{') && Json::parse(line).is_ok() {
            values += 1;
        } else {
            others += 1;
        }
    }
    values >= 2 && 2 * values >= others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str, expected: Layout, whole: Layout) {
        assert_eq!(of(head.as_bytes()), expected, "{head:?}");
        assert_eq!(of_whole(head.as_bytes()), whole, "{head:?}");
    }

    #[test]
    fn an_array_is_a_document() {
        check("[", Layout::Document, Layout::Document);
        check("\u{feff} \n[{}]", Layout::Document, Layout::Document);
    }

    #[test]
    fn objects_under_one_another_are_lines() {
        check("{\"a\":1}\n{", Layout::Lines, Layout::Lines);
        check("{\"a\":\n{\"a\":1}\n", Layout::Lines, Layout::Lines);
        check("{\"a\":1}\nx", Layout::Lines, Layout::Lines);
        check("x\n{\"a\":1}\n", Layout::Lines, Layout::Lines);
    }

    #[test]
    fn an_object_over_many_lines_is_a_document() {
        check("{\n \"a\": 1", Layout::Document, Layout::Document);
        check("{\"a\":\n[", Layout::Document, Layout::Document);
    }

    #[test]
    fn a_single_object_is_a_document_if_it_holds_a_session() {
        check("{\"messages\":[]}\n", Layout::Open, Layout::Document);
        check("{\"role\":\"user\"}", Layout::Open, Layout::Lines);
        check("{\"messages\":[", Layout::Open, Layout::Document);
    }

    #[test]
    fn a_line_that_may_be_cut_off_does_not_stand_fast() {
        for (head, fast) in [
            ("", ""),
            ("{\"a\":1}", ""),
            ("{\"a\":1}\n", "{\"a\":1}\n"),
            ("{\"a\":1}\n\n{\"a\"", "{\"a\":1}\n\n"),
            ("[{},{", "[{},{"),
            ("{\n\"a\": [", "{\n\"a\": ["),
        ] {
            assert_eq!(settled(head.as_bytes()), fast.as_bytes(), "{head:?}");
        }
    }

    #[test]
    fn nothing_tells_nothing() {
        assert_eq!(of(b""), Layout::Open);
        assert_eq!(of(b" \n"), Layout::Open);
    }
}
