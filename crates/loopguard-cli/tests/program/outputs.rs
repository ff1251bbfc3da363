//! Every form of output.

use super::{BROKEN, DEMO, DRY_RUN, HALTING, PARALLEL, QUIET, TWO, program, run, run_with};

#[test]
fn a_person_reads_the_demo() {
    let ran = run(&["replay", DEMO]);
    for guard in [
        "repeat-tool-guard  repeated-call",
        "dsh-brake",
        "circuit-open",
    ] {
        assert!(ran.out.contains(guard), "{guard}");
    }
    insta::assert_snapshot!("demo_text", ran.all());
}

#[test]
fn the_demo_as_lines() {
    insta::assert_snapshot!(
        "demo_jsonl",
        run(&["replay", "--output", "jsonl", DEMO]).all()
    );
}

#[test]
fn agents_parallel_calls_and_foreign_escapes_as_text() {
    insta::assert_snapshot!("parallel_text", run(&["replay", PARALLEL]).all());
}

#[test]
fn one_report_over_several_files() {
    let ran = run(&["replay", "--output", "json", PARALLEL, QUIET, TWO]);
    insta::assert_snapshot!("report_json", ran.all());
}

#[test]
fn a_halt_as_text_and_as_lines() {
    let text = run(&["replay", "--config", HALTING, TWO, PARALLEL]);
    insta::assert_snapshot!("halt_text", text.all());
    let lines = run(&["replay", "--config", HALTING, "--output", "jsonl", TWO]);
    insta::assert_snapshot!("halt_jsonl", lines.all());
}

#[test]
fn a_dry_run_as_text_and_as_lines() {
    let text = run(&["replay", "--config", DRY_RUN, TWO]);
    insta::assert_snapshot!("dry_run_text", text.all());
    let lines = run(&["replay", "--config", DRY_RUN, "--output", "jsonl", TWO]);
    insta::assert_snapshot!("dry_run_jsonl", lines.all());
}

#[test]
fn a_broken_session_leaves_no_trace_among_the_others() {
    let text = run(&["replay", QUIET, BROKEN, TWO]);
    insta::assert_snapshot!("broken_text", text.all());
}

#[test]
fn every_line_is_an_object_of_known_keys_in_their_order() {
    let ran = run(&["replay", "--output", "jsonl", PARALLEL, DEMO]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.lines().count() > 3);
    for line in ran.out.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["line"].is_u64());
        let mut last = 0;
        for key in [
            "file",
            "session",
            "line",
            "agent",
            "call_index",
            "call",
            "tool",
            "guard",
            "action",
            "code",
            "message",
        ] {
            assert!(value.get(key).is_some(), "{key}");
            let at = line.find(&format!("\"{key}\":")).unwrap();
            assert!(at >= last, "{key}");
            last = at;
        }
        assert!(value.get("dry_run").is_none());
        assert!(value.get("further").is_none());
    }
}

#[test]
fn nothing_to_say_is_nothing_to_write() {
    let ran = run(&["replay", "--output", "jsonl", QUIET]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
}

#[test]
fn long_runs_without_a_decision_are_shortened_where_that_gains_something() {
    let shown = |different: usize| {
        let call = |number: usize| {
            format!(
                "{{\"type\":\"call\",\"id\":\"c\",\"tool\":\"t\",\"arguments\":{number}}}\n\
                 {{\"type\":\"result\",\"id\":\"c\",\"status\":\"ok\",\"text\":\"fine\"}}\n"
            )
        };
        let stream: String = (0..different + 2)
            .map(|number| call(number.min(different - 1)))
            .collect();
        let ran = run_with(&mut program(&["replay", "-"]), stream.as_bytes());
        assert!(ran.out.contains("repeated-call"), "{}", ran.out);
        let left_out = ran.out.lines().find(|line| line.contains("more lines"));
        let results = ran.out.matches("-> ok: fine").count();
        (left_out.map(|line| line.trim().to_owned()), results)
    };
    // Two lines a call, twelve of which are shown.
    assert_eq!(shown(5), (None, 7));
    assert_eq!(shown(6), (Some("…  4 more lines".to_owned()), 6));
    assert_eq!(shown(98), (Some("…  188 more lines".to_owned()), 6));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let escape = '\u{1b}';
    assert!(!run(&["replay", DEMO]).out.contains(escape), "a pipe");
    let forced = run_with(program(&["replay", DEMO]).env("CLICOLOR_FORCE", "1"), b"");
    assert!(forced.out.contains(escape), "on demand");
    let denied = run_with(
        program(&["replay", DEMO])
            .env("CLICOLOR_FORCE", "1")
            .env("NO_COLOR", "1"),
        b"",
    );
    assert!(!denied.out.contains(escape), "NO_COLOR wins");
    // What a tool wrote steers no terminal.
    let foreign = run_with(
        program(&["replay", PARALLEL]).env("CLICOLOR_FORCE", "1"),
        b"",
    );
    assert!(!foreign.out.contains("\u{1b}[31mcannot"));
    let lines = run_with(
        program(&["replay", "--output", "jsonl", DEMO]).env("CLICOLOR_FORCE", "1"),
        b"",
    );
    assert!(!lines.out.contains(escape), "data has no colours");
}

/// Whoever closes the pipe has seen enough.
#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::Stdio;

    // More than a pipe holds, so that writing surely fails.
    let many = vec![DEMO; 200];
    for form in ["text", "jsonl", "json"] {
        let arguments = [&["replay", "--output", form][..], &many].concat();
        let mut child = program(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{form}");
        assert_eq!(output.status.code(), Some(0), "{form}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let child = program(&["replay", DEMO])
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("standard output cannot be written"), "{err}");
}
