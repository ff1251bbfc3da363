//! What happened, as the model read it, and questions about it.

use std::fmt;

use loopguard::{Denial, Halt, Notice, Refusal};

use crate::render;

/// A story that was played: everything in order.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    pub(crate) entries: Vec<Entry>,
    pub(crate) observed: Vec<String>,
}

/// One line of a transcript.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Whom it happened to; nobody for a call past every agent, and for a pause.
    pub agent: Option<String>,
    /// The agent's step in which it happened; 0 before its first.
    pub step: u64,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum What {
    /// A person wrote.
    User(Vec<String>),
    /// A plugin injected context.
    Context {
        /// The plugin.
        plugin: String,
        /// Its id, where the story gives one.
        id: Option<String>,
        /// Whether it is a notice of that plugin.
        form: loopguard::Form,
        /// Its blocks.
        texts: Vec<String>,
    },
    /// A step begins: what has gathered is handed over as one batch.
    Step {
        /// How many messages are in the batch.
        handed_over: usize,
        /// The time, where the host tells any.
        at: Option<i64>,
    },
    /// The model said something.
    Assistant(String),
    /// The model issued a call.
    Call {
        /// The host's id of the call.
        id: String,
        /// The tool.
        tool: String,
        /// Its arguments, as JSON text or as the model wrote them.
        arguments: String,
    },
    /// An admitted call ended.
    Result {
        /// The host's id of the call.
        id: String,
        /// How it ended.
        status: Status,
        /// What the model reads.
        texts: Vec<String>,
    },
    /// A guard refused a call.
    Refused {
        /// The host's id of the call.
        id: String,
        /// Why.
        refusal: Refusal,
        /// Notices that follow the reason, where the host carries no messages after a denial.
        carried: Vec<Notice>,
    },
    /// A notice was delivered as a message of its own.
    Notice(Notice),
    /// A notice still waited when the story was over.
    Waiting(Notice),
    /// A decision of a dry run: nothing came of it.
    Withheld(Heard),
    /// The agent takes no further step until a person speaks.
    Halted(Halt),
    /// The history was compacted.
    Compacted,
    /// The conversation was cleared.
    Reset,
    /// The agent ended.
    Ended,
    /// The host ended and started again, from the state that it had saved.
    Restarted,
    /// So many milliseconds passed.
    Pause(i64),
}

/// How an admitted call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The tool succeeded.
    Ok,
    /// The tool failed.
    Error,
    /// The host refused the call.
    DeniedByHost,
    /// It was given up.
    Cancelled,
}

/// A decision.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Heard {
    /// A guard advises.
    Notice(Notice),
    /// A guard refuses a call.
    Denial(Denial),
    /// A guard refuses a call that is refused already.
    FurtherDenial(Denial),
    /// The host should end the agent's run.
    Halt(Halt),
}

impl Heard {
    /// The decision in one line.
    pub fn summary(&self) -> String {
        match self {
            Self::Notice(notice) => {
                format!("{} {}: {}", notice.guard, notice.code, notice.summary)
            }
            Self::Denial(denial) => format!("{} {} denies", denial.guard, denial.code),
            Self::FurtherDenial(denial) => format!("{} {} denies too", denial.guard, denial.code),
            Self::Halt(halt) => format!("halt after {} denials", halt.denials),
        }
    }
}

impl Entry {
    /// Whether a guard refused a call here.
    pub fn is_refusal(&self) -> bool {
        matches!(self.what, What::Refused { .. })
    }

    /// Whether the model was given a notice here.
    pub fn is_notice(&self) -> bool {
        match &self.what {
            What::Notice(_) => true,
            What::Refused { carried, .. } => !carried.is_empty(),
            _ => false,
        }
    }

    /// The decisions that reached the host here, in order.
    pub fn heard(&self) -> Vec<Heard> {
        match &self.what {
            What::Notice(notice) => vec![Heard::Notice(notice.clone())],
            What::Refused {
                refusal, carried, ..
            } => {
                let mut heard = vec![Heard::Denial(refusal.denial.clone())];
                heard.extend(refusal.further.iter().cloned().map(Heard::FurtherDenial));
                heard.extend(refusal.halt.iter().cloned().map(Heard::Halt));
                heard.extend(carried.iter().cloned().map(Heard::Notice));
                heard
            }
            _ => Vec::new(),
        }
    }
}

impl Transcript {
    /// Everything, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every decision that reached the host, a line each, with the step of its agent, and with
    /// the agent where there are several.
    pub fn said(&self) -> Vec<String> {
        let several = self.has_several_agents();
        let line = |entry: &Entry, heard: &Heard| match &entry.agent {
            Some(agent) if several => {
                format!("{agent} step {}: {}", entry.step, heard.summary())
            }
            _ => format!("step {}: {}", entry.step, heard.summary()),
        };
        self.entries
            .iter()
            .flat_map(|entry| entry.heard().into_iter().map(move |heard| (entry, heard)))
            .map(|(entry, heard)| line(entry, &heard))
            .collect()
    }

    /// Every decision as an observer was given it, a line each, in the order in which they were
    /// made.
    pub fn observed(&self) -> &[String] {
        &self.observed
    }

    /// Every notice that the model was given, in order.
    pub fn notices(&self) -> Vec<Notice> {
        let heard = self.entries.iter().flat_map(Entry::heard);
        heard
            .filter_map(|heard| match heard {
                Heard::Notice(notice) => Some(notice),
                _ => None,
            })
            .collect()
    }

    /// Every refusal, in order.
    pub fn refusals(&self) -> Vec<&Refusal> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Refused { refusal, .. } => Some(refusal),
                _ => None,
            })
            .collect()
    }

    /// Notices that still waited when the story was over.
    pub fn waiting(&self) -> Vec<&Notice> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Waiting(notice) => Some(notice),
                _ => None,
            })
            .collect()
    }

    /// The summaries of the decisions of a dry run.
    pub fn withheld(&self) -> Vec<String> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Withheld(heard) => Some(format!("step {}: {}", entry.step, heard.summary())),
                _ => None,
            })
            .collect()
    }

    /// For each call that is over, in the order of their ends, whether it was admitted.
    pub fn admissions(&self) -> Vec<bool> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Result { .. } => Some(true),
                What::Refused { .. } => Some(false),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn has_several_agents(&self) -> bool {
        let mut agents = self
            .entries
            .iter()
            .filter_map(|entry| entry.agent.as_deref());
        let first = agents.next();
        agents.any(|agent| Some(agent) != first)
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        render::transcript(self, formatter)
    }
}
