//! Standard output, as the end of everything that is written.

use std::io::{self, IsTerminal as _, Write};

use anstream::AutoStream;

use super::{Form, record, text};
use crate::talk;
use crate::totals::Totals;

/// Standard output is written in pieces of this size.
const BUFFER_BYTES: usize = 64 << 10;

/// Takes what is written of the sessions, in order, and writes it in large pieces of whole
/// lines, so that other lines on the same terminal can come between.
pub(crate) struct Paper {
    form: Form,
    width: usize,
    out: Box<dyn Write + Send>,
    /// What has not been written yet.
    buffer: Vec<u8>,
    /// Whether somebody waits for every line.
    is_terminal: bool,
    /// The sessions of a report: it begins with its totals, which are known at its end.
    report: Vec<u8>,
}

impl Paper {
    /// Standard output. The width is that of lines for people.
    pub(crate) fn stdout(form: Form, width: usize) -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        let out: Box<dyn Write + Send> = match form {
            // Colours are taken out again where nobody wants them.
            Form::Text => Box::new(AutoStream::auto(stdout)),
            Form::Jsonl | Form::Json => Box::new(stdout),
        };
        Self {
            form,
            width,
            out,
            buffer: Vec::new(),
            is_terminal,
            report: Vec::new(),
        }
    }

    /// Takes what is written of a session.
    pub(crate) fn put(&mut self, session: &[u8]) -> io::Result<()> {
        if self.form == Form::Json {
            self.report.extend_from_slice(session);
            return Ok(());
        }
        let is_due = self.is_due(session.len());
        self.buffer.extend_from_slice(session);
        match is_due {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Whether something is written once as many more bytes are there.
    pub(crate) fn is_due(&self, more: usize) -> bool {
        self.form != Form::Json && (self.is_terminal || self.buffer.len() + more >= BUFFER_BYTES)
    }

    /// Writes what has not been written yet.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        self.out.write_all(&buffer)?;
        self.out.flush()
    }

    /// Everything was replayed.
    pub(crate) fn finish(mut self, totals: &Totals) -> io::Result<()> {
        match self.form {
            Form::Text => {
                let summary = text::summary(totals, self.width);
                self.buffer.extend_from_slice(summary.as_bytes());
            }
            Form::Jsonl => {}
            Form::Json => {
                let sessions = record::joined(&self.report);
                let [before, after] = record::report_frame(totals, !sessions.is_empty());
                for piece in [before.as_bytes(), sessions, after.as_bytes()] {
                    self.out.write_all(piece)?;
                }
            }
        }
        self.flush()?;
        // The summary for people has it already.
        if self.form != Form::Text
            && let Some(failed) = text::failed(totals)
        {
            talk::error(failed);
        }
        Ok(())
    }
}
