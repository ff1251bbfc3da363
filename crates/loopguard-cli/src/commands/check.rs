//! `loopguard check`: is a configuration right?

use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use clap::Args;
use loopguard::{Effect, Preset, Setup};

use crate::cli::{Shared, presets};
use crate::config;
use crate::exit::Exit;
use crate::schema;
use crate::talk;

/// Validate a configuration, print a preset, or print the schema for editors
///
/// Reads the file as every other command would, and says everything that is wrong with it at
/// once, each in its line, with its row, its key and what is allowed there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loopguard check guards.yaml\n  \
    loopguard check --print-preset recommended > guards.yaml\n  \
    loopguard check --schema > guards.schema.json\n\n\
    With the schema, editors complete and explain the keys. A YAML file names it in its first \
    line:\n  \
    # yaml-language-server: $schema=guards.schema.json")]
pub(crate) struct Arguments {
    /// The configuration, in JSON or YAML
    #[arg(conflicts_with_all = ["print_preset", "schema"])]
    file: Option<PathBuf>,
    /// Print a preset as a commented configuration, to start from
    #[arg(long, value_name = "NAME", value_parser = presets())]
    print_preset: Option<Preset>,
    /// Print the JSON Schema of configurations, for completion in editors
    #[arg(long, conflicts_with = "print_preset")]
    schema: bool,
}

/// Checks the file, or prints the preset.
pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> Exit {
    if let Some(preset) = arguments.print_preset {
        return print(preset.text());
    }
    if arguments.schema {
        return print(&schema::text());
    }
    let file = match (&arguments.file, &shared.config) {
        (Some(file), None) | (None, Some(file)) => file,
        (Some(_), Some(_)) => {
            talk::error("two configurations: give FILE or `--config FILE`, not both");
            return Exit::WRONG_USE;
        }
        (None, None) => {
            talk::error(
                "nothing to check: name a configuration, as in `loopguard check FILE`, or print \
                 one to start from with `loopguard check --print-preset recommended`",
            );
            return Exit::WRONG_USE;
        }
    };
    match config::load(file, shared.base()) {
        Ok(loaded) => print(&format!("{}: {}\n", file.display(), verdict(&loaded.setup))),
        Err(exit) => exit,
    }
}

fn verdict(setup: &Setup) -> String {
    let ids: Vec<_> = setup.guard_ids().map(ToString::to_string).collect();
    if ids.is_empty() {
        return "fine, but no guard runs: every row is disabled".to_owned();
    }
    let only = match setup.effect() {
        Effect::DryRun => " (dry run: they only record)",
        _ => "",
    };
    format!("fine; guards that run: {}{only}", ids.join(", "))
}

fn print(text: &str) -> Exit {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            talk::unwritable(&error);
            Exit::UNREADABLE
        }
        _ => Exit::FINE,
    }
}
