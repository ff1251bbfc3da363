//! Sessions that are one JSON value, however it is laid out.

use std::io::BufReader;
use std::ops::ControlFlow;

use loopguard_transcript::{Format, ReadError, ReadOptions, detect, read};

use crate::support::{FIXTURES, check, collect, fails, fixture};

fn documents() -> impl Iterator<Item = (&'static str, Format)> {
    FIXTURES
        .iter()
        .copied()
        .filter(|(name, _)| name.ends_with(".json") || name.ends_with(".traj"))
}

/// Events but for arguments and lines, in which white space and place show.
fn without_layout(events: Vec<String>) -> Vec<String> {
    let squeezed = |event: String| event.split_whitespace().collect::<Vec<_>>().concat();
    events.into_iter().map(squeezed).collect()
}

#[test]
fn pretty_compact_and_one_line_are_the_same() {
    for (name, format) in documents() {
        let text = fixture(name);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let (summary, _) = collect(None, text.as_bytes()).unwrap();
        let compact = format!("{value}\n");
        let lines = text.replace('\n', "\r\n");
        for other in [pretty, compact, lines] {
            assert_eq!(detect(other.as_bytes()), Some(format), "{name}");
            let (same, events) = collect(None, other.as_bytes()).unwrap();
            assert_eq!(same, summary, "{name}");
            assert!(events.iter().all(|event| event.starts_with("- ")), "{name}");
            if !other.starts_with('{') || other.contains('\r') {
                let (_, expected) = collect(Some(format), other.as_bytes()).unwrap();
                assert_eq!(without_layout(events), without_layout(expected), "{name}");
            }
        }
    }
}

#[test]
fn a_document_has_no_lines() {
    for (name, format) in documents() {
        let (summary, events) = collect(Some(format), fixture(name).as_bytes()).unwrap();
        assert_eq!(summary.lines, 0, "{name}");
        assert!(events.iter().all(|event| event.starts_with("- ")), "{name}");
    }
}

#[test]
fn a_document_that_is_not_json_says_where() {
    let named = "the document is not JSON: in line";
    let check = |format, text: &str, expected: &str| {
        fails(format, text, &format!("{named} {expected}"));
    };
    check(
        Format::OpenAi,
        "[\n {\"role\": \"tool\"},\n",
        "3 at byte 0 there should be a value",
    );
    check(
        Format::OpenAi,
        "[{\"role\": tool}]",
        "1 at byte 10 there should be a value",
    );
    check(
        Format::Anthropic,
        "[]\n x",
        "2 at byte 1 there should be the end of the document",
    );
    check(
        Format::Gemini,
        "{\n\"messages\": [\n",
        "3 at byte 0 there should be a value",
    );
    check(
        Format::SweAgent,
        "{\"trajectory\": [",
        "1 at byte 16 there should be a value",
    );
}

#[test]
fn a_document_of_another_shape_is_no_session() {
    for format in [
        Format::SweAgent,
        Format::MiniSweAgent,
        Format::OpenCode,
        Format::Cline,
    ] {
        fails(
            format,
            "{\n \"a\": 1\n}",
            &format!("this is no session in the format `{format}`"),
        );
    }
    for format in [Format::OpenAi, Format::Anthropic] {
        for text in ["{\"a\": 1}\n", "{\n}", "\"messages\"", "7", "x"] {
            fails(
                format,
                text,
                &format!("this is no session in the format `{format}`"),
            );
        }
    }
}

#[test]
fn an_empty_list_is_a_session_in_which_nothing_was_said() {
    check(Format::OpenAi, "[]", &["- main session - openai Unknown"]);
    check(
        Format::Cline,
        "{\"messages\": []}",
        &["- main session - cline Unknown"],
    );
}

#[test]
fn a_document_beyond_the_bound_is_an_error() {
    let text = fixture("build.openai.json");
    let options = ReadOptions::new().max_document_bytes(100);
    let error = read(
        text.as_bytes(),
        &options,
        &mut |_| ControlFlow::Continue(()),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "the document is longer than 100 bytes");
    let endless = BufReader::new(std::io::repeat(b'['));
    let options = ReadOptions::new()
        .format(Format::OpenAi)
        .max_document_bytes(1 << 20);
    let error = read(endless, &options, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { limit: 1_048_576 }));
}

#[test]
fn lines_of_which_the_first_is_broken_are_lines_all_the_same() {
    let lines = fixture("lines.gemini.jsonl");
    let (_, whole) = collect(Some(Format::Gemini), lines.as_bytes()).unwrap();
    for broken in [
        "{\"sessionId\":\"g2\",\"projec\n",
        "{\"sessionId\":\n\"g2\"}\n",
        "x\n",
    ] {
        let (_, after) = lines.split_once('\n').unwrap();
        let text = format!("{broken}{after}");
        let (_, events) = collect(Some(Format::Gemini), text.as_bytes()).unwrap();
        assert_eq!(events.len(), whole.len(), "{broken}");
    }
}

#[test]
fn nesting_without_end_does_not_overflow_the_stack() {
    // Deep enough for a stack of two megabytes, one frame a level.
    let open = "[".repeat(50_000);
    let deep = format!("{open}{}", "]".repeat(50_000));
    for &format in Format::ALL {
        for text in [
            open.clone(),
            deep.clone(),
            "{\"a\":".repeat(50_000),
            format!("{{\"messages\":{deep}}}"),
            format!("{{\"messages\":{open}"),
            format!("[{{\"role\":\"user\",\"content\":{deep}}}]"),
            format!("{{\"trajectory\":{deep},\"history\":{deep}}}"),
        ] {
            let _ = detect(text.as_bytes());
            let _ = collect(Some(format), text.as_bytes());
        }
    }
    check(
        Format::Anthropic,
        &format!(
            "[{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"c\",\
             \"name\":\"t\",\"input\":{deep}}}]}}]"
        ),
        &[
            "- main session - anthropic Unknown",
            &format!("- main call#1 c t <{deep}> step=1"),
        ],
    );
}

#[test]
fn a_large_document_is_told_by_what_stands_far_down() {
    let filler = r#"{"role":"user","content":"x"},"#.repeat(20_000);
    let told = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}"#;
    let (summary, _) = collect(None, format!("[{filler}{told}]").as_bytes()).unwrap();
    assert_eq!((summary.format, summary.results), (Format::Anthropic, 1));
}
