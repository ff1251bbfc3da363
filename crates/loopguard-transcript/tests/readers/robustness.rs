//! Damaged, hostile and huge input.

use std::io::{BufReader, Read};
use std::ops::ControlFlow;

use loopguard_transcript::{Format, ReadError, ReadOptions, SkipReason, read};

use crate::support::{FIXTURES, check, collect, fixture, show};

#[test]
fn every_prefix_of_every_fixture_is_read_or_refused() {
    for &(name, format) in FIXTURES {
        let text = fixture(name);
        let (_, whole) = collect(Some(format), text.as_bytes()).unwrap();
        for end in (0..text.len()).step_by(if name.starts_with("build") { 1 } else { 5 }) {
            match collect(Some(format), &text.as_bytes()[..end]) {
                // A session with no event yet has no id yet.
                Ok((_, events)) => {
                    assert!(
                        events.len() == 1 || whole.starts_with(&events),
                        "{name} at {end}"
                    );
                }
                Err(ReadError::Line { .. }) => assert_eq!(format, Format::Events),
                Err(ReadError::Empty | ReadError::WrongFormat { .. }) => {}
                Err(ReadError::Document { .. }) => {}
                Err(other) => panic!("{name} at {end}: {other}"),
            }
        }
    }
}

#[test]
fn sessions_of_hosts_survive_a_broken_byte_anywhere() {
    for &(name, format) in FIXTURES
        .iter()
        .filter(|(_, format)| *format != Format::Events)
    {
        // A document is one value: broken anywhere, it is broken, and no more than that.
        let survives = name.ends_with(".jsonl");
        let text = fixture(name).into_bytes();
        for at in (0..text.len()).step_by(31) {
            for byte in [0xff, b'"', b'\n', 0] {
                let mut broken = text.clone();
                broken[at] = byte;
                let outcome = collect(Some(format), &broken);
                if let (Err(error), true) = (outcome, survives) {
                    panic!("{name} at {at}: {error}");
                }
            }
        }
    }
}

#[test]
fn text_that_is_not_utf_8_is_read_with_replacements_in_a_hosts_session() {
    let line = b"{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"a\xffb\"}}";
    let (_, events) = collect(Some(Format::ClaudeCode), line).unwrap();
    assert_eq!(events[1], "1 main user u a\u{fffd}b");
}

#[test]
fn a_line_beyond_the_bound_is_skipped_and_counted() {
    let input = format!(
        "{{\"type\":\"reset\"}}\n{{\"type\":\"user\",\"text\":\"{}\"}}\n{{\"type\":\"reset\"}}",
        "x".repeat(1000)
    );
    let options = ReadOptions::new()
        .format(Format::Events)
        .max_line_bytes(100);
    let mut lines = Vec::new();
    let summary = read(input.as_bytes(), &options, &mut |event| {
        lines.push(event.line);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(lines, [None, Some(1), Some(3)]);
    assert_eq!(summary.skipped.get(SkipReason::TooLong), 1);
    assert_eq!(summary.lines, 3);
}

#[test]
fn an_endless_line_is_passed_over_in_bounded_memory() {
    let endless = BufReader::new(std::io::repeat(b'x').take(40 << 20));
    let options = ReadOptions::new()
        .format(Format::Dsh)
        .max_line_bytes(1 << 20);
    let error = read(endless, &options, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "this is no session in the format `dsh`");
}

#[test]
fn nesting_without_end_does_not_overflow_the_stack() {
    let deep = "[".repeat(200_000);
    for format in [Format::Dsh, Format::ClaudeCode] {
        for line in [
            deep.clone(),
            format!("{{\"type\":\"user\",\"message\":{deep}"),
            format!("{{\"type\":\"tool/call\",\"data\":{{\"arguments\":{deep}"),
            "{\"a\":".repeat(200_000),
        ] {
            assert!(collect(Some(format), line.as_bytes()).is_err());
        }
    }
    let closed = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    check(
        Format::ClaudeCode,
        &format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"m\",\"content\":[{{\"type\":\"tool_use\",\
             \"id\":\"t\",\"name\":\"T\",\"input\":{closed}}}]}}}}"
        ),
        &[
            "- main session - claude-code Unknown",
            &format!("1 main call#1 t T <{closed}> step=1"),
        ],
    );
}

#[test]
fn the_sink_may_end_the_reading_at_any_event() {
    for &(name, format) in FIXTURES {
        let text = fixture(name);
        let (_, all) = collect(Some(format), text.as_bytes()).unwrap();
        for wanted in 1..=all.len() {
            let mut seen = Vec::new();
            let options = ReadOptions::new().format(format);
            let summary = read(text.as_bytes(), &options, &mut |event| {
                seen.push(show(&event));
                if seen.len() == wanted {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .unwrap();
            assert!(summary.stopped);
            assert_eq!(summary.events, wanted as u64);
            assert_eq!(seen, all[..wanted], "{name}");
        }
    }
}

#[test]
fn an_input_in_tiny_pieces_reads_the_same() {
    for &(name, _) in FIXTURES {
        in_pieces(None, fixture(name).as_bytes());
    }
}

#[test]
fn a_format_is_told_and_judged_alike_however_the_input_comes() {
    let mixed = fixture("resumed.claude-code.jsonl") + &fixture("build.dsh.jsonl");
    // Whole, the line tells nothing: it is broken behind what would tell.
    let broken = r#"{"type":"user","uuid":"u","sessionId":"s","message":{"content":"a"},,}"#;
    for input in [&mixed, broken, &format!("{broken}\n{broken}\n")] {
        for format in Format::ALL.iter().copied().map(Some).chain([None]) {
            in_pieces(format, input.as_bytes());
        }
    }
}

/// The same comes of an input whole and in pieces.
#[track_caller]
fn in_pieces(format: Option<Format>, bytes: &[u8]) {
    let mut options = ReadOptions::new();
    options.format = format;
    for size in [3, 7, 100] {
        let mut events = Vec::new();
        let input = BufReader::with_capacity(size, bytes);
        let pieces = read(input, &options, &mut |event| {
            events.push(show(&event));
            ControlFlow::Continue(())
        });
        let pieces = pieces.map(|summary| (summary, events));
        let pieces = pieces.map_err(|error| error.to_string());
        let whole = collect(format, bytes).map_err(|error| error.to_string());
        assert_eq!(pieces, whole, "{format:?}, {size} bytes each");
    }
}
