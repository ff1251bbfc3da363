//! Streams of calls and messages.

use loopguard::{
    Answer, Arguments, Base, Ending, Incoming, Notice, Seed, Sessions, Setup, Source, Submission,
    Timestamp,
};
use serde_json::{Value, json};

use super::report::{Checker, Row};

/// A stream of the reminder: each call is compared with its notice, to the letter.
pub(super) fn reminder(lines: &[Value], checker: &mut Checker) {
    let Some((host, events)) = Host::open("repeat-reminder", lines, checker) else {
        return;
    };
    for (at, line) in events.iter().enumerate() {
        match line["ev"].as_str() {
            Some("call") if line["host_rejects"] == true => checker.skip(),
            Some("call") => {
                let (_, notices) = host.call(line);
                let said = notices
                    .first()
                    .map(|notice| json!({"text": notice.text, "summary": notice.summary}));
                let wanted = wanted_reminder(line);
                let got = match (said, &wanted["arguments"]) {
                    _ if notices.len() > 1 => json!(format!("{} notices", notices.len())),
                    (Some(_), Value::String(arguments)) => arguments_quoted(&notices[0], arguments),
                    (said, _) => said.unwrap_or(Value::Null),
                };
                checker.row(Row {
                    line: at + 2,
                    tagged: line.get("known_deviation").is_some(),
                    wanted: wanted.to_string(),
                    got: got.to_string(),
                });
            }
            Some("user") => host.message(line, Source::User),
            Some("plugin-message") => host.message(line, Source::Plugin("somebody")),
            _ => host.other(line),
        }
    }
}

/// What the reminder should say: what the original said, or, where ours is meant to differ,
/// our own answer.
fn wanted_reminder(line: &Value) -> Value {
    if let Some(exact) = line.get("exact") {
        return exact.clone();
    }
    let mut wanted = line["expect"].clone();
    if line["expect_lone_surrogate"] == true {
        // The original shows half of a pair; ours cuts before it and counts it as left out.
        let (head, rest) = (text(&wanted["text"]), text(&line["rest_after_surrogate"]));
        let omitted = rest
            .strip_prefix("… (+")
            .and_then(|rest| rest.split_once(' '));
        if let Some((omitted, rest)) = omitted {
            let omitted: u64 = omitted.parse().unwrap_or_default();
            wanted["text"] = json!(format!("{head}… (+{} {rest}", omitted + 1));
        }
    }
    wanted
}

/// What the notice quotes, in the form in which some rows give our own answer.
fn arguments_quoted(notice: &Notice, wanted: &str) -> Value {
    let quoted = format!("\n- arguments: {wanted}\n");
    match notice.text.contains(&quoted) {
        true => json!({"count": notice.facts.count, "arguments": wanted}),
        false => json!({"count": notice.facts.count, "text": notice.text}),
    }
}

/// A stream of the brake: kinds, counts, summaries, tools and sources, not the wording.
pub(super) fn brake(lines: &[Value], checker: &mut Checker) {
    let Some((host, events)) = Host::open("brake", lines, checker) else {
        return;
    };
    for (at, line) in events.iter().enumerate() {
        let got = match line["ev"].as_str() {
            Some("call") => {
                let (denied, notices) = host.call(line);
                json!({"denied": denied, "notices": notices.iter().map(seen).collect::<Vec<_>>()})
            }
            Some("pre-step") => {
                let notices = host.batch(line);
                json!({"notices": notices.iter().map(seen).collect::<Vec<_>>()})
            }
            _ => {
                host.other(line);
                continue;
            }
        };
        let deviates = |notice: &Value| notice.get("known_deviation").is_some();
        let notices = line["expect"]["notices"].as_array();
        checker.row(Row {
            line: at + 2,
            tagged: deviates(line) || notices.into_iter().flatten().any(deviates),
            wanted: line.get("exact").unwrap_or(&line["expect"]).to_string(),
            got: got.to_string(),
        });
    }
}

/// A notice of the brake, as the streams tell it.
fn seen(notice: &Notice) -> Value {
    let (kind, list) = match notice.code.as_str() {
        "call-count" => ("call", None),
        "sequence-loop" => ("sequence", Some(("tools", &notice.facts.tools))),
        "duplicate-text" => ("text", Some(("sources", &notice.facts.sources))),
        other => (other, None),
    };
    let mut seen = json!({"kind": kind, "count": notice.facts.count, "summary": notice.summary});
    if let Some((key, names)) = list {
        seen[key] = json!(names);
    }
    seen
}

/// A host with one guard.
#[derive(Debug)]
struct Host(Sessions);

impl Host {
    /// A host with the guard that the stream's first line configures, and what happens to it.
    fn open<'l>(
        guard: &str,
        lines: &'l [Value],
        checker: &mut Checker,
    ) -> Option<(Self, &'l [Value])> {
        let (first, events) = lines.split_first()?;
        let rows = json!([{"name": guard, "config": first["config"]}]);
        match Setup::from_value("stream", &rows, Base::default()) {
            Ok(loaded) => Some((Self(Sessions::new(loaded.setup, Seed::FIXED)), events)),
            Err(errors) => {
                checker.row(Row {
                    line: 1,
                    tagged: false,
                    wanted: "a configuration".to_owned(),
                    got: errors.to_string(),
                });
                None
            }
        }
    }

    /// One call, from the question to its end: whether it was refused, and what was said.
    fn call(&self, line: &Value) -> (bool, Vec<Notice>) {
        let agent = line["agent"].as_str();
        let arguments = match line["raw"].as_str() {
            Some(raw) => Arguments::Text(raw),
            None => Arguments::Value(&line["arguments"]),
        };
        let now = line["now"].as_i64();
        let tool = text(&line["tool"]);
        let mut call = Submission::new(tool, arguments);
        if let Some(now) = now {
            call = call.at(now);
        }
        let Answer::Admitted(number) = self.0.submit(agent, &call) else {
            let said = agent.map_or_else(Vec::new, |agent| self.0.take_notices(agent));
            return (true, said);
        };
        let error = line["error"].as_str();
        let as_read = error.map(|error| format!("Error: {error}"));
        let result = match (&as_read, &line["result"]) {
            (Some(error), _) => vec![error.as_str()],
            (None, Value::Array(blocks)) => blocks.iter().map(text).collect(),
            (None, Value::String(block)) => vec![block.as_str()],
            (None, _) => vec!["ok"],
        };
        let mut ending = match (line["outcome"].as_str(), error) {
            (Some("denied" | "guarded"), _) => Ending::denied(),
            (Some("error" | "unknown-tool"), _) => Ending::failure("it failed", &["it failed"]),
            (_, Some(error)) => Ending::failure(error, &result),
            (_, None) => Ending::success(&result),
        };
        if let Some(now) = now {
            ending = ending.at(now);
        }
        (
            false,
            self.0.finish(agent, number, &ending.arguments(arguments)),
        )
    }

    fn message(&self, line: &Value, source: Source<'_>) {
        let batch = [Incoming::new(source, &["hello"])];
        self.0.messages(text(&line["agent"]), &batch, None);
    }

    /// A batch of messages with their sources and texts.
    fn batch(&self, line: &Value) -> Vec<Notice> {
        let agent = text(&line["agent"]);
        let rows = line["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let blocks: Vec<Vec<&str>> = rows
            .iter()
            .map(|row| match &row["text"] {
                Value::Array(blocks) => blocks.iter().map(text).collect(),
                block => vec![text(block)],
            })
            .collect();
        let batch: Vec<_> = rows
            .iter()
            .zip(&blocks)
            .map(|(row, blocks)| {
                let source = match text(&row["source"]) {
                    "user" => Source::User,
                    name => name
                        .strip_prefix("plugin:")
                        .map_or(Source::Other(name), Source::Plugin),
                };
                Incoming::new(source, blocks).id(text(&row["id"]))
            })
            .collect();
        let now = line["now"].as_i64().map(Timestamp::from_millis);
        self.0.messages(agent, &batch, now);
        self.0.take_notices(agent)
    }

    /// What is neither a call nor a message.
    fn other(&self, line: &Value) {
        if line["ev"] == "dispose" {
            self.0.end(text(&line["agent"]));
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
