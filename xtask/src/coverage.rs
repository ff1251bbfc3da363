//! Which lines of the shared crates, the guards and the front door the tests run.

mod source;

use std::collections::BTreeMap;

use loopguard_bench::{Align, Table};

use crate::Fault;
use crate::cargo::{Cargo, root};
use source::{Runs, judge, ranges};

/// The packages whose lines count.
const PACKAGES: &[&str] = &[
    "loopguard-canonical",
    "loopguard-config",
    "loopguard-core",
    "loopguard-repeat-reminder",
    "loopguard-brake",
    "loopguard-circuit-breaker",
    "loopguard",
];

/// The package of the tests that span crates.
const TESTS: &str = "loopguard-tests";

/// The feature under which a parsed number keeps its digits, and the packages that tell.
const DIGITS: &str = "serde_json/arbitrary_precision";
const DIGITS_MATTER: [&str; 2] = ["loopguard-canonical", "loopguard-config"];

const MISSING: &str = "cargo-llvm-cov is needed, and what it needs of the compiler: \
                       `cargo install cargo-llvm-cov --locked`, `rustup component add llvm-tools`";

/// Runs the tests and prints file by file which lines they leave out.
///
/// # Errors
///
/// Where a test fails; each line that no test runs and no comment excuses, and each such comment
/// that is not needed.
pub(crate) fn check() -> Result<(), Fault> {
    let version = Cargo::new(["llvm-cov", "--version"]).output();
    version.map_err(|_| MISSING)?;
    let (table, wrong) = report(&measure()?)?;
    println!("{table}");
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong.join("\n").into())
}

/// The lines of all files, as `llvm-cov` tells them.
fn measure() -> Result<String, Fault> {
    Cargo::new(["llvm-cov", "clean", "--workspace"]).run()?;
    let tests = Cargo::new(["llvm-cov", "--no-report", "--package", TESTS]);
    tests.packages(PACKAGES).run()?;
    let again = Cargo::new(["llvm-cov", "--no-report", "--features", DIGITS]);
    again.packages(&DIGITS_MATTER).run()?;
    let report = Cargo::new(["llvm-cov", "report", "--lcov"]);
    report.packages(PACKAGES).output()
}

/// The table of all files, and what is wrong with them.
fn report(lcov: &str) -> Result<(String, Vec<String>), Fault> {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("file", Left),
        ("lines", Right),
        ("run", Right),
        ("not run", Left),
    ]);
    let (mut lines, mut missed) = (0, 0);
    let (mut excused, mut wrong) = (String::new(), Vec::new());
    for (file, runs) in files(lcov)? {
        let text = std::fs::read_to_string(root().join(&file))?;
        let judged = judge(&text, &runs);
        lines += judged.lines;
        missed += judged.missed.len();
        table.row(vec![
            file.clone(),
            judged.lines.to_string(),
            (judged.lines - judged.missed.len()).to_string(),
            ranges(&judged.missed),
        ]);
        for (line, reason) in &judged.excused {
            excused.push_str(&format!("{file}:{line}: {reason}\n"));
        }
        let said = judged.wrong.iter();
        wrong.extend(said.map(|(line, what)| format!("{file}:{line}: {what}")));
    }
    let total = |number: usize| number.to_string();
    let run = total(lines - missed);
    table.row(vec!["all".into(), total(lines), run, total(missed)]);
    Ok((format!("{table}\n{excused}"), wrong))
}

/// How often each line ran, by file: the files of the packages that count, named from the root.
fn files(lcov: &str) -> Result<BTreeMap<String, Runs>, Fault> {
    let root = root().canonicalize()?.display().to_string();
    let mut files = BTreeMap::new();
    let mut current = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let file = path
                .strip_prefix(&root)
                .unwrap_or(path)
                .trim_start_matches('/');
            current = counts(file).then(|| files.entry(file.to_owned()).or_default());
        } else if let (Some(data), Some(runs)) = (line.strip_prefix("DA:"), &mut current) {
            let runs: &mut Runs = runs;
            let mut numbers = data.split(',');
            let mut next = || {
                numbers
                    .next()
                    .ok_or("llvm-cov tells a line without its count")
            };
            let (line, count) = (next()?.parse()?, next()?.parse::<u64>()?);
            let runs = runs.entry(line).or_default();
            *runs = runs.saturating_add(count);
        }
    }
    match files.is_empty() {
        true => Err("llvm-cov tells of no file of these packages".into()),
        false => Ok(files),
    }
}

fn counts(file: &str) -> bool {
    let inside = file
        .strip_prefix("crates/")
        .and_then(|file| file.split_once('/'));
    inside.is_some_and(|(package, file)| PACKAGES.contains(&package) && file.starts_with("src/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_file_from_the_root() {
        let root = root().canonicalize().expect("the root is there");
        let lcov = format!(
            "SF:{root}/crates/loopguard/src/set.rs\nFN:1,f\nDA:1,2\nDA:2,0\nend_of_record\n\
             SF:{root}/crates/loopguard-cli/src/exit.rs\nDA:1,0\nend_of_record\n\
             SF:{root}/crates/loopguard/tests/a.rs\nDA:1,0\nend_of_record\n",
            root = root.display()
        );
        let files = files(&lcov).expect("the report is read");
        let runs = Runs::from([(1, 2), (2, 0)]);
        assert_eq!(
            files.into_iter().collect::<Vec<_>>(),
            [("crates/loopguard/src/set.rs".to_owned(), runs)]
        );
    }

    #[test]
    fn a_report_without_our_files_is_an_error() {
        assert!(files("SF:/elsewhere/a.rs\nDA:1,1\n").is_err());
        assert!(files("SF:crates/loopguard/src/set.rs\nDA:1\n").is_err());
    }
}
