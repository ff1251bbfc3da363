//! One session as a person reads it, gathered while it is replayed.

use std::collections::{BTreeMap, HashSet, VecDeque};

use anstyle::{AnsiColor, Style};
use loopguard::Effect;
use loopguard_transcript::{Event, EventKind, MessageForm, Piece, Status};

use super::clock::Clock;
use crate::engine::{Action, Decision};
use crate::wrap::{one_line, padded, width, wrap};

/// The lines of a session so far.
///
/// Long runs without a decision are shortened to their beginning and their end, so that it
/// holds little more than what was decided.
#[derive(Debug)]
pub(crate) struct Transcript {
    width: usize,
    body: String,
    /// The run of entries since the latest decision: how many, and the last of them.
    run: u64,
    recent: VecDeque<String>,
    /// The agent column is as wide as the longest name so far, within bounds.
    agent_width: usize,
    /// Refused calls whose recorded result has not come yet.
    refused: HashSet<u64>,
    clock: Clock,
    /// Each agent's latest step, where there are steps, to tell which calls were issued together.
    steps: BTreeMap<String, u64>,
}

/// Names of tools and guards are cut to this many columns.
const MAX_NAME: usize = 60;

/// How many entries of a long run are shown at its beginning and at its end.
const RUN_HEAD: u64 = 4;
const RUN_TAIL: usize = 8;

/// Leaving out fewer entries than this gains nothing.
const RUN_GAP: usize = 4;

/// The agent column is never wider, and narrower on a narrow terminal: an eighth of it.
const MAX_AGENT: usize = 14;
const MIN_AGENT: usize = 6;

/// What guards say is folded to this many columns where there is room for more: longer lines
/// are hard to read.
const MAX_PROSE: usize = 100;

/// The margin besides the time and the agent: the call's index and blanks.
const MARGIN: usize = 9;

/// No more agents' steps are remembered; of one more, calls look as if issued one by one.
const MAX_AGENTS: usize = 1_000;

const DIM: Style = Style::new().dimmed();
const NOTICE: Style = AnsiColor::Yellow.on_default().bold();
const DENIED: Style = AnsiColor::Red.on_default().bold();
const HALT: Style = AnsiColor::Red.on_default().bold().invert();

impl Transcript {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            body: String::new(),
            run: 0,
            recent: VecDeque::new(),
            agent_width: 4,
            refused: HashSet::new(),
            clock: Clock::default(),
            steps: BTreeMap::new(),
        }
    }

    /// How wide its lines may be.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Forgets the session.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.width);
    }

    /// The session's lines, all of them, and how long it took, where it tells.
    pub(super) fn take(&mut self) -> (String, Option<String>) {
        self.end_run();
        let body = std::mem::take(&mut self.body);
        let took = self.clock.took();
        self.clear();
        (body, took)
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        let agent = event.agent.name().unwrap_or("nobody");
        self.clock.tick(event.at);
        let (index, what, text) = match &event.kind {
            EventKind::Session { .. } => return,
            EventKind::User { texts, .. } => (None, "user: ".to_owned(), texts.joined()),
            EventKind::Message {
                texts,
                source,
                form,
                ..
            } => {
                let kind = match form {
                    MessageForm::Notice => "notice",
                    _ => "message",
                };
                let from = one_line(source.as_deref().unwrap_or("context"), 30);
                (None, format!("{kind} from {from}: "), texts.joined())
            }
            // The last piece stands for the whole.
            EventKind::Assistant {
                piece: Piece::Part, ..
            } => return,
            EventKind::Assistant { texts, .. } => (None, "assistant: ".to_owned(), texts.joined()),
            EventKind::Call {
                index,
                tool,
                arguments,
                ..
            } => {
                let tool = one_line(tool, MAX_NAME.min(self.width / 2));
                let and = if self.joins(agent, event.step) {
                    "& "
                } else {
                    ""
                };
                let what = format!("{and}{tool}  ");
                (Some(*index), what, arguments.as_ref().into())
            }
            EventKind::Result {
                call,
                status,
                texts,
                error,
                ..
            } => {
                let text = match error {
                    Some(error) if texts.is_empty() => error.as_ref().into(),
                    _ => texts.joined(),
                };
                let refused = call.is_some_and(|call| self.refused.remove(&call));
                let recorded = if refused { "not run; recorded: " } else { "" };
                let status = match status {
                    Status::Ok => "ok",
                    Status::Error => "error",
                    Status::Denied => "denied",
                    _ => "cancelled",
                };
                (*call, format!("  -> {recorded}{status}: "), text)
            }
            EventKind::Compaction => (None, "the history was compacted".to_owned(), "".into()),
            EventKind::Reset => (None, "the conversation was cleared".to_owned(), "".into()),
            EventKind::AgentEnd => (None, "the agent is gone".to_owned(), "".into()),
            EventKind::SessionEnd => (None, "the session is over".to_owned(), "".into()),
            _ => return,
        };
        let margin = self.margin(index, agent);
        let room = self.width.saturating_sub(self.indent() + width(&what));
        let text = one_line(&text, room.max(8));
        let line = format!("{DIM}{margin}{DIM:#}{what}{text}");
        self.entry(line.trim_end());
    }

    pub(super) fn decision(&mut self, decision: &Decision) {
        self.end_run();
        if decision.action == Action::Deny && decision.effect == Effect::Live {
            self.refused.insert(decision.call_index);
        }
        let (style, mark) = match decision.action {
            Action::Notice => (NOTICE, "notice"),
            Action::Deny => (DENIED, "DENIED"),
            Action::Halt => (HALT, "HALT"),
        };
        let dry = match decision.effect {
            Effect::DryRun => "  (dry run: without effect)",
            _ => "",
        };
        let margin = self.margin(Some(decision.call_index), &decision.agent);
        let indent = self.indent();
        let room = self.width.saturating_sub(indent + 2).max(24);
        let bar = format!("{:indent$}{style}│{style:#} ", "");
        let guard = one_line(&decision.guard, MAX_NAME.min(room - width(mark) - 2));
        self.body.push_str(&format!(
            "{DIM}{margin}{DIM:#}{style}┌ {mark}{style:#}  {guard}"
        ));
        let code = format!("{}{dry}", decision.code);
        match width(mark) + 2 + width(&guard) + 2 + width(&code) <= room {
            true => self.body.push_str(&format!("  {code}\n")),
            false => self.body.push_str(&format!("\n{bar}{code}\n")),
        }
        for line in wrap(&decision.message, room.min(MAX_PROSE)) {
            self.body.push_str(format!("{bar}{line}").trim_end());
            self.body.push('\n');
        }
        for further in &decision.further {
            let (guard, code) = (one_line(&further.guard, MAX_NAME), &further.code);
            for line in wrap(&format!("also against it: {guard}  {code}"), room) {
                self.body.push_str(&format!("{bar}{line}\n"));
            }
        }
    }

    /// The beginning of a line: the call's index, the time and the agent.
    fn margin(&mut self, index: Option<u64>, agent: &str) -> String {
        let agent = one_line(agent, (self.width / 8).clamp(MIN_AGENT, MAX_AGENT));
        self.agent_width = self.agent_width.max(width(&agent));
        let index = match index {
            None | Some(0) => String::new(),
            Some(index) => index.to_string(),
        };
        let agent = padded(&agent, self.agent_width);
        format!("{index:>5}  {}{agent}  ", self.clock.column())
    }

    /// How wide the margin is.
    fn indent(&self) -> usize {
        MARGIN + self.clock.column().len() + self.agent_width
    }

    /// Whether a call was issued together with the agent's call before it.
    fn joins(&mut self, agent: &str, step: Option<u64>) -> bool {
        let Some(step) = step else { return false };
        if let Some(latest) = self.steps.get_mut(agent) {
            return std::mem::replace(latest, step) == step;
        }
        if self.steps.len() < MAX_AGENTS {
            self.steps.insert(agent.to_owned(), step);
        }
        false
    }

    /// One more line of the run.
    fn entry(&mut self, line: &str) {
        self.run += 1;
        if self.run <= RUN_HEAD {
            self.body.push_str(line);
            self.body.push('\n');
            return;
        }
        if self.recent.len() == RUN_TAIL + RUN_GAP {
            self.recent.pop_front();
        }
        self.recent.push_back(line.to_owned());
    }

    /// Shows how the run ends.
    fn end_run(&mut self) {
        let rest = self.run.saturating_sub(RUN_HEAD);
        if rest >= (RUN_TAIL + RUN_GAP) as u64 {
            let left_out = rest - RUN_TAIL as u64;
            let surplus = self.recent.len().saturating_sub(RUN_TAIL);
            self.recent.drain(..surplus);
            self.body
                .push_str(&format!("{DIM}{:>5}  {left_out} more lines{DIM:#}\n", "…"));
        }
        for line in self.recent.drain(..) {
            self.body.push_str(&line);
            self.body.push('\n');
        }
        self.run = 0;
    }
}
