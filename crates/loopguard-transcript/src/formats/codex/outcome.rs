//! How a call ended, as far as its output tells.
//!
//! In this order, each written by the host and not by the tool: the flag `success`; an exit
//! code in the `metadata` of an output that is JSON; an exit code in the header above the line
//! `Output:`; a fixed sentence in place of an output. All else is a success.

use std::borrow::Cow;

use super::super::stamp::string;
use super::phrases;
use crate::event::Status;
use crate::json::{self, Json};
use crate::texts::Texts;

pub(super) struct Outcome<'a> {
    pub(super) status: Status,
    pub(super) texts: Texts<'a>,
    pub(super) error: Option<Cow<'a, str>>,
}

pub(super) fn of(output: Json<'_>) -> Outcome<'_> {
    // Some versions wrap the text and add a flag.
    let [content, success] = output.fields(["content", "success"]);
    let failed = success.and_then(Json::as_bool) == Some(false);
    let texts = super::texts(content.or(Some(output)));
    let first = texts.first().map_or("", |text| &**text);
    let (status, error) = match phrases::verdict(first) {
        Some(status) => (status, None),
        None if failed => (Status::Error, None),
        None => by_exit_code(first),
    };
    Outcome {
        status,
        texts,
        error: error.map(Cow::Owned),
    }
}

fn by_exit_code(text: &str) -> (Status, Option<String>) {
    if text.starts_with('{') {
        let Ok([metadata, output]) = json::fields(text, ["metadata", "output"]) else {
            return (Status::Ok, None);
        };
        let code = metadata.and_then(|metadata| metadata.get("exit_code"));
        return match code.and_then(Json::as_i64) {
            Some(code) if code != 0 => (Status::Error, string(output).map(Cow::into_owned)),
            _ => (Status::Ok, None),
        };
    }
    match header(text) {
        Some(Exit::Code(code)) if code != 0 => (Status::Error, None),
        Some(Exit::Aborted) => (Status::Cancelled, None),
        _ => (Status::Ok, None),
    }
}

enum Exit {
    Code(i64),
    Aborted,
}

/// What the host's header says: its lines are few and come before the line `Output:`.
fn header(text: &str) -> Option<Exit> {
    let mut exit = None;
    for (index, line) in text.lines().enumerate() {
        let known = [
            "Chunk ID: ",
            "Wall time: ",
            "Exit code: ",
            "Process exited with code ",
        ];
        if index == 0 && !known.iter().any(|start| line.starts_with(start)) {
            return None;
        }
        let code = line
            .strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "));
        if let Some(code) = code {
            exit = code.trim().parse().ok().map(Exit::Code);
        } else if line == "Output:" || index == MAX_HEADER_LINES {
            return exit;
        } else if line == "aborted by user" && index == 1 {
            return Some(Exit::Aborted);
        }
    }
    None
}

const MAX_HEADER_LINES: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Status) {
        let literal = serde_json::to_string(text).unwrap();
        let outcome = of(Json::parse(&literal).unwrap());
        assert_eq!(outcome.status, expected, "{text}");
        assert_eq!(&*outcome.texts, [text]);
    }

    #[test]
    fn an_exit_code_is_the_hosts_word() {
        check(
            r#"{"output":"x","metadata":{"exit_code":2}}"#,
            Status::Error,
        );
        check(r#"{"output":"x","metadata":{"exit_code":0}}"#, Status::Ok);
        check(
            "Wall time: 1 s\nProcess exited with code 1\nOutput:\n",
            Status::Error,
        );
        check("Exit code: 3\nWall time: 1 s\nOutput:\nx", Status::Error);
        check("Exit code: 0\nWall time: 1 s\nOutput:\nx", Status::Ok);
    }

    #[test]
    fn the_same_words_in_an_output_are_a_tools() {
        check("Exit code: 3", Status::Ok);
        check("my log\nProcess exited with code 1\nOutput:\n", Status::Ok);
        check(
            "Chunk ID: 1\nOutput:\nProcess exited with code 1\nOutput:\n",
            Status::Ok,
        );
        check(r#"{"metadata":{"exit_code":"2"}}"#, Status::Ok);
        check(r#"{"metadata":{"exit_code":2}"#, Status::Ok);
        check("it said: exec command rejected by user", Status::Ok);
    }

    #[test]
    fn refusals_and_aborts_are_no_failures() {
        check("exec command rejected by user", Status::Denied);
        check("patch rejected by user", Status::Denied);
        check("aborted", Status::Cancelled);
        check("aborted by user after 2.0s", Status::Cancelled);
        check("Wall time: 2.0 seconds\naborted by user", Status::Cancelled);
    }

    #[test]
    fn a_flag_says_it_too() {
        let text = r#"{"content":"no such file","success":false}"#;
        let outcome = of(Json::parse(text).unwrap());
        assert_eq!(outcome.status, Status::Error);
        assert_eq!(&*outcome.texts, ["no such file"]);
    }
}
