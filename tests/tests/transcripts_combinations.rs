//! One story under each guard alone, each pair, and all three: whole transcripts, a snapshot
//! for each combination.

use insta::assert_snapshot;
use loopguard_testkit::{
    Guards, Script, ScriptedCall, Step, Transcript, call, combinations, message, run,
};
use serde_json::json;

const REMINDER: &str = "repeat-reminder";
const BRAKE: &str = "brake";
const BREAKER: &str = "circuit-breaker";

/// Long enough to be looked at as text: 97 units.
const RULES: &str = "The repository has a contribution guide; it asks for small commits, for \
                     tests, and for a reason.";

/// Plays the story under every combination of guards. Of the lines, each with the guard that it
/// is about, those of the guards that watch are what the model hears.
fn check(
    name: &str,
    configured: impl Fn(Guards) -> Guards,
    script: &Script,
    lines: &[(&str, &str)],
) -> Vec<(Guards, Transcript)> {
    let played = combinations().into_iter().map(|guards| {
        let guards = configured(guards);
        let transcript = run(&guards, script);
        let label = guards.label();
        assert_eq!(transcript.said(), guards.lines_of(lines), "{label}");
        assert!(transcript.waiting().is_empty(), "{label}");
        assert_snapshot!(format!("{name}__{label}"), transcript);
        (guards, transcript)
    });
    let played: Vec<_> = played.collect();
    assert_eq!(played.len(), 7);
    played
}

fn make() -> ScriptedCall {
    call("bash", json!({"command": "make"}))
}

#[test]
fn the_same_call_twelve_times() {
    let script = Script::new().user("build it").repeat(12, make());
    let lines = [
        (
            REMINDER,
            "step 3: repeat-tool-guard repeated-call: bash × 3",
        ),
        (
            REMINDER,
            "step 5: repeat-tool-guard repeated-call-detailed: bash × 5",
        ),
        (BRAKE, "step 6: dsh-brake call-count: bash × 6"),
        (
            REMINDER,
            "step 8: repeat-tool-guard repeated-call-detailed: bash × 8",
        ),
        (BRAKE, "step 11: dsh-brake call-count: bash × 11"),
    ];
    for (guards, transcript) in check("twelve_times", |it| it, &script, &lines) {
        assert!(transcript.refusals().is_empty(), "{guards:?}");
    }
}

#[test]
fn a_cycle_of_four_calls_one_of_which_fails() {
    let tools = ["read", "grep", "edit"].map(|tool| call(tool, json!({"path": "src"})));
    let [read, grep, edit] = tools;
    let script = Script::new()
        .user("build it")
        .cycle(4, [read, grep, edit, make().fails("no rule")]);
    // Other calls come in between, and succeed: the brake alone sees it.
    let lines = [(BRAKE, "step 12: dsh-brake sequence-loop: sequence loop × 3")];
    check("cycle_of_four", |it| it, &script, &lines);
}

#[test]
fn a_failing_call_is_hammered_and_denied_calls_count() {
    let script = Script::new()
        .user("build it")
        .until_denied(12, make().fails("no rule"))
        .repeat(9, make().fails("no rule"));
    let deny = |guards: Guards| guards.with(BRAKE, json!({"mode": "deny", "callDenyCount": 7}));
    for guards in combinations().into_iter().map(deny) {
        let label = guards.label();
        let transcript = run(&guards, &script);
        let (brake, breaker) = (guards.has(BRAKE), guards.has(BREAKER));
        let refused = transcript.refusals();
        // Until it is denied, or to the limit, and then nine times more.
        let (calls, denials) = match (brake, breaker) {
            (_, true) => (3 + 9, 10),
            (true, false) => (8 + 9, 10),
            (false, false) => (12 + 9, 0),
        };
        assert_eq!(transcript.admissions().len(), calls, "{label}");
        assert_eq!(refused.len(), denials, "{label}");
        if breaker {
            // The breaker is the first to deny: the brake joins it after the seventh call.
            assert_eq!(refused[0].denial.code, "circuit-open", "{label}");
            assert_eq!(
                refused[0].denial.reason,
                "The identical bash call already failed 2 consecutive times. Last failure: no \
                 rule. Change the arguments or approach, inspect external state, or ask the user \
                 instead of retrying unchanged."
            );
            let further = refused.iter().filter(|it| !it.further.is_empty()).count();
            assert_eq!(further, if brake { 5 } else { 0 }, "{label}");
        }
        if brake {
            // The brake's row is the first of the two: from then on its reason is the one.
            let reasons = refused.iter();
            let reasons = reasons.filter(|it| it.denial.code == "call-denied");
            assert_eq!(reasons.count(), if breaker { 5 } else { 10 }, "{label}");
        }
        let notices = |guard: &str| {
            let notices = transcript.notices().into_iter();
            let ours = notices.filter(|notice| notice.guard.as_str() == guard);
            ours.map(|notice| notice.facts.count).collect::<Vec<_>>()
        };
        if guards.has(REMINDER) {
            assert_eq!(notices("repeat-tool-guard"), [3, 5, 8], "{label}");
        }
        if brake {
            let counts: &[u64] = if breaker { &[6, 11] } else { &[6, 11, 16] };
            assert_eq!(notices("dsh-brake"), counts, "{label}");
        }
        assert!(
            notices("tool-failure-circuit-breaker").is_empty(),
            "{label}"
        );
        assert_snapshot!(format!("hammered__{label}"), transcript);
    }
}

#[test]
fn parallel_identical_calls_all_fail() {
    let fails = || make().fails("no rule");
    let script = Script::new()
        .user("build it")
        .step(Step::parallel([
            fails(),
            fails(),
            fails(),
            fails(),
            fails(),
            fails(),
        ]))
        .step(fails());
    let lines = [
        (
            REMINDER,
            "step 1: repeat-tool-guard repeated-call: bash × 3",
        ),
        (
            REMINDER,
            "step 1: repeat-tool-guard repeated-call-detailed: bash × 5",
        ),
        (BRAKE, "step 1: dsh-brake call-count: bash × 6"),
        (
            BREAKER,
            "step 2: tool-failure-circuit-breaker circuit-open denies",
        ),
    ];
    for (guards, transcript) in check("parallel_failures", |it| it, &script, &lines) {
        let refused: Vec<_> = transcript.refusals();
        assert_eq!(refused.len(), usize::from(guards.has(BREAKER)));
        assert!(refused.iter().all(|it| it.denial.facts.count == 6));
    }
}

#[test]
fn a_host_denial_and_a_cancelled_call_in_between() {
    let script = Script::new()
        .user("build it")
        .step(make().fails("no rule"))
        .step(make().denied_by_host("The user declined."))
        .step(make().cancelled())
        .step(make().fails("still no rule"))
        .step(make())
        .step(make());
    let lines = [
        (
            REMINDER,
            "step 3: repeat-tool-guard repeated-call: bash × 3",
        ),
        (
            BREAKER,
            "step 5: tool-failure-circuit-breaker circuit-open denies",
        ),
        (
            REMINDER,
            "step 5: repeat-tool-guard repeated-call-detailed: bash × 5",
        ),
        (
            BREAKER,
            "step 6: tool-failure-circuit-breaker circuit-open denies",
        ),
        (BRAKE, "step 6: dsh-brake call-count: bash × 6"),
    ];
    for (_, transcript) in check("host_denial_and_cancelled", |it| it, &script, &lines) {
        for refusal in transcript.refusals() {
            assert_eq!(refusal.denial.facts.count, 2);
            assert!(
                refusal
                    .denial
                    .reason
                    .contains("Last failure: still no rule. ")
            );
        }
    }
}

#[test]
fn a_long_session() {
    let fails = || make().fails("no rule");
    let read = |path: &str| call("read", json!({"path": path}));
    let script = Script::new()
        .user("build it")
        .context("guide", RULES)
        .step(Step::of([read("Makefile"), read("README")]).saying("Let me look around."))
        .context("guide", RULES)
        .repeat(2, fails())
        .compacted()
        .context("memory", RULES)
        .step(fails())
        .step(read("Makefile").returns(RULES))
        .step(fails().denied_by_host("Not now."))
        .agentless(fails())
        .injected(message("guide", RULES).block("short"))
        .says("I am out of ideas.")
        .pause_ms(60_000)
        .step(Step::parallel([fails(), read("Makefile").returns(RULES)]).ending_in_order([1, 0]))
        .user("there is a Makefile in src")
        .step(fails())
        .step(fails())
        .until_denied(4, fails());
    let always = [
        (
            BREAKER,
            "step 4: tool-failure-circuit-breaker circuit-open denies",
        ),
        (
            REMINDER,
            "step 4: repeat-tool-guard repeated-call: bash × 3",
        ),
        (
            BRAKE,
            "step 5: dsh-brake duplicate-text: duplicate text × 3",
        ),
        (
            BRAKE,
            "step 8: dsh-brake duplicate-text: duplicate text × 5",
        ),
        (
            BREAKER,
            "step 11: tool-failure-circuit-breaker circuit-open denies",
        ),
        (
            REMINDER,
            "step 11: repeat-tool-guard repeated-call: bash × 3",
        ),
    ];
    // Without a breaker nobody denies the last call, and the model goes on.
    let undenied = [
        (
            REMINDER,
            "step 13: repeat-tool-guard repeated-call-detailed: bash × 5",
        ),
        (BRAKE, "step 14: dsh-brake call-count: bash × 6"),
    ];
    for guards in combinations() {
        let label = guards.label();
        let transcript = run(&guards, &script);
        let mut said = guards.lines_of(&always);
        if !guards.has(BREAKER) {
            said.extend(guards.lines_of(&undenied));
        }
        assert_eq!(transcript.said(), said, "{label}");
        assert_snapshot!(format!("long_session__{label}"), transcript);
    }
}
