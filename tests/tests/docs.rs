//! The documentation says what is so: its configurations load, its texts are those of the guards,
//! its quotations are to the letter, and its links lead somewhere.

use std::path::{Path, PathBuf};

use loopguard::config::{Key, Kind};
use loopguard::{Base, GUARDS, Preset, SET_KEYS, Setup};
use loopguard_cli::{Action, replay_all};
use loopguard_testkit::{Script, call, guards, run};
use loopguard_transcript::ReadOptions;
use serde_json::json;

#[path = "../../crates/loopguard/examples/fourth_guard.rs"]
mod fourth_guard;

const DOCUMENTS: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    "docs/configuration.md",
    "docs/findings.md",
    "docs/formats.md",
    "docs/guards.md",
    "docs/hosts.md",
    "docs/performance.md",
    "docs/writing-a-guard.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(document: &str) -> String {
    let text = std::fs::read_to_string(root().join(document));
    text.unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// A fenced block: the words behind its fence, and its text.
struct Block {
    words: String,
    text: String,
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in read(document).lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => {
                let (words, text) = (words.to_owned(), String::new());
                open = Some(Block { words, text });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{document}: a block without its end");
    blocks
}

/// What is wrong with a configuration, in words; empty if nothing is.
fn wrong_with(block: &Block) -> String {
    let loaded = match block.words.starts_with("json") {
        true => Setup::from_json("guards.json", &block.text, Base::default()),
        false => Setup::from_yaml("guards.yaml", &block.text, Base::default()),
    };
    match loaded {
        Ok(loaded) => {
            let warnings = loaded.warnings.iter().map(ToString::to_string);
            warnings.collect::<Vec<_>>().join("\n")
        }
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn every_configuration_in_the_documentation_loads() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for block in blocks(document) {
            if block.words.split(' ').any(|word| word == "configuration") {
                assert_eq!(wrong_with(&block), "", "{document}:\n{}", block.text);
                seen += 1;
            }
        }
    }
    assert!(seen >= 8, "only {seen} blocks were found");
}

#[test]
fn every_wrong_configuration_fails_with_the_message_that_follows_it() {
    let blocks = blocks("docs/configuration.md");
    let mut seen = 0;
    for pair in blocks.windows(2) {
        if pair[0].words.ends_with(" wrong") {
            assert_eq!(format!("{}\n", wrong_with(&pair[0])), pair[1].text);
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// The keys of a row, and those of the mappings inside it.
fn all_keys(keys: &'static [Key]) -> Vec<&'static Key> {
    let mut all = Vec::new();
    for key in keys {
        all.push(key);
        if let Kind::Groups(inner) = key.kind.value() {
            all.extend(all_keys(inner));
        }
    }
    all
}

#[test]
fn every_key_stands_in_the_documentation_with_its_default_and_meaning() {
    let text = read("docs/configuration.md").replace('\\', "");
    let complete = blocks("docs/configuration.md");
    let complete = complete
        .iter()
        .find(|block| block.words.ends_with(" complete"))
        .expect("there is a complete file");
    let tables = GUARDS.iter().map(|kind| kind.keys).chain([SET_KEYS]);
    for key in tables.flat_map(all_keys) {
        let about = key.about.replace('\\', "");
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{}` |", key.name)) && line.contains(&about));
        let row = row.unwrap_or_else(|| panic!("{}: not in the documentation", key.name));
        let has_default = key.default == "none" || row.contains(&format!("`{}`", key.default));
        assert!(has_default, "{}: another default: {row}", key.name);
        let is_shown = complete.text.contains(&format!("{}:", key.name));
        assert!(
            is_shown || key.kind.deprecation().is_some(),
            "{}: not in the complete file",
            key.name
        );
    }
}

#[test]
fn what_the_readme_says_the_model_reads_is_what_it_reads() {
    let readme = blocks("README.md");
    let quotes = |text: &str| {
        let text = format!("{text}\n");
        assert!(
            readme.iter().any(|block| block.text == text),
            "the README does not quote: {text}"
        );
    };
    let make = call("bash", json!({"command": "make"})).returns("nothing to be done");
    let script = Script::new().user("build it").repeat(3, make);
    let transcript = run(guards(["repeat-reminder"]), &script);
    let notice = transcript
        .notices()
        .into_iter()
        .next()
        .expect("the third call is advised about");
    quotes(&notice.text);

    let demo = read("docs/demo/looping-agent.jsonl");
    let setup = Setup::preset(Preset::Recommended);
    let (sessions, _) = replay_all(demo.as_bytes(), &ReadOptions::new(), &setup).unwrap();
    let mut decisions = sessions[0].decisions.iter();
    let denial = decisions
        .find(|decision| decision.action == Action::Deny)
        .expect("the demo shows a denial");
    quotes(&denial.message);
}

#[test]
fn the_fourth_guard_runs_and_its_description_quotes_it() {
    fourth_guard::main();
    let source = read("crates/loopguard/examples/fourth_guard.rs");
    let mut seen = 0;
    for block in blocks("docs/writing-a-guard.md") {
        if block.words == "rust" {
            assert!(
                source.contains(&block.text),
                "the example does not hold:\n{}",
                block.text
            );
            seen += 1;
        }
    }
    assert!(seen >= 6);
}

#[test]
fn the_bounds_are_those_of_the_code() {
    let text = read("docs/architecture.md");
    for (constant, bound) in [
        ("DEFAULT_AGENTS", loopguard::DEFAULT_AGENTS),
        ("MAX_PENDING_CALLS", loopguard::MAX_PENDING_CALLS),
        ("MAX_WAITING_NOTICES", loopguard::MAX_WAITING_NOTICES),
        ("MAX_CALLS", loopguard_brake::MAX_CALLS),
        ("MAX_SEQUENCES", loopguard_brake::MAX_SEQUENCES),
        ("MAX_LOOP_CALLS", loopguard_brake::MAX_LOOP_CALLS),
        ("MAX_PERIOD", loopguard_brake::MAX_PERIOD),
        ("MAX_TEXTS", loopguard_brake::MAX_TEXTS),
        ("MAX_SOURCES", loopguard_brake::MAX_SOURCES),
        ("MAX_MESSAGE_IDS", loopguard_brake::MAX_MESSAGE_IDS),
        ("MAX_GROUPS", loopguard_brake::MAX_GROUPS),
        ("MAX_STREAM_BYTES", loopguard_brake::MAX_STREAM_BYTES >> 10),
        ("MAX_CHAINS", loopguard_circuit_breaker::MAX_CHAINS as usize),
        ("MAX_LINE_BYTES", loopguard_transcript::MAX_LINE_BYTES >> 20),
    ] {
        let cell = format!("| `{constant}` |");
        let row = text.lines().find(|line| line.ends_with(&cell));
        let row = row.unwrap_or_else(|| panic!("{constant}: not in the table"));
        let digits = row.replace(',', "");
        let mut numbers = digits.split(|c: char| !c.is_ascii_digit());
        assert!(
            numbers.any(|number| number == bound.to_string()),
            "{constant} is {bound}: {row}"
        );
    }
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-')
        .collect::<String>();
    kept.replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    for document in DOCUMENTS {
        let text = read(document);
        let here = root().join(document);
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.starts_with("http") {
                continue;
            }
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => here.clone(),
                _ => here.parent().expect("a file").join(file),
            };
            assert!(target.exists(), "{document}: {link}");
            if !section.is_empty() {
                let target = std::fs::read_to_string(&target).expect("a document");
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                assert!(
                    headings.any(|line| anchor(line) == section),
                    "{document}: {link}"
                );
            }
        }
    }
}
