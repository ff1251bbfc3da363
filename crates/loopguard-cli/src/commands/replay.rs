//! `loopguard replay`: recorded sessions, and where the guards would have spoken or denied.

mod desk;
mod worker;

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use loopguard_transcript::{Format, ReadOptions};

use self::desk::Desk;
use self::worker::Worker;
use crate::cli::Shared;
use crate::config;
use crate::engine::Action;
use crate::exit::Exit;
use crate::input::{self, Input, Job, STDIN};
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::spread::spread;
use crate::talk;

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
    /// Show no progress; there is none in a pipe and in continuous integration anyway
    #[arg(short, long)]
    quiet: bool,
    /// How many inputs are replayed at once; the output does not depend on it
    #[arg(long, value_name = "N", hide = true)]
    threads: Option<NonZero<usize>>,
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
    let jobs = input::expand(&arguments.paths);
    let progress = match arguments.quiet {
        true => Progress::none(),
        false => progress(&jobs),
    };
    let width = output::terminal_width();
    let threads = arguments
        .threads
        .or_else(|| std::thread::available_parallelism().ok());
    let desk = Desk::new(arguments, &setup, width, &progress, inputs_of(&jobs));
    let desk = spread(
        jobs.len(),
        threads.unwrap_or(NonZero::<usize>::MIN),
        desk,
        || {
            let mut worker = Worker::new(&setup, &options, arguments, width, &progress);
            let jobs = &jobs;
            move |job, lane: &_| worker.job(&jobs[job], lane)
        },
    );
    progress.clear();
    desk.finish()
}

/// How far it is, over what there is to read.
fn progress(jobs: &[Job]) -> Progress {
    let inputs = jobs.iter().filter_map(Job::input);
    Progress::new(inputs_of(jobs), inputs.map(Input::bytes).sum())
}

/// How many of the jobs are inputs, those that cannot be read among them.
fn inputs_of(jobs: &[Job]) -> usize {
    let is_input = |job: &&Job| !matches!(job, Job::LeaveDirectory(_));
    jobs.iter().filter(is_input).count()
}
