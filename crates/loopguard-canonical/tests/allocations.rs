//! Taking an identity allocates nothing, from a value at once, from raw text once warm.

#![allow(
    unsafe_code,
    reason = "only an allocator can count allocations, and to be one is unsafe"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use loopguard_canonical::{Arguments, Fingerprint, Identity, Seed, cut};
use serde_json::Value;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(work: impl FnOnce() -> T) -> u64 {
    let before = COUNT.get();
    let _ = std::hint::black_box(work());
    COUNT.get() - before
}

fn texts() -> Vec<String> {
    let members: Vec<String> = (0..1000).map(|n| format!("\"key {n}\":{n}.5")).collect();
    let escaped = format!("[\"{}\"]", "\\u00e9\\n\\ud83d\\ude00 plain ".repeat(40_000));
    vec![
        r#"{"path":"src/main.rs","offset":120,"limit":40,"pattern":"fn main\\(","mode":null}"#
            .to_owned(),
        format!("{{{}}}", members.join(",")),
        "[{\"a\":".repeat(60) + "1" + &"}]".repeat(60),
        format!("{{\"content\":\"{}\"}}", "plain text ".repeat(100_000)),
        escaped,
        "[0.1,1.7976931348623157e308,5e-324,-0,18446744073709551615,1e22,3.14159]".to_owned(),
        String::new(),
        "not JSON at all".to_owned(),
    ]
}

#[test]
fn a_value_costs_no_allocation() {
    for text in texts() {
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let of = || Identity::of(Seed::new(1), "tool", Arguments::Value(&value));
        assert_eq!(allocations(of), 0, "{text:.40}");
    }
}

#[test]
fn raw_text_costs_no_allocation_once_warm() {
    let digits = "123456789".repeat(1000);
    let mut texts = texts();
    texts.push(format!(
        "[{digits},{digits}.5,1e{digits},{digits}e-{digits}]"
    ));
    let of = |text: &str| Identity::of(Seed::new(1), "tool", Arguments::Text(text));
    for text in &texts {
        of(text);
    }
    for text in &texts {
        assert_eq!(allocations(|| of(text)), 0, "{text:.40}");
    }
}

#[test]
fn a_text_costs_no_allocation_once_warm() {
    let loose = "line \r\n".repeat(10_000);
    let of = |text: &str| Fingerprint::of_text(Seed::new(1), text);
    of(&loose);
    for text in [&loose[..], " trimmed ", "line\nline", ""] {
        assert_eq!(allocations(|| of(text)), 0);
        assert_eq!(allocations(|| cut(text, 160)), 0);
    }
}

#[test]
fn buffers_larger_than_their_bound_are_given_back() {
    let members: Vec<String> = (0..100_000).map(|n| format!("\"key {n}\":{n}")).collect();
    let text = format!("{{{}}}", members.join(","));
    let of = |text: &str| Identity::of(Seed::new(1), "tool", Arguments::Text(text));
    of(&text);
    assert!(allocations(|| of(&text)) > 0);
    of("{\"a\":1}");
    assert_eq!(allocations(|| of("{\"a\":1}")), 0);
}
