//! Whole transcripts with the repeat reminder alone.

use insta::assert_snapshot;
use loopguard_testkit::{
    Guards, Script, ScriptedCall, Step, call, call_text, combinations, guards, run,
};
use serde_json::json;

const SHORT: &str = "You are repeating the exact same tool call with identical arguments. \
                     Carefully analyze the previous result before calling again: if the task is \
                     not complete, try a different approach or different arguments instead of \
                     repeating the call.";

const DETAILED: &str = "Repeated tool call detected:
- tool: read
- consecutive_calls: 5
- arguments: {\"path\":\"src/main.rs\"}
The repeated calls are not making progress. Do not call this tool with these exact arguments \
                        again. Inspect the latest result and choose a different action, different \
                        arguments, or finish the task if enough evidence has been gathered.";

fn reminder() -> Guards {
    guards(["repeat-reminder"])
}

fn read() -> ScriptedCall {
    call("read", json!({"path": "src/main.rs"})).returns("fn main() {}")
}

#[test]
fn five_times_is_told_shortly_at_the_third_and_in_detail_at_the_fifth() {
    let transcript = run(reminder(), &Script::new().user("explain").repeat(5, read()));
    let said = [
        "step 3: repeat-tool-guard repeated-call: read × 3",
        "step 5: repeat-tool-guard repeated-call-detailed: read × 5",
    ];
    assert_eq!(transcript.said(), said);
    let notices = transcript.notices();
    assert_eq!(notices[0].text, SHORT);
    assert_eq!(notices[1].text, DETAILED);
    let source = json!({
        "kind": "plugin",
        "plugin": "repeat-tool-guard",
        "form": "notice",
        "summary": "read × 3",
    });
    assert_eq!(notices[0].source(), source);
    assert_snapshot!("five_times", transcript);
}

#[test]
fn eight_times_is_told_once_more_at_the_eighth() {
    let transcript = run(reminder(), &Script::new().user("explain").repeat(8, read()));
    let said = transcript.said();
    assert_eq!(said.len(), 3);
    assert_eq!(
        said[2],
        "step 8: repeat-tool-guard repeated-call-detailed: read × 8"
    );
    assert!(
        transcript.notices()[2]
            .text
            .contains("\n- consecutive_calls: 8\n")
    );
    assert_snapshot!("eight_times", transcript);
}

#[test]
fn past_the_highest_threshold_it_is_silent() {
    let script = |times| Script::new().user("explain").repeat(times, read());
    let said = run(reminder(), &script(12)).said();
    assert_eq!(said, run(reminder(), &script(8)).said());
    assert_eq!(said, run(reminder(), &script(40)).said());
}

#[test]
fn own_thresholds_in_any_order_and_a_cut_preview() {
    let rows = reminder().with(
        "repeat-reminder",
        json!({"thresholds": [4, 2], "argumentsPreviewChars": 12}),
    );
    let transcript = run(rows, &Script::new().user("explain").repeat(5, read()));
    let said = [
        "step 2: repeat-tool-guard repeated-call: read × 2",
        "step 4: repeat-tool-guard repeated-call-detailed: read × 4",
    ];
    assert_eq!(transcript.said(), said);
    let preview = "\n- arguments: {\"path\":\"src… (+10 more chars)\n";
    assert!(transcript.notices()[1].text.contains(preview));
    assert_snapshot!("own_thresholds", transcript);
}

#[test]
fn other_arguments_and_other_tools_start_a_run_of_their_own() {
    let other = call("read", json!({"path": "src/lib.rs"}));
    let script = Script::new()
        .user("explain")
        .repeat(2, read())
        .step(other)
        .repeat(2, read())
        .step(call("stat", json!({"path": "src/main.rs"})))
        .repeat(2, read());
    let transcript = run(reminder(), &script);
    assert_eq!(transcript.said(), [""; 0]);
    assert_snapshot!("interrupted_runs", transcript);
}

#[test]
fn one_value_written_three_ways_is_one_call() {
    let script = Script::new().user("count").step([
        call_text("sleep", r#"{"seconds": 1, "note": "a"}"#),
        call_text("sleep", r#"{"note":"\u0061","seconds":1.0}"#),
        call("sleep", json!({"note": "a", "seconds": 1})),
    ]);
    let transcript = run(reminder(), &script);
    assert_eq!(
        transcript.said(),
        ["step 1: repeat-tool-guard repeated-call: sleep × 3"]
    );
    assert_snapshot!("one_value_written_three_ways", transcript);
}

#[test]
fn excluded_tools_neither_count_nor_interrupt() {
    let rows = reminder().with("repeat-reminder", json!({"exclude": ["wait*"]}));
    let wait = call("wait_for_build", json!({}));
    let script = Script::new()
        .user("explain")
        .cycle(3, [read(), wait.clone()])
        .repeat(6, wait);
    let transcript = run(rows, &script);
    assert_eq!(
        transcript.said(),
        ["step 5: repeat-tool-guard repeated-call: read × 3"]
    );
    assert_snapshot!("excluded_tools", transcript);
}

#[test]
fn parallel_siblings_count_when_they_end() {
    let script = Script::new()
        .user("explain")
        .step(Step::parallel([read(), read(), read(), read()]).ending_in_order([3, 1, 0, 2]));
    let transcript = run(reminder(), &script);
    assert_eq!(
        transcript.said(),
        ["step 1: repeat-tool-guard repeated-call: read × 3"]
    );
    assert_snapshot!("parallel_siblings", transcript);
}

#[test]
fn a_call_that_never_ends_does_not_count() {
    let script = Script::new()
        .user("explain")
        .repeat(5, read().never_answers())
        .repeat(2, read());
    assert_eq!(run(reminder(), &script).said(), [""; 0]);
}

#[test]
fn only_a_reminder_among_the_guards_reminds() {
    let script = Script::new().user("explain").repeat(5, read());
    for rows in combinations() {
        let said = run(&rows, &script).said();
        assert_eq!(said.is_empty(), !rows.has("repeat-reminder"), "{rows:?}");
    }
}
