//! What a replay writes to standard output, in one of three forms.

mod record;
mod text;
mod transcript;
mod wrap;

use std::io::{self, BufWriter, Write};

use anstream::AutoStream;
use loopguard_transcript::Event;

use self::record::{DecisionRecord, Report, SessionRecord};
use self::transcript::Transcript;
use crate::engine::Decision;
use crate::session::Session;
use crate::totals::Totals;

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

/// Writes what a replay shows. Sessions are written when they have been read whole, in order.
pub(crate) struct Output {
    out: Box<dyn Write>,
    kind: Kind,
}

enum Kind {
    Text(Box<Transcript>),
    Jsonl,
    Json(Vec<SessionRecord>),
}

impl Output {
    /// To standard output.
    pub(crate) fn stdout(form: Form) -> Self {
        let stdout = io::stdout().lock();
        let (out, kind): (Box<dyn Write>, _) = match form {
            // Colours are taken out again where nobody wants them.
            Form::Text => {
                let width = text::width(&stdout);
                (
                    Box::new(AutoStream::auto(stdout)),
                    Kind::Text(Box::new(Transcript::new(width))),
                )
            }
            Form::Jsonl => (Box::new(stdout), Kind::Jsonl),
            Form::Json => (Box::new(stdout), Kind::Json(Vec::new())),
        };
        let out = Box::new(BufWriter::with_capacity(BUFFER_BYTES, out));
        Self { out, kind }
    }

    /// A session begins; what was shown of one that has not ended is dropped.
    pub(crate) fn begin(&mut self) {
        if let Kind::Text(transcript) = &mut self.kind {
            transcript.clear();
        }
    }

    /// An event is about to be played.
    pub(crate) fn event(&mut self, event: &Event<'_>) {
        if let Kind::Text(transcript) = &mut self.kind {
            transcript.event(event);
        }
    }

    /// The guards have decided something.
    pub(crate) fn decision(&mut self, decision: &Decision) {
        if let Kind::Text(transcript) = &mut self.kind {
            transcript.decision(decision);
        }
    }

    /// A session of `file` was read whole.
    pub(crate) fn end(&mut self, file: &str, session: Session) -> io::Result<()> {
        match &mut self.kind {
            Kind::Text(transcript) => {
                let body = transcript.take();
                self.out
                    .write_all(text::session(file, &session, &body).as_bytes())
            }
            Kind::Jsonl => session.decisions.iter().try_for_each(|decision| {
                let record = DecisionRecord::new(file, session.id.as_deref(), decision);
                serde_json::to_writer(&mut self.out, &record)?;
                self.out.write_all(b"\n")
            }),
            Kind::Json(sessions) => {
                sessions.push(SessionRecord::new(file, session));
                Ok(())
            }
        }
    }

    /// Everything was replayed.
    pub(crate) fn finish(mut self, totals: &Totals) -> io::Result<()> {
        match &self.kind {
            Kind::Text(transcript) => {
                let summary = text::summary(totals, transcript.width());
                self.out.write_all(summary.as_bytes())?;
            }
            Kind::Jsonl => {}
            Kind::Json(sessions) => {
                serde_json::to_writer_pretty(&mut self.out, &Report { totals, sessions })?;
                self.out.write_all(b"\n")?;
            }
        }
        self.out.flush()
    }
}

/// Standard output is written in pieces of this size.
const BUFFER_BYTES: usize = 64 << 10;
