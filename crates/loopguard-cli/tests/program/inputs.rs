//! Files, directories, standard input, packed or broken.

use std::io::Write as _;

use super::{BROKEN, QUIET, TWO, fixture, folder, program, run, run_with};

const LINES: &[&str] = &["replay", "--output", "jsonl"];

fn lines(paths: &[&str]) -> super::Ran {
    run(&[LINES, paths].concat())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("room in memory");
    packer.finish().expect("room in memory")
}

#[test]
fn standard_input_is_reported_as_a_dash() {
    let ran = run_with(
        &mut program(&[LINES, &["-"]].concat()),
        &fixture("two-sessions.jsonl"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with(r#"{"file":"-","session":"second""#));
}

#[test]
fn packed_files_are_read_as_what_they_hold() {
    let folder = folder("packed");
    let plain = fixture("two-sessions.jsonl");
    let expected = lines(&[TWO]).out;
    let packed = [
        ("a.jsonl.gz", gzip(&plain)),
        ("a.jsonl.zst", zstd::encode_all(&*plain, 3).unwrap()),
        // The name says nothing, the content does.
        ("a", gzip(&plain)),
    ];
    for (name, bytes) in packed {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        let ran = lines(&[path]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let escaped = serde_json::to_string(path).unwrap();
        let reported = ran.out.replace(&escaped, &format!("{TWO:?}"));
        assert_eq!(reported, expected, "{name}");
    }
}

#[test]
fn directories_are_searched_in_the_order_of_names() {
    let folder = folder("directory");
    let below = folder.join("b");
    std::fs::create_dir_all(below.join("empty")).unwrap();
    let two = fixture("two-sessions.jsonl");
    std::fs::write(folder.join("c.jsonl"), &two).unwrap();
    std::fs::write(folder.join("a.jsonl"), &two).unwrap();
    std::fs::write(below.join("z.jsonl.gz"), gzip(&two)).unwrap();
    // None of these looks like a session.
    std::fs::write(folder.join("notes.txt"), &two).unwrap();
    std::fs::write(folder.join("settings.json"), r#"{"theme":"dark"}"#).unwrap();
    std::fs::write(folder.join("void.jsonl"), "").unwrap();
    let ran = lines(&[folder.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.err, "");
    let mut files: Vec<String> = ran
        .out
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let file = value["file"].as_str().unwrap();
            let file = std::path::Path::new(file).strip_prefix(&folder).unwrap();
            file.to_str().unwrap().replace('\\', "/")
        })
        .collect();
    files.dedup();
    assert_eq!(files, ["a.jsonl", "b/z.jsonl.gz", "c.jsonl"]);
    // What is named like a session and is none is counted, not hidden.
    let summary = run(&["replay", folder.to_str().unwrap()]).out;
    assert!(summary.contains("\n2 files passed over"), "{summary}");
    let report = run(&["replay", "--output", "json", folder.to_str().unwrap()]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["totals"]["skipped_files"], 2);
}

#[test]
fn what_is_broken_below_a_directory_is_reported() {
    let folder = folder("broken-below");
    std::fs::write(folder.join("a.jsonl"), fixture("broken.jsonl")).unwrap();
    let mut cut = gzip(&fixture("two-sessions.jsonl"));
    cut.truncate(cut.len() / 2);
    std::fs::write(folder.join("b.jsonl.gz"), cut).unwrap();
    std::fs::write(folder.join("c.jsonl"), fixture("two-sessions.jsonl")).unwrap();
    let ran = lines(&[folder.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a.jsonl: line 6: not JSON"), "{}", ran.err);
    assert!(
        ran.err.contains("b.jsonl.gz: reading failed"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("c.jsonl"), "the others go on");
}

#[test]
fn a_directory_without_sessions_is_an_error() {
    let folder = folder("no-sessions");
    std::fs::write(folder.join("notes.txt"), "hello").unwrap();
    let ran = lines(&[folder.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no recorded session"), "{}", ran.err);
    assert!(ran.err.contains(".jsonl"), "{}", ran.err);
}

#[test]
fn what_cannot_be_read_is_reported_with_a_remedy_and_the_others_go_on() {
    let folder = folder("unreadable");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let cases = [
        (
            folder.join("none.jsonl").to_str().unwrap().to_owned(),
            "check the path",
        ),
        (path("empty.jsonl", b""), "the input is empty; leave it out"),
        (
            path("blank.jsonl", b"\n \n"),
            "the input is empty; leave it out",
        ),
        (
            path("prose.txt", b"Dear diary,\n"),
            "with `--from FORMAT`, or leave it out",
        ),
        (BROKEN.to_owned(), "line 6: not JSON"),
        (
            BROKEN.to_owned(),
            "mend the line, or take it out (the session before it was replayed)",
        ),
        (
            path("newer.jsonl", b"{\"type\":\"session\",\"version\":9}\n"),
            "version 9 of the event stream is not supported; version 1 is; record it in a version",
        ),
        (
            path("binary.jsonl", &[0, 159, 146, 150, 10, 255]),
            "with `--from FORMAT`, or leave it out",
        ),
        (
            path(
                "cut.json",
                br#"[{"role":"assistant","tool_calls":[{"function":{"name":"x"}}]},{"role":"#,
            ),
            "the document is not JSON: in line 1 at byte 71 there should be a value; mend it there",
        ),
        (path("cut.gz", &gzip(b"{}")[..12]), "it may be damaged"),
    ];
    for (path, expected) in cases {
        let ran = lines(&[&path, TWO]);
        assert_eq!(ran.code, 1, "{path}");
        assert!(
            ran.err.starts_with(&format!("error: {path}: ")),
            "{}",
            ran.err
        );
        assert!(ran.err.contains(expected), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert_eq!(ran.out, lines(&[TWO]).out, "{path}");
    }
}

#[test]
fn where_nothing_was_replayed_there_is_nothing_to_sum_up() {
    let ran = run(&["replay", "none.jsonl"]);
    assert_eq!((ran.code, &*ran.out), (1, "Nothing was replayed.\n"));
}

#[test]
fn the_sessions_before_a_broken_one_are_replayed() {
    let ran = run(&["replay", "--output", "json", BROKEN]);
    assert_eq!(ran.code, 1);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["totals"]["sessions"], 1);
    assert_eq!(report["sessions"][0]["session"], "whole");
}

#[test]
fn the_format_can_be_named() {
    assert_eq!(lines(&["--from", "events", TWO]).code, 0);
    let ran = lines(&["--from", "dsh", QUIET]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("it looks like `events`"), "{}", ran.err);
}
