//! Decisions and reports as JSON: keys in the order of the fields.

use loopguard::Effect;
use loopguard_transcript::SessionOutcome;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::engine::{Action, Decision, Further};
use crate::session::Session;
use crate::totals::Totals;

/// One decision.
#[derive(Debug, Serialize)]
pub(super) struct DecisionRecord<'a> {
    file: &'a str,
    session: Option<&'a str>,
    line: Option<u64>,
    agent: &'a str,
    call_index: u64,
    call: Option<&'a str>,
    tool: Option<&'a str>,
    guard: &'a str,
    action: Action,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    further: &'a [Further],
}

impl<'a> DecisionRecord<'a> {
    pub(super) fn new(file: &'a str, session: Option<&'a str>, decision: &'a Decision) -> Self {
        Self {
            file,
            session,
            line: decision.line,
            agent: &decision.agent,
            call_index: decision.call_index,
            call: decision.call.as_deref(),
            tool: decision.tool.as_deref(),
            guard: &decision.guard,
            action: decision.action,
            code: &decision.code,
            message: &decision.message,
            dry_run: decision.effect == Effect::DryRun,
            further: &decision.further,
        }
    }
}

/// One report over everything.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) totals: &'a Totals,
    pub(super) sessions: &'a [SessionRecord],
}

/// One session of a report.
pub(super) struct SessionRecord {
    file: String,
    session: Session,
}

impl SessionRecord {
    pub(super) fn new(file: &str, session: Session) -> Self {
        Self {
            file: file.to_owned(),
            session,
        }
    }
}

impl Serialize for SessionRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            file: &'a str,
            session: Option<&'a str>,
            outcome: &'static str,
            calls: u64,
            decisions: Decisions<'a>,
        }
        Record {
            file: &self.file,
            session: self.session.id.as_deref(),
            outcome: outcome(self.session.outcome),
            calls: self.session.tally.calls,
            decisions: Decisions(self),
        }
        .serialize(serializer)
    }
}

struct Decisions<'a>(&'a SessionRecord);

impl Serialize for Decisions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SessionRecord { file, session } = self.0;
        let mut list = serializer.serialize_seq(Some(session.decisions.len()))?;
        for decision in &session.decisions {
            list.serialize_element(&DecisionRecord::new(file, session.id.as_deref(), decision))?;
        }
        list.end()
    }
}

fn outcome(outcome: SessionOutcome) -> &'static str {
    match outcome {
        SessionOutcome::Success => "success",
        SessionOutcome::Failure => "failure",
        _ => "unknown",
    }
}
