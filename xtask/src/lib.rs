//! The workspace's own chores, behind `cargo xtask COMMAND`.
//!
//! [`run`] is the whole of it: it takes the command line and does the chore.

mod cargo;
mod corpus;
mod coverage;
mod deny;
mod docs;
mod dsh;
mod features;
mod fuzz;
mod instructions;
mod judge;
mod node;
mod package;
mod tidy;

use std::error::Error;

use cargo::Cargo;

/// What goes wrong in a chore, in words.
pub type Fault = Box<dyn Error>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test          all tests: the workspace's, then some of them under other features
  features      canonical texts and configurations under each feature of serde_json; every published
                crate without features, and with each one of them and each two
  tidy          what no compiler checks: arrows between crates, reasons of dependencies, words
  docs [--check]
                the parts of docs/ that come from the code: written anew, or only compared
  coverage      which lines of the shared crates, the guards and the front door the tests run, file
                by file; it needs cargo-llvm-cov
  bench         identities beside other libraries, what the guards cost, and how fast
                recordings are read, as tables;
                with --quick a rough answer, with --recordings FOLDER real calls too
  instructions [--record]
                what a call costs in instructions, by valgrind: compared with the recorded
                counts, or recorded anew
  oracle DIR    golden data through the guards: file by file what came out otherwise
  scenarios DIR [--verbose]
                behaviour scenarios through the recommended guards: one line each, and with
                `--verbose` all that was decided
  corpus DIR [--preset original|recommended] [--config FILE] [--brake-may-deny] [--verbose]
                recorded sessions (`*.jsonl.gz`) through the guards, and what came of it as
                tables; with `--verbose` also the loops without a notice and the denials that
                look wrong. In a release build it takes seconds: `cargo run --release -p xtask --
                corpus DIR`
  node [CARGO OPTIONS]
                the native module for Node, built and laid into its npm package
  dsh-test [--seed N] [--transcripts N]
                our plugins inside the DeepSeek Harness, beside the published reminder: public
                packages from npm, in a temporary directory
  dsh-test --bench
                calls per second through the listeners, beside the published reminder's
  deny [--advisories]
                licences, duplicates and sources of what is depended on; known vulnerabilities,
                too, from a database that is fetched; needs cargo-deny
  package       the archives that would be published: each is built from what is in it
  fuzz [--seconds N] [--target NAME]
                each fuzz target for N seconds (60), or one of them; needs a nightly compiler and
                cargo-fuzz
  ci            the checks that follow the tests: fmt, clippy, docs, tidy, deny where cargo-deny
                is installed, instructions where valgrind is, dsh-test where npm can reach its
                registry";

/// Does what the command line says.
///
/// # Errors
///
/// The chore's failure, or how to use the command where the line is wrong.
pub fn run(arguments: &[String]) -> Result<(), Fault> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test(),
        ["features"] => features::features(),
        ["tidy"] => tidy::check(),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["coverage"] => coverage::check(),
        ["bench", rest @ ..] => bench(rest),
        ["instructions"] => instructions::check(),
        ["instructions", "--record"] => instructions::record(),
        ["oracle", dir] => judge::oracle(dir),
        ["scenarios", dir] => judge::scenarios(dir, false),
        ["scenarios", dir, "--verbose"] => judge::scenarios(dir, true),
        ["corpus", dir, options @ ..] => corpus::corpus(dir, options),
        ["node", options @ ..] => node::install(options),
        ["dsh-test", options @ ..] => dsh::test(options),
        ["deny"] => deny::deny(false),
        ["deny", "--advisories"] => deny::deny(true),
        ["package"] => package::package(),
        ["fuzz", options @ ..] => fuzz::fuzz(options),
        ["ci"] => ci(),
        _ => Err(USAGE.into()),
    }
}

fn test() -> Result<(), Fault> {
    Cargo::new(["test", "--workspace"]).run()?;
    features::features()
}

/// One after the other: two at a time would be measured against each other.
fn bench(rest: &[&str]) -> Result<(), Fault> {
    for (package, bench) in [
        ("loopguard-canonical", "identity"),
        ("loopguard", "guards"),
        ("loopguard-transcript", "formats"),
    ] {
        let cargo = Cargo::new(["bench", "--package", package, "--bench", bench, "--"]);
        rest.iter()
            .fold(cargo, |cargo, word| cargo.arg(word))
            .run()?;
    }
    Ok(())
}

fn ci() -> Result<(), Fault> {
    Cargo::new(["fmt", "--all", "--check"]).run()?;
    Cargo::new([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
    .run()?;
    Cargo::new(["doc", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    docs::check()?;
    tidy::check()?;
    deny::deny_if_installed()?;
    instructions::check_if_possible()?;
    dsh::test_if_reachable()
}
