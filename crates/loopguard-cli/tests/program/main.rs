//! The program as its users run it: a process with arguments, pipes and an exit code.

mod check;
mod inputs;
mod outputs;
mod recorded;
mod schema;
mod threads;
mod usage;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run left behind.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    /// Everything in one text, for snapshots.
    fn all(&self) -> String {
        format!(
            "exit code: {}\n--- standard output\n{}--- standard error\n{}",
            self.code, self.out, self.err
        )
    }
}

/// The program, in the crate's folder, with an environment that decides nothing.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopguard"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("CI")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

fn run(arguments: &[&str]) -> Ran {
    run_with(&mut program(arguments), b"")
}

/// Runs it with this on standard input.
fn run_with(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may end without having read it.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(path.join(name)).expect("the fixture")
}

const PARALLEL: &str = "tests/fixtures/parallel.jsonl";
const QUIET: &str = "tests/fixtures/quiet.jsonl";
const TWO: &str = "tests/fixtures/two-sessions.jsonl";
const BROKEN: &str = "tests/fixtures/broken.jsonl";
const HALTING: &str = "tests/fixtures/halting.yaml";
const DRY_RUN: &str = "tests/fixtures/dry-run.json";
const WRONG: &str = "tests/fixtures/wrong.yaml";
const DEMO: &str = "../../docs/demo/looping-agent.jsonl";
