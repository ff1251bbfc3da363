//! One agent with a brake, and the traces of what happens to it.
//!
//! - `a`: a call of the tool `a` that succeeds; `a2` one with other arguments. Behind it, `!`: it
//!   fails, `-`: another guard refuses it, `=`: the host refuses it, `~`: it is cancelled, `?`: its
//!   identity is inexact, `:T`: its result is the text block T, `:T+U` several of them, `:T!` that
//!   of a failure.
//! - `|`: a step of the model begins; `/`: from here on calls belong to no step.
//! - `+250`, `-250`: so many milliseconds pass, or the clock goes back. `clock`: from here on times
//!   are told.
//! - `<mail:T`: a message of the plugin `mail` with the text T, `<mail#7:T` under the id 7,
//!   `<mail:T+U` of two blocks; `<USER`, `<ASSISTANT:T`, `<PART#7:T` (a piece of a message of the
//!   assistant that still streams), `<NOTICE:T` (a plugin's notice). Several in one batch are
//!   joined by a comma.
//! - `RESET`, `COMPACT`, `pardon:a`.
//!
//! A text `T` is long enough to be looked at, `t` is too short; `ok` is a mere acknowledgement.

use std::sync::Arc;

use loopguard_brake::core::{
    Arguments, Call, CallNumber, Denial, Event, Facts, Form, Guard, GuardId, Message, Notice,
    Notices, Outcome, Output, Seed, Source, StepId, Text, Timestamp, Verdict,
};
use loopguard_brake::{Brake, BrakeConfig, DEFAULT_ID};
use serde_json::Value;

/// A brake, and the time.
pub(crate) struct Agent {
    pub(crate) guard: Brake,
    now: Option<i64>,
    calls: u64,
    step: Option<u64>,
    steps: u64,
}

/// What came of one token.
pub(crate) struct Heard {
    pub(crate) denial: Option<Denial>,
    pub(crate) notices: Vec<Notice>,
}

impl Agent {
    pub(crate) fn new(config: &Value) -> Self {
        Self::under(BrakeConfig::from_value(config).expect("a configuration"))
    }

    /// An agent under a configuration that was read already.
    pub(crate) fn under(config: BrakeConfig) -> Self {
        Self {
            guard: Brake::new(DEFAULT_ID.into(), Arc::new(config)),
            now: None,
            calls: 0,
            step: None,
            steps: 0,
        }
    }

    /// Plays a trace: all that was said, as `place summary` joined by commas.
    pub(crate) fn play(&mut self, trace: &str) -> String {
        let mut said = Vec::new();
        for (at, token) in trace.split_whitespace().enumerate() {
            let heard = self.token(token);
            let denial = heard.denial.iter();
            said.extend(denial.map(|denial| format!("{} {}", at + 1, denial.code)));
            for notice in heard.notices {
                let facts = notice.facts;
                let names = [facts.tools.join(""), facts.sources.join("+")].concat();
                let names = match names.as_str() {
                    "" => String::new(),
                    names => format!(" {names}"),
                };
                let summary = notice.summary.replace("sequence loop", "sequence");
                let summary = summary.replace("duplicate text", "text");
                said.push(format!("{} {summary}{names}", at + 1));
            }
        }
        said.join(", ")
    }

    /// Plays one token.
    pub(crate) fn token(&mut self, token: &str) -> Heard {
        let first = token.chars().next();
        match (token, first) {
            ("clock", _) => self.now = Some(1_700_000_000_000),
            ("|", _) => {
                self.steps += 1;
                self.step = Some(self.steps);
            }
            ("/", _) => self.step = None,
            (_, Some('+' | '-')) => {
                let passed: i64 = token.parse().expect("milliseconds");
                self.now = self.now.map(|now| now + passed);
            }
            (_, Some('<')) => return self.messages(&token[1..]),
            ("RESET", _) => return self.tell(&Event::Reset(self.time())),
            ("COMPACT", _) => return self.tell(&Event::Compacted(self.time())),
            _ => match token.strip_prefix("pardon:") {
                Some(call) => return self.tell(&Event::Pardoned(call_of(call).identity())),
                None => return self.call(token),
            },
        }
        Heard {
            denial: None,
            notices: Vec::new(),
        }
    }

    /// A result of these very texts.
    pub(crate) fn result(&mut self, tool: &str, texts: &[&str]) -> Vec<Notice> {
        self.calls += 1;
        let arguments = self.calls.to_string();
        let call = Call::new(Seed::FIXED, tool, Arguments::Text(&arguments));
        let texts: Vec<_> = texts.iter().map(|it| Text::new(Seed::FIXED, it)).collect();
        self.finish(&call, Outcome::Success(&Output::new(&texts)))
            .notices
    }

    /// A call with these arguments that succeeds without a word.
    pub(crate) fn ask(&mut self, tool: &str, arguments: &str) -> Heard {
        self.calls += 1;
        let call = Call::new(Seed::FIXED, tool, Arguments::Text(arguments));
        let call = call.numbered(CallNumber(self.calls));
        if let Verdict::Refuse(denial) = self.guard.decide(&call) {
            let mut heard = self.tell(&Event::Refused(&call, &denial));
            heard.denial = Some(*denial);
            return heard;
        }
        self.finish(&call, Outcome::Success(&Output::default()))
    }

    /// A message of the assistant, or a piece of one, of this very text.
    pub(crate) fn says(&mut self, id: &str, form: Form, text: &str) -> Vec<Notice> {
        let texts = [Text::new(Seed::FIXED, text)];
        let message = Message::new(Source::Assistant, &texts).id(id).form(form);
        self.tell(&Event::Messages(&[message], self.time())).notices
    }

    fn call(&mut self, token: &str) -> Heard {
        self.calls += 1;
        let (named, result) = token.split_once(':').unwrap_or((token, ""));
        let mut call = call_of(named.trim_end_matches(['!', '-', '=', '~', '?']));
        call = call.numbered(CallNumber(self.calls)).at(self.time());
        call = call.in_step(self.step.map(StepId));
        if named.ends_with('?') {
            call = Call::with_identity(call.tool(), call.identity().inexact());
        }
        let other = GuardId::new("another");
        let verdict = match named.ends_with('-') {
            true => Verdict::refuse(&other, "code", "reason", Facts::new("rule", 1)),
            false => self.guard.decide(&call),
        };
        if let Verdict::Refuse(denial) = verdict {
            let mut heard = self.tell(&Event::Refused(&call, &denial));
            heard.denial = (denial.guard != other).then_some(*denial);
            return heard;
        }
        self.tell(&Event::Admitted(&call));
        let blocks = blocks(result.trim_end_matches('!'));
        let texts: Vec<_> = blocks.iter().map(|it| Text::new(Seed::FIXED, it)).collect();
        let output = Output::new(&texts);
        let outcome = match named.chars().last() {
            _ if token.ends_with('!') => Outcome::Failure {
                message: "no",
                output: &output,
            },
            Some('=') => Outcome::Denied,
            Some('~') => Outcome::Cancelled,
            _ => Outcome::Success(&output),
        };
        self.finish(&call, outcome)
    }

    fn finish(&mut self, call: &Call<'_>, outcome: Outcome<'_>) -> Heard {
        let at = self.time();
        self.tell(&Event::Finished { call, outcome, at })
    }

    fn messages(&mut self, batch: &str) -> Heard {
        let parts: Vec<_> = batch
            .split(',')
            .map(|message| {
                let (from, text) = message.split_once(':').unwrap_or((message, ""));
                let (from, id) = from
                    .split_once('#')
                    .map_or((from, None), |(f, i)| (f, Some(i)));
                (from, id, blocks(text))
            })
            .collect();
        let texts: Vec<Vec<Text<'_>>> = parts
            .iter()
            .map(|(_, _, blocks)| blocks.iter().map(|it| Text::new(Seed::FIXED, it)).collect())
            .collect();
        let messages: Vec<_> = parts
            .iter()
            .zip(&texts)
            .map(|((from, id, _), texts)| {
                let source = match *from {
                    "USER" => Source::User,
                    "ASSISTANT" | "PART" => Source::Assistant,
                    "system" => Source::Other("system"),
                    name => Source::Plugin(name),
                };
                let form = match *from {
                    "NOTICE" => Form::Notice,
                    "PART" => Form::Part,
                    _ => Form::Plain,
                };
                Message::new(source, texts).id(*id).form(form)
            })
            .collect();
        self.tell(&Event::Messages(&messages, self.time()))
    }

    fn tell(&mut self, event: &Event<'_>) -> Heard {
        let mut notices = Notices::new();
        self.guard.observe(event, &mut notices);
        Heard {
            denial: None,
            notices: notices.take(),
        }
    }

    fn time(&self) -> Option<Timestamp> {
        self.now.map(Timestamp::from_millis)
    }
}

/// The call of a token: letters are the tool, digits behind them the arguments.
fn call_of(token: &str) -> Call<'_> {
    let tool = token.trim_end_matches(|c: char| c.is_ascii_digit());
    Call::new(Seed::FIXED, tool, Arguments::Text(&token[tool.len()..]))
}

/// The text blocks of a token: a long one for each capital letter, a short one for a small one.
fn blocks(names: &str) -> Vec<String> {
    names
        .split('+')
        .filter(|name| !name.is_empty())
        .map(|name| match name.starts_with(char::is_uppercase) {
            _ if name == "ok" => name.to_owned(),
            true => format!("{name} is a text that is long enough to be looked at. ").repeat(2),
            false => format!("{name} is short"),
        })
        .collect()
}
