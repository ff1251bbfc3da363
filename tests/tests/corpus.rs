//! Recorded sessions: how they are measured, and what came of those beside the workspace.

use std::path::Path;

use loopguard::Preset;
use loopguard_tests::corpus::{Measures, measure, setup};

/// Numbers alone: what was recorded is other people's.
#[test]
fn what_guards_say_in_the_recorded_sessions_beside_the_workspace() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if !beside.is_dir() {
        println!("skipped: no recorded sessions beside the workspace");
        return;
    }
    for (name, preset, brake_may_deny) in [
        ("original", Preset::Original, false),
        ("recommended", Preset::Recommended, false),
        ("recommended_brake_may_deny", Preset::Recommended, true),
    ] {
        let setup = setup(Some(preset), None, brake_may_deny).unwrap();
        let table = measure(&beside, &setup).unwrap();
        insta::assert_snapshot!(name, table.to_string());
    }
}

/// What the guards of the preset `original` make of these sessions.
fn measured(name: &str, sessions: &[(&str, &[String])]) -> Measures {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("corpus-{name}"));
    std::fs::create_dir_all(&dir).expect("a folder");
    let mut text = String::new();
    for (outcome, lines) in sessions {
        text += &format!(
            r#"{{"type":"session","version":1,"id":"s","format":"events","outcome":"{outcome}"}}"#
        );
        text += "\n";
        text += &lines.concat();
    }
    // What is not packed is read as it is, whatever its name says.
    std::fs::write(dir.join("made-up.jsonl.gz"), text).expect("a file");
    let setup = setup(Some(Preset::Original), None, false).expect("a preset");
    let table = measure(&dir, &setup);
    std::fs::remove_dir_all(&dir).expect("a folder");
    table.expect("a recording").total()
}

fn call(argument: &str, status: &str, text: &str) -> String {
    format!(
        r#"{{"type":"call","id":"c","tool":"t","arguments":{{"a":"{argument}"}}}}
{{"type":"result","id":"c","status":"{status}","text":"{text}"}}
"#
    )
}

#[test]
fn a_failing_run_is_a_loop_and_its_calls_after_the_denial_are_counted() {
    let mut lines = vec![call("other", "ok", "")];
    lines.extend(vec![call("x", "error", "no"); 9]);
    let measures = measured("run", &[("failure", &lines), ("success", &[])]);
    assert_eq!(
        (measures.sessions.failure, measures.sessions.success),
        (1, 1)
    );
    assert_eq!(measures.calls, 10);
    assert_eq!((measures.noticed.failure, measures.noticed.success), (1, 0));
    assert_eq!((measures.denied.failure, measures.denied.success), (1, 0));
    // Two failures open the circuit.
    assert_eq!(measures.denials.len(), 7);
    assert!(measures.denials.iter().all(|it| !it.fine));
    let [it] = &*measures.loops else {
        panic!("{:?}", measures.loops)
    };
    assert_eq!((it.first_call, it.calls, it.period), (2, 9, 1));
    assert_eq!((it.noticed_at, it.denied_at), (Some(3), Some(3)));
    assert_eq!(it.calls_after_denial(), 6);
}

#[test]
fn a_denied_call_whose_result_was_fine_is_counted_and_so_is_whether_it_was_new() {
    let lines = [
        call("x", "ok", "first"),
        call("x", "error", "no"),
        call("x", "error", "no"),
        call("x", "ok", "first"),
        call("x", "ok", "second"),
        call("x", "ok", "second"),
    ];
    let measures = measured("fine", &[("success", &lines)]);
    let denials = measures.denials.iter();
    let denials: Vec<_> = denials
        .map(|it| (it.call, it.fine, it.fine_and_new))
        .collect();
    assert_eq!(
        denials,
        [(4, true, false), (5, true, true), (6, true, false)]
    );
    assert_eq!(measures.loops.len(), 0);
}

#[test]
fn a_notice_in_a_cycle_falls_in_a_round() {
    let round = ["a", "b", "c"].map(|argument| call(argument, "ok", argument));
    let measures = measured("cycle", &[("unknown", &vec![round.concat(); 7])]);
    let [it] = &*measures.loops else {
        panic!("{:?}", measures.loops)
    };
    assert_eq!((it.calls, it.period), (21, 3));
    // The brake counts six of a call: the first is complete at the start of the sixth round.
    assert_eq!((it.noticed_at, it.noticed_in_round()), (Some(16), Some(6)));
    assert_eq!((it.denied_at, it.calls_after_denial()), (None, 0));
}

#[test]
fn a_notice_that_a_message_raises_inside_a_loop_counts_for_it() {
    let long = "one and the same words ".repeat(5);
    let message = format!(r#"{{"type":"message","source":"plugin:p","text":"{long}"}}"#) + "\n";
    let mut lines = vec![call("x", "ok", "y"); 8];
    lines.splice(1..1, vec![message.clone(); 3]);
    assert_eq!(
        measured("inside", &[("unknown", &lines)]).loops[0].noticed_at,
        Some(1)
    );
    // Before its first call none is inside.
    let mut lines = vec![call("x", "ok", "y"); 8];
    lines.splice(0..0, vec![message; 3]);
    assert_eq!(
        measured("before", &[("unknown", &lines)]).loops[0].noticed_at,
        Some(3)
    );
}

#[test]
fn a_human_message_ends_a_loop() {
    let mut lines = vec![call("x", "ok", "y"); 14];
    let message = r#"{"type":"user","text":"again"}"#.to_owned() + "\n";
    lines.insert(7, message);
    assert_eq!(measured("human", &[("unknown", &lines)]).loops.len(), 0);
    lines.push(call("x", "ok", "y"));
    assert_eq!(measured("human", &[("unknown", &lines)]).loops.len(), 1);
}

#[test]
fn a_folder_without_recordings_is_an_error() {
    let setup = setup(None, None, true).unwrap();
    let error = measure(Path::new(env!("CARGO_MANIFEST_DIR")), &setup).unwrap_err();
    assert!(error.ends_with("no file ends in .jsonl.gz"), "{error}");
}
