//! Telling formats from content, and saying so when it cannot be done.

use loopguard_transcript::{Format, ParseFormatError, detect};

use crate::support::{FIXTURES, collect, fails, fixture};

#[test]
fn names_and_formats_belong_together() {
    for &format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error: ParseFormatError = "codecs".parse::<Format>().unwrap_err();
    assert_eq!(error.name(), "codecs");
    assert!(
        error
            .to_string()
            .starts_with("unknown format `codecs`; known formats: events, dsh")
    );
}

#[test]
fn every_fixture_is_told_by_its_content_alone() {
    for &(name, format) in FIXTURES {
        let text = fixture(name);
        assert_eq!(detect(text.as_bytes()), Some(format), "{name}");
        assert_eq!(
            collect(None, text.as_bytes()).unwrap(),
            collect(Some(format), text.as_bytes()).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn no_single_line_of_a_fixture_is_taken_for_another_format() {
    for &(name, format) in FIXTURES.iter().filter(|(name, _)| name.ends_with(".jsonl")) {
        for line in fixture(name).lines() {
            let found = detect(line.as_bytes());
            // By itself, a message that shows nothing of its API is one of the most common.
            let plain = format == Format::Anthropic && found == Some(Format::OpenAi);
            let right = found.is_none_or(|found| found == format) || plain;
            assert!(right, "{name}: {line}");
        }
    }
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    let text = format!("\u{feff}{}", fixture("build.dsh.jsonl"));
    assert_eq!(detect(text.as_bytes()), Some(Format::Dsh));
    let plain = collect(None, &text.as_bytes()[3..]).unwrap();
    assert_eq!(collect(None, text.as_bytes()).unwrap(), plain);
}

#[test]
fn telling_lines_may_stand_far_down_and_be_long() {
    let filler = "{\"no\":\"type\"}\n".repeat(20_000);
    let long = format!(
        "{{\"type\":\"user\",\"text\":\"{}\"}}\n",
        "x".repeat(300_000)
    );
    assert_eq!(
        collect(None, format!("{filler}{long}").as_bytes())
            .unwrap_err()
            .to_string(),
        "line 1: every event needs the key `type`"
    );
    assert_eq!(
        collect(None, long.as_bytes()).unwrap().0.format,
        Format::Events
    );
}

#[test]
fn nothing_to_read_is_empty_under_every_format() {
    for input in ["", "\n", " \r\n\t\n", "\u{feff}"] {
        fails(None, input, "the input is empty");
        for &format in Format::ALL {
            fails(format, input, "the input is empty");
        }
    }
}

#[test]
fn content_of_no_known_format_asks_for_a_name() {
    let message = "this is no recorded session in a format that can be told from its content; \
                   name the format if it is one of these: events, dsh, claude-code, codex, gemini, \
                   pi, openhands, swe-agent, mini-swe-agent, opencode, cline, goose, openai, anthropic";
    fails(None, "hello", message);
    fails(None, b"\x7fELF\x02\x01\x01\0\0\0", message);
    fails(None, "{\"a\":1}\n[]\n", message);
}

#[test]
fn a_session_of_another_format_than_the_named_one_is_told_apart() {
    for &(name, real) in FIXTURES {
        // Messages of these APIs with something around them may be read as such.
        let inner = match name {
            "v2.mini-swe-agent.json" => Some(Format::OpenAi),
            "build.cline.json" => Some(Format::Anthropic),
            _ => None,
        };
        let others = Format::ALL.iter().filter(|&&named| named != real);
        for &named in others.filter(|&&named| Some(named) != inner) {
            let message =
                format!("this is no session in the format `{named}`; it looks like `{real}`");
            fails(named, fixture(name), &message);
        }
    }
    fails(
        Format::Dsh,
        "hello",
        "this is no session in the format `dsh`",
    );
    fails(
        Format::ClaudeCode,
        b"\x00\x01\xff",
        "this is no session in the format `claude-code`",
    );
    fails(
        Format::Events,
        "hello",
        "line 1: not JSON: at byte 0 there should be a value",
    );
}
