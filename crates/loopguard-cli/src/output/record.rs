//! Decisions and reports as JSON: keys in the order of the fields.
//!
//! A report is put together from the texts of its parts, so that each thread makes those of
//! its sessions, and only text is kept of them.

use loopguard::Effect;
use loopguard_transcript::SessionOutcome;
use serde::Serialize;

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

/// A session's decisions, a line each.
pub(super) fn lines(file: &str, session: &Session) -> Vec<u8> {
    let mut lines = Vec::new();
    for decision in &session.decisions {
        let record = DecisionRecord::new(file, session.id.as_deref(), decision);
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut lines, &record);
        lines.push(b'\n');
    }
    lines
}

/// One session of a report.
#[derive(Debug, Serialize)]
struct SessionRecord<'a> {
    file: &'a str,
    session: Option<&'a str>,
    outcome: &'static str,
    calls: u64,
    decisions: Vec<DecisionRecord<'a>>,
}

/// What stands before each entry of a report.
const BEFORE_ENTRY: &str = ",\n    ";

/// A session as its place in a report has it, with what separates it from the one before.
pub(super) fn report_entry(file: &str, session: &Session) -> Vec<u8> {
    let id = session.id.as_deref();
    let decisions = session.decisions.iter();
    let record = SessionRecord {
        file,
        session: id,
        outcome: outcome(session.outcome),
        calls: session.tally.calls,
        decisions: decisions
            .map(|decision| DecisionRecord::new(file, id, decision))
            .collect(),
    };
    format!("{BEFORE_ENTRY}{}", indented(&record, "    ")).into_bytes()
}

/// The entries of a report, nothing standing before the first.
pub(super) fn joined(entries: &[u8]) -> &[u8] {
    entries.get(1..).unwrap_or_default()
}

/// What stands before the entries of a report, and after them.
pub(super) fn report_frame(totals: &Totals, has_entries: bool) -> [String; 2] {
    let totals = indented(totals, "  ");
    let before = format!("{{\n  \"totals\": {totals},\n  \"sessions\": [");
    let after = if has_entries { "\n  ]\n}\n" } else { "]\n}\n" };
    [before, after.to_owned()]
}

/// Pretty JSON text, but for its first line further to the right. A line break inside a string
/// is written as an escape, so every other one is white space.
fn indented(record: &impl Serialize, by: &str) -> String {
    // All keys are texts and memory takes everything, so there is nothing to fail.
    let json = serde_json::to_string_pretty(record).unwrap_or_default();
    json.replace('\n', &format!("\n{by}"))
}

fn outcome(outcome: SessionOutcome) -> &'static str {
    match outcome {
        SessionOutcome::Success => "success",
        SessionOutcome::Failure => "failure",
        _ => "unknown",
    }
}
