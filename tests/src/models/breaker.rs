//! The breaker, naively.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Model, Told, line, names, some_tool};
use crate::life::{Call, FAILURES, How, TOOLS};

/// What the breaker goes by.
#[derive(Clone, Debug)]
pub struct BreakerRules {
    /// Identical failures in a row that open a circuit.
    pub max_failures: usize,
    /// Tools that are left out.
    pub exclude: Vec<usize>,
    /// UTF-16 units of a message that are kept.
    pub preview: usize,
}

impl BreakerRules {
    /// Any rules, within small ranges.
    pub fn any() -> impl Strategy<Value = Self> {
        (1..4usize, some_tool(), 1..16usize).prop_map(|(max_failures, exclude, preview)| Self {
            max_failures,
            exclude,
            preview,
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
        let config = json!({
            "maxFailures": self.max_failures,
            "exclude": names(&self.exclude),
            "errorPreviewChars": self.preview,
        });
        json!({"name": "circuit-breaker", "config": config})
    }
}

/// Every failure and success since the last word of a person.
#[derive(Debug)]
pub struct BreakerModel {
    rules: BreakerRules,
    ends: Vec<Ended>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ended {
    Failed {
        call: Call,
        message: usize,
        exact: bool,
    },
    /// A success, or the pardon of the call that had failed last.
    Closed,
}

impl BreakerModel {
    /// A breaker that has seen nothing.
    pub fn new(rules: BreakerRules) -> Self {
        Self {
            rules,
            ends: Vec::new(),
        }
    }

    /// How often in a row this call has failed last, how it failed the last time, and whether
    /// each failure was certainly its own.
    fn chain(&self, of: Call) -> Option<(usize, usize, bool)> {
        let mut chain = None;
        for ended in self.ends.iter().rev() {
            match ended {
                Ended::Failed {
                    call,
                    message,
                    exact,
                } if *call == of => {
                    let (count, last, all) = chain.unwrap_or((0, *message, true));
                    chain = Some((count + 1, last, all && *exact));
                }
                _ => break,
            }
        }
        chain
    }

    /// The message of the last failure as it is quoted.
    fn quoted(&self, message: &str) -> String {
        if message.is_empty() {
            return "(no message)".to_owned();
        }
        if message.encode_utf16().count() <= self.rules.preview {
            return message.to_owned();
        }
        let mut quoted = String::new();
        for character in message.chars() {
            let longer = quoted.encode_utf16().count() + character.len_utf16();
            if longer > self.rules.preview {
                break;
            }
            quoted.push(character);
        }
        quoted + "…"
    }
}

impl Model for BreakerModel {
    fn decide(&self, call: Call, exact: bool) -> Option<String> {
        let (count, message, all_exact) = self.chain(call)?;
        if count < self.rules.max_failures || !exact || !all_exact {
            return None;
        }
        let (tool, message) = (TOOLS[call.tool], self.quoted(FAILURES[message]));
        let reason = format!(
            "The identical {tool} call already failed {count} consecutive times. Last failure: \
             {message}. Change the arguments or approach, inspect external state, or ask the \
             user instead of retrying unchanged."
        );
        Some(line("circuit-open", &count.to_string(), &reason))
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        match told {
            Told::StartedOver => self.ends.clear(),
            Told::Pardoned(call) if self.chain(*call).is_some() => self.ends.push(Ended::Closed),
            Told::Ended {
                call,
                exact,
                how: Some(how),
                ..
            } if !self.rules.exclude.contains(&call.tool) => match how {
                How::Success => self.ends.push(Ended::Closed),
                How::Failure(message) => self.ends.push(Ended::Failed {
                    call: *call,
                    message: *message,
                    exact: *exact,
                }),
                How::Denied | How::Cancelled => {}
            },
            _ => {}
        }
        Vec::new()
    }
}
