//! `loopguard replay`: recorded sessions, and where the guards would have spoken or denied.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use loopguard::Setup;
use loopguard_transcript::{Event, Format, ReadOptions};

use crate::cli::Shared;
use crate::config;
use crate::engine::{Action, Decision};
use crate::exit::Exit;
use crate::input::{self, Input, STDIN};
use crate::output::{Form, Output};
use crate::session::{Session, Watch, replay};
use crate::talk;
use crate::totals::Totals;

/// Play recorded sessions through the guards and show where they would have spoken or denied
///
/// Calls are submitted and finished as they were recorded. A call that the guards deny would
/// never have run, so its recorded result is told to no guard; after a halt the session's
/// replay ends. What cannot be read is reported and skipped, and the rest goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loopguard replay session.jsonl\n  \
    loopguard replay --preset original --output jsonl sessions/ archive.jsonl.gz\n  \
    zstdcat session.jsonl.zst | loopguard replay --config guards.yaml --fail-on deny -")]
pub(crate) struct Arguments {
    /// Recorded sessions: files (gzip and zstd too), directories, or `-` for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The format that the sessions are recorded in; `auto` tells it from their content
    #[arg(long, value_name = "FORMAT", default_value = AUTO, value_parser = formats())]
    from: From,
    /// What to write
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    output: Form,
    /// Exit with 3 if the guards decide this, or more than this; in a dry run, too
    #[arg(long, value_name = "ACTION", value_enum)]
    fail_on: Option<FailOn>,
}

/// What `--from` names.
#[derive(Clone, Copy, Debug)]
struct From(Option<Format>);

const AUTO: &str = "auto";

fn formats() -> impl TypedValueParser<Value = From> {
    let names = Format::ALL.iter().map(|format| format.name());
    PossibleValuesParser::new(std::iter::once(AUTO).chain(names)).try_map(|name| {
        match name.as_str() {
            AUTO => Ok(From(None)),
            name => name.parse().map(|format| From(Some(format))),
        }
    })
}

/// What `--fail-on` names, the least first.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailOn {
    /// A notice, a denial or a halt
    Notice,
    /// A denial or a halt
    Deny,
    /// A halt
    Halt,
}

impl FailOn {
    fn is_met(self, by: Action) -> bool {
        match self {
            Self::Notice => true,
            Self::Deny => by != Action::Notice,
            Self::Halt => by == Action::Halt,
        }
    }
}

/// Replays everything that the paths stand for, in their order.
pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> Exit {
    let is_stdin = |path: &&PathBuf| path.as_os_str() == STDIN;
    if arguments.paths.iter().filter(is_stdin).count() > 1 {
        talk::error("`-` is given more than once: standard input can be read once");
        return Exit::WRONG_USE;
    }
    let setup = match config::setup(shared) {
        Ok(setup) => setup,
        Err(exit) => return exit,
    };
    let options = match arguments.from {
        From(Some(format)) => ReadOptions::new().format(format),
        From(None) => ReadOptions::new(),
    };
    let mut run = Run {
        output: Output::stdout(arguments.output),
        totals: Totals::new(&setup),
        fail_on: arguments.fail_on,
        met: false,
        unreadable: false,
        written: Ok(()),
    };
    for path in &arguments.paths {
        if run.path(path, &options, &setup).is_break() {
            break;
        }
    }
    run.finish()
}

/// What is going on while inputs are replayed.
struct Run {
    output: Output,
    totals: Totals,
    fail_on: Option<FailOn>,
    /// Whether `--fail-on` was met.
    met: bool,
    /// Whether something could not be read.
    unreadable: bool,
    /// How writing went so far; nothing more is replayed after a failure.
    written: io::Result<()>,
}

impl Run {
    fn path(&mut self, path: &Path, options: &ReadOptions, setup: &Setup) -> ControlFlow<()> {
        for input in input::expand(path, options) {
            match input {
                Ok(input) => self.input(&input, options, setup)?,
                Err(error) => self.complain(error),
            }
        }
        ControlFlow::Continue(())
    }

    fn input(&mut self, input: &Input, options: &ReadOptions, setup: &Setup) -> ControlFlow<()> {
        let file = input.name();
        let opened = match input.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.complain(error);
                return ControlFlow::Continue(());
            }
        };
        match replay(
            opened,
            options,
            setup,
            &mut Show {
                run: self,
                file: &file,
            },
        ) {
            Ok(summary) => self.totals.skipped_lines += summary.skipped.total(),
            Err(error) => {
                let remedy = input::remedy(&error);
                let error = talk::with_causes(&error);
                self.complain(format_args!("{file}: {error}; {remedy}"));
            }
        }
        match self.written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn complain(&mut self, what: impl std::fmt::Display) {
        self.unreadable = true;
        talk::error(what);
    }

    fn finish(self) -> Exit {
        let Self { output, totals, .. } = self;
        let written = self.written.and_then(|()| output.finish(&totals));
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                talk::error(format_args!("standard output cannot be written: {error}"));
                Exit::UNREADABLE
            }
            _ if self.unreadable => Exit::UNREADABLE,
            // Whoever closes the pipe has seen enough.
            _ if self.met => Exit::FAIL_ON,
            _ => Exit::FINE,
        }
    }
}

/// Shows the sessions of one file.
struct Show<'a> {
    run: &'a mut Run,
    file: &'a str,
}

impl Watch for Show<'_> {
    fn begin(&mut self) {
        self.run.output.begin();
    }

    fn event(&mut self, event: &Event<'_>) {
        self.run.output.event(event);
    }

    fn decision(&mut self, decision: &Decision) {
        self.run.output.decision(decision);
    }

    fn end(&mut self, session: Session) -> ControlFlow<()> {
        let run = &mut *self.run;
        run.totals.add(&session);
        run.met |= run.fail_on.is_some_and(|fail_on| {
            let mut decisions = session.decisions.iter();
            decisions.any(|decision| fail_on.is_met(decision.action))
        });
        run.written = run.output.end(self.file, session);
        match run.written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
