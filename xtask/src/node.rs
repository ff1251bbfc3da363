//! The native module for Node: built by cargo, and laid where its npm package looks for it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Fault;
use crate::cargo::{Cargo, root};

/// Makes cargo tell what it has built.
pub(crate) const AS_JSON: &str = "--message-format=json-render-diagnostics";

/// What the package's loader looks for.
const BESIDE: &str = "loopguard.node";

/// The npm package, in the tree.
pub(crate) fn package() -> PathBuf {
    root().join("crates/loopguard-node/npm")
}

/// Builds the module and lays it into the package in the tree.
pub(crate) fn install(options: &[&str]) -> Result<(), Fault> {
    let library = build(options)?;
    lay(&library, &package())?;
    println!("{}", package().join(BESIDE).display());
    Ok(())
}

/// Builds the module; `options` are cargo's. The answer is where the library lies.
pub(crate) fn build(options: &[&str]) -> Result<PathBuf, Fault> {
    let cargo = Cargo::new(["build", "--package", "loopguard-node"]);
    let cargo = options.iter().fold(cargo, |cargo, word| cargo.arg(word));
    built(&cargo.arg(AS_JSON).output()?, "cdylib")
        .ok_or_else(|| "cargo names no library of loopguard-node".into())
}

/// The file of this kind (`cdylib`, `bin`) that was built last, as cargo tells it.
pub(crate) fn built(messages: &str, kind: &str) -> Option<PathBuf> {
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let mut artifacts = messages.filter(|message: &Value| {
        let kinds = message["target"]["kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|it| it == kind))
    });
    let last = artifacts.next_back()?;
    let file = last["executable"].as_str().or_else(|| {
        let files = last["filenames"].as_array()?.iter();
        files
            .filter_map(Value::as_str)
            .find(|file| !is_by_product(file))
    })?;
    Some(PathBuf::from(file))
}

/// What linkers leave beside a library on some systems.
fn is_by_product(file: &str) -> bool {
    [".lib", ".pdb", ".exp"]
        .iter()
        .any(|ending| file.ends_with(ending))
}

/// Lays the library into a package. The old one may be in use, so it is not written over.
pub(crate) fn lay(library: &Path, package: &Path) -> Result<(), Fault> {
    let beside = package.join(BESIDE);
    if beside.exists() {
        std::fs::remove_file(&beside)?;
    }
    std::fs::copy(library, beside)?;
    // npm packs no links.
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root().join(licence), package.join(licence))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_among_what_cargo_tells() {
        let messages = r#"{"target":{"kind":["lib"]},"filenames":["libserde.rlib"]}
not JSON
{"target":{"kind":["cdylib"]},"filenames":["a.dll.lib","a.dll"],"executable":null}
{"target":{"kind":["bin"]},"filenames":["p"],"executable":"p"}"#;
        assert_eq!(built(messages, "cdylib"), Some(PathBuf::from("a.dll")));
        assert_eq!(built(messages, "bin"), Some(PathBuf::from("p")));
        assert_eq!(built(messages, "example"), None);
    }
}
