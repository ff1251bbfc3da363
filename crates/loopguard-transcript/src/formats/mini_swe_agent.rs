//! Trajectories of mini-SWE-agent.
//!
//! - An array of messages up to version 1, an object with `messages` since. The first `user`
//!   message is the task, every later one an observation or the harness's own.
//! - Version 1: the one fenced command of an answer is a call of the tool `bash` with the
//!   command as text for its arguments; the `user` message that follows is its result. There
//!   are no ids, so the number of the answer is one. An answer with no such block, or with
//!   more than one, calls nothing.
//! - Version 2: `tool_calls` and `tool` messages, arguments as the model wrote them.
//! - A result failed if its return code is not 0 (`extra.returncode`, or the header
//!   `<returncode>N</returncode>`), or if `extra` names an exception. What has no return code,
//!   such as the final submission, counts as a success. Refusals and interruptions are not
//!   recorded.

use std::borrow::Cow;

use super::outline::Outline;
use super::stamp::{Ended, Stamp, entry, string};
use super::values::{Values, list};
use super::{blocks, openai};
use crate::event::Status;
use crate::json::Json;
use crate::output::Output;
use crate::summary::SkipReason;
use crate::texts::Texts;

#[derive(Default)]
pub(super) struct MiniSweAgent {
    steps: u64,
    /// Whether the task was told.
    tasked: bool,
    /// The call of version 1 that waits for its result.
    open: Option<u64>,
}

pub(super) fn recognises(part: &Outline<'_>) -> bool {
    let format = part.text("trajectory_format");
    let info = part.get("info");
    format.starts_with("mini-swe-agent")
        || info.is_some_and(|info| info.get("mini_version").is_some())
        || is_message(part)
        || part.list("messages").any(|part| is_message(&part))
}

fn is_message(part: &Outline<'_>) -> bool {
    let extra = part.get("extra").filter(|extra| extra.is_object());
    let known = extra.is_some_and(|extra| {
        let keys = ["actions", "returncode", "interrupt_type", "exit_status"];
        extra.fields(keys).iter().any(Option::is_some)
    });
    match &*part.text("role") {
        "user" => known || returncode(&part.text("content")).is_some(),
        "assistant" | "tool" | "exit" => known,
        "system" => part.text("content").contains("```mswea_bash_command"),
        _ => false,
    }
}

impl Values for MiniSweAgent {
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>) {
        let Some(messages) = list(value, "messages") else {
            return output.skip(SkipReason::UnknownType);
        };
        *self = Self::default();
        let stamp = Stamp::at_line(line);
        stamp.session(None, output);
        for message in messages {
            entry(output, |output| self.message(stamp, message, output));
        }
    }
}

impl MiniSweAgent {
    fn message(
        &mut self,
        stamp: Stamp,
        message: Json<'_>,
        output: &mut Output<'_, '_>,
    ) -> SkipReason {
        let keys = ["role", "content", "tool_calls", "tool_call_id", "extra"];
        let [role, content, calls, id, extra] = message.fields(keys);
        let [code, exception, time] = extra.map_or([None; 3], |extra| {
            extra.fields(["returncode", "exception_info", "timestamp"])
        });
        let stamp = stamp.at(time.and_then(Json::as_f64).map(millis));
        let texts = blocks::texts(content);
        let failed = |texts: &Texts<'_>| {
            let told = code.and_then(Json::as_i64);
            let code = told.or_else(|| texts.first().and_then(|text| returncode(text)));
            let exception = string(exception).is_some_and(|exception| !exception.is_empty());
            exception || code.is_some_and(|code| code != 0)
        };
        match string(role).as_deref() {
            Some("system") => stamp.injected(None, texts, "system", output),
            Some("user") if !self.tasked => {
                self.tasked = true;
                stamp.user(None, texts, output);
            }
            Some("user") => match self.open.take() {
                Some(call) => {
                    let id = Some(Cow::Owned(call.to_string()));
                    let failed = failed(&texts);
                    stamp.step(call).result(ended(id, failed, texts), output);
                }
                None => stamp.injected(None, texts, "system", output),
            },
            Some("assistant") => {
                self.steps += 1;
                let stamp = stamp.step(self.steps);
                let command = texts
                    .first()
                    .and_then(|text| command(text))
                    .map(str::to_owned);
                stamp.assistant(None, texts, output);
                if calls.is_some_and(|calls| !calls.is_null()) {
                    return openai::calls(stamp, calls, None, output);
                }
                if let Some(command) = command {
                    self.open = Some(self.steps);
                    let id = Some(Cow::Owned(self.steps.to_string()));
                    stamp.call(id, Cow::Borrowed("bash"), command.into(), output);
                }
            }
            Some("tool") => {
                let failed = failed(&texts);
                stamp.result(ended(string(id), failed, texts), output);
            }
            Some("exit") => {}
            Some(_) => return SkipReason::UnknownType,
            None => return SkipReason::Broken,
        }
        SkipReason::NoEvent
    }
}

fn ended<'a>(id: Option<Cow<'a, str>>, failed: bool, texts: Texts<'a>) -> Ended<'a> {
    Ended {
        id,
        tool: None,
        status: if failed { Status::Error } else { Status::Ok },
        texts,
        error: None,
    }
}

fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}

/// The number in the header of an observation.
fn returncode(text: &str) -> Option<i64> {
    let rest = text.trim_start().strip_prefix("<returncode>")?;
    let (code, _) = rest.split_once("</returncode>")?;
    code.trim().parse().ok()
}

/// The command of the one fenced block that holds one.
fn command(text: &str) -> Option<&str> {
    let mut commands = Commands(text);
    let command = commands.next()?;
    commands.next().is_none().then_some(command)
}

struct Commands<'a>(&'a str);

impl<'a> Iterator for Commands<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let at = self.0.find("```")?;
            let after = &self.0[at + 3..];
            let (name, body) = after.split_once('\n')?;
            if !matches!(name.trim_end(), "mswea_bash_command" | "bash") {
                self.0 = after;
                continue;
            }
            let end = body.find("\n```")?;
            self.0 = &body[end + 4..];
            return Some(body[..end].trim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_the_only_block_of_its_kind() {
        let check = |text, expected| assert_eq!(command(text), expected, "{text}");
        check("do\n\n```bash\nmake\n```", Some("make"));
        check("```mswea_bash_command\na &&\nb\n```\nthen", Some("a &&\nb"));
        check("```python\nx\n```\n```bash\nmake\n```", Some("make"));
        check("```bash\nmake\n```\n```bash\nls\n```", None);
        check("```bash\nmake", None);
        check("```bash", None);
        check("make", None);
    }

    #[test]
    fn a_return_code_stands_at_the_beginning() {
        assert_eq!(returncode("<returncode>-1</returncode>\nx"), Some(-1));
        assert_eq!(returncode("x <returncode>1</returncode>"), None);
        assert_eq!(returncode("<returncode>1"), None);
    }
}
