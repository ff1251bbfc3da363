//! Where what the threads have made of the inputs arrives, in the order of the inputs.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use loopguard::Setup;

use super::Arguments;
use crate::exit::Exit;
use crate::input::InputError;
use crate::output::Paper;
use crate::progress::Progress;
use crate::spread::Sink;
use crate::talk;
use crate::totals::Totals;

/// Writes, complains and adds up.
pub(super) struct Desk<'a> {
    paper: Paper,
    progress: &'a Progress,
    totals: Totals,
    /// How many inputs are done, of how many.
    done: (usize, usize),
    /// Whether the directory that is being gone through has held an input so far.
    found: bool,
    /// Whether `--fail-on` was met.
    met: bool,
    /// Whether something could not be read.
    unreadable: bool,
    /// How writing went so far; nothing more is replayed after a failure.
    written: io::Result<()>,
}

/// What a thread has made of an input, or of a part of it.
#[derive(Debug)]
pub(super) enum Piece {
    /// What is written of a session.
    Session(Vec<u8>),
    /// An input is done.
    Input(Box<Done>),
    /// A directory is over.
    Directory(PathBuf),
}

/// What remains to be said of an input.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) totals: Totals,
    /// Whether `--fail-on` was met.
    pub(super) met: bool,
    /// What is wrong with it.
    pub(super) complaint: Option<String>,
    pub(super) origin: Origin,
}

/// How an input came to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was named.
    Named,
    /// It was found below a directory.
    Found,
    /// It was found, and looked at: it is none.
    PassedOver,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        arguments: &Arguments,
        setup: &Setup,
        width: usize,
        progress: &'a Progress,
        inputs: usize,
    ) -> Self {
        Self {
            paper: Paper::stdout(arguments.output, width),
            progress,
            totals: Totals::new(setup),
            done: (0, inputs),
            found: false,
            met: false,
            unreadable: false,
            written: Ok(()),
        }
    }

    /// Writes what comes last, and says how it went.
    pub(super) fn finish(self) -> Exit {
        let Self { paper, totals, .. } = self;
        match self.written.and_then(|()| paper.finish(&totals)) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                talk::unwritable(&error);
                Exit::UNREADABLE
            }
            _ if self.unreadable => Exit::UNREADABLE,
            // Whoever closes the pipe has seen enough.
            _ if self.met => Exit::FAIL_ON,
            _ => Exit::FINE,
        }
    }

    fn input(&mut self, done: &Done) -> io::Result<()> {
        self.done.0 += 1;
        self.progress.at(self.done.0, self.done.1);
        self.totals.merge(&done.totals);
        self.met |= done.met;
        self.found |= done.origin == Origin::Found;
        match &done.complaint {
            Some(complaint) => self.complain(complaint),
            None => Ok(()),
        }
    }

    /// What was written before comes first on a terminal that shows both.
    fn complain(&mut self, what: impl std::fmt::Display) -> io::Result<()> {
        self.unreadable = true;
        let paper = &mut self.paper;
        self.progress.beside(|| {
            let written = paper.flush();
            talk::error(what);
            written
        })
    }
}

impl Sink for Desk<'_> {
    type Piece = Piece;

    fn weight(piece: &Piece) -> usize {
        match piece {
            Piece::Session(bytes) => bytes.len(),
            Piece::Input(_) | Piece::Directory(_) => size_of::<Done>(),
        }
    }

    fn put(&mut self, piece: Piece) -> ControlFlow<()> {
        let written = match piece {
            Piece::Session(bytes) => {
                let paper = &mut self.paper;
                match paper.is_due(bytes.len()) {
                    true => self.progress.beside(|| paper.put(&bytes)),
                    false => paper.put(&bytes),
                }
            }
            Piece::Input(done) => self.input(&done),
            Piece::Directory(path) => match std::mem::take(&mut self.found) {
                true => Ok(()),
                false => self.complain(InputError::NoSessions { path }),
            },
        };
        self.written = written;
        match self.written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
