//! Random streams against naive models.

use std::fmt::Write as _;

use loopguard_transcript::{Format, detect};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::collect;

/// An event as its line and as what [`show`](crate::support::show) says of it, but for indices.
#[derive(Debug, Clone)]
enum Step {
    Call {
        agent: Option<u8>,
        id: Option<u8>,
        tool: String,
        arguments: Option<Value>,
    },
    Result {
        agent: Option<u8>,
        id: Option<u8>,
        text: String,
    },
    Text {
        kind: &'static str,
        agent: u8,
        texts: Vec<String>,
        at: Option<i64>,
        batch: Option<i64>,
    },
    AgentEnd {
        agent: u8,
    },
    SessionEnd,
    Session,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let agent = || prop::option::weighted(0.9, 0..3u8);
    let id = || prop::option::weighted(0.9, 0..4u8);
    let arguments = prop::option::of(prop_oneof![
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        prop::collection::vec(any::<u8>(), 0..3).prop_map(|list| json!({ "k": list })),
    ]);
    let text = (
        prop_oneof![Just("user"), Just("message"), Just("assistant")],
        0..3u8,
        prop::collection::vec(any::<String>(), 0..3),
        any::<Option<i64>>(),
        any::<Option<i64>>(),
    );
    let step = prop_oneof![
        4 => (agent(), id(), "[a-zé\" ]{1,6}", arguments)
            .prop_map(|(agent, id, tool, arguments)| Step::Call { agent, id, tool, arguments }),
        4 => (agent(), id(), any::<String>())
            .prop_map(|(agent, id, text)| Step::Result { agent, id, text }),
        2 => text.prop_map(|(kind, agent, texts, at, batch)| Step::Text { kind, agent, texts, at, batch }),
        1 => (0..3u8).prop_map(|agent| Step::AgentEnd { agent }),
        1 => Just(Step::SessionEnd),
        1 => Just(Step::Session),
    ];
    prop::collection::vec(step, 1..40)
}

/// The stream as a program would write it.
fn write(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        let mut line = Map::new();
        let mut put = |key: &str, value: Value| {
            line.insert(key.to_owned(), value);
        };
        match step {
            Step::Call {
                agent,
                id,
                tool,
                arguments,
            } => {
                put("type", "call".into());
                put(
                    "agent",
                    agent.map_or(Value::Null, |agent| name(agent).into()),
                );
                if let Some(id) = id {
                    put("id", id.to_string().into());
                }
                put("tool", tool.as_str().into());
                if let Some(arguments) = arguments {
                    put("arguments", arguments.clone());
                }
            }
            Step::Result { agent, id, text } => {
                put("type", "result".into());
                put(
                    "agent",
                    agent.map_or(Value::Null, |agent| name(agent).into()),
                );
                if let Some(id) = id {
                    put("id", id.to_string().into());
                }
                put("status", "ok".into());
                put("text", text.as_str().into());
            }
            Step::Text {
                kind,
                agent,
                texts,
                at,
                batch,
            } => {
                put("type", (*kind).into());
                put("agent", name(*agent).into());
                put("content", texts.as_slice().into());
                if let Some(at) = at {
                    put("at", (*at).into());
                }
                if let Some(batch) = batch {
                    put("batch", (*batch).into());
                }
            }
            Step::AgentEnd { agent } => {
                put("type", "end".into());
                put("agent", name(*agent).into());
            }
            Step::SessionEnd => {
                put("type", "end".into());
            }
            Step::Session => {
                put("type", "session".into());
                put("version", 1.into());
            }
        }
        writeln!(out, "{}", Value::Object(line)).unwrap();
    }
    out
}

fn name(agent: u8) -> String {
    ["main", "helper", "é"][usize::from(agent)].to_owned()
}

/// What should come back, with the pairing done by searching a list.
fn model(steps: &[Step]) -> Vec<String> {
    let mut out = Vec::new();
    let mut waiting: Vec<(Option<u8>, Option<u8>, u64)> = Vec::new();
    let mut calls = 0;
    if !matches!(steps[0], Step::Session) {
        let at = match &steps[0] {
            Step::Text { at: Some(at), .. } => format!(" at={at}"),
            _ => String::new(),
        };
        out.push(format!("- main session - events Unknown{at}"));
    }
    for (index, step) in steps.iter().enumerate() {
        let line = index + 1;
        let shown = |id: &Option<u8>| id.map_or("-".to_owned(), |id| id.to_string());
        let who = |agent: &Option<u8>| agent.map_or("nobody".to_owned(), name);
        out.push(match step {
            Step::Call {
                agent,
                id,
                tool,
                arguments,
            } => {
                calls += 1;
                waiting.push((*agent, *id, calls));
                let raw = arguments.as_ref().map(Value::to_string).unwrap_or_default();
                let raw = if raw == "\"\"" { "" } else { &raw };
                format!(
                    "{line} {} call#{calls} {} {tool} <{raw}>",
                    who(agent),
                    shown(id)
                )
            }
            Step::Result { agent, id, text } => {
                let found = waiting
                    .iter()
                    .position(|(a, i, _)| a == agent && i == id && i.is_some());
                let call = found.map_or("?".to_owned(), |at| waiting.remove(at).2.to_string());
                format!(
                    "{line} {} result#{call} {} Ok {text}",
                    who(agent),
                    shown(id)
                )
            }
            Step::Text {
                kind,
                agent,
                texts,
                at,
                batch,
            } => {
                let mut shown = format!("{line} {} {kind} - {}", name(*agent), texts.join("|"));
                if *kind == "message" {
                    shown.push_str(" from=-");
                }
                if let Some(at) = at {
                    write!(shown, " at={at}").unwrap();
                }
                if let Some(batch) = batch.filter(|_| *kind != "assistant") {
                    write!(shown, " batch={batch}").unwrap();
                }
                shown
            }
            Step::AgentEnd { agent } => {
                waiting.retain(|(a, _, _)| *a != Some(*agent));
                format!("{line} {} agent-end", name(*agent))
            }
            Step::SessionEnd => {
                waiting.clear();
                format!("{line} main session-end")
            }
            Step::Session => {
                waiting.clear();
                calls = 0;
                format!("{line} main session - events Unknown")
            }
        });
    }
    out
}

/// Pieces of JSON and of the formats, so that random input gets past the first check.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop::sample::select(vec![
        &b"{\"type\":"[..],
        b"\"session\"",
        b"\"call\"",
        b"\"tool/result\"",
        b"\"user\"",
        b"\"assistant\"",
        b",\"data\":{",
        b",\"message\":{\"content\":",
        b",\"version\":1",
        b",\"tool\":\"t\"",
        b",\"arguments\":",
        b"[{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"y\"}]",
        b"\"uuid\":\"u\"",
        b"[{\"role\":",
        b"{\"messages\":[",
        b"{\"trajectory\":[{\"action\":\"ls\",\"observation\":",
        b",\"history\":[{\"tool_calls\":[{}],\"tool_call_ids\":",
        b",\"content\":\"```bash\\nls\\n```\"}",
        b"{\"role\":\"user\",\"content\":\"<returncode>1</returncode>\"}",
        b",\"tool_calls\":[{\"id\":\"x\",\"function\":{\"name\":\"y\",\"arguments\":\"{\"}}]}",
        b"{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":",
        b"{\"type\":\"tool_result\",\"tool_use_id\":\"x\"}",
        b",\"payload\":{\"type\":\"function_call_output\",\"output\":",
        b"{\"type\":\"item.completed\",\"item\":{\"id\":\"x\",\"type\":\"file_change\",\"changes\":",
        b"{\"type\":\"gemini\",\"toolCalls\":[{\"id\":\"x\",\"name\":\"y\",\"result\":",
        b"{\"kind\":\"ActionEvent\",\"source\":\"agent\",\"tool_name\":\"y\",\"tool_call\":",
        b",\"info\":{\"role\":\"assistant\"},\"parts\":[{\"type\":\"tool\",\"state\":",
        b",\"created\":",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\\",
        b"\\ud800",
        b"\n",
        b"\xff",
        b"null",
        b"-1.5e9",
        b"\x1f\x8b\x08",
        b"\x28\xb5\x2f\xfd",
        b"\0",
    ]);
    prop::collection::vec(fragment, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_stream_comes_back_as_it_was_written(steps in steps()) {
        let (summary, events) = collect(Some(Format::Events), write(&steps).as_bytes()).unwrap();
        prop_assert_eq!(events, model(&steps));
        prop_assert_eq!(summary.skipped.total(), 0);
        let calls = steps.iter().filter(|step| matches!(step, Step::Call { .. })).count() as u64;
        let results = steps.iter().filter(|step| matches!(step, Step::Result { .. })).count() as u64;
        prop_assert_eq!((summary.calls, summary.results), (calls, results));
        prop_assert_eq!(summary.unanswered_calls, calls - (results - summary.unpaired_results));
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 0..200), fragments()]) {
        let _ = detect(&bytes);
        let _ = collect(None, &bytes);
        for &format in Format::ALL {
            let _ = collect(Some(format), &bytes);
        }
    }
}
