//! What a replay writes to standard output, in one of three forms.

mod clock;
mod paper;
mod record;
mod text;
mod transcript;

use loopguard_transcript::Event;

pub(crate) use self::paper::Paper;
pub(crate) use self::text::terminal_width;
use self::transcript::Transcript;
use crate::engine::Decision;
use crate::session::Session;

/// The forms of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// The sessions as a person reads them, each decision in its place, then a summary
    #[default]
    Text,
    /// One JSON object a line for each decision
    Jsonl,
    /// One JSON report with totals and all decisions
    Json,
}

/// Turns one session after the other into what is written of it. Each thread has its own.
#[derive(Debug)]
pub(crate) enum Sheet {
    /// A session as a person reads it.
    Text(Box<Transcript>),
    /// Its decisions as lines.
    Jsonl,
    /// Its entry in the report.
    Json,
}

impl Sheet {
    /// For lines that are at most as wide, where they are for people.
    pub(crate) fn new(form: Form, width: usize) -> Self {
        match form {
            Form::Text => Self::Text(Box::new(Transcript::new(width))),
            Form::Jsonl => Self::Jsonl,
            Form::Json => Self::Json,
        }
    }

    /// A session begins; what was shown of one that has not ended is dropped.
    pub(crate) fn begin(&mut self) {
        if let Self::Text(transcript) = self {
            transcript.clear();
        }
    }

    /// An event is about to be played.
    pub(crate) fn event(&mut self, event: &Event<'_>) {
        if let Self::Text(transcript) = self {
            transcript.event(event);
        }
    }

    /// The guards have decided something.
    pub(crate) fn decision(&mut self, decision: &Decision) {
        if let Self::Text(transcript) = self {
            transcript.decision(decision);
        }
    }

    /// A session of `file` was read whole: what is written of it, in whole lines.
    pub(crate) fn end(&mut self, file: &str, session: &Session) -> Vec<u8> {
        match self {
            Self::Text(transcript) => {
                let width = transcript.width();
                let (body, took) = transcript.take();
                text::session(file, session, &body, took, width).into_bytes()
            }
            Self::Jsonl => record::lines(file, session),
            Self::Json => record::report_entry(file, session),
        }
    }
}
