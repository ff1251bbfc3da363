//! How far a long replay is, on a terminal.

use std::io::{IsTerminal as _, Read};
use std::sync::Once;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run over no more inputs than this, and over no more bytes, is too short to be worth it.
const FEW_INPUTS: usize = 2;
const FEW_BYTES: u64 = 32 << 20;

/// Redrawn as often a second.
const HERTZ: u8 = 10;

/// A line on standard error that says how far it is. Shared by all threads; does nothing where
/// nobody would see it.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Whether there is somebody to see it.
    wanted: bool,
    shown: Once,
}

impl Progress {
    /// Nothing to be seen.
    pub(crate) fn none() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            wanted: false,
            shown: Once::new(),
        }
    }

    /// A line for as many inputs, with as many bytes together where that is known; only on a
    /// terminal, and not in continuous integration, where terminals are recorded.
    pub(crate) fn new(inputs: usize, bytes: Option<u64>) -> Self {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        if in_ci || !std::io::stderr().is_terminal() {
            return Self::none();
        }
        let (length, template) = match bytes {
            Some(bytes) => (
                Some(bytes),
                "{bar:24} {bytes}/{total_bytes} · {msg} · {elapsed}",
            ),
            None => (None, "{spinner} {bytes} · {msg} · {elapsed}"),
        };
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(length, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        let progress = Self {
            bar,
            wanted: true,
            shown: Once::new(),
        };
        progress.at(0, inputs);
        if inputs > FEW_INPUTS || bytes.is_some_and(|bytes| bytes > FEW_BYTES) {
            progress.show();
        }
        progress
    }

    /// As many inputs of all are done.
    pub(crate) fn at(&self, done: usize, inputs: usize) {
        if self.wanted {
            let plural = if inputs == 1 { "" } else { "s" };
            self.bar
                .set_message(format!("{done}/{inputs} input{plural}"));
        }
    }

    /// Does something that writes to the terminal: lines stay whole, and the progress below
    /// them.
    pub(crate) fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.wanted {
            true => self.bar.suspend(write),
            false => write(),
        }
    }

    /// Counts what is read.
    pub(crate) fn counted<R: Read>(&self, input: R) -> Counted<'_, R> {
        Counted {
            progress: self,
            input,
        }
    }

    /// Leaves nothing behind.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        self.shown.call_once(|| {
            let target = ProgressDrawTarget::stderr_with_hz(HERTZ);
            self.bar.set_draw_target(target);
        });
    }

    fn read(&self, bytes: u64) {
        if self.wanted {
            self.bar.inc(bytes);
            if self.bar.position() > FEW_BYTES {
                self.show();
            }
        }
    }
}

/// An input whose bytes are counted as they are read.
#[derive(Debug)]
pub(crate) struct Counted<'a, R> {
    progress: &'a Progress,
    input: R,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.progress.read(read as u64);
        Ok(read)
    }
}
