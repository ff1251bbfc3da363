//! Recorded sessions of the other hosts, where they are at hand: calls and results counted
//! another way.

use std::fs;
use std::path::Path;

use loopguard_transcript::{Format, SkipReason};
use serde_json::Value;

use crate::real::{files, read_file, statuses, values};
use crate::support::shared;

/// Reads every file of a folder and compares its calls and results with counts made from its
/// values. A document is one value.
#[track_caller]
fn check(folder: &str, format: Format, count: impl Fn(&[Value]) -> (usize, usize)) {
    let Some(folder) = shared("transcripts").map(|all| all.join(folder)) else {
        return;
    };
    for path in files(&folder, "") {
        let summary = read_file(&path, format);
        let (calls, results) = count(&whole(&path));
        let name = path.display();
        assert_eq!(summary.calls, calls as u64, "calls of {name}");
        assert_eq!(summary.results, results as u64, "results of {name}");
        assert_eq!(summary.sessions, 1, "{name}");
        let skipped = |reason| summary.skipped.get(reason);
        let odd = skipped(SkipReason::Broken) + skipped(SkipReason::UnknownType);
        assert_eq!(odd, 0, "{name}: {:?}", summary.skipped);
    }
}

fn whole(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).map_or_else(|_| values(path), |value| vec![value])
}

/// Every object below a value.
fn objects<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(map) => {
            found.push(value);
            map.values().for_each(|value| objects(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| objects(value, found)),
        _ => {}
    }
}

/// How many objects anywhere have this value under this key.
fn with(values: &[Value], key: &str, wanted: &[&str]) -> usize {
    let mut found = Vec::new();
    values.iter().for_each(|value| objects(value, &mut found));
    let has = |object: &&&Value| {
        object[key]
            .as_str()
            .is_some_and(|text| wanted.contains(&text))
    };
    found.iter().filter(has).count()
}

/// The messages of a document.
fn messages(values: &[Value]) -> &[Value] {
    let document = &values[0];
    let list = document.as_array().or(document["messages"].as_array());
    list.map_or(&[], Vec::as_slice)
}

fn tool_calls(messages: &[Value]) -> usize {
    let calls = |message: &Value| message["tool_calls"].as_array().map_or(0, Vec::len);
    messages.iter().map(calls).sum()
}

#[test]
fn codex() {
    check("codex", Format::Codex, |lines| {
        let calls = ["function_call", "custom_tool_call", "local_shell_call"];
        let results = ["function_call_output", "custom_tool_call_output"];
        let items = |kind: &str| {
            let of_kind = lines.iter().filter(|line| line["type"] == kind);
            of_kind
                .filter(|line| line["item"]["type"] == "command_execution")
                .count()
        };
        (
            with(lines, "type", &calls) + items("item.started"),
            with(lines, "type", &results) + items("item.completed"),
        )
    });
}

#[test]
fn gemini() {
    check("gemini-cli", Format::Gemini, |values| {
        let ended = ["success", "error", "cancelled"];
        let calls = |value: &Value| value["toolCalls"].as_array().map_or(0, Vec::len);
        let of_documents = values.iter().flat_map(|value| {
            let inner = value["messages"].as_array();
            inner.map_or(std::slice::from_ref(value), Vec::as_slice)
        });
        (
            of_documents.map(calls).sum(),
            with(values, "status", &ended),
        )
    });
}

#[test]
fn pi() {
    check("pi", Format::Pi, |lines| {
        (
            with(lines, "type", &["toolCall"]),
            with(lines, "role", &["toolResult"]),
        )
    });
}

#[test]
fn openhands() {
    check("openhands", Format::OpenHands, |lines| {
        (
            with(lines, "kind", &["ActionEvent"]),
            with(lines, "kind", &["ObservationEvent", "AgentErrorEvent"]),
        )
    });
}

#[test]
fn swe_agent() {
    check("swe-agent", Format::SweAgent, |values| {
        let steps = values[0]["trajectory"].as_array().unwrap();
        let acts = |step: &&Value| !step["action"].as_str().unwrap().trim().is_empty();
        let acted = steps.iter().filter(acts).count();
        (acted, acted)
    });
}

#[test]
fn mini_swe_agent() {
    check("mini-swe-agent", Format::MiniSweAgent, |values| {
        let messages = messages(values);
        let called = tool_calls(messages);
        if called > 0 {
            return (called, with(values, "role", &["tool"]));
        }
        let of = |role: &str| messages.iter().filter(|m| m["role"] == role).count();
        (of("assistant"), of("user") - 1)
    });
}

#[test]
fn opencode() {
    check("opencode", Format::OpenCode, |values| {
        (
            with(values, "type", &["tool"]),
            with(values, "status", &["completed", "error"]),
        )
    });
}

#[test]
fn cline() {
    check("cline", Format::Cline, |values| {
        (
            with(values, "type", &["tool_use"]),
            with(values, "type", &["tool_result"]),
        )
    });
}

#[test]
fn goose() {
    check("goose", Format::Goose, |lines| {
        let mut found = Vec::new();
        lines.iter().for_each(|line| objects(line, &mut found));
        let parsed = found
            .iter()
            .filter(|o| o["toolCall"]["status"] == "success");
        (parsed.count(), with(lines, "type", &["toolResponse"]))
    });
}

#[test]
fn openai() {
    check("openai", Format::OpenAi, |values| {
        (
            tool_calls(messages(values)),
            with(values, "role", &["tool"]),
        )
    });
}

#[test]
fn anthropic() {
    check("anthropic", Format::Anthropic, |values| {
        (
            with(values, "type", &["tool_use"]),
            with(values, "type", &["tool_result"]),
        )
    });
}

#[test]
fn statuses_are_what_the_recordings_say() {
    let Some(folder) = shared("transcripts") else {
        return;
    };
    let told = |name: &str| statuses(&folder.join(name));
    let count = |name: &str, status: &str| told(name).iter().filter(|s| *s == status).count();
    assert_eq!(
        told("codex/synthetic-failures.jsonl"),
        ["Error", "Error", "Error", "Error"]
    );
    assert_eq!(told("codex/assembled-exec.jsonl"), ["Ok", "Ok"]);
    assert_eq!(
        told("gemini-cli/handmade-tool-error.jsonl"),
        ["Ok", "Error", "Ok", "Ok"]
    );
    assert_eq!(count("gemini-cli/python-agent.json", "Cancelled"), 1);
    assert_eq!(
        told("mini-swe-agent/synthetic-v2.traj.json"),
        ["Error", "Error", "Ok"]
    );
    assert_eq!(count("mini-swe-agent/github-issue.traj.json", "Error"), 2);
    assert_eq!(
        told("opencode/synthetic-export.json"),
        ["Ok", "Error", "Error", "Error", "Ok"]
    );
    assert_eq!(
        told("anthropic/synthetic-messages.json"),
        ["Ok", "Error", "Error"]
    );
    assert_eq!(
        told("openai/synthetic-malformed-arguments.json"),
        ["Error", "Ok", "Error"]
    );
    let errors = values(&folder.join("pi/errors.jsonl"));
    let flagged = errors
        .iter()
        .filter(|line| line["message"]["isError"] == true);
    assert_eq!(count("pi/errors.jsonl", "Error"), flagged.count());
    for (name, text) in [
        ("openai/tau-airline-13-0.json", "\"content\": \"Error: "),
        ("openai/tau-airline-2-0.json", "\"content\": \"Error: "),
    ] {
        let recorded = fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(
            count(name, "Error"),
            recorded.matches(text).count(),
            "{name}"
        );
    }
}
