//! What guards answer: a verdict before a call, notices after an event.

use serde::{Deserialize, Serialize};

use crate::{Facts, GuardId};

/// A guard's answer before a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing speaks against the call.
    Admit,
    /// The call must not run. Boxed: to admit costs no more than a word.
    Refuse(Box<Denial>),
}

impl Verdict {
    /// A refusal by `guard`.
    pub fn refuse(guard: &GuardId, code: &str, reason: impl Into<String>, facts: Facts) -> Self {
        Self::Refuse(Box::new(Denial {
            guard: guard.clone(),
            code: code.to_owned(),
            reason: reason.into(),
            facts,
        }))
    }
}

/// A refusal before the tool runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Denial {
    /// The guard that refuses, by the id of its row.
    pub guard: GuardId,
    /// What was found, such as `circuit-open`: stable, for programs.
    pub code: String,
    /// What the model reads in place of a result.
    pub reason: String,
    /// What the refusal rests on.
    pub facts: Facts,
}

/// Advice for the model, delivered as a message of its own after the step's results.
///
/// It never replaces or edits a tool's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Notice {
    /// The guard that speaks, by the id of its row: the label of the message's source.
    pub guard: GuardId,
    /// What was found, such as `repeated-call`: stable, for programs.
    pub code: String,
    /// What the model reads.
    pub text: String,
    /// A few words for people, such as `bash × 3`.
    pub summary: String,
    /// What the notice rests on.
    pub facts: Facts,
}

impl Notice {
    /// A notice of `guard`.
    pub fn new(
        guard: &GuardId,
        code: &str,
        text: impl Into<String>,
        summary: impl Into<String>,
        facts: Facts,
    ) -> Self {
        Self {
            guard: guard.clone(),
            code: code.to_owned(),
            text: text.into(),
            summary: summary.into(),
            facts,
        }
    }

    /// The source label under which hosts of the DeepSeek Harness's kind deliver it:
    /// `{"kind":"plugin","plugin":"<id>","form":"notice","summary":"…"}`.
    pub fn source(&self) -> serde_json::Value {
        serde_json::json!({
            "kind": "plugin",
            "plugin": self.guard.as_str(),
            "form": "notice",
            "summary": self.summary,
        })
    }
}

/// Where guards put their notices; empty, it holds no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notices(Vec<Notice>);

impl Notices {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a notice behind the others.
    pub fn push(&mut self, notice: Notice) {
        self.0.push(notice);
    }

    /// The notices so far, in order.
    pub fn as_slice(&self) -> &[Notice] {
        &self.0
    }

    /// Whether nobody has said anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the notices out, in order.
    pub fn take(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_taken_once_in_the_order_in_which_they_were_said() {
        let guard = GuardId::new("mine");
        let say = |code| Notice::new(&guard, code, "text", "summary", Facts::default());
        let mut notices = Notices::new();
        assert!(notices.is_empty());
        notices.push(say("first"));
        notices.push(say("second"));
        assert_eq!(notices.as_slice(), [say("first"), say("second")]);
        assert_eq!(notices.take(), [say("first"), say("second")]);
        assert!(notices.is_empty() && notices.as_slice().is_empty());
    }
}
