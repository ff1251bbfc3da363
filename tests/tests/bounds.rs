//! Everything that a guard keeps is bounded, whatever a hostile host or model sends.

use std::sync::Arc;

use loopguard::{
    Answer, Ending, Form, GuardSet, Incoming, MAX_PENDING_CALLS, MAX_WAITING_NOTICES, Seed,
    Sessions, Source, Submission, Timestamp,
};
use loopguard_tests::host::setup;
use serde_json::{Value, json};

/// Guards that hear much and say nothing, so that only what they keep counts.
fn silent() -> Value {
    json!([
        {"name": "repeat-reminder", "config": {"thresholds": [1_000_000]}},
        {"name": "brake", "config": {
            "callWarnCount": 1_000_000,
            "callDenyCount": 1_000_001,
            "sequenceCount": 1_000_000,
            "duplicateTextThreshold": 1_000_000,
            "minimumDuplicateChars": 1,
        }},
        {"name": "circuit-breaker", "config": {"maxFailures": 1_000_000}},
    ])
}

/// The saved state of the guard at this place in the rows.
fn state(set: &GuardSet, place: usize) -> Value {
    let saved = serde_json::to_value(set.save()).expect("it is JSON");
    saved["guards"][place]["state"].clone()
}

fn len(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// A failed call with a result of two blocks, and a message with an id: each of this number.
fn hostile(set: &mut GuardSet, number: i64) {
    let arguments = number.to_string();
    let call = Submission::new("tool", &*arguments).at(number);
    let Answer::Admitted(call) = set.submit(&call) else {
        panic!("nobody refuses");
    };
    let (text, other) = (format!("text {number}"), format!("more {number}"));
    let texts = [text.as_str(), other.as_str()];
    set.finish(call, &Ending::failure(&text, &texts).at(number));
    let id = format!("id {number}");
    let incoming = Incoming::plugin("mail", &texts[..1]).id(&id);
    set.messages(&[incoming], Some(Timestamp::from_millis(number)));
}

#[test]
fn lists_are_never_longer_than_their_bounds() {
    let mut set = GuardSet::new(setup(&silent()), "agent", Seed::FIXED);
    for number in 0..3000 {
        hostile(&mut set, number);
        if number % 250 == 249 {
            let brake = state(&set, 1);
            assert!(len(&brake["calls"]["counts"]) <= 1024);
            assert!(len(&brake["sequences"]["known"]) <= 128);
            assert!(len(&brake["sequences"]["history"]) <= 256);
            assert!(len(&brake["duplicates"]["texts"]) <= 256);
            assert!(len(&brake["duplicates"]["messages"]) <= 512);
        }
    }
    // Full to the brim, or the bounds would never have been tried.
    let brake = state(&set, 1);
    assert_eq!(len(&brake["calls"]["counts"]), 1024);
    assert_eq!(len(&brake["sequences"]["known"]), 128);
    assert_eq!(len(&brake["sequences"]["history"]), 256);
    assert_eq!(len(&brake["duplicates"]["texts"]), 256);
    assert_eq!(len(&brake["duplicates"]["messages"]), 512);
}

/// The same with every key on that makes a guard keep something.
fn silent_beyond() -> Value {
    let mut rows = silent();
    let keys = [
        (0, "resultAware", json!(true)),
        (0, "stepAware", json!(true)),
        (0, "remindEvery", json!(1_000_000)),
        (0, "denyAt", json!(2_000_000)),
        (0, "quietGapMs", json!(1_000_000)),
        (1, "resultAware", json!(true)),
        (1, "stepAware", json!(true)),
        (1, "quietGapMs", json!(1_000_000)),
        (1, "mode", json!("deny")),
        (1, "sequenceMaxLength", json!(32)),
        (1, "sequenceDenyCount", json!(2_000_000)),
        (1, "similarCalls", json!(1.0)),
        (1, "similarText", json!(1.0)),
        (1, "assistantText", json!(true)),
        (2, "resultAware", json!(true)),
        (2, "chains", json!(64)),
        (2, "maxSimilarFailures", json!(1_000_000)),
        (2, "halfOpenAfterMs", json!(1_000_000)),
        (2, "halfOpenAfterCalls", json!(1_000_000)),
        (2, "quietGapMs", json!(1_000_000)),
    ];
    for (row, key, value) in keys {
        rows[row]["config"][key] = value;
    }
    rows
}

#[test]
fn with_every_key_on_lists_are_never_longer_than_their_bounds() {
    let mut set = GuardSet::new(setup(&silent_beyond()), "agent", Seed::FIXED);
    let mut largest = 0;
    for number in 0..2400 {
        let (text, id) = (format!("I am at {number} now. "), number.to_string());
        let pieces = [text.as_str()];
        // A new call that fails is part of no cycle; one that brings something is.
        if let Answer::Admitted(call) = set.submit(&Submission::new("read", &*id).at(number)) {
            let ending = Ending::success(&pieces).arguments(&*id).at(number);
            set.finish(call, &ending);
        }
        hostile(&mut set, number);
        // One message in two is broken off by the next.
        let form = if number % 2 == 0 {
            Form::Part
        } else {
            Form::Plain
        };
        let said = Incoming::new(Source::Assistant, &pieces).id(&id).form(form);
        set.messages(&[said], None);
        if number % 400 == 399 {
            let brake = state(&set, 1);
            assert!(len(&brake["calls"]["counts"]) <= 1024);
            assert!(len(&brake["cycles"]["past"]) <= 32);
            assert!(len(&brake["similar_calls"]) <= 64);
            assert!(len(&brake["similar_texts"]) <= 64);
            assert!(len(&brake["duplicates"]["texts"]) <= 256);
            assert!(len(&state(&set, 2)["chains"]) <= 64);
            let size = serde_json::to_string(&set.save())
                .expect("it is JSON")
                .len();
            // Full since a while: nothing grows but the digits of its numbers.
            assert!(
                number < 1600 || size < largest + largest / 50,
                "{size} after {largest}"
            );
            largest = largest.max(size);
        }
    }
    let brake = state(&set, 1);
    assert_eq!(len(&brake["cycles"]["past"]), 32);
    assert_eq!(len(&brake["similar_texts"]), 64);
    // Progress clears what was similar before it, and a success every chain: these bring neither.
    for number in 0..100 {
        let arguments = format!("[\"word{number}\"]");
        if let Answer::Admitted(call) = set.submit(&Submission::new("find", &*arguments)) {
            set.finish(call, &Ending::failure("none", &[]).arguments(&*arguments));
        }
    }
    assert_eq!(len(&state(&set, 1)["similar_calls"]), 64);
    assert_eq!(len(&state(&set, 2)["chains"]), 64);
}

#[test]
fn a_step_without_end_and_a_message_without_end_stay_small() {
    let mut set = GuardSet::new(setup(&silent_beyond()), "agent", Seed::FIXED);
    let piece = "word ".repeat(2000);
    for number in 0..500 {
        let arguments = number.to_string();
        let call = Submission::new("tool", &*arguments).step(1);
        let Answer::Admitted(call) = set.submit(&call) else {
            panic!("nobody refuses");
        };
        set.finish(call, &Ending::success(&[&arguments]));
        let pieces = [piece.as_str()];
        let said = Incoming::new(Source::Assistant, &pieces).id("one");
        set.messages(&[said.form(Form::Part)], None);
    }
    let reminder = serde_json::to_string(&state(&set, 0)).expect("it is JSON");
    assert!(reminder.len() < 10_000, "{} bytes", reminder.len());
    let joined = state(&set, 1)["assistant"]["joined"].clone();
    assert!(joined.as_str().is_some_and(|text| text.len() <= 64 * 1024));
    assert_eq!(set.failed_guards().next(), None);
}

#[test]
fn full_tables_drop_the_same_after_a_restore() {
    let setup = setup(&silent());
    let mut set = GuardSet::new(Arc::clone(&setup), "agent", Seed::FIXED);
    (0..1100).for_each(|number| hostile(&mut set, number));
    // Some that were long unseen are seen again.
    (100..110).for_each(|number| hostile(&mut set, number));
    let text = serde_json::to_string(&set.save()).expect("it is JSON");
    let saved = serde_json::from_str(&text).expect("it comes back");
    let mut restored = GuardSet::restore(setup, "agent", &saved)
        .expect("it fits")
        .set;
    for number in 1100..2300 {
        hostile(&mut set, number);
        hostile(&mut restored, number);
        if number % 200 == 0 {
            assert_eq!(set.save(), restored.save());
        }
    }
    assert_eq!(set.save(), restored.save());
}

#[test]
fn a_text_from_everywhere_keeps_its_last_eight_sources() {
    let mut set = GuardSet::new(setup(&silent()), "agent", Seed::FIXED);
    for number in 0..100 {
        let name = format!("plugin {number}");
        set.messages(&[Incoming::plugin(&name, &["one and the same"])], None);
    }
    let texts = state(&set, 1)["duplicates"]["texts"].clone();
    let wanted: Vec<_> = (92..100).map(|number| format!("plugin {number}")).collect();
    assert_eq!(texts[0]["sources"], json!(wanted));
    assert_eq!(len(&texts), 1);
}

#[test]
fn huge_names_texts_messages_and_arguments_leave_little_behind() {
    let huge = "h".repeat(1 << 20);
    let mut set = GuardSet::new(setup(&silent()), "agent", Seed::FIXED);
    for number in 0..20 {
        let name = format!("{number}{huge}");
        let arguments = json!({"text": name});
        let Answer::Admitted(call) = set.submit(&Submission::new(&name, &arguments).id(&name))
        else {
            panic!("nobody refuses");
        };
        let texts = [name.as_str()];
        set.finish(call, &Ending::failure(&name, &texts).arguments(&arguments));
        set.messages(&[Incoming::plugin(&name, &texts).id(&name)], None);
    }
    let saved = serde_json::to_string(&set.save()).expect("it is JSON");
    assert!(saved.len() < 60_000, "{} bytes", saved.len());
    assert_eq!(set.failed_guards().next(), None);
}

#[test]
fn the_breaker_keeps_no_more_of_a_message_than_it_quotes() {
    let rows = json!([{"name": "circuit-breaker", "config": {"errorPreviewChars": 20}}]);
    let mut set = GuardSet::new(setup(&rows), "agent", Seed::FIXED);
    let Answer::Admitted(call) = set.submit(&Submission::new("tool", "{}")) else {
        panic!("nobody refuses");
    };
    set.finish(call, &Ending::failure(&"m".repeat(1 << 20), &[]));
    assert_eq!(
        state(&set, 0)["chains"][0]["message"],
        format!("{}…", "m".repeat(20))
    );
}

#[test]
fn calls_that_never_end_are_forgotten_the_oldest_first() {
    let mut set = GuardSet::new(setup(&silent()), "agent", Seed::FIXED);
    let mut numbers = Vec::new();
    for _ in 0..MAX_PENDING_CALLS + 10 {
        if let Answer::Admitted(number) = set.submit(&Submission::new("tool", "{}")) {
            numbers.push(number);
        }
    }
    assert_eq!(set.pending_calls(), MAX_PENDING_CALLS);
    assert_eq!(set.forgotten_calls(), 10);
    assert!(!set.finish(numbers[9], &Ending::success(&[])));
    assert!(set.finish(numbers[10], &Ending::success(&[])));
}

#[test]
fn notices_that_nobody_takes_are_dropped_the_oldest_first() {
    let rows = json!([{"name": "brake", "config": {
        "duplicateTextThreshold": 2,
        "duplicateTextCooldownMs": 0,
        "minimumDuplicateChars": 1,
    }}]);
    let mut set = GuardSet::new(setup(&rows), "agent", Seed::FIXED);
    for _ in 0..MAX_WAITING_NOTICES + 11 {
        set.messages(&[Incoming::plugin("mail", &["again"])], None);
    }
    let waiting = set.take_notices();
    assert_eq!(waiting.len(), MAX_WAITING_NOTICES);
    // The first appearance raised none, and ten notices had to go.
    assert_eq!(waiting[0].summary, "duplicate text × 12");
}

#[test]
fn agents_are_dropped_the_longest_unused_first() {
    let rows = json!([{"name": "repeat-reminder", "config": {"thresholds": [2]}}]);
    let sessions = Sessions::with_capacity(setup(&rows), Seed::FIXED, 3);
    let calls = |agent: &str| {
        let Answer::Admitted(number) = sessions.submit(agent, &Submission::new("t", "{}")) else {
            panic!("nobody refuses");
        };
        sessions.finish(agent, number, &Ending::success(&[])).len()
    };
    for agent in ["one", "two", "three"] {
        assert_eq!(calls(agent), 0);
    }
    assert_eq!(calls("one"), 1);
    assert_eq!(calls("four"), 0);
    assert_eq!((sessions.len(), sessions.dropped()), (3, 1));
    // The second was longest unused: it is a new agent, and the third had to go for it.
    assert_eq!(calls("two"), 0);
    assert_eq!((calls("four"), calls("three")), (1, 0));
    assert_eq!(sessions.dropped(), 3);
}

#[test]
fn many_agents_of_many_threads_stay_apart() {
    let rows = json!([{"name": "repeat-reminder", "config": {"thresholds": [50]}}]);
    let sessions = Arc::new(Sessions::new(setup(&rows), Seed::FIXED));
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let sessions = Arc::clone(&sessions);
            std::thread::spawn(move || {
                let agent = format!("agent {}", thread / 2);
                let mut said = 0;
                for _ in 0..25 {
                    let call = Submission::new("tool", "{}");
                    if let Answer::Admitted(number) = sessions.submit(&*agent, &call) {
                        let ending = Ending::success(&[]);
                        said += sessions.finish(&*agent, number, &ending).len();
                    }
                }
                said
            })
        })
        .collect();
    // Two threads share an agent: together they reach the fiftieth call once.
    let said: usize = threads
        .into_iter()
        .map(|it| it.join().expect("it ends"))
        .sum();
    assert_eq!(said, 2);
}
