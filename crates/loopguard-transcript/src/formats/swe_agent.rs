//! Trajectories of SWE-agent.
//!
//! - A document is a session. `trajectory` holds what was done: each entry is a step, its
//!   `action` a call of the tool `bash` whose arguments are the command as text, and its
//!   `observation` the result. There are no ids, so the number of the entry is one. Where the
//!   answer of the model could not be parsed the action is empty: no call, and the observation
//!   is an injected message.
//! - Where `history` holds `tool_calls` it is read instead: it has tools, arguments and ids.
//! - The first messages of `history` give the prompts. Demonstrations (`is_demo`) are no part
//!   of the session.
//! - Failures, refusals and interruptions are not recorded: every result counts as a success.
//!   There are no times.

use std::borrow::Cow;

use super::blocks;
use super::openai;
use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::Values;
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

pub(super) struct SweAgent;

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    let is_entry = |part: &Outline<'_>| part.has("action") && part.has("observation");
    let is_message = |part: &Outline<'_>| {
        part.has("role") && part.has_any(&["is_demo", "message_type", "agent", "thought"])
    };
    part.list("trajectory").any(|part| is_entry(&part))
        || part.list("history").any(|part| is_message(&part))
        || (part.has("environment") && part.begins("trajectory"))
}

impl Values for SweAgent {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let is_array = |list: &Json<'_>| list.is_array();
        let [trajectory, history] = value.fields(["trajectory", "history"]);
        let (trajectory, history) = (trajectory.filter(is_array), history.filter(is_array));
        if trajectory.is_none() && history.is_none() {
            return output.skip(SkipReason::UnknownType);
        }
        let stamp = Stamp::at_line(line);
        stamp.session(None, output);
        let messages = || history.into_iter().flat_map(Json::items);
        let calls = messages().any(|message| {
            let calls = message.get("tool_calls");
            calls.is_some_and(|calls| calls.items().next().is_some()) && !is_demo(message)
        });
        if calls || trajectory.is_none() {
            read_messages(stamp, messages(), output);
            return;
        }
        let prompts = messages().take_while(|message| {
            string(message.get("role")).as_deref() != Some("assistant") || is_demo(*message)
        });
        read_messages(stamp, prompts, output);
        let entries = trajectory.into_iter().flat_map(Json::items);
        for (index, part) in entries.enumerate() {
            let number = index as u64 + 1;
            entry(output, |output| {
                self::step(stamp.step(number), number, part, output)
            });
        }
    }
}

fn is_demo(message: Json<'_>) -> bool {
    message.get("is_demo").and_then(Json::as_bool) == Some(true)
}

/// One entry of the trajectory.
fn step(stamp: Stamp, number: u64, part: Json<'_>, output: &mut Output<'_, '_>) -> SkipReason {
    let keys = ["action", "observation", "thought", "response"];
    let [action, observation, thought, response] = part.fields(keys);
    let Some(action) = string(action) else {
        return SkipReason::Broken;
    };
    let thought = string(thought).filter(|thought| !thought.is_empty());
    let said = thought.or_else(|| string(response));
    stamp.assistant(None, said.into_iter().collect(), output);
    let observed: Texts<'_> = string(observation).into_iter().collect();
    if action.trim().is_empty() {
        if !observed.is_empty() {
            stamp.injected(None, observed, "system", output);
        }
        return SkipReason::NoEvent;
    }
    let id = || Some(Cow::Owned(number.to_string()));
    stamp.call(id(), Cow::Borrowed("bash"), action, output);
    if observation.is_some() {
        stamp.result(fine(id(), observed), output);
    }
    SkipReason::NoEvent
}

fn fine<'a>(id: Option<Cow<'a, str>>, texts: Texts<'a>) -> Ended<'a> {
    Ended {
        id,
        tool: None,
        status: Status::Ok,
        texts,
        error: None,
    }
}

fn read_messages<'a>(
    stamp: Stamp,
    messages: impl Iterator<Item = Json<'a>>,
    output: &mut Output<'_, '_>,
) {
    let mut steps = 0;
    for message in messages {
        entry(output, |output| {
            if is_demo(message) {
                return SkipReason::NoEvent;
            }
            self::message(stamp, message, &mut steps, output)
        });
    }
}

fn message(
    stamp: Stamp,
    message: Json<'_>,
    steps: &mut u64,
    output: &mut Output<'_, '_>,
) -> SkipReason {
    let keys = ["role", "content", "tool_calls", "tool_call_ids"];
    let [role, content, calls, ids] = message.fields(keys);
    let mut texts = blocks::texts(content);
    match string(role).as_deref() {
        Some("system") => stamp.injected(None, texts, "system", output),
        // After the first answer a `user` message is an observation or the harness's.
        Some("user") if *steps == 0 => stamp.user(None, texts, output),
        Some("user") => stamp.injected(None, texts, "system", output),
        Some("assistant") => {
            *steps += 1;
            let stamp = stamp.step(*steps);
            stamp.assistant(None, texts, output);
            return openai::calls(stamp, calls, None, output);
        }
        Some("tool") => {
            // One text answers all the calls of an answer.
            let mut any = false;
            for id in ids.into_iter().flat_map(Json::items) {
                any = true;
                stamp.result(fine(id.as_str(), std::mem::take(&mut texts)), output);
            }
            if !any {
                stamp.result(fine(None, texts), output);
            }
        }
        Some(_) => return SkipReason::UnknownType,
        None => return SkipReason::Broken,
    }
    SkipReason::NoEvent
}
