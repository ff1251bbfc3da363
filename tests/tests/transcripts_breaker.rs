//! Whole transcripts with the circuit breaker alone.

use insta::assert_snapshot;
use loopguard_testkit::{Guards, Script, ScriptedCall, Step, What, call, guards, run};
use serde_json::json;

const OPEN: &str = "The identical bash call already failed 2 consecutive times. Last failure: no \
                    rule to make target. Change the arguments or approach, inspect external \
                    state, or ask the user instead of retrying unchanged.";

fn breaker() -> Guards {
    guards(["circuit-breaker"])
}

fn make() -> ScriptedCall {
    call("bash", json!({"command": "make"}))
}

fn fails() -> ScriptedCall {
    make().fails("no rule to make target")
}

#[test]
fn an_open_circuit_denies_until_the_model_finds_another_way() {
    // The model hammers, and changes its arguments once it reads the reason.
    let script = Script::new()
        .user("build it")
        .reacting(8, |read| {
            let refused = read.iter().any(|entry| entry.is_refusal());
            let works = read
                .iter()
                .any(|entry| matches!(&entry.what, What::Call { arguments, .. } if arguments.contains("-C")));
            match (refused, works) {
                (_, true) => None,
                (true, _) => Some(
                    Step::from(call("bash", json!({"command": "make -C src"})))
                        .saying("The Makefile may be elsewhere."),
                ),
                _ => Some(fails().into()),
            }
        })
        .step(make());
    let transcript = run(breaker(), &script);
    assert_eq!(
        transcript.said(),
        ["step 3: tool-failure-circuit-breaker circuit-open denies"]
    );
    assert_eq!(transcript.refusals()[0].denial.reason, OPEN);
    assert_eq!(transcript.admissions(), [true, true, false, true, true]);
    assert_snapshot!("open_circuit", transcript);
}

#[test]
fn it_never_advises() {
    let script = Script::new().user("build it").repeat(20, fails());
    let transcript = run(breaker(), &script);
    assert!(transcript.notices().is_empty());
    assert_eq!(transcript.refusals().len(), 18);
    let reasons = transcript.refusals().into_iter();
    assert!(reasons.map(|it| &*it.denial.reason).all(|it| it == OPEN));
}

#[test]
fn a_success_of_any_tool_and_a_failure_of_another_call_clear_the_chain() {
    let script = Script::new()
        .user("build it")
        .step(fails())
        .step(call("ls", json!({})))
        .step(fails())
        .step(call("bash", json!({"command": "ninja"})).fails("no ninja"))
        .repeat(2, fails())
        .step(fails());
    let transcript = run(breaker(), &script);
    assert_eq!(
        transcript.said(),
        ["step 7: tool-failure-circuit-breaker circuit-open denies"]
    );
    assert_snapshot!("chains_cleared", transcript);
}

#[test]
fn a_host_denial_and_a_cancelled_call_are_neither_failure_nor_success() {
    let script = Script::new()
        .user("build it")
        .step(fails())
        .step(make().denied_by_host("The user declined."))
        .step(make().cancelled())
        .step(fails())
        .step(fails());
    let transcript = run(breaker(), &script);
    assert_eq!(
        transcript.said(),
        ["step 5: tool-failure-circuit-breaker circuit-open denies"]
    );
    assert_eq!(transcript.refusals()[0].denial.facts.count, 2);
    assert_snapshot!("host_denial_and_cancelled", transcript);
}

#[test]
fn parallel_calls_may_all_fail_before_it_can_deny() {
    let script = Script::new()
        .user("build it")
        .step(Step::parallel([fails(), fails(), fails(), fails()]))
        .step(Step::parallel([fails(), fails()]));
    let transcript = run(breaker(), &script);
    assert_eq!(
        transcript.admissions(),
        [true, true, true, true, false, false]
    );
    let reason = &transcript.refusals()[0].denial.reason;
    assert!(reason.contains("already failed 4 consecutive times"));
    assert_snapshot!("parallel_failures", transcript);
}

#[test]
fn a_late_success_of_a_parallel_call_closes_the_circuit() {
    let step = Step::parallel([fails(), fails(), make()]);
    let script = |step| Script::new().user("build it").step(step).step(make());
    let last = run(breaker(), &script(step.clone().ending_in_order([0, 1, 2])));
    assert!(last.refusals().is_empty());
    let first = run(breaker(), &script(step.ending_in_order([2, 0, 1])));
    assert_eq!(first.refusals().len(), 1);
}

#[test]
fn excluded_tools_neither_fail_nor_succeed() {
    let rows = breaker().with("circuit-breaker", json!({"exclude": ["note", "web_*"]}));
    let note = call("note", json!({"text": "try again"}));
    let search = call("web_search", json!({"query": "make"})).fails("offline");
    let script = Script::new()
        .user("build it")
        .cycle(2, [fails(), note, search.clone()])
        .step(fails())
        .repeat(3, search);
    let transcript = run(rows, &script);
    assert_eq!(
        transcript.said(),
        ["step 7: tool-failure-circuit-breaker circuit-open denies"]
    );
    assert_snapshot!("excluded_tools", transcript);
}

#[test]
fn the_last_message_is_kept_as_it_is_up_to_a_cap() {
    let rows = breaker().with(
        "circuit-breaker",
        json!({"maxFailures": 1, "errorPreviewChars": 16}),
    );
    let script = Script::new()
        .user("build it")
        .repeat(2, make().fails("line one\nline two"))
        .user("again")
        .repeat(2, make().fails_reading("", "exit 2"))
        .user("again")
        .repeat(2, make().fails("sixteen units ok"));
    let transcript = run(rows, &script);
    let quoted: Vec<_> = transcript
        .refusals()
        .into_iter()
        .map(|refusal| &*refusal.denial.reason)
        .collect();
    assert!(quoted[0].contains("Last failure: line one\nline tw…. Change"));
    assert!(quoted[1].contains("Last failure: (no message). Change"));
    assert!(quoted[2].contains("Last failure: sixteen units ok. Change"));
    assert_snapshot!("messages_quoted", transcript);
}

#[test]
fn a_result_for_a_refused_call_is_ignored() {
    let script = Script::new()
        .user("build it")
        .repeat(2, fails())
        .step(make().answers_though_refused("built"))
        .step(make());
    let transcript = run(breaker(), &script);
    assert_eq!(transcript.admissions(), [true, true, false, false]);
}

#[test]
fn ids_that_recur_pair_results_with_the_oldest_call() {
    // Both calls are "x": the first result is the failing first call's, the second the other's.
    let other = call("bash", json!({"command": "ls"})).fails("gone").id("x");
    let script = Script::new()
        .user("build it")
        .step(fails())
        .step(Step::parallel([fails().id("x"), other]))
        .step(fails());
    let transcript = run(breaker(), &script);
    // The other call's failure came last and began a chain of its own.
    assert!(transcript.refusals().is_empty());
}
