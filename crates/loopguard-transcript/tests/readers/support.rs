//! One way to read and one way to write an event down, for all cases.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use loopguard_transcript::{
    Event, EventKind, Format, MessageForm, Piece, ReadError, ReadOptions, ReadSummary, Texts, read,
};

/// Reads an input as a format and compares its events, each written by [`show`].
#[track_caller]
pub(crate) fn check(format: Format, input: &str, expected: &[&str]) -> ReadSummary {
    let (summary, events) = collect(Some(format), input.as_bytes()).expect("a readable input");
    assert_eq!(events, expected, "\n{events:#?}");
    summary
}

/// Reads an input that must fail, and compares the message.
#[track_caller]
pub(crate) fn fails(format: impl Into<Option<Format>>, input: impl AsRef<[u8]>, expected: &str) {
    match collect(format.into(), input.as_ref()) {
        Ok((summary, _)) => panic!("read {summary:?} where {expected:?} was expected"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

pub(crate) fn collect(
    format: Option<Format>,
    input: &[u8],
) -> Result<(ReadSummary, Vec<String>), ReadError> {
    let mut options = ReadOptions::new();
    options.format = format;
    let mut events = Vec::new();
    let summary = read(input, &options, &mut |event| {
        events.push(show(&event));
        ControlFlow::Continue(())
    })?;
    Ok((summary, events))
}

/// `LINE AGENT KIND …`, and at the end the step, time and batch where they are known.
pub(crate) fn show(event: &Event<'_>) -> String {
    let mut out = event.line.map_or("-".to_owned(), |line| line.to_string());
    let mut part = |text: &dyn std::fmt::Display| write!(out, " {text}").unwrap();
    part(&event.agent.name().unwrap_or("nobody"));
    let name = |id: &Option<std::borrow::Cow<'_, str>>| id.as_deref().unwrap_or("-").to_owned();
    let mut last_batch = None;
    match &event.kind {
        EventKind::Session {
            id,
            format,
            outcome,
        } => {
            part(&format!("session {} {format} {outcome:?}", name(id)));
        }
        EventKind::User { id, texts, batch } => {
            part(&format!("user {} {}", name(id), list(texts)));
            last_batch = *batch;
        }
        EventKind::Message {
            id,
            texts,
            source,
            form,
            batch,
        } => {
            part(&format!("message {} {}", name(id), list(texts)));
            part(&format!("from={}", name(source)));
            if *form == MessageForm::Notice {
                part(&"notice");
            }
            last_batch = *batch;
        }
        EventKind::Assistant { id, texts, piece } => {
            part(&format!("assistant {} {}", name(id), list(texts)));
            if *piece == Piece::Part {
                part(&"part");
            }
        }
        EventKind::Call {
            index,
            id,
            tool,
            arguments,
        } => {
            part(&format!("call#{index} {} {tool} <{arguments}>", name(id)));
        }
        EventKind::Result {
            call,
            id,
            tool,
            status,
            texts,
            error,
        } => {
            let call = call.map_or("?".to_owned(), |call| call.to_string());
            part(&format!(
                "result#{call} {} {status:?} {}",
                name(id),
                list(texts)
            ));
            if let Some(tool) = tool {
                part(&format!("tool={tool}"));
            }
            if let Some(error) = error {
                part(&format!("error={error}"));
            }
        }
        EventKind::Compaction => part(&"compaction"),
        EventKind::Reset => part(&"reset"),
        EventKind::AgentEnd => part(&"agent-end"),
        EventKind::SessionEnd => part(&"session-end"),
        other => panic!("unknown kind {other:?}"),
    }
    for (key, value) in [
        ("step", event.step.map(|step| step.to_string())),
        ("at", event.at.map(|at| at.to_string())),
        ("batch", last_batch.map(|batch| batch.to_string())),
    ] {
        if let Some(value) = value {
            write!(out, " {key}={value}").unwrap();
        }
    }
    out
}

fn list(texts: &Texts<'_>) -> String {
    texts.join("|")
}

pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    std::fs::read_to_string(path).expect("a fixture")
}

pub(crate) const FIXTURES: &[(&str, Format)] = &[
    ("build.events.jsonl", Format::Events),
    ("build.dsh.jsonl", Format::Dsh),
    ("refusals.dsh.jsonl", Format::Dsh),
    ("build.claude-code.jsonl", Format::ClaudeCode),
    ("resumed.claude-code.jsonl", Format::ClaudeCode),
    ("build.codex.jsonl", Format::Codex),
    ("exec.codex.jsonl", Format::Codex),
    ("build.gemini.json", Format::Gemini),
    ("lines.gemini.jsonl", Format::Gemini),
    ("build.pi.jsonl", Format::Pi),
    ("build.openhands.jsonl", Format::OpenHands),
    ("build.swe-agent.traj", Format::SweAgent),
    ("tools.swe-agent.traj", Format::SweAgent),
    ("v1.mini-swe-agent.json", Format::MiniSweAgent),
    ("v2.mini-swe-agent.json", Format::MiniSweAgent),
    ("build.opencode.json", Format::OpenCode),
    ("build.cline.json", Format::Cline),
    ("build.goose.jsonl", Format::Goose),
    ("build.openai.json", Format::OpenAi),
    ("lines.openai.jsonl", Format::OpenAi),
    ("build.anthropic.json", Format::Anthropic),
    ("lines.anthropic.jsonl", Format::Anthropic),
];

/// Recorded sessions that are not part of the repository. Where they are missing, a test over
/// them says so and passes.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(folder);
    if !path.is_dir() {
        println!("skipped: no recorded sessions in {}", path.display());
        return None;
    }
    Some(path)
}
