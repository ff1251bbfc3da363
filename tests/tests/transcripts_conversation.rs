//! What a conversation does to the guards, under every combination of them: prompts, injected
//! context, compaction, times, and hosts of different kinds.

use insta::assert_snapshot;
use loopguard_testkit::{Guards, Script, ScriptedCall, call, combinations, guards, message, run};
use serde_json::json;

const RULES: &str = "The repository has a contribution guide; it asks for small commits, for \
                     tests, and for a reason.";

fn all() -> Guards {
    guards(["repeat-reminder", "brake", "circuit-breaker"])
}

fn fails() -> ScriptedCall {
    call("bash", json!({"command": "make"})).fails("no rule")
}

#[test]
fn a_prompt_resets_every_guard() {
    let script = Script::new()
        .user("build it")
        .repeat(2, fails())
        .user("try again")
        .repeat(2, fails())
        .reset()
        .repeat(2, fails());
    for guards in combinations() {
        let transcript = run(&guards, &script);
        assert_eq!(transcript.said(), [""; 0], "{guards:?}");
    }
    assert_snapshot!("prompts_reset", run(all(), &script));
}

#[test]
fn injected_context_resets_nobody() {
    let script = Script::new()
        .user("build it")
        .repeat(2, fails())
        .context("memory", "The user prefers make.")
        .step(fails())
        .injected(message("linter", "All is well.").as_notice())
        .repeat(2, fails());
    for guards in combinations() {
        let said = guards.lines_of(&[
            (
                "circuit-breaker",
                "step 3: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "repeat-reminder",
                "step 3: repeat-tool-guard repeated-call: bash × 3",
            ),
            (
                "circuit-breaker",
                "step 4: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "circuit-breaker",
                "step 5: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "repeat-reminder",
                "step 5: repeat-tool-guard repeated-call-detailed: bash × 5",
            ),
        ]);
        let transcript = run(&guards, &script);
        assert_eq!(transcript.said(), said, "{guards:?}");
        let label = guards.label();
        assert_snapshot!(format!("context_resets_nobody__{label}"), transcript);
    }
}

#[test]
fn compaction_changes_nothing() {
    let script = |is_compacted: bool| {
        let mut script = Script::new().user("build it");
        for step in 0..12 {
            script = script.context("memory", RULES).step(fails());
            if is_compacted && step % 2 == 1 {
                script = script.compacted();
            }
        }
        script
    };
    for guards in combinations() {
        let compacted = run(&guards, &script(true));
        let whole = run(&guards, &script(false));
        assert_eq!(compacted.said(), whole.said(), "{guards:?}");
        assert_eq!(compacted.admissions(), whole.admissions(), "{guards:?}");
        assert!(!whole.said().is_empty());
    }
    assert_snapshot!("compaction", run(all(), &script(true)));
}

#[test]
fn the_guards_own_notices_are_no_text_when_they_come_back() {
    // The short notice, longer than a text has to be, is delivered four times.
    let mut script = Script::new().user("look around");
    for page in 0..4 {
        script = script.repeat(3, call("read", json!({"page": page})));
    }
    let transcript = run(guards(["brake", "repeat-reminder"]), &script.says("Done."));
    let notices = transcript.notices();
    assert_eq!(notices.len(), 4);
    assert!(
        notices
            .iter()
            .all(|it| it.code == "repeated-call" && it.text.len() > 80)
    );
    assert_snapshot!("own_notices_come_back", transcript);
}

#[test]
fn what_a_batch_raises_goes_out_with_a_refused_call() {
    let script = Script::new()
        .user("build it")
        .repeat(2, fails())
        .context("memory", RULES)
        .context("rules", RULES)
        .context("memory", RULES)
        .step(fails());
    let said = [
        "step 3: tool-failure-circuit-breaker circuit-open denies",
        "step 3: dsh-brake duplicate-text: duplicate text × 3",
        "step 3: repeat-tool-guard repeated-call: bash × 3",
    ];
    // What came up first goes out first.
    let all = &all();
    let delivered = run(all, &script);
    assert_eq!(delivered.said(), said);
    assert_snapshot!("raised_by_a_batch_before_a_refusal", delivered);
    let carried = run(all, &script.notices_in_reasons());
    assert_eq!(carried.said(), said);
    assert_snapshot!("notices_after_the_reason", carried);
}

#[test]
fn what_a_batch_raises_waits_for_an_output() {
    let mut script = Script::new().user("read the rules");
    for _ in 0..3 {
        script = script.context("memory", RULES).says("Noted.");
    }
    let transcript = run(guards(["brake"]), &script.clone());
    // The prompt's batch was not counted: two appearances so far.
    assert_eq!(transcript.waiting().len(), 0);
    let script = script.context("memory", RULES).says("Noted.");
    let transcript = run(guards(["brake"]), &script);
    assert_eq!(transcript.said(), [""; 0]);
    assert_eq!(transcript.waiting().len(), 1);
    let transcript = run(guards(["brake"]), &script.step(call("ls", json!({}))));
    assert_eq!(
        transcript.said(),
        ["step 5: dsh-brake duplicate-text: duplicate text × 3"]
    );
    assert_snapshot!("raised_by_a_batch", transcript);
}

#[test]
fn without_times_a_cooldown_does_not_end() {
    let mut script = Script::new().user("read").calls_take_ms(60_000);
    for page in 0..6 {
        script = script.step(call("read", json!({"page": page})).returns(RULES));
    }
    // Appearances at 60, 120, 180 s: the window of two minutes is still open at its third.
    // At 240 s another one opens.
    let brake = guards(["brake"]);
    let said = [
        "step 3: dsh-brake duplicate-text: duplicate text × 3",
        "step 6: dsh-brake duplicate-text: duplicate text × 3",
    ];
    let timed = run(&brake, &script);
    assert_eq!(timed.said(), said);
    assert_snapshot!("two_windows", timed);
    let timeless = run(&brake, &script.without_times());
    assert_eq!(timeless.said(), said[..1]);
    assert_snapshot!("without_times", timeless);
}

#[test]
fn excluded_tools_are_transparent_to_the_guards_that_exclude_them() {
    let wait = call("wait", json!({}));
    let script = Script::new().user("build it").cycle(3, [fails(), wait]);
    for guards in combinations() {
        let guards = guards
            .with("repeat-reminder", json!({"exclude": ["wait"]}))
            .with("circuit-breaker", json!({"exclude": ["w*"]}));
        let said = guards.lines_of(&[
            (
                "circuit-breaker",
                "step 5: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "repeat-reminder",
                "step 5: repeat-tool-guard repeated-call: bash × 3",
            ),
        ]);
        let transcript = run(&guards, &script);
        assert_eq!(transcript.said(), said, "{guards:?}");
        let label = guards.label();
        assert_snapshot!(format!("excluded_tools__{label}"), transcript);
    }
}

#[test]
fn an_observer_hears_what_the_model_hears() {
    let mut script = Script::new().user("build it");
    for _ in 0..12 {
        script = script.context("memory", RULES).step(fails());
    }
    for guards in combinations() {
        let guards = guards.with("brake", json!({"mode": "deny"}));
        let transcript = run(&guards, &script);
        // What a batch raises is made before the call is decided, and goes out after it.
        let sorted = |mut lines: Vec<String>| {
            lines.sort_unstable();
            lines
        };
        let observed = transcript.observed().iter();
        let observed = observed.map(|line| line.trim_start_matches("main ").to_owned());
        assert_eq!(sorted(observed.collect()), sorted(transcript.said()));
    }
}

#[test]
fn a_restart_from_saved_state_changes_nothing() {
    let script = |restarts: usize| {
        let mut script = Script::new().user("build it");
        for page in 0..12 {
            let read = call("read", json!({"page": page % 4})).returns(RULES);
            script = script
                .context("memory", RULES)
                .step(read)
                .step([fails(), fails(), fails()]);
            script = (0..restarts).fold(script, |script, _| script.restarted());
        }
        script
    };
    for guards in combinations() {
        let guards = guards.with("brake", json!({"mode": "deny"}));
        let (through, restarted) = (run(&guards, &script(0)), run(&guards, &script(1)));
        assert_eq!(through.said(), restarted.said(), "{guards:?}");
        assert_eq!(through.observed(), restarted.observed(), "{guards:?}");
        assert_eq!(through.admissions(), restarted.admissions(), "{guards:?}");
        assert!(!through.said().is_empty());
    }
    let script = Script::new()
        .user("build it")
        .step(fails())
        .restarted()
        .step(fails())
        .restarted()
        .step(fails());
    let transcript = run(all(), &script);
    assert_eq!(transcript.refusals().len(), 1);
    assert_snapshot!("restarted", transcript);
}
