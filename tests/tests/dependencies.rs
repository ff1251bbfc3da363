//! The arrows between the crates: each guard works alone and knows no other.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const GUARDS: [&str; 3] = [
    "loopguard-repeat-reminder",
    "loopguard-brake",
    "loopguard-circuit-breaker",
];

/// What cargo says of the workspace's own packages.
fn packages() -> Vec<Value> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--no-deps",
        ])
        .args(["--manifest-path", manifest])
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo says JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("no packages: {other}"),
    }
}

/// Which of our crates each of them depends on, whatever is switched on; not for its tests.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let name = |package: &Value| package["name"].as_str().map(str::to_owned);
    let ours: BTreeSet<String> = packages.iter().filter_map(name).collect();
    let arrows = packages.iter().map(|package| {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        // Normal dependencies have no kind, and those of build scripts count as well.
        let normal = dependencies.filter(|it| it["kind"] != "dev");
        let to = normal.filter_map(name).filter(|it| ours.contains(it));
        (name(package).unwrap_or_default(), to.collect())
    });
    arrows.collect()
}

/// Everything that a crate comes to depend on.
fn closure(arrows: &BTreeMap<String, BTreeSet<String>>, of: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![of.to_owned()];
    while let Some(from) = open.pop() {
        for to in arrows.get(&from).into_iter().flatten() {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

#[test]
fn a_guard_comes_with_no_other_guard() {
    let arrows = arrows();
    let alone = ["loopguard-canonical", "loopguard-config", "loopguard-core"];
    for guard in GUARDS {
        let reached = closure(&arrows, guard);
        assert_eq!(Vec::from_iter(&reached), alone, "{guard}");
    }
}

#[test]
fn the_arrows_are_those_of_the_architecture() {
    let guards = ["canonical", "config", "core"];
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("loopguard-canonical", &[][..]),
        ("loopguard-config", &[]),
        ("loopguard-core", &["canonical"]),
        ("loopguard-repeat-reminder", &guards),
        ("loopguard-brake", &guards),
        ("loopguard-circuit-breaker", &guards),
        ("loopguard-transcript", &["core"]),
        ("loopguard-testkit", &["core", ""]),
    ]);
    let full = |short: &&str| match *short {
        "" => "loopguard".to_owned(),
        short => format!("loopguard-{short}"),
    };
    let arrows = arrows();
    for (from, to) in &arrows {
        let allowed: BTreeSet<String> = match (from.as_str(), allowed.get(from.as_str())) {
            (_, Some(allowed)) => allowed.iter().map(full).collect(),
            ("loopguard", _) => closure(&arrows, GUARDS[0])
                .into_iter()
                .chain(GUARDS.map(str::to_owned))
                .collect(),
            // Programs and what only tests: anything but each other's kind.
            _ => arrows.keys().cloned().collect(),
        };
        let forbidden: Vec<_> = to.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{from} depends on {forbidden:?}");
    }
    // Every crate that is named is there, or nothing was checked.
    assert!(allowed.keys().all(|name| arrows.contains_key(*name)));
}

#[test]
fn nobody_depends_on_a_program_or_on_what_only_tests() {
    for (from, to) in &arrows() {
        let testing = ["loopguard-tests", "xtask"].contains(&from.as_str());
        for only in [
            "loopguard-cli",
            "loopguard-testkit",
            "loopguard-tests",
            "xtask",
        ] {
            assert!(testing || !to.contains(only), "{from} depends on {only}");
        }
    }
}

#[test]
fn the_front_door_takes_each_guard_behind_a_feature_of_its_own() {
    let packages = packages();
    let front = packages
        .iter()
        .find(|package| package["name"] == "loopguard");
    let front = front.expect("there is a front door");
    for guard in GUARDS {
        let mut dependencies = front["dependencies"].as_array().into_iter().flatten();
        let dependency = dependencies.find(|dependency| dependency["name"] == guard);
        assert_eq!(
            dependency.expect("it is there")["optional"],
            true,
            "{guard}"
        );
        let feature = guard.trim_start_matches("loopguard-");
        let wanted = format!("dep:{guard}");
        assert_eq!(
            front["features"][feature],
            serde_json::json!([wanted]),
            "{guard}"
        );
    }
}

#[test]
fn the_small_host_needs_no_more_than_its_guard() {
    let packages = packages();
    let guard = packages.iter().find(|package| package["name"] == GUARDS[0]);
    let guard = guard.expect("there is a reminder");
    let mut targets = guard["targets"].as_array().into_iter().flatten();
    let host = targets.find(|target| target["name"] == "small_host");
    assert_eq!(
        host.expect("there is a small host")["kind"],
        serde_json::json!(["example"])
    );
    let mut dependencies = guard["dependencies"].as_array().into_iter().flatten();
    let ours = |it: &&Value| {
        it["name"]
            .as_str()
            .is_some_and(|it| it.starts_with("loopguard"))
    };
    let own = dependencies.find(|it| it["kind"] == "dev" && ours(it));
    assert_eq!(own, None, "an example may use what tests use");
}
