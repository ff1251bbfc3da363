//! The loop itself: what a story becomes, whatever the guards say.

use loopguard_testkit::{Script, Step, What, call, combinations, guards, run};
use serde_json::json;

fn read(page: u64) -> loopguard_testkit::ScriptedCall {
    call("read", json!({"page": page}))
}

/// The story played to the reminder, whose notice at the second identical call is told.
fn check(script: &Script, expected: &str) {
    let rows = guards(["repeat-reminder"]).with("repeat-reminder", json!({"thresholds": [2]}));
    let rendered = run(rows, script).to_string();
    let lines = rendered.lines().filter(|line| !line.starts_with("    "));
    let lines: Vec<_> = lines
        .map(|line| line.split(" repeat-tool-guard ").next().unwrap_or(line))
        .collect();
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn calls_of_a_step_run_one_by_one_and_notices_come_after_the_results() {
    check(
        &Script::new()
            .user("go")
            .step([read(1), read(1), read(2)])
            .says("done"),
        "user\n--- step 1 at 0 ms, 1 message handed over\n\
         call c1 read {\"page\":1}\nresult c1 ok\n\
         call c2 read {\"page\":1}\nresult c2 ok\n\
         call c3 read {\"page\":2}\nresult c3 ok\n\
         notice\n--- step 2 at 3000 ms, 1 message handed over\nassistant",
    );
}

#[test]
fn parallel_calls_end_in_the_order_that_is_asked_for() {
    check(
        &Script::new()
            .step(Step::parallel([read(1), read(2).takes_ms(5)]).ending_in_order([1, 0]))
            .pause_ms(10)
            .without_times()
            .says("done"),
        "--- step 1\ncall c1 read {\"page\":1}\ncall c2 read {\"page\":2}\n\
         result c2 ok\nresult c1 ok\n\
         pause of 10 ms\n--- step 2\nassistant",
    );
}

#[test]
fn agents_at_once_take_turns() {
    check(
        &Script::new().at_once([
            ("one", Step::of([read(1), read(2)])),
            ("two", Step::from(read(3))),
        ]),
        "[one] --- step 1 at 0 ms\n[two] --- step 1 at 0 ms\n\
         [one] call c1 read {\"page\":1}\n[two] call c1 read {\"page\":3}\n\
         [one] call c2 read {\"page\":2}\n\
         [one] result c1 ok\n[two] result c1 ok\n[one] result c2 ok",
    );
}

#[test]
fn a_model_reacts_to_what_it_has_just_read() {
    let rows = guards(["repeat-reminder", "circuit-breaker"]);
    let script = Script::new()
        .until_noticed(9, read(1))
        .until_denied(9, read(2).fails("gone"))
        .reacting(9, |read_last| match read_last {
            [] => Some(read(3).into()),
            // The step, the call and its result.
            [_, _, result] if matches!(result.what, What::Result { .. }) => None,
            _ => panic!("a step of one call"),
        });
    let transcript = run(rows, &script);
    let admissions = [true, true, true, true, true, false, true];
    assert_eq!(transcript.admissions(), admissions);
}

#[test]
fn every_combination_of_guards_comes_once() {
    let labels: Vec<_> = combinations().iter().map(|guards| guards.label()).collect();
    assert_eq!(
        labels,
        [
            "repeat-reminder",
            "brake",
            "circuit-breaker",
            "repeat-reminder-and-brake",
            "repeat-reminder-and-circuit-breaker",
            "brake-and-circuit-breaker",
            "repeat-reminder-and-brake-and-circuit-breaker",
        ]
    );
}

#[test]
#[should_panic(expected = "treshold")]
fn wrong_rows_are_told() {
    let rows = guards(["repeat-reminder"]).with("repeat-reminder", json!({"treshold": [2]}));
    run(rows, &Script::new());
}
