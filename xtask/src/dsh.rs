//! The plugins in the DeepSeek Harness itself: public packages from npm, in a temporary
//! directory, run the tests that lie in the package.

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Fault;
use crate::cargo::Cargo;
use crate::node;

/// A package whose pinned version tells whether the registry can be reached.
const PROBE: &str = "@deepseek-ai/dsh-tools@0.1.0-rc.8";

/// Runs the tests, or with `--bench` the measurement.
///
/// # Errors
///
/// What failed; also where the registry cannot be reached.
pub(crate) fn test(options: &[&str]) -> Result<(), Fault> {
    if let Some(reason) = unreachable()? {
        return Err(format!("npm cannot fetch {PROBE}: {reason}").into());
    }
    match options {
        ["--bench"] => bench(),
        random => tests(random),
    }
}

/// Runs the tests where the registry can be reached, and says so in one line where not.
pub(crate) fn test_if_reachable() -> Result<(), Fault> {
    match unreachable()? {
        None => tests(&[]),
        Some(reason) => {
            eprintln!("dsh-test left out: npm cannot fetch {PROBE}: {reason}");
            Ok(())
        }
    }
}

/// Why the registry cannot be reached; `None` if it can.
fn unreachable() -> Result<Option<String>, Fault> {
    let mut probe = npm(&[
        "view",
        PROBE,
        "version",
        "--fetch-retries=1",
        "--fetch-timeout=20000",
    ]);
    let Ok(output) = probe.output() else {
        return Ok(Some("there is no npm here".into()));
    };
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // A registry that answers and does not know the package is a fault of the pin.
    if said.contains("E404") || said.contains("ETARGET") || output.status.success() {
        return Err(format!("the registry does not know {PROBE}:\n{said}").into());
    }
    Ok(Some(said.lines().next().unwrap_or("no answer").to_owned()))
}

fn tests(random: &[&str]) -> Result<(), Fault> {
    let random = Random::read(random)?;
    let library = node::build(&["--features", "self-test"])?;
    let program = program()?;
    let stage = Stage::new(&library)?;
    stage.install_cli()?;
    let archive = stage.pack()?;
    eprintln!(
        "{} random transcripts from the seed {}: `--seed {}` plays them again",
        random.transcripts, random.seed, random.seed
    );
    let mut node = stage.node();
    node.args([
        "--test",
        "--test-reporter=dot",
        "*.test.mjs",
        "cli/*.test.mjs",
    ])
    .env("LOOPGUARD_PROGRAM", program)
    .env("LOOPGUARD_ARCHIVE", archive)
    .env("LOOPGUARD_SEED", random.seed.to_string())
    .env("LOOPGUARD_TRANSCRIPTS", random.transcripts.to_string());
    run(&mut node)
}

fn bench() -> Result<(), Fault> {
    let stage = Stage::new(&node::build(&["--release"])?)?;
    run(stage.node().arg("bench.mjs"))
}

/// The program `loopguard`, for replays.
fn program() -> Result<PathBuf, Fault> {
    let cargo = Cargo::new(["build", "--package", "loopguard-cli"]);
    let messages = cargo.arg(node::AS_JSON).output()?;
    node::built(&messages, "bin").ok_or_else(|| "cargo names no program".into())
}

/// Which random transcripts are played.
struct Random {
    seed: u32,
    transcripts: u32,
}

impl Random {
    fn read(mut options: &[&str]) -> Result<Self, Fault> {
        let seed = RandomState::new().hash_one("transcripts") as u32;
        let mut random = Self {
            seed,
            transcripts: 2_000,
        };
        while let [key, value, rest @ ..] = options {
            match *key {
                "--seed" => random.seed = value.parse()?,
                "--transcripts" => random.transcripts = value.parse()?,
                _ => return Err(crate::USAGE.into()),
            }
            options = rest;
        }
        match options {
            [] => Ok(random),
            _ => Err(crate::USAGE.into()),
        }
    }
}

/// A copy of the npm package in a temporary directory, with the module and the harness in it.
struct Stage(TempDir);

impl Stage {
    fn new(library: &Path) -> Result<Self, Fault> {
        let stage = Self(TempDir::with_prefix("loopguard-dsh-test-")?);
        for file in crate::tidy::tracked_files_under(&node::package())? {
            let to = stage.0.path().join(&file);
            std::fs::create_dir_all(to.parent().unwrap_or(stage.0.path()))?;
            std::fs::copy(node::package().join(&file), to)?;
        }
        node::lay(library, stage.0.path())?;
        run(npm(INSTALL).current_dir(stage.tests()))?;
        Ok(stage)
    }

    fn tests(&self) -> PathBuf {
        self.0.path().join("test")
    }

    /// The Node that the tests run in: pinned, for the harness needs a newer one than many have.
    fn node(&self) -> Command {
        let program = if cfg!(windows) { "node.exe" } else { "node" };
        let program = self.tests().join("node_modules/node/bin").join(program);
        let mut node = Command::new(program);
        node.current_dir(self.tests()).env("PATH", self.path());
        node
    }

    /// Where the pinned programs come first.
    fn path(&self) -> OsString {
        let first = self.tests().join("node_modules/.bin");
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(first).chain(std::env::split_paths(&rest));
        std::env::join_paths(all).unwrap_or(rest)
    }

    /// The harness's own program, a tree of its own: it wants other versions.
    fn install_cli(&self) -> Result<(), Fault> {
        let pnpm = self.tests().join("node_modules/pnpm/bin/pnpm.cjs");
        let mut install = self.node();
        install.arg(pnpm).args(["install", "--reporter=silent"]);
        run(install.current_dir(self.tests().join("cli")))
    }

    /// The package as it would be published.
    fn pack(&self) -> Result<PathBuf, Fault> {
        let pack = npm(&["pack", "--silent"])
            .current_dir(self.0.path())
            .output()?;
        if !pack.status.success() {
            return Err(String::from_utf8_lossy(&pack.stderr).into());
        }
        let name = String::from_utf8(pack.stdout)?;
        Ok(self.0.path().join(name.trim()))
    }
}

const INSTALL: &[&str] = &["install", "--no-audit", "--no-fund", "--loglevel=error"];

fn npm(words: &[&str]) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(words);
    npm
}

fn run(command: &mut Command) -> Result<(), Fault> {
    let words = format!("{command:?}");
    match command.status()?.success() {
        true => Ok(()),
        false => Err(format!("failed: {words}").into()),
    }
}
