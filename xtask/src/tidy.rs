//! What no compiler checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Fault;
use crate::cargo::{name, packages, root};

/// Which of our crates each one may depend on. Guards know no other guard, no library knows
/// the program.
const ARROWS: &[(&str, &[&str])] = &[
    ("loopguard-canonical", &[]),
    ("loopguard-config", &[]),
    ("loopguard-core", &["loopguard-canonical"]),
    ("loopguard-repeat-reminder", SHARED),
    ("loopguard-brake", SHARED),
    ("loopguard-circuit-breaker", SHARED),
    (
        "loopguard",
        &[
            "loopguard-canonical",
            "loopguard-config",
            "loopguard-core",
            "loopguard-repeat-reminder",
            "loopguard-brake",
            "loopguard-circuit-breaker",
        ],
    ),
    ("loopguard-transcript", &["loopguard-core"]),
    ("loopguard-cli", &["loopguard", "loopguard-transcript"]),
    ("loopguard-node", &["loopguard"]),
    ("loopguard-testkit", &["loopguard", "loopguard-core"]),
    ("loopguard-bench", &["loopguard-transcript"]),
];

/// What the guards share.
const SHARED: &[&str] = &["loopguard-canonical", "loopguard-config", "loopguard-core"];

/// Packages that no published one may come to need.
const UNPUBLISHED: &[&str] = &["loopguard-testkit", "loopguard-bench"];

/// Packages that may depend on anything.
const FREE: &[&str] = &["loopguard-tests", "xtask"];

/// The longest that a source file may be, tests included.
const MAX_LINES: usize = 600;

/// Checks the tree, and names all that is wrong with it.
///
/// # Errors
///
/// Everything that is wrong, a line each.
pub(crate) fn check() -> Result<(), Fault> {
    let mut wrong = Vec::new();
    check_arrows(&mut wrong)?;
    for file in tracked_files()? {
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else {
            continue;
        };
        check_file(&file, &text, &mut wrong);
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong.join("\n").into())
}

fn check_arrows(wrong: &mut Vec<String>) -> Result<(), Fault> {
    let arrows: BTreeMap<_, _> = ARROWS.iter().copied().collect();
    for package in &packages()? {
        let name = name(package);
        if FREE.contains(&name) {
            continue;
        }
        let Some(allowed) = arrows.get(name) else {
            wrong.push(format!("{name}: the list of arrows does not name it"));
            continue;
        };
        for dependency in list(package, "dependencies") {
            let on = text(dependency, "name");
            let is_ours = on.starts_with("loopguard") || on == "xtask";
            // Tests may go against the arrows, but only by path: nothing of that is published.
            let is_for_tests = dependency["kind"] == "dev";
            if is_ours && !is_for_tests && !allowed.contains(&on) {
                wrong.push(format!("{name}: must not depend on {on}"));
            }
            if UNPUBLISHED.contains(&on) && dependency["req"] != "*" {
                wrong.push(format!(
                    "{name}: depends on {on} by a version, not only by its path"
                ));
            }
        }
    }
    Ok(())
}

fn check_file(file: &Path, content: &str, wrong: &mut Vec<String>) {
    let name = file.display();
    let is_data = file.components().any(|part| {
        matches!(
            part.as_os_str().to_str(),
            Some("oracle" | "fixtures" | "snapshots" | "scenarios")
        )
    });
    let mut say = |line: usize, what: &str| wrong.push(format!("{name}:{line}: {what}"));
    let ends = file.extension().and_then(|ending| ending.to_str());
    if ends == Some("rs") {
        if content.lines().count() > MAX_LINES {
            say(MAX_LINES, "a file this long holds more than one concept");
        }
        let starts = content.trim_start();
        if !(starts.starts_with("//!") || starts.starts_with("#![")) {
            say(1, "a file begins with a sentence on what it is for");
        }
    }
    if file.file_name().is_some_and(|name| name == "Cargo.toml") {
        check_manifest(content, &mut say);
    }
    if is_data || file.ends_with("Cargo.lock") {
        return;
    }
    // Spelt in two halves, so that this file is not its own first finding.
    let forbidden = [
        (["to", "do!("].concat(), "unfinished"),
        (["unimple", "mented!("].concat(), "unfinished"),
        (["FIX", "ME"].concat(), "unfinished"),
        (["/wo", "rk/"].concat(), "a path of one machine"),
        (["/ro", "ot/"].concat(), "a path of one machine"),
        (
            ["#[ig", "nore]"].concat(),
            "an ignored test without its reason",
        ),
    ];
    for (at, line) in content.lines().enumerate() {
        for (word, what) in &forbidden {
            if line.contains(word.as_str()) {
                say(at + 1, what);
            }
        }
        if ends == Some("rs") && line.ends_with(' ') {
            say(at + 1, "white space at the end of the line");
        }
    }
}

/// Each dependency carries its reason: a comment above it, or above the group that it is in.
fn check_manifest(content: &str, say: &mut impl FnMut(usize, &str)) {
    let (mut in_dependencies, mut has_reason) = (false, false);
    for (at, line) in content.lines().enumerate() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies") && !line.contains("workspace");
            has_reason = false;
        } else if line.trim().is_empty() {
            has_reason = false;
        } else if line.starts_with('#') {
            has_reason = true;
        } else if in_dependencies && !has_reason {
            say(at + 1, "a dependency without its reason");
        }
    }
}

fn tracked_files() -> Result<BTreeSet<PathBuf>, Fault> {
    tracked_files_under(&root())
}

/// The files below a directory that are not ignored, as paths from there.
pub(crate) fn tracked_files_under(directory: &Path) -> Result<BTreeSet<PathBuf>, Fault> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let git = Command::new("git")
        .args(list)
        .current_dir(directory)
        .output()?;
    if !git.status.success() {
        return Err("git does not list the files: is this a checkout?".into());
    }
    Ok(String::from_utf8(git.stdout)?
        .lines()
        .map(PathBuf::from)
        .collect())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        if let Err(error) = check() {
            panic!("{error}");
        }
    }

    #[test]
    fn a_dependency_needs_a_reason() {
        let mut said = Vec::new();
        let manifest =
            "[dependencies]\n# Why.\na = \"1\"\nb = \"1\"\n\nc = \"1\"\n[features]\nd = []\n";
        check_manifest(manifest, &mut |line, _| said.push(line));
        assert_eq!(said, [6]);
    }

    #[test]
    fn unfinished_work_and_paths_of_one_machine_are_found() {
        let mut wrong = Vec::new();
        let text = format!(
            "//! A file.\nfn f() {{ {}) }}\n// {}x\n",
            ["to", "do!("].concat(),
            ["/ro", "ot/"].concat()
        );
        check_file(Path::new("a.rs"), &text, &mut wrong);
        assert_eq!(
            wrong,
            ["a.rs:2: unfinished", "a.rs:3: a path of one machine"]
        );
    }
}
