//! The archives that would be published.

use serde_json::Value;

use crate::Fault;
use crate::cargo::{Cargo, is_published, name, packages};

/// What each package has to say of itself.
const METADATA: [&str; 9] = [
    "description",
    "license",
    "repository",
    "documentation",
    "readme",
    "rust_version",
    "edition",
    "keywords",
    "categories",
];

/// What each archive has to hold.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Where else its files may lie; the rest is what cargo adds.
const FOLDERS: [&str; 3] = ["src/", "examples/", "presets/"];

/// The largest archive, unpacked: what exceeds it holds more than sources.
const MAX_BYTES: u64 = 1 << 20;

/// Packs every package that is published and builds each from its archive, the others of them
/// from theirs; then looks at what is in the archives.
///
/// # Errors
///
/// Where one does not build, or everything that an archive lacks or should not hold.
pub(crate) fn package() -> Result<(), Fault> {
    let packages = packages()?;
    let (published, others): (Vec<_>, Vec<_>) = packages.iter().partition(|it| is_published(it));
    let mut wrong = Vec::new();
    for package in &published {
        check(package, &mut wrong)?;
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    // None of them need be on a registry: cargo puts those that it packs into one of its own.
    let all = Cargo::new(["package", "--workspace", "--allow-dirty"]);
    let without = |cargo: Cargo, package: &&Value| cargo.arg("--exclude").arg(name(package));
    let all = others.iter().fold(all, without);
    all.in_target("package").run()
}

fn check(package: &Value, wrong: &mut Vec<String>) -> Result<(), Fault> {
    let name = name(package);
    for key in METADATA {
        let is_given = match &package[key] {
            Value::String(text) => !text.is_empty(),
            Value::Array(texts) => !texts.is_empty(),
            _ => false,
        };
        if !is_given {
            wrong.push(format!("{name}: its manifest does not give {key}"));
        }
    }
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let folder = manifest.strip_suffix("Cargo.toml").unwrap_or_default();
    let list = ["package", "--list", "--allow-dirty", "--package"];
    let files = Cargo::new(list).arg(name).output()?;
    let mut bytes = 0;
    for file in files.lines() {
        let is_cargos = file.starts_with("Cargo.") || file.starts_with('.');
        let is_known = FILES.contains(&file) || FOLDERS.iter().any(|it| file.starts_with(it));
        if !is_cargos && !is_known {
            wrong.push(format!("{name}: {file} does not belong into its archive"));
        }
        bytes += std::fs::metadata(format!("{folder}{file}")).map_or(0, |data| data.len());
    }
    for file in FILES {
        if !files.lines().any(|it| it == file) {
            wrong.push(format!("{name}: its archive lacks {file}"));
        }
    }
    if bytes > MAX_BYTES {
        wrong.push(format!(
            "{name}: {bytes} bytes of sources are more than {MAX_BYTES}"
        ));
    }
    let count = files.lines().count();
    println!("{name}: {count} files, {} KiB", bytes / 1024);
    Ok(())
}
