//! One session written in many formats is the same session.

use std::ops::ControlFlow;

use loopguard_transcript::{EventKind, Format, ReadOptions, Status, read};
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
struct Call {
    tool: String,
    arguments: Value,
    text: String,
    failed: bool,
}

/// What the model does between two words of the user.
#[derive(Debug, Clone)]
struct Turn {
    user: String,
    steps: Vec<(String, Vec<Call>)>,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let arguments = prop_oneof![
        Just(json!({})),
        any::<i32>().prop_map(|n| json!({ "n": n, "list": [n, "é\n\""] })),
        "[a-z]{0,4}".prop_map(|text| json!({ "command": text })),
    ];
    let call = ("[a-z_]{1,6}", arguments, "[a-zé\n\"]{1,8}", any::<bool>()).prop_map(
        |(tool, arguments, text, failed)| Call {
            tool,
            arguments,
            text,
            failed,
        },
    );
    let step = ("[a-z]{1,6}", prop::collection::vec(call, 1..4));
    let turn = ("[a-z]{1,6}", prop::collection::vec(step, 1..4))
        .prop_map(|(user, steps)| Turn { user, steps });
    prop::collection::vec(turn, 1..4)
}

/// What every format tells of a session.
#[derive(Debug, PartialEq)]
enum Told {
    User(String),
    Assistant(String),
    Call(u64, String, Value, u64),
    Result(u64, bool),
}

fn model(turns: &[Turn]) -> Vec<Told> {
    let (mut told, mut calls, mut step) = (Vec::new(), 0, 0);
    for turn in turns {
        told.push(Told::User(turn.user.clone()));
        for (text, batch) in &turn.steps {
            step += 1;
            told.push(Told::Assistant(text.clone()));
            let first = calls + 1;
            for call in batch {
                calls += 1;
                let arguments = call.arguments.clone();
                told.push(Told::Call(calls, call.tool.clone(), arguments, step));
            }
            let results = batch.iter().zip(first..);
            told.extend(results.map(|(call, index)| Told::Result(index, call.failed)));
        }
    }
    told
}

/// The entries of a format, of what the user says and of each step with its named calls.
fn entries(
    turns: &[Turn],
    user: impl Fn(&str) -> Value,
    step: impl Fn(u64, &str, &[(String, &Call)]) -> Vec<Value>,
) -> Vec<Value> {
    let (mut entries, mut steps, mut number) = (Vec::new(), 0, 0);
    for turn in turns {
        entries.push(user(&turn.user));
        for (text, calls) in &turn.steps {
            steps += 1;
            let name = |call| {
                number += 1;
                (format!("c{number}"), call)
            };
            let calls: Vec<_> = calls.iter().map(name).collect();
            entries.extend(step(steps, text, &calls));
        }
    }
    entries
}

fn lines(entries: &[Value]) -> String {
    entries.iter().map(|entry| format!("{entry}\n")).collect()
}

/// An array of the first entry and of what each call makes.
fn and_each(
    first: Value,
    calls: &[(String, &Call)],
    make: impl Fn(&str, &Call) -> Value,
) -> Vec<Value> {
    let made = calls.iter().map(|(id, call)| make(id, call));
    std::iter::once(first).chain(made).collect()
}

fn openai(turns: &[Turn]) -> String {
    let user = |text: &str| json!({ "role": "user", "content": text });
    let messages = entries(turns, user, |_, text, calls| {
        let made: Vec<_> = calls
            .iter()
            .map(|(id, call)| {
                let arguments = call.arguments.to_string();
                json!({ "id": id, "function": { "name": call.tool, "arguments": arguments } })
            })
            .collect();
        let first = json!({ "role": "assistant", "content": text, "tool_calls": made });
        and_each(first, calls, |id, call| {
            let text = match call.failed {
                true => format!("Error: no {}", call.text.replace('\n', " ")),
                false => call.text.clone(),
            };
            json!({ "role": "tool", "tool_call_id": id, "content": text })
        })
    });
    Value::from(messages).to_string()
}

fn anthropic_messages(turns: &[Turn]) -> Vec<Value> {
    let user =
        |text: &str| json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
    entries(turns, user, |_, text, calls| {
        let text = json!({ "type": "text", "text": text });
        let content = and_each(
            text,
            calls,
            |id, call| json!({ "type": "tool_use", "id": id, "name": call.tool, "input": call.arguments }),
        );
        let result = |(id, call): &(String, &Call)| {
            json!({
                "type": "tool_result", "tool_use_id": id, "is_error": call.failed,
                "content": json!({ "success": !call.failed, "result": call.text }).to_string(),
            })
        };
        let results: Vec<_> = calls.iter().map(result).collect();
        vec![
            json!({ "role": "assistant", "content": content, "ts": 1, "id": "m" }),
            json!({ "role": "user", "content": results, "ts": 1, "id": "m" }),
        ]
    })
}

fn cline(turns: &[Turn]) -> String {
    let messages = anthropic_messages(turns);
    json!({ "sessionId": "s", "updated_at": "", "messages": messages }).to_string()
}

fn pi(turns: &[Turn]) -> String {
    fn line(message: &Value) -> Value {
        json!({ "type": "message", "timestamp": "2026-01-01T00:00:00Z", "message": message })
    }
    let user = |text: &str| line(&json!({ "role": "user", "content": text }));
    lines(&entries(turns, user, |_, text, calls| {
        let text = json!({ "type": "text", "text": text });
        let content = and_each(
            text,
            calls,
            |id, call| json!({ "type": "toolCall", "id": id, "name": call.tool, "arguments": call.arguments }),
        );
        let first = line(&json!({ "role": "assistant", "content": content }));
        and_each(first, calls, |id, call| {
            line(&json!({
                "role": "toolResult", "toolCallId": id, "isError": call.failed,
                "content": [{ "type": "text", "text": call.text }],
            }))
        })
    }))
}

fn codex(turns: &[Turn]) -> String {
    fn line(payload: &Value) -> Value {
        json!({ "type": "response_item", "payload": payload })
    }
    let user = |text: &str| {
        line(&json!({ "type": "message", "role": "user", "content": [{ "text": text }] }))
    };
    lines(&entries(turns, user, |_, text, calls| {
        let content = json!([{ "type": "output_text", "text": text }]);
        let first = line(&json!({ "type": "message", "role": "assistant", "content": content }));
        let mut made = and_each(first, calls, |id, call| {
            let arguments = call.arguments.to_string();
            let name = &call.tool;
            line(&json!({
                "type": "function_call", "call_id": id, "name": name, "arguments": arguments,
            }))
        });
        made.extend(calls.iter().map(|(id, call)| {
            let code = i32::from(call.failed);
            let output = json!({ "output": call.text, "metadata": { "exit_code": code } });
            let output = output.to_string();
            line(&json!({ "type": "function_call_output", "call_id": id, "output": output }))
        }));
        made
    }))
}

fn gemini(turns: &[Turn]) -> String {
    let user = |text: &str| json!({ "type": "user", "content": text });
    let messages = entries(turns, user, |number, text, calls| {
        let made: Vec<_> = calls
            .iter()
            .map(|(id, call)| {
                let (key, status) = match call.failed {
                    true => ("error", "error"),
                    false => ("output", "success"),
                };
                let response = json!({ "functionResponse": { "response": { key: call.text } } });
                json!({
                    "id": id, "name": call.tool, "args": call.arguments,
                    "status": status, "result": [response],
                })
            })
            .collect();
        let id = number.to_string();
        vec![json!({ "id": id, "type": "gemini", "content": text, "toolCalls": made })]
    });
    json!({ "sessionId": "s", "messages": messages }).to_string()
}

fn opencode(turns: &[Turn]) -> String {
    let user = |text: &str| json!({ "info": { "role": "user" }, "parts": [{ "type": "text", "text": text }] });
    let messages = entries(turns, user, |_, text, calls| {
        let text = json!({ "type": "text", "text": text });
        let parts = and_each(text, calls, |id, call| {
            let (key, status) = match call.failed {
                true => ("error", "error"),
                false => ("output", "completed"),
            };
            let state = json!({ "status": status, "input": call.arguments, key: call.text });
            json!({ "type": "tool", "callID": id, "tool": call.tool, "state": state })
        });
        vec![json!({ "info": { "role": "assistant" }, "parts": parts })]
    });
    json!({ "info": {}, "messages": messages }).to_string()
}

fn goose(turns: &[Turn]) -> String {
    let user = |text: &str| json!({ "role": "user", "created": 1, "content": [{ "type": "text", "text": text }] });
    lines(&entries(turns, user, |_, text, calls| {
        let text = json!({ "type": "text", "text": text });
        let content = and_each(text, calls, |id, call| {
            let value = json!({ "name": call.tool, "arguments": call.arguments });
            let request = json!({ "status": "success", "value": value });
            json!({ "type": "toolRequest", "id": id, "toolCall": request })
        });
        let result = |(id, call): &(String, &Call)| {
            let result = match call.failed {
                true => json!({ "status": "error", "error": call.text }),
                false => json!({ "status": "success", "value": [] }),
            };
            json!({ "type": "toolResponse", "id": id, "toolResult": result })
        };
        let results: Vec<_> = calls.iter().map(result).collect();
        vec![
            json!({ "role": "assistant", "created": 1, "content": content }),
            json!({ "role": "user", "created": 1, "content": results }),
        ]
    }))
}

fn openhands(turns: &[Turn]) -> String {
    let user = |text: &str| {
        let message = json!({ "content": [{ "type": "text", "text": text }] });
        json!({ "kind": "MessageEvent", "source": "user", "llm_message": message })
    };
    lines(&entries(turns, user, |number, text, calls| {
        let mut made = Vec::new();
        for (index, (id, call)) in calls.iter().enumerate() {
            // What the model says stands beside its first call.
            let texts = [json!({ "type": "text", "text": text })];
            let thought = if index == 0 { &texts[..] } else { &[] };
            let arguments = call.arguments.to_string();
            made.push(json!({
                "kind": "ActionEvent", "source": "agent", "tool_name": call.tool,
                "tool_call_id": id, "tool_call": { "arguments": arguments },
                "thought": thought, "llm_response_id": number.to_string(),
            }));
        }
        made.extend(calls.iter().map(|(id, call)| {
            let text = json!([{ "type": "text", "text": call.text }]);
            let observation = json!({ "content": text, "is_error": call.failed });
            json!({
                "kind": "ObservationEvent", "source": "environment",
                "tool_call_id": id, "observation": observation,
            })
        }));
        made
    }))
}

fn told(format: Format, input: &str) -> Vec<Told> {
    let mut told = Vec::new();
    // The format is told from the content, too.
    let summary = read(input.as_bytes(), &ReadOptions::new(), &mut |event| {
        let step = event.step;
        match event.kind {
            EventKind::Session { .. } => {}
            EventKind::User { texts, .. } => told.push(Told::User(texts.joined().into_owned())),
            EventKind::Assistant { texts, .. } => {
                told.push(Told::Assistant(texts.joined().into_owned()));
            }
            EventKind::Call {
                index,
                tool,
                arguments,
                ..
            } => {
                let arguments = serde_json::from_str(&arguments).unwrap();
                told.push(Told::Call(
                    index,
                    tool.into_owned(),
                    arguments,
                    step.unwrap(),
                ));
            }
            EventKind::Result { call, status, .. } => {
                assert!(matches!(status, Status::Ok | Status::Error));
                told.push(Told::Result(call.unwrap(), status == Status::Error));
            }
            other => panic!("{other:?}"),
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(summary.format, format);
    assert_eq!((summary.unanswered_calls, summary.unpaired_results), (0, 0));
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_session_is_the_same_in_every_format_that_it_is_written_in(turns in turns()) {
        let expected = model(&turns);
        let anthropic = Value::from(anthropic_messages(&turns)).to_string();
        for (format, input) in [
            (Format::OpenAi, openai(&turns)),
            (Format::Anthropic, anthropic),
            (Format::Cline, cline(&turns)),
            (Format::Pi, pi(&turns)),
            (Format::Codex, codex(&turns)),
            (Format::Gemini, gemini(&turns)),
            (Format::OpenCode, opencode(&turns)),
            (Format::Goose, goose(&turns)),
            (Format::OpenHands, openhands(&turns)),
        ] {
            prop_assert_eq!(&told(format, &input), &expected, "{}", format);
        }
    }
}
