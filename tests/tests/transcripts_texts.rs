//! Whole transcripts with the brake alone: duplicated texts.

use insta::assert_snapshot;
use loopguard_testkit::{Guards, Script, ScriptedCall, Step, call, guards, message, run};
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

#[test]
fn duplicated_context_from_two_sources_is_told_with_both() {
    let script = Script::new()
        .user("tidy up")
        .step(named("read"))
        .context("memory", RULES)
        .step(named("grep"))
        .context("rules", RULES)
        .step(named("edit"))
        .context("memory", RULES)
        // Raised by the batch of a step without an output, it waits for the next output.
        .says("I have read the rules.")
        .step(named("test"));
    let transcript = run(brake(), &script);
    assert_eq!(
        transcript.said(),
        ["step 5: dsh-brake duplicate-text: duplicate text × 3"]
    );
    let facts = &transcript.notices()[0].facts;
    assert_eq!(facts.sources, ["memory", "rules"]);
    assert_eq!(facts.window_ms, Some(120_000));
    assert_snapshot!("duplicated_context", transcript);
}

#[test]
fn several_messages_in_one_batch_each_count() {
    let script = Script::new()
        .user("tidy up")
        .step(named("read"))
        .context("memory", RULES)
        .injected(message("rules", RULES).block(RULES))
        .injected(message("memory", RULES))
        .step(Step::of([named("grep"), named("edit")]));
    let transcript = run(brake(), &script);
    // The third appearance is told; the fourth falls into the cooldown.
    assert_eq!(
        transcript.said(),
        ["step 2: dsh-brake duplicate-text: duplicate text × 3"]
    );
    assert_snapshot!("one_batch", transcript);
}

#[test]
fn a_batch_with_a_prompt_is_not_counted() {
    let script = Script::new()
        .user("tidy up")
        .step(named("read"))
        .context("memory", RULES)
        .context("memory", RULES)
        .user("go on")
        .context("memory", RULES)
        .step(named("read"))
        .context("memory", RULES)
        .context("memory", RULES)
        .step(named("read"));
    assert_eq!(run(brake(), &script).said(), [""; 0]);
}

#[test]
fn a_message_shown_again_is_looked_at_once() {
    let shown = message("memory", RULES).id("rules-1");
    let mut script = Script::new().user("tidy up");
    for page in 0..5 {
        script = script
            .injected(shown.clone())
            .step(call("read", json!({"page": page})));
    }
    assert_eq!(run(brake(), &script).said(), [""; 0]);
}

#[test]
fn duplicated_results_are_told_again_after_the_cooldown() {
    let mut script = Script::new().user("tidy up").calls_take_ms(10_000);
    for page in 0..7 {
        let tool = if page % 2 == 0 { "read" } else { "cat" };
        let read = call(tool, json!({"page": page}));
        let read = match page {
            5 => read.fails_reading("failed", RULES),
            _ => read.returns(RULES),
        };
        script = script.step(read);
    }
    let transcript = run(brake(), &script);
    let said = [
        "step 3: dsh-brake duplicate-text: duplicate text × 3",
        "step 6: dsh-brake duplicate-text: duplicate text × 6",
    ];
    assert_eq!(transcript.said(), said);
    assert_snapshot!("duplicated_results", transcript);
}

#[test]
fn the_window_is_open_exactly_as_long_as_it_says() {
    let pages = |pause| {
        Script::new()
            .user("tidy up")
            .calls_take_ms(0)
            .step(call("read", json!({"page": 1})).returns(RULES))
            .step(call("read", json!({"page": 2})).returns(RULES))
            .pause_ms(pause)
            .step(call("read", json!({"page": 3})).returns(RULES))
    };
    assert_eq!(run(brake(), &pages(120_000)).said().len(), 1);
    assert_eq!(run(brake(), &pages(120_001)).said(), [""; 0]);
    // Without times nothing ever lies in the past.
    let timeless = pages(120_001).without_times();
    assert_eq!(run(brake(), &timeless).said().len(), 1);
}

#[test]
fn notices_are_never_text() {
    let mut script = Script::new().user("tidy up");
    for page in 0..6 {
        script = script
            .injected(message("todo", RULES).as_notice())
            // Whatever a guard of the set says is a notice, even where a host forgets the form.
            .injected(message("dsh-brake", RULES))
            .step(call("read", json!({"page": page})).denied_by_host(RULES));
    }
    let transcript = run(brake(), &script);
    assert_eq!(transcript.said(), [""; 0]);
    assert_snapshot!("notices_are_no_text", transcript);
}

#[test]
fn without_a_cooldown_every_appearance_from_the_threshold_on_is_told() {
    let rows = brake().with("brake", json!({"duplicateTextCooldownMs": 0}));
    let mut script = Script::new().user("tidy up");
    for page in 0..5 {
        // Two blocks of one result both count, and are told once, at the first that warrants it.
        let read = call("read", json!({"page": page}));
        script = script.step(match page {
            3 => read.returns_blocks([RULES, RULES]),
            _ => read.returns(RULES),
        });
    }
    let transcript = run(rows, &script);
    let said = [
        "step 3: dsh-brake duplicate-text: duplicate text × 3",
        "step 4: dsh-brake duplicate-text: duplicate text × 4",
        "step 5: dsh-brake duplicate-text: duplicate text × 6",
    ];
    assert_eq!(transcript.said(), said);
    assert_snapshot!("without_cooldown", transcript);
}
