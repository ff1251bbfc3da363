//! Many inputs at once.

use std::io::Write as _;
use std::process::Stdio;

use super::{BROKEN, DEMO, PARALLEL, QUIET, TWO, fixture, folder, program, run, run_with};

/// Good ones, silent ones, broken ones, none at all.
fn inputs(directory: &str) -> Vec<&str> {
    let some = [DEMO, QUIET, BROKEN, "none.jsonl", TWO, directory, PARALLEL];
    some.iter().copied().cycle().take(7 * 12).collect()
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = folder("threads");
    std::fs::write(folder.join("settings.json"), "{}").unwrap();
    let empty = folder.to_str().unwrap().to_owned();
    let full = folder.join("full");
    std::fs::create_dir_all(&full).unwrap();
    std::fs::write(full.join("a.jsonl"), fixture("two-sessions.jsonl")).unwrap();
    std::fs::write(full.join("b.jsonl"), fixture("broken.jsonl")).unwrap();
    std::fs::write(full.join("c.json"), "[]").unwrap();
    for directory in [&empty, full.to_str().unwrap()] {
        for form in ["text", "jsonl", "json"] {
            let with = |threads: &str| {
                let options = ["replay", "--output", form, "--threads", threads];
                run(&[&options[..], &inputs(directory)].concat())
            };
            let one = with("1");
            assert_eq!(one.code, 1);
            for threads in ["2", "3", "16"] {
                let many = with(threads);
                assert_eq!(many.code, one.code);
                assert_eq!(many.out, one.out, "{form} on {threads} threads");
                assert_eq!(many.err, one.err, "{form} on {threads} threads");
            }
        }
    }
}

/// No test has a terminal; nor does a pipe.
#[test]
fn progress_is_for_terminals_and_can_be_switched_off() {
    let many = vec![DEMO; 40];
    let plain = run(&[&["replay"][..], &many].concat());
    assert_eq!((plain.code, &*plain.err), (0, ""));
    let quiet = run(&[&["replay", "--quiet"][..], &many].concat());
    assert_eq!((quiet.code, &*quiet.err), (0, ""));
    assert_eq!(quiet.out, plain.out);
}

#[test]
fn standard_input_has_its_place_among_the_others() {
    let arguments = ["replay", "--output", "jsonl", DEMO, "-", PARALLEL];
    let ran = run_with(&mut program(&arguments), &fixture("two-sessions.jsonl"));
    assert_eq!((ran.code, &*ran.err), (0, ""));
    let mut files: Vec<_> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["file"].clone())
        .collect();
    files.dedup();
    assert_eq!(files, [DEMO, "-", PARALLEL]);
}

/// One input whose turn it is goes straight through, whatever waits behind it.
#[test]
fn what_is_done_is_shown_while_an_input_is_still_open() {
    use std::io::Read as _;

    let mut child = program(&["replay", "--output", "jsonl", "-", TWO])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let stream = fixture("two-sessions.jsonl");
    // Both pipes are bounded, so one thread fills what the other one drains.
    let (seen, wait) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        // More than is gathered before it is written.
        for _ in 0..400 {
            stdin.write_all(&stream).unwrap();
        }
        wait.recv().unwrap();
    });
    let mut first = [0; 64];
    stdout.read_exact(&mut first).unwrap();
    assert!(first.starts_with(br#"{"file":"-","session":"second""#));
    seen.send(()).unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.lines().last().unwrap().contains(TWO));
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
}

/// Whoever closes the pipe has seen enough, also of an input that never ends.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_an_input_that_goes_on() {
    let mut child = program(&["replay", "--output", "jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let stream = fixture("two-sessions.jsonl");
    while stdin.write_all(&stream).is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
