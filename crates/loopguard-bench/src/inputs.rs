//! Arguments that are made up: what agents send, and what is hard on a parser or a hash.
//!
//! Every input of an object has a root key `id` whose value is the
//! [marker](crate::Varied) by which one input becomes many.

use std::fmt::Write;

use crate::varied::MARKER;

/// Arguments as JSON text.
#[derive(Clone, Debug)]
pub struct Input {
    /// What they are called in a table.
    pub name: &'static str,
    /// The text, as a model might have written it.
    pub text: String,
}

impl Input {
    fn new(name: &'static str, text: String) -> Self {
        Self { name, text }
    }
}

/// The inputs of both benchmarks: 36 bytes, 100 bytes, a string of 10 KB and 400 keys.
pub fn common() -> Vec<Input> {
    vec![small(), usual(), long_string(), keys("400 keys", 400)]
}

/// 36 bytes: one short value, as in most look-ups.
pub fn small() -> Input {
    Input::new("36 B", format!(r#"{{"id":"{MARKER}","n":42}}"#))
}

/// 100 bytes: a path and two numbers.
pub fn usual() -> Input {
    let text = format!(
        r#"{{"id":"{MARKER}","path":"crates/parser/src/lexer/token_run.rs","offset":1200,"limit":80}}"#
    );
    Input::new("100 B", text)
}

/// 2 KB: the old and the new text of an edit.
pub fn edit() -> Input {
    let (old, new) = (lines(900), lines(960));
    let text = format!(
        r#"{{"id":"{MARKER}","path":"docs/guide/chapter-three.md","old":"{old}","new":"{new}","all":false}}"#
    );
    Input::new("2 KB edit", text)
}

/// A string of 10 KB without an escape.
pub fn long_string() -> Input {
    let text = format!(r#"{{"id":"{MARKER}","content":"{}"}}"#, prose(10_000));
    Input::new("10 KB string", text)
}

/// So many bytes of files: paths, and contents of 5 KB each, with their line breaks.
pub fn files(name: &'static str, bytes: usize) -> Input {
    let files = (0..bytes / 5_060).map(|at| {
        let content = lines(5_000);
        format!(r#"{{"path":"src/generated/module_{at:04}.txt","content":"{content}"}}"#)
    });
    let files: Vec<_> = files.collect();
    let text = format!(r#"{{"id":"{MARKER}","files":[{}]}}"#, files.join(","));
    Input::new(name, text)
}

/// So many bytes of records with numbers, short strings and flags.
pub fn records(name: &'static str, bytes: usize) -> Input {
    let records = (0..bytes / 96).map(|at| {
        format!(
            r#"{{"line":{},"column":{},"name":"symbol_{at:05}","kind":"function","score":0.{},"used":{}}}"#,
            at * 7 + 10,
            at % 90,
            at % 97 + 1,
            at % 3 == 0,
        )
    });
    let records: Vec<_> = records.collect();
    let text = format!(r#"{{"id":"{MARKER}","records":[{}]}}"#, records.join(","));
    Input::new(name, text)
}

/// An object of so many keys, in no order.
pub fn keys(name: &'static str, count: u32) -> Input {
    let mut text = format!(r#"{{"id":"{MARKER}""#);
    for at in 0..count {
        // Odd, so that no two are equal.
        let shuffled = at.wrapping_mul(2_654_435_761) >> 8;
        let _ = write!(text, r#","parameter_{shuffled:08}":"value {at}""#);
    }
    text.push('}');
    Input::new(name, text)
}

/// Objects in objects, a number and a list of two beside each.
pub fn levels(name: &'static str, levels: usize) -> Input {
    let mut text = format!(r#"{{"id":"{MARKER}","inner":"#);
    for level in 1..levels {
        let _ = write!(text, r#"{{"level":{level},"list":[1,2],"inner":"#);
    }
    text.push_str("null");
    text.push_str(&"}".repeat(levels));
    Input::new(name, text)
}

/// 100 KB of program text: an escape every seven bytes.
pub fn source() -> Input {
    const LINE: &str = r#"    if name == \"\\tab\" {\n\t\treturn Err(\"no such key\");\n    }\n"#;
    let content = LINE.repeat(100_000 / LINE.len());
    let text = format!(r#"{{"id":"{MARKER}","content":"{content}"}}"#);
    Input::new("100 KB source text", text)
}

/// 100 KB of nothing but escapes: a script that is not Latin, written in ASCII.
pub fn unicode_escapes() -> Input {
    let mut content = String::new();
    for at in 0..100_000 / 6 {
        let _ = write!(content, "\\u{:04x}", 0x4e00 + at % 0x5000);
    }
    let text = format!(r#"{{"id":"{MARKER}","content":"{content}"}}"#);
    Input::new("100 KB \\u escapes", text)
}

/// 100 KB of doubles with all their seventeen digits.
pub fn doubles() -> Input {
    let mut text = format!(r#"{{"id":"{MARKER}","vector":[0"#);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while text.len() < 100_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let double = (state >> 11) as f64 / (1_u64 << 53) as f64;
        let _ = write!(text, ",{double:.17}");
    }
    text.push_str("]}");
    Input::new("100 KB 17-digit doubles", text)
}

/// Text that needs no escape, of so many bytes.
fn prose(bytes: usize) -> String {
    const WORDS: &str = "The parser reads one token ahead and keeps the span of each, so that \
                         an error can name its line; what it cannot read it skips. ";
    WORDS.chars().cycle().take(bytes).collect()
}

/// Text in lines, of about so many bytes.
fn lines(bytes: usize) -> String {
    let text = prose(bytes);
    // Nine words a line, and the break an escape as JSON has it.
    let words: Vec<_> = text.split(' ').collect();
    words
        .chunks(9)
        .map(|line| line.join(" "))
        .collect::<Vec<_>>()
        .join("\\n")
}

/// The result of a call: so many characters of output in lines, with a marker in it.
pub fn result(characters: usize) -> String {
    let mut text = format!("request {MARKER}\n");
    for line in 0.. {
        if text.len() >= characters {
            break;
        }
        let _ = writeln!(
            text,
            "src/module_{line:03}.rs:{}: fn handler_{line}(input: &str)",
            line * 13
        );
    }
    text.truncate(characters);
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_json_of_about_the_size_that_it_claims() {
        let sized = [
            (small(), 36..37),
            (usual(), 100..101),
            (edit(), 1900..2100),
            (long_string(), 10_000..10_100),
            (files("", 100_000), 95_000..103_000),
            (records("", 100_000), 90_000..110_000),
            (keys("", 400), 12_000..15_000),
            (levels("", 64), 1_500..2_500),
            (source(), 99_000..101_000),
            (unicode_escapes(), 99_000..101_000),
            (doubles(), 99_000..101_000),
        ];
        for (input, size) in sized {
            assert!(
                size.contains(&input.text.len()),
                "{}: {}",
                input.name,
                input.text.len()
            );
            crate::VariedValue::new(&input.text);
        }
        assert!((1500..=1600).contains(&result(1600).len()));
    }
}
