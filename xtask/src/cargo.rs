//! Running cargo.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::Fault;

/// One run of cargo in the workspace.
#[derive(Debug)]
pub(crate) struct Cargo(Command);

impl Cargo {
    pub(crate) fn new<const N: usize>(words: [&str; N]) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(words).current_dir(root());
        Self(command)
    }

    pub(crate) fn arg(mut self, word: &str) -> Self {
        self.0.arg(word);
        self
    }

    /// Of these packages.
    pub(crate) fn packages(self, names: &[&str]) -> Self {
        let one = |cargo: Self, name: &&str| cargo.arg("--package").arg(name);
        names.iter().fold(self, one)
    }

    pub(crate) fn env(mut self, key: &str, value: &str) -> Self {
        self.0.env(key, value);
        self
    }

    /// In a target folder of its own, so that other features do not undo the usual build.
    pub(crate) fn in_target(self, name: &str) -> Self {
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
        let target = target.join(name).display().to_string();
        self.env("CARGO_TARGET_DIR", &target)
    }

    pub(crate) fn run(mut self) -> Result<(), Fault> {
        let words = self.words();
        eprintln!("$ {words}");
        match self.0.status()?.success() {
            true => Ok(()),
            false => Err(format!("failed: {words}").into()),
        }
    }

    /// What it prints.
    pub(crate) fn output(mut self) -> Result<String, Fault> {
        let output = self.0.output()?;
        if !output.status.success() {
            let words = self.words();
            return Err(format!(
                "failed: {words}\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
            .into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    fn words(&self) -> String {
        let words = self.0.get_args().map(|word| word.to_string_lossy());
        format!("cargo {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// What cargo says of the workspace's packages.
pub(crate) fn packages() -> Result<Vec<Value>, Fault> {
    let metadata = Cargo::new(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let mut metadata: Value = serde_json::from_str(&metadata)?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => Err("cargo names no packages".into()),
    }
}

/// Whether a package is published: `publish = false` is an empty list of registries.
pub(crate) fn is_published(package: &Value) -> bool {
    package["publish"].is_null()
}

/// A package's name.
pub(crate) fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
