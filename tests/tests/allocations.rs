//! The way of a call that is let through allocates nothing, once the guards are warm.
#![allow(
    unsafe_code,
    reason = "only an allocator can count allocations, and it is unsafe to be one"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use loopguard::{Answer, Arguments, Ending, GuardSet, Preset, Seed, Sessions, Setup, Submission};
use serde_json::Value;

/// The system's allocator, which counts what each thread asks of it.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator as it came. The counter has no
// destructor and is initialised without an allocation, so it may be used in here at any time.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps what the trait asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` or `realloc`, and so from the system.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many allocations this thread makes meanwhile.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Calls, made up beforehand: the tool, the arguments as text and parsed, and the result.
struct Calls(Vec<(String, String, Value, String)>);

impl Calls {
    /// So many distinct calls, from the given number on, of so many tools.
    fn new(from: usize, count: usize, tools: usize) -> Self {
        let call = |at: usize| {
            let text = format!(
                r#"{{"path":"src/file_{at}.rs","offset":{at},"nested":{{"b":[1,2.5,null],"a":"x"}}}}"#
            );
            let parsed = serde_json::from_str(&text).expect("it is JSON");
            // Names of different lengths, the longest not first.
            let tool = format!("tool_{}", "x".repeat(at * 7 % tools));
            (tool, text, parsed, format!("{at:0>200}"))
        };
        Self((from..from + count).map(call).collect())
    }

    /// Hands each call to `each`, with its arguments in the one way or the other.
    fn each(&self, parsed: bool, mut each: impl FnMut(&str, Arguments<'_>, &str)) {
        for (tool, text, value, result) in &self.0 {
            let arguments = match parsed {
                true => Arguments::Value(value),
                false => Arguments::Text(text),
            };
            each(tool, arguments, result);
        }
    }
}

fn guards() -> Arc<Setup> {
    let setup = Setup::preset(Preset::Original);
    assert_eq!(setup.guard_ids().count(), 3);
    Arc::new(setup)
}

/// A call that is let through and succeeds, by the guards of one agent.
fn by_set(set: &mut GuardSet, tool: &str, arguments: Arguments<'_>, result: &str, at: i64) {
    let call = Submission::new(tool, arguments).id("call_1").at(at);
    let Answer::Admitted(number) = set.submit(&call) else {
        panic!("it is let through");
    };
    let result = [result];
    let ending = Ending::success(&result).arguments(arguments).at(at);
    assert!(set.finish(number, &ending));
}

/// The same by the sessions of a host, finished by its id.
fn by_sessions(sessions: &Sessions, tool: &str, arguments: Arguments<'_>, result: &str, at: i64) {
    let call = Submission::new(tool, arguments).id("call_1").at(at);
    let Answer::Admitted(_) = sessions.submit("main", &call) else {
        panic!("it is let through");
    };
    let result = [result];
    let ending = Ending::success(&result).arguments(arguments).at(at);
    assert!(sessions.finish("main", "call_1", &ending).is_empty());
}

/// A thousand known calls, none of them often enough to be told about.
#[test]
fn calls_of_known_identities_allocate_nothing() {
    for parsed in [false, true] {
        // Enough distinct calls that each comes five times and no sequence thrice.
        let calls = Calls::new(0, 250, 1);
        let mut set = GuardSet::new(guards(), "main", Seed::FIXED);
        let mut play = |now: i64| {
            let mut at = now;
            calls.each(parsed, |tool, arguments, result| {
                // Far enough apart that no text comes often within one window.
                at += 1000;
                by_set(&mut set, tool, arguments, result, at);
            });
        };
        play(0);
        let counted = allocations(|| {
            for round in 1..5 {
                play(round * 1_000_000);
            }
        });
        assert_eq!(counted, 0, "parsed: {parsed}");
        assert!(set.take_notices().is_empty(), "nothing was said meanwhile");
    }
}

#[test]
fn distinct_calls_allocate_nothing_once_the_tables_are_full() {
    for parsed in [false, true] {
        let first = Calls::new(0, 1200, 5);
        let second = Calls::new(1200, 1000, 5);
        let mut set = GuardSet::new(guards(), "main", Seed::FIXED);
        let mut at = 0;
        let mut play = |calls: &Calls| {
            calls.each(parsed, |tool, arguments, result| {
                at += 10;
                by_set(&mut set, tool, arguments, result, at);
            });
        };
        play(&first);
        assert_eq!(allocations(|| play(&second)), 0, "parsed: {parsed}");
        assert!(set.take_notices().is_empty(), "nothing was said meanwhile");
    }
}

#[test]
fn more_tools_than_a_window_holds_allocate_nothing() {
    // Results too short to be kept as texts: nobody else holds the names.
    let calls = Calls::new(0, 1000, 40);
    let mut set = GuardSet::new(guards(), "main", Seed::FIXED);
    let mut play = |now: i64| {
        let mut at = now;
        calls.each(false, |tool, arguments, _| {
            at += 10;
            by_set(&mut set, tool, arguments, "done", at);
        });
    };
    play(0);
    assert_eq!(allocations(|| play(1_000_000)), 0);
    assert!(set.take_notices().is_empty(), "nothing was said meanwhile");
}

#[test]
fn the_same_holds_through_sessions() {
    for parsed in [false, true] {
        let known = Calls::new(0, 250, 5);
        let distinct = Calls::new(250, 1200, 5);
        let more = Calls::new(1450, 1000, 5);
        let sessions = Sessions::new(guards(), Seed::FIXED);
        let mut at = 0;
        let mut play = |calls: &Calls| {
            calls.each(parsed, |tool, arguments, result| {
                at += 1000;
                by_sessions(&sessions, tool, arguments, result, at);
            });
        };
        play(&known);
        let counted = allocations(|| (0..4).for_each(|_| play(&known)));
        assert_eq!(counted, 0, "parsed: {parsed}");
        play(&distinct);
        assert_eq!(allocations(|| play(&more)), 0, "parsed: {parsed}");
        assert!(sessions.take_notices("main").is_empty());
    }
}

/// The guards as the preset has them.
fn recommended() -> Arc<Setup> {
    let setup = Setup::preset(Preset::Recommended);
    assert_eq!(setup.guard_ids().count(), 3);
    Arc::new(setup)
}

#[test]
fn under_the_preset_recommended_results_that_change_allocate_nothing() {
    for parsed in [false, true] {
        let calls = Calls::new(0, 250, 5);
        // As long as the others' results, and another one for each round and call.
        let results: Vec<Vec<String>> = (0..5)
            .map(|round| (0..250).map(|at| format!("{round}{at:0>199}")).collect())
            .collect();
        let mut set = GuardSet::new(recommended(), "main", Seed::FIXED);
        let mut at = 0;
        let mut play = |results: &[String]| {
            let mut results = results.iter();
            calls.each(parsed, |tool, arguments, _| {
                at += 1000;
                let result = results.next().expect("one for each call");
                by_set(&mut set, tool, arguments, result, at);
            });
        };
        play(&results[0]);
        play(&results[1]);
        let counted = allocations(|| results[2..].iter().for_each(|results| play(results)));
        assert_eq!(counted, 0, "parsed: {parsed}");
        assert!(set.take_notices().is_empty(), "nothing was said meanwhile");
    }
}

#[test]
fn under_the_preset_recommended_equal_results_below_the_thresholds_allocate_nothing() {
    for parsed in [false, true] {
        // Each call comes twice, so that no threshold is reached and no cycle begins.
        let calls = Calls::new(0, 40, 5);
        let fresh = Calls::new(40, 300, 5);
        let sessions = Sessions::new(recommended(), Seed::FIXED);
        let mut at = 0;
        let mut play = |calls: &Calls| {
            calls.each(parsed, |tool, arguments, result| {
                at += 1000;
                by_sessions(&sessions, tool, arguments, result, at);
            });
        };
        play(&fresh);
        play(&calls);
        assert_eq!(allocations(|| play(&calls)), 0, "parsed: {parsed}");
        assert!(sessions.take_notices("main").is_empty());
    }
}

#[test]
fn under_the_preset_recommended_calls_of_steps_allocate_nothing() {
    let calls = Calls::new(0, 240, 5);
    let mut set = GuardSet::new(recommended(), "main", Seed::FIXED);
    let mut step = 0;
    let mut play = |set: &mut GuardSet, round: i64| {
        calls.each(false, |tool, arguments, result| {
            step += 1;
            // Four calls of a step; each round has other results.
            let call = Submission::new(tool, arguments)
                .step(step / 4)
                .at(round * 1000);
            let Answer::Admitted(number) = set.submit(&call) else {
                panic!("it is let through");
            };
            let texts = [&result[usize::try_from(round).expect("a round")..]];
            assert!(set.finish(number, &Ending::success(&texts).at(round * 1000)));
        });
    };
    play(&mut set, 0);
    play(&mut set, 1);
    let counted = allocations(|| {
        play(&mut set, 2);
        play(&mut set, 3);
    });
    assert_eq!(counted, 0);
    assert!(set.take_notices().is_empty(), "nothing was said meanwhile");
}

#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| drop(Box::new(1))), 1);
    assert_eq!(allocations(|| drop(vec![0; 10])), 1);
}
