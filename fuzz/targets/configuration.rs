//! Any text is a configuration under which guards work, or errors that each have a place in it.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use loopguard::{Base, ConfigErrors, Loaded, Setup};
use loopguard_tests::host::Host;
use loopguard_tests::life::{Asked, Call, End, Event, How, What};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // As the program does it: editors put a byte-order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // The text itself may name another preset.
    check(text, Setup::from_json("file", text, Base::default()));
    check(text, Setup::from_yaml("file", text, Base::default()));
});

fn check(text: &str, read: Result<Loaded, ConfigErrors>) {
    match read {
        Ok(loaded) => {
            for it in &loaded.warnings {
                assert_place(text, it, (it.line(), it.column(), it.length()));
            }
            live(&Arc::new(loaded.setup));
        }
        Err(errors) => {
            assert!(!errors.is_empty() && !errors.to_string().is_empty());
            for it in &errors {
                assert!(!it.headline().is_empty());
                assert_place(text, it, (it.line(), it.column(), it.length()));
            }
        }
    }
}

/// A place lies in the text, or right behind the end of a line.
fn assert_place(
    text: &str,
    what: &impl std::fmt::Display,
    (line, column, length): (Option<usize>, Option<usize>, Option<usize>),
) {
    let (Some(line), Some(column), Some(length)) = (line, column, length) else {
        panic!("no place: {what}");
    };
    assert!(
        line >= 1 && column >= 1 && length >= 1,
        "{line}:{column}: {what}"
    );
    let shown = text.split('\n').nth(line - 1);
    let shown = shown.unwrap_or_else(|| panic!("no line {line}: {what}"));
    let room = shown.chars().count() + 1;
    assert!(column <= room, "{line}:{column} of {room}: {what}");
}

/// The guards of a configuration do not fail, and their state comes back.
fn live(setup: &Arc<Setup>) {
    let mut host = Host::new(setup);
    host.live(&life());
    host.moved_to(setup).live(&life());
}

/// The same calls over and over, some of which fail.
fn life() -> Vec<Event> {
    let call = |nth: usize| {
        let call = Call {
            tool: nth % 3,
            arguments: nth % 2,
        };
        let how = if nth % 4 < 2 {
            How::Failure(nth % 4)
        } else {
            How::Success
        };
        let asked = Asked {
            call,
            spelling: nth % 2,
            parsed: nth % 5 == 0,
            inexact: false,
        };
        let end = End {
            how,
            texts: vec![nth % 9],
        };
        Event {
            at: Some(nth as i64 * 500),
            what: What::Call(asked, end),
        }
    };
    (0..36).map(|nth| call(nth / 12 * nth)).collect()
}
