//! The command line of a benchmark.

use std::path::PathBuf;

/// What a benchmark was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    quick: bool,
    recordings: PathBuf,
}

impl Options {
    /// Reads the command line: `--quick` for few rounds, `--recordings FOLDER` for recorded
    /// sessions other than those that lie beside the checkout. Ends the program where there is
    /// something else on it.
    pub fn from_arguments() -> Self {
        let mut options = Self {
            quick: false,
            recordings: PathBuf::from(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../../shared/corpus"
            )),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match (argument.as_str(), arguments.len()) {
                ("--quick", _) => options.quick = true,
                ("--recordings", 1..) => {
                    options.recordings = arguments.next().map(PathBuf::from).unwrap_or_default();
                }
                // Cargo's own word to every benchmark.
                ("--bench", _) => {}
                _ => {
                    eprintln!("unknown argument {argument:?}: --quick, --recordings FOLDER");
                    std::process::exit(2);
                }
            }
        }
        options
    }

    /// Whether a rough answer will do.
    pub fn quick(&self) -> bool {
        self.quick
    }

    /// How often every contestant is measured.
    pub fn rounds(&self) -> usize {
        if self.quick { 7 } else { 41 }
    }

    /// The folder in which recorded sessions lie, if they do.
    pub fn recordings(&self) -> &PathBuf {
        &self.recordings
    }

    /// What was measured on, and how, as a line above a table.
    pub fn conditions(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let rounds = self.rounds();
        format!("{arch} {os}, {cores} cores; medians of {rounds} interleaved rounds")
    }
}
