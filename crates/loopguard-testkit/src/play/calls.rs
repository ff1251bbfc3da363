//! The calls of a step: submitted, refused or run, ended.

use loopguard::{Answer, Ending, Halt, Notice, Refusal, Submission};

use super::Play;
use crate::call::{ScriptedCall, ScriptedEnding};
use crate::script::{AfterDenial, Clock};
use crate::transcript::{Status, What};

/// A call between submission and end.
pub(super) struct Open<'c> {
    call: &'c ScriptedCall,
    id: String,
    answer: Answer,
}

impl Play<'_> {
    pub(super) fn submit<'c>(&mut self, agent: &str, call: &'c ScriptedCall) -> Open<'c> {
        let known = self.known(agent);
        known.calls += 1;
        let id = match &call.id {
            Some(id) => id.clone(),
            None => format!("c{}", known.calls),
        };
        let step = known.steps;
        let mut submission = Submission::new(&call.tool, call.arguments.get())
            .id(&id)
            .step(step);
        if let Some(at) = self.time() {
            submission = submission.at(at.as_millis());
        }
        self.record(Some(agent), issued(&id, call));
        let answer = self.sessions.submit(agent, &submission);
        self.observe(agent);
        Open { call, id, answer }
    }

    /// A call is over: the answer is what the guards have to say.
    pub(super) fn finish(&mut self, agent: &str, open: &Open<'_>) -> Vec<Notice> {
        match &open.answer {
            Answer::Refused(refusal) => self.refused(agent, open, refusal),
            _ => self.admitted(agent, open),
        }
    }

    fn refused(&mut self, agent: &str, open: &Open<'_>, refusal: &Refusal) -> Vec<Notice> {
        let mut notices = self.sessions.take_notices(agent);
        if let Some(text) = &open.call.late_result {
            let texts = [&**text];
            let result = Ending::success(&texts);
            notices.extend(self.sessions.finish(agent, &*open.id, &result));
            self.observe(agent);
        }
        let carried = match self.script.after_denial {
            AfterDenial::Messages => Vec::new(),
            AfterDenial::InTheReason => std::mem::take(&mut notices),
        };
        let what = What::Refused {
            id: open.id.clone(),
            refusal: refusal.clone(),
            carried,
        };
        self.record(Some(agent), what);
        if let Some(halt) = &refusal.halt {
            self.halt(agent, halt);
        }
        notices
    }

    fn admitted(&mut self, agent: &str, open: &Open<'_>) -> Vec<Notice> {
        let usual = match self.script.clock {
            Clock::Ticking { call_ms } => call_ms,
            Clock::Stopped => 0,
        };
        let call = open.call;
        self.now += call.takes_ms.unwrap_or(usual);
        let texts: Vec<&str>;
        let (status, ending, texts) = match &call.ending {
            ScriptedEnding::Never => return Vec::new(),
            ScriptedEnding::Success(blocks) => {
                texts = blocks.iter().map(String::as_str).collect();
                (Status::Ok, Ending::success(&texts), &texts[..])
            }
            ScriptedEnding::Failure { message, text } => {
                texts = vec![text];
                (Status::Error, Ending::failure(message, &texts), &texts[..])
            }
            ScriptedEnding::DeniedByHost(reason) => {
                texts = vec![reason];
                (Status::DeniedByHost, Ending::denied(), &texts[..])
            }
            ScriptedEnding::Cancelled => (Status::Cancelled, Ending::cancelled(), &[][..]),
        };
        let mut ending = ending.arguments(call.arguments.get());
        if let Some(at) = self.time() {
            ending = ending.at(at.as_millis());
        }
        let what = What::Result {
            id: open.id.clone(),
            status,
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        let notices = self.sessions.finish(agent, &*open.id, &ending);
        self.record(Some(agent), what);
        self.observe(agent);
        notices
    }

    fn halt(&mut self, agent: &str, halt: &Halt) {
        self.known(agent).is_halted = true;
        self.record(Some(agent), What::Halted(halt.clone()));
    }

    /// A call that no agent makes: it goes to the guards all the same, as any host would do.
    pub(super) fn agentless(&mut self, call: &ScriptedCall) {
        self.record(None, issued("direct", call));
        let submission = Submission::new(&call.tool, call.arguments.get()).id("direct");
        let answer = self.sessions.submit(None, &submission);
        assert!(
            matches!(answer, Answer::Admitted(_)),
            "a call without an agent is ignored by every guard"
        );
        let (status, ending) = match &call.ending {
            ScriptedEnding::Failure { message, .. } => {
                (Status::Error, Ending::failure(message, &[]))
            }
            _ => (Status::Ok, Ending::success(&[])),
        };
        let notices = self.sessions.finish(None, "direct", &ending);
        assert!(
            notices.is_empty(),
            "a call without an agent is ignored by every guard"
        );
        let (id, texts) = ("direct".to_owned(), Vec::new());
        self.record(None, What::Result { id, status, texts });
    }
}

fn issued(id: &str, call: &ScriptedCall) -> What {
    What::Call {
        id: id.to_owned(),
        tool: call.tool.clone(),
        arguments: call.arguments.render(),
    }
}
