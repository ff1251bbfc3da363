//! What is depended on: licences, duplicates, sources, advisories.

use crate::Fault;
use crate::cargo::Cargo;

/// Checks what `deny.toml` says. Advisories come from a database that has to be fetched, so they
/// are looked at only where that is asked for.
///
/// # Errors
///
/// Where something is not allowed, or the tool is missing.
pub(crate) fn deny(advisories: bool) -> Result<(), Fault> {
    if !is_installed() {
        return Err("cargo-deny is needed: `cargo install cargo-deny --locked`".into());
    }
    let check = Cargo::new(["deny", "check", "licenses", "bans", "sources"]);
    match advisories {
        true => check.arg("advisories").run(),
        false => check.run(),
    }
}

/// As [`deny`] without advisories, where the tool is installed; elsewhere this is said.
///
/// # Errors
///
/// Where something is not allowed.
pub(crate) fn deny_if_installed() -> Result<(), Fault> {
    if is_installed() {
        return deny(false);
    }
    eprintln!("licences and sources of dependencies are not checked: cargo-deny is not installed");
    Ok(())
}

fn is_installed() -> bool {
    Cargo::new(["deny", "--version"]).output().is_ok()
}
