//! An open circuit admits one probe: after a time, or after so many denied attempts.

use serde_json::{Value, json};

use crate::trace::check;

fn after_ms() -> Value {
    json!({"halfOpenAfterMs": 1000})
}

fn after_calls() -> Value {
    json!({"halfOpenAfterCalls": 2})
}

#[test]
fn so_long_after_the_last_failure_a_probe_is_admitted() {
    check(&after_ms(), "clock a!x a!x +999 a +1 a a", "5 denied");
    check(&after_ms(), "clock a!x a!x a", "4 denied");
    // The wait runs from the last failure, not from the first or from a denied attempt.
    check(
        &after_ms(),
        "clock a!x +900 a!x +900 a +100 a!x",
        "6 denied",
    );
    check(&json!({}), "clock a!x a!x +9999999 a", "5 denied");
}

#[test]
fn after_so_many_denied_attempts_a_probe_is_admitted() {
    check(&after_calls(), "a!x a!x a a a a", "3 denied, 4 denied");
    check(
        &json!({}),
        "a!x a!x a a a a",
        "3 denied, 4 denied, 5 denied, 6 denied",
    );
}

#[test]
fn attempts_that_another_guard_refused_count_too() {
    check(&after_calls(), "a!x a!x a- a- a", "");
    check(&after_calls(), "a!x a!x a- a a", "4 denied");
    // Of this call, of course.
    check(&after_calls(), "a!x a!x b- b- a", "5 denied");
}

#[test]
fn whichever_comes_first() {
    let both = json!({"halfOpenAfterMs": 1000, "halfOpenAfterCalls": 2});
    check(&both, "clock a!x a!x a a a", "4 denied, 5 denied");
    check(&both, "clock a!x a!x a +1000 a", "4 denied");
}

#[test]
fn without_times_no_time_passes() {
    check(&after_ms(), "a!x a!x a a", "3 denied, 4 denied");
    check(&after_ms(), "clock a!x a!x -5000 a", "5 denied");
}

#[test]
fn a_probe_that_succeeds_closes_the_circuit() {
    check(
        &after_ms(),
        "clock a!x a!x +1000 a a!x a a!x a!x a",
        "10 denied",
    );
    check(
        &after_calls(),
        "a!x a!x a a a a!x a!x a",
        "3 denied, 4 denied, 8 denied",
    );
}

#[test]
fn a_probe_that_fails_opens_it_again_and_the_wait_starts_anew() {
    check(
        &after_ms(),
        "clock a!x a!x +1000 a!x a +999 a +1 a",
        "6 denied, 8 denied",
    );
    check(
        &after_calls(),
        "a!x a!x a a a!x a a a!x a",
        "3 denied, 4 denied, 6 denied, 7 denied, 9 denied",
    );
}

#[test]
fn a_failure_restarts_both_waits() {
    let both = json!({"halfOpenAfterMs": 1000, "halfOpenAfterCalls": 2});
    // A denied attempt before the probe does not count after it.
    check(
        &both,
        "clock a!x a!x a +1000 a!x a a a",
        "4 denied, 7 denied, 8 denied",
    );
    // Nor does the time before it.
    check(
        &both,
        "clock a!x a!x +900 a a a!x +100 a +900 a",
        "5 denied, 6 denied, 9 denied",
    );
}

#[test]
fn there_is_exactly_one_probe_while_it_runs() {
    check(
        &after_ms(),
        "clock a!x a!x +1000 a( a a a",
        "6 denied, 7 denied, 8 denied",
    );
    check(
        &after_calls(),
        "a!x a!x a a a( a",
        "3 denied, 4 denied, 6 denied",
    );
    // Once it has failed the next ones are denied as well.
    check(
        &after_ms(),
        "clock a!x a!x +1000 a( a )!x a",
        "6 denied, 8 denied",
    );
    check(&after_ms(), "clock a!x a!x +1000 a( a ) a a", "6 denied");
}

#[test]
fn calls_that_already_ran_when_it_opened_are_no_probes() {
    check(
        &after_ms(),
        "clock a( a( a( )!x )!x a )~ a",
        "7 denied, 9 denied",
    );
    check(&after_ms(), "clock a( a( a( )!x )!x +1000 a a", "");
}

#[test]
fn a_probe_that_tells_nothing_lets_another_go() {
    let transient = |mut config: Value| {
        config["transientPatterns"] = json!(["busy"]);
        config
    };
    for end in [")~", ")=", ")!busy"] {
        check(
            &transient(after_ms()),
            &format!("clock a!x a!x +1000 a( a {end} a( a"),
            "6 denied, 9 denied",
        );
        check(
            &transient(after_calls()),
            &format!("a!x a!x a a a( a {end} a( a"),
            "3 denied, 4 denied, 6 denied, 9 denied",
        );
    }
}

#[test]
fn another_probe_after_one_that_told_nothing_is_one_again() {
    check(&after_ms(), "clock a!x a!x +1000 a~ a~ a( a", "8 denied");
}

#[test]
fn a_probe_that_is_never_answered_lapses_after_the_same_wait() {
    check(
        &after_ms(),
        "clock a!x a!x +1000 a( +999 a +1 a( a",
        "7 denied, 10 denied",
    );
    check(
        &after_calls(),
        "a!x a!x a a a( a a a( a",
        "3 denied, 4 denied, 6 denied, 7 denied, 9 denied",
    );
}

#[test]
fn a_late_answer_of_a_lapsed_probe_does_not_free_another() {
    // The first of two probes is given up after the second has begun.
    check(
        &after_ms(),
        "clock a!x a!x +1000 a( +1000 a( )~ a",
        "9 denied",
    );
    // A success closes it, whoever brings it.
    check(&after_ms(), "clock a!x a!x +1000 a( +1000 a( ) a", "");
}

#[test]
fn each_circuit_has_a_probe_of_its_own() {
    let config = json!({"chains": 2, "halfOpenAfterMs": 1000});
    check(
        &config,
        "clock a!x a!x b!x b!x +1000 a( b( a b",
        "9 denied, 10 denied",
    );
}

#[test]
fn a_circuit_that_is_not_open_takes_no_probes() {
    check(
        &after_calls(),
        "a!x a- a- a- a!x a a a",
        "6 denied, 7 denied",
    );
}

#[test]
fn a_pause_opens_no_half_circuit_but_a_new_beginning() {
    let config = json!({"halfOpenAfterMs": 5000, "quietGapMs": 1000});
    check(
        &config,
        "clock a!x a!x +1000 a +1001 a!x a!x a",
        "5 denied, 9 denied",
    );
}
