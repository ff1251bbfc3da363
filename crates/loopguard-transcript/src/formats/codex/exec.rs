//! The stream that `codex exec --json` writes.
//!
//! An item is told when it starts and when it is completed; some are only told completed, and
//! then are call and result at once. Its `status` says how it ended, and an exit code other
//! than 0 is a failure. Arguments are what the stream tells of them: for a command and for
//! changed files an object of that one key.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::blocks;
use super::super::stamp::{Ended, Stamp, string};
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

/// The items that have started and are not completed.
#[derive(Default)]
pub(super) struct Exec {
    running: HashSet<String>,
}

impl Exec {
    /// Returns why the line gave no event, for the case that it gave none.
    pub(super) fn item(
        &mut self,
        stamp: Stamp,
        kind: &str,
        item: Json<'_>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let [id, item_kind, text] = item.fields(["id", "type", "text"]);
        let item_kind = string(item_kind).unwrap_or_default();
        match (kind, &*item_kind) {
            ("item.completed", "agent_message") => {
                let texts = string(text).into_iter().collect();
                stamp.assistant(string(id), texts, output);
            }
            (
                "item.started" | "item.completed",
                "command_execution" | "file_change" | "mcp_tool_call",
            ) => {
                let (Some(id), Some((tool, arguments))) = (string(id), call(&item_kind, item))
                else {
                    return SkipReason::Broken;
                };
                if self.running.insert(id.clone().into_owned()) {
                    stamp.call(Some(id.clone()), tool, arguments, output);
                }
                if kind == "item.completed" {
                    self.running.remove(&*id);
                    stamp.result(ended(id, item), output);
                }
            }
            (
                _,
                "agent_message" | "reasoning" | "todo_list" | "error" | "web_search"
                | "command_execution" | "file_change" | "mcp_tool_call",
            ) => {
                output.recognise();
            }
            (_, "") => return SkipReason::Broken,
            _ => return SkipReason::UnknownType,
        }
        SkipReason::NoEvent
    }
}

/// The tool and its arguments.
fn call<'a>(kind: &str, item: Json<'a>) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
    let [command, changes, server, tool, arguments] =
        item.fields(["command", "changes", "server", "tool", "arguments"]);
    let only = |key: &str, value: Json<'_>| Cow::Owned(format!("{{\"{key}\":{}}}", value.raw()));
    Some(match kind {
        "command_execution" => ("command_execution".into(), only("command", command?)),
        "file_change" => ("file_change".into(), only("changes", changes?)),
        _ => {
            let tool = format!("mcp__{}__{}", string(server)?, string(tool)?);
            let arguments = Cow::Borrowed(arguments.map_or("", Json::raw));
            (tool.into(), arguments)
        }
    })
}

fn ended<'a>(id: Cow<'a, str>, item: Json<'a>) -> Ended<'a> {
    let [status, code, text, result, error] = item.fields([
        "status",
        "exit_code",
        "aggregated_output",
        "result",
        "error",
    ]);
    let failed = code.and_then(Json::as_i64).is_some_and(|code| code != 0);
    let status = match string(status).as_deref() {
        Some("declined") => Status::Denied,
        Some("failed") => Status::Error,
        _ if failed => Status::Error,
        _ => Status::Ok,
    };
    let texts: Texts<'a> = match string(text) {
        Some(text) => Texts::one(text),
        None => blocks::texts(result.and_then(|result| result.get("content"))),
    };
    Ended {
        id: Some(id),
        tool: None,
        status,
        texts,
        error: string(error.and_then(|error| error.get("message"))),
    }
}
