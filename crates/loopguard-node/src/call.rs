//! What is called for every call of an agent: each a function, for speed.

use loopguard::{Answer, CallNumber, Ending, Submission};
use napi::bindgen_prelude::{Either, Result};
use napi_derive::napi;
use serde_json::json;

use crate::session::said;
use crate::watched::{self, Watched};

/// How a call ended, and what else there is to say with it: the bits of one number.
const KIND: u32 = 0b11;
/// The arguments have lost digits.
const INEXACT: u32 = 0b100;
/// The host can carry no notice now.
const HOLD: u32 = 0b1000;

/// Asks whether a call of the agent may run. The answer is its number, or the refusal as JSON.
///
/// `how` has the bit 4 where the arguments have lost digits; `step` is negative where there is
/// none; `at` is in milliseconds.
///
/// # Errors
///
/// Where there is no such agent.
#[napi(catch_unwind)]
pub fn submit(
    agent: u32,
    tool: String,
    arguments: String,
    how: u32,
    step: f64,
    at: f64,
) -> Result<Either<f64, String>> {
    watched::with(agent, |watched| {
        let call = submission(&tool, &arguments, how, step, at);
        match watched.submit(&call) {
            Answer::Refused(refusal) => Either::B(
                json!({
                    "denial": refusal.denial,
                    "further": refusal.further,
                    "halt": refusal.halt,
                })
                .to_string(),
            ),
            Answer::Admitted(number) => {
                watched.arguments.keep(number, arguments);
                Either::A(number.0 as f64)
            }
            // There is no other answer yet.
            _ => Either::A(0.0),
        }
    })
}

/// Tells how a call ended. The answer is what is to be said now, as JSON: nothing, mostly.
///
/// `how` is 0 for a success, 1 for a failure, 2 for a denial, 3 for a call that was given up, and
/// has the bit 8 where nothing can be said now.
///
/// # Errors
///
/// Where there is no such agent.
#[napi(catch_unwind)]
pub fn finish(
    agent: u32,
    call: f64,
    how: u32,
    at: f64,
    message: Option<String>,
    text: Option<String>,
    more: Option<Vec<String>>,
) -> Result<Option<String>> {
    watched::with(agent, |watched| {
        let number = CallNumber(call as u64);
        let arguments = watched.arguments.take(number);
        let end = End(how, at, message, text, more);
        end.finish(watched, number, arguments.as_deref())
    })
}

/// Tells of a call that has ended, however it has: for guards that only count calls, so that it
/// crosses the border once. The answer is that of `finish`.
///
/// # Errors
///
/// Where there is no such agent.
#[napi(catch_unwind)]
pub fn tell(
    agent: u32,
    tool: String,
    arguments: String,
    how: u32,
    step: f64,
    submitted: f64,
    at: f64,
) -> Result<Option<String>> {
    watched::with(agent, |watched| {
        let call = submission(&tool, &arguments, how, step, submitted);
        match watched.submit(&call) {
            Answer::Admitted(number) => {
                let end = End(how & HOLD, at, None, None, None);
                end.finish(watched, number, Some(&arguments))
            }
            _ => None,
        }
    })
}

fn submission<'a>(
    tool: &'a str,
    arguments: &'a str,
    how: u32,
    step: f64,
    at: f64,
) -> Submission<'a> {
    let mut call = Submission::new(tool, arguments).at(at as i64);
    if step >= 0.0 {
        call = call.step(step as u64);
    }
    if how & INEXACT == 0 {
        call
    } else {
        call.inexact()
    }
}

/// How a call ended, when, the failure's message, and the text blocks of the result: one, mostly.
struct End(
    u32,
    f64,
    Option<String>,
    Option<String>,
    Option<Vec<String>>,
);

impl End {
    fn finish(
        &self,
        watched: &Watched,
        call: CallNumber,
        arguments: Option<&str>,
    ) -> Option<String> {
        let Self(how, at, message, text, more) = self;
        let one = text.as_deref();
        let all: Vec<&str>;
        let texts = match (&one, more) {
            (None, _) => &[],
            (Some(text), None) => std::slice::from_ref(text),
            (Some(text), Some(more)) => {
                let more = more.iter().map(String::as_str);
                all = std::iter::once(*text).chain(more).collect();
                all.as_slice()
            }
        };
        let mut ending = match how & KIND {
            0 => Ending::success(texts),
            1 => Ending::failure(message.as_deref().unwrap_or_default(), texts),
            2 => Ending::denied(),
            _ => Ending::cancelled(),
        };
        if let Some(arguments) = arguments {
            ending = ending.arguments(arguments);
        }
        watched.finish(call, &ending.at(*at as i64));
        if how & HOLD != 0 {
            return None;
        }
        said(watched)
    }
}
