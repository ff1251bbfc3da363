//! Every set of features that somebody may ask for.

use serde_json::Value;

use crate::Fault;
use crate::cargo::{Cargo, is_published, name, packages};

/// Canonical texts and configurations under what other crates of a build may switch on, then each
/// published crate under its small sets of features. One workspace unifies features, so each set
/// is a run of its own.
///
/// # Errors
///
/// Where a set does not compile without a warning, or a test fails.
pub(crate) fn features() -> Result<(), Fault> {
    for feature in ["preserve_order", "arbitrary_precision"] {
        let feature = format!("serde_json/{feature}");
        let tests = Cargo::new(["test", "--features", &feature]);
        let tests = tests.packages(&["loopguard-canonical", "loopguard-config"]);
        tests.in_target("features").run()?;
    }
    for package in packages()?.iter().filter(|package| is_published(package)) {
        for set in sets(&own_features(package)) {
            let check = Cargo::new(["clippy", "--no-default-features", "--package"]);
            let check = check.arg(name(package)).arg("--features").arg(&set);
            let check = check.arg("--").arg("-D").arg("warnings");
            check.in_target("features").run()?;
        }
    }
    Ok(())
}

fn own_features(package: &Value) -> Vec<&str> {
    let features = package["features"].as_object();
    let names = features
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str());
    names.filter(|name| *name != "default").collect()
}

/// None of the features, each one, and each two.
fn sets(features: &[&str]) -> Vec<String> {
    let mut sets = vec![String::new()];
    for (at, one) in features.iter().enumerate() {
        sets.push((*one).to_owned());
        let others = &features[at + 1..];
        sets.extend(others.iter().map(|other| format!("{one},{other}")));
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sets_are_none_one_and_two() {
        assert_eq!(sets(&[]), [""]);
        assert_eq!(
            sets(&["a", "b", "c"]),
            ["", "a", "a,b", "a,c", "b", "b,c", "c"]
        );
    }
}
