//! The command line: what every command shares, and how it is taken apart.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, Parser, Subcommand};
use loopguard::{Base, Preset};

use crate::commands::{check, replay};
use crate::exit::Exit;
use crate::talk;

/// Keeps LLM agents from repeating tool calls.
#[derive(Debug, Parser)]
#[command(
    name = "loopguard",
    version,
    arg_required_else_help = true,
    after_help = "Data goes to standard output, talk to standard error.\n\n\
        Exit codes:\n  \
        0  fine\n  \
        1  something could not be read or written; the rest was done\n  \
        2  wrong use or configuration\n  \
        3  `--fail-on` was met; 1 and 2 win over it\n\n\
        Examples:\n  \
        loopguard replay session.jsonl\n  \
        loopguard replay --output json --fail-on deny sessions/\n  \
        loopguard check guards.yaml"
)]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// One module a command.
#[derive(Debug, Subcommand)]
enum Command {
    Replay(replay::Arguments),
    Check(check::Arguments),
}

/// What every command takes.
#[derive(Clone, Debug, Default, Args)]
#[non_exhaustive]
pub(crate) struct Shared {
    /// Which guards run, and how: rows in JSON or YAML; without it all guards run
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Where the guards' settings start from; wins over the configuration's own `preset`
    /// [default: recommended]
    #[arg(long, value_name = "NAME", global = true, value_parser = presets())]
    pub(crate) preset: Option<Preset>,
}

impl Shared {
    /// Where rows start from: the flag, or else the configuration, or else the program's
    /// default.
    pub(crate) fn base(&self) -> Base {
        self.preset
            .map_or(Base::Default(Preset::Recommended), Base::Preset)
    }
}

/// A parser of preset names that lists them all.
pub(crate) fn presets() -> impl clap::builder::TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::NAMES).try_map(|name| name.parse::<Preset>())
}

/// Runs the program with these arguments, the first being its name.
///
/// Reads files and standard input, writes to standard output and standard error.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(told) => {
            // Help and version are told to standard output, mistakes to standard error.
            return match (told.print(), told.use_stderr()) {
                (_, true) => Exit::WRONG_USE,
                (Err(error), false) if error.kind() != ErrorKind::BrokenPipe => {
                    talk::unwritable(&error);
                    Exit::UNREADABLE
                }
                (_, false) => Exit::FINE,
            };
        }
    };
    match &cli.command {
        Command::Replay(arguments) => replay::run(&cli.shared, arguments),
        Command::Check(arguments) => check::run(&cli.shared, arguments),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_preset_flag_wins_over_the_configuration() {
        let mut shared = Shared::default();
        assert_eq!(shared.base(), Base::Default(Preset::Recommended));
        shared.preset = Some(Preset::Original);
        assert_eq!(shared.base(), Base::Preset(Preset::Original));
    }
}
