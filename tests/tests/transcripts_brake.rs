//! Whole transcripts with the brake alone.

use insta::assert_snapshot;
use loopguard_testkit::{Guards, Script, ScriptedCall, Step, call, guards, run};
use serde_json::json;

/// Long enough to be looked at as text: 104 units.
const RULES: &str = "Always run the tests before you commit, keep each change small, and write \
                     down why it was made at all.";

fn brake() -> Guards {
    guards(["brake"])
}

fn named(tool: &str) -> ScriptedCall {
    call(tool, json!({"path": "src"}))
}

fn cycle<const N: usize>(times: usize, tools: [&str; N]) -> Script {
    Script::new().user("tidy up").cycle(times, tools.map(named))
}

#[test]
fn a_call_is_counted_over_everything_since_the_last_prompt() {
    let mut script = Script::new().user("tidy up");
    for page in 1..=12 {
        script = script.step([
            named("grep"),
            call("read", json!({"page": page})),
            call("read", json!({"page": page + 100})),
        ]);
    }
    let transcript = run(brake(), &script);
    let said = [
        "step 6: dsh-brake call-count: grep × 6",
        "step 11: dsh-brake call-count: grep × 11",
    ];
    assert_eq!(transcript.said(), said);
    assert_eq!(transcript.notices()[0].facts.first_call.unwrap().0, 1);
    assert_eq!(transcript.notices()[1].facts.last_call.unwrap().0, 31);
    assert_snapshot!("cumulative_count", transcript);
}

#[test]
fn a_cycle_of_four_calls_is_told_at_its_third_and_eighth_time() {
    let transcript = run(brake(), &cycle(8, ["read", "grep", "edit", "test"]));
    let said = [
        "step 12: dsh-brake sequence-loop: sequence loop × 3",
        "step 21: dsh-brake call-count: read × 6",
        "step 22: dsh-brake call-count: grep × 6",
        "step 23: dsh-brake call-count: edit × 6",
        "step 24: dsh-brake call-count: test × 6",
        "step 32: dsh-brake sequence-loop: sequence loop × 8",
    ];
    assert_eq!(transcript.said(), said);
    let facts = &transcript.notices()[0].facts;
    assert_eq!(facts.tools, ["read", "grep", "edit", "test"]);
    assert_eq!(facts.period, Some(4));
    assert_snapshot!("cycle_of_four", transcript);
}

#[test]
fn a_cycle_of_five_calls_is_told_once_and_not_in_every_rotation() {
    let transcript = run(brake(), &cycle(5, ["read", "grep", "edit", "test", "diff"]));
    assert_eq!(
        transcript.said(),
        ["step 14: dsh-brake sequence-loop: sequence loop × 3"]
    );
    assert_eq!(transcript.notices()[0].facts.period, Some(5));
    assert_snapshot!("cycle_of_five", transcript);
}

#[test]
fn of_a_cycle_of_five_only_the_sequence_that_was_told_is_told_again() {
    let rows = brake().with("brake", json!({"callWarnCount": 100, "callDenyCount": 101}));
    let tools = ["read", "grep", "edit", "test", "diff"];
    let said = [
        "step 14: dsh-brake sequence-loop: sequence loop × 3",
        "step 39: dsh-brake sequence-loop: sequence loop × 8",
    ];
    assert_eq!(run(&rows, &cycle(12, tools)).said(), said);
    // The loop is left once and comes back. Every rotation of it has come as often as its
    // neighbours; the first that is due again is told, and the others are silent once more.
    let script = cycle(4, tools).step(named("ls")).cycle(5, tools.map(named));
    let transcript = run(&rows, &script);
    let said = [
        "step 14: dsh-brake sequence-loop: sequence loop × 3",
        "step 40: dsh-brake sequence-loop: sequence loop × 8",
    ];
    assert_eq!(transcript.said(), said);
    assert_snapshot!("cycle_of_five_left_once", transcript);
}

#[test]
fn occurrences_need_not_be_adjacent_and_denied_calls_belong_to_them() {
    let mut script = Script::new().user("tidy up");
    for page in 0..3 {
        script = script
            .step(Step::of([
                named("read"),
                named("grep").denied_by_host("no"),
                named("edit").cancelled(),
                named("test").fails("one failed"),
            ]))
            .step(call("think", json!({"page": page})));
    }
    let transcript = run(brake(), &script);
    assert_eq!(
        transcript.said(),
        ["step 5: dsh-brake sequence-loop: sequence loop × 3"]
    );
    assert_eq!(transcript.notices()[0].facts.period, Some(5));
    assert_snapshot!("not_adjacent", transcript);
}

#[test]
fn shorter_cycles_and_single_calls_are_no_sequence() {
    for tools in [&["read", "grep", "edit"][..], &["read", "grep"], &["read"]] {
        let calls: Vec<_> = tools.iter().map(|tool| named(tool)).collect();
        let said = run(brake(), &Script::new().user("tidy up").cycle(12, calls)).said();
        assert!(said.iter().all(|line| line.contains("call-count")));
        assert_eq!(said.len(), 2 * tools.len());
    }
}

#[test]
fn windows_do_not_span_a_prompt() {
    let round = |script: Script| script.cycle(2, ["read", "grep", "edit", "test"].map(named));
    let script = round(Script::new().user("tidy up"));
    let script = round(script.user("go on"));
    assert_eq!(run(brake(), &script).said(), [""; 0]);
}

#[test]
fn deny_mode_stops_a_model_that_hammers() {
    let rows = brake().with("brake", json!({"mode": "deny"}));
    let script = Script::new()
        .user("tidy up")
        .until_denied(20, named("read"))
        .repeat(5, named("read"))
        .step(call("read", json!({"path": "tests"})))
        .user("read it again, I changed it")
        .step(named("read"));
    let transcript = run(rows, &script);
    let said = [
        "step 6: dsh-brake call-count: read × 6",
        "step 11: dsh-brake call-denied denies",
        "step 11: dsh-brake call-count: read × 11",
        "step 12: dsh-brake call-denied denies",
        "step 13: dsh-brake call-denied denies",
        "step 14: dsh-brake call-denied denies",
        "step 15: dsh-brake call-denied denies",
        "step 16: dsh-brake call-denied denies",
        "step 16: dsh-brake call-count: read × 16",
    ];
    assert_eq!(transcript.said(), said);
    assert_eq!(transcript.refusals()[0].denial.facts.count, 10);
    assert_snapshot!("deny_mode", transcript);
}

#[test]
fn parallel_calls_are_counted_when_they_end() {
    let rows = brake().with("brake", json!({"mode": "deny"}));
    let reads = |times| Step::parallel(std::iter::repeat_n(named("read"), times));
    let script = Script::new().user("tidy up").step(reads(12)).step(reads(2));
    let transcript = run(rows, &script);
    let said = [
        "step 1: dsh-brake call-count: read × 6",
        "step 1: dsh-brake call-count: read × 11",
        "step 2: dsh-brake call-denied denies",
        "step 2: dsh-brake call-denied denies",
    ];
    assert_eq!(transcript.said(), said);
    assert_eq!(transcript.refusals()[0].denial.facts.count, 12);
    assert_snapshot!("deny_mode_parallel", transcript);
}

#[test]
fn its_detectors_speak_in_their_order() {
    let rows = brake().with(
        "brake",
        json!({"callWarnCount": 2, "sequenceLength": 2, "sequenceCount": 2,
               "duplicateTextThreshold": 2}),
    );
    let script = Script::new()
        .user("tidy up")
        .cycle(2, [named("read"), named("grep").returns(RULES)]);
    let transcript = run(rows, &script);
    let said = [
        "step 3: dsh-brake call-count: read × 2",
        "step 4: dsh-brake call-count: grep × 2",
        "step 4: dsh-brake sequence-loop: sequence loop × 2",
        "step 4: dsh-brake duplicate-text: duplicate text × 2",
    ];
    assert_eq!(transcript.said(), said);
    assert_snapshot!("detectors_in_order", transcript);
}

#[test]
fn no_text_carries_the_repeated_payload() {
    let secret = "a-payload-that-only-the-arguments-hold";
    let calls = ["read", "grep", "edit", "test"].map(|tool| call(tool, json!({"key": secret})));
    let rows = brake().with("brake", json!({"mode": "deny"}));
    let transcript = run(rows, &Script::new().user("tidy up").cycle(12, calls));
    assert_eq!(transcript.refusals().len(), 8);
    let refusals = transcript.refusals().into_iter();
    assert!(
        refusals
            .into_iter()
            .all(|it| !it.denial.reason.contains(secret))
    );
    assert!(
        transcript
            .notices()
            .iter()
            .all(|it| !it.text.contains(secret))
    );
}
