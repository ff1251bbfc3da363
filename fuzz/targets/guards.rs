//! No tool, argument, result or message makes a guard fail, and a state can be saved anywhere.
//!
//! A fuzzer ends at the first panic, so a guard that fails is found although its set bears it.

#![no_main]

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use loopguard::core::Form;
use loopguard::{Answer, Ending, GuardSet, Incoming, Seed, Setup, Source, Submission, Timestamp};
use loopguard_fuzz::SETUPS;

/// A life ends here: what is bounded is full by then, or never.
const MAX_EVENTS: usize = 300;

fuzz_target!(|data: &[u8]| {
    // A life that ends early is a life.
    let _ = live(&mut Unstructured::new(data));
});

fn live(choices: &mut Unstructured<'_>) -> Result<()> {
    let setup = choices.choose(&*SETUPS)?;
    // Few texts, so that they come again.
    let count = choices.int_in_range(1..=6)?;
    let texts = (0..count)
        .map(|_| text(choices))
        .collect::<Result<Vec<_>>>()?;
    let mut set = GuardSet::new(Arc::clone(setup), "agent", Seed::new(7));
    let mut now = 1_700_000_000_000;
    for _ in 0..MAX_EVENTS {
        if choices.is_empty() {
            break;
        }
        now += choices.choose(&[0, 100, 1_000, 200_000, -50])?;
        let at = Timestamp::from_millis(now);
        match choices.int_in_range(0..=11)? {
            0..=6 => call(choices, &mut set, &texts, now)?,
            7..=9 => message(choices, &mut set, &texts, at)?,
            10 => set = moved(&set, setup),
            _ => match choices.int_in_range(0..=2)? {
                0 => set.reset(Some(at)),
                1 => set.compacted(Some(at)),
                _ => set.pardon(choices.choose(&texts)?, choices.choose(&texts)?.as_str()),
            },
        }
        for notice in set.take_notices() {
            assert!(!notice.text.is_empty() && !notice.code.is_empty());
        }
    }
    let _ = moved(&set, setup);
    Ok(())
}

/// Any text, once or several times in a row.
fn text(choices: &mut Unstructured<'_>) -> Result<String> {
    let text: &str = choices.arbitrary()?;
    Ok(text.repeat(choices.choose(&[1, 1, 2, 9]).copied()?))
}

fn some<'t>(choices: &mut Unstructured<'_>, texts: &'t [String]) -> Result<Vec<&'t str>> {
    let count = choices.choose(&[1, 1, 0, 2, 4]).copied()?;
    (0..count)
        .map(|_| Ok(choices.choose(texts)?.as_str()))
        .collect()
}

fn call(
    choices: &mut Unstructured<'_>,
    set: &mut GuardSet,
    texts: &[String],
    now: i64,
) -> Result<()> {
    let arguments = choices.choose(texts)?;
    let parsed = serde_json::from_str::<serde_json::Value>(arguments);
    let mut call = match &parsed {
        Ok(value) if choices.arbitrary()? => Submission::new(choices.choose(texts)?, value),
        _ => Submission::new(choices.choose(texts)?, arguments),
    };
    if choices.arbitrary()? {
        call = call.step(choices.int_in_range(0..=9)?);
    }
    let Answer::Admitted(number) = set.submit(&call.at(now)) else {
        return Ok(());
    };
    let results = some(choices, texts)?;
    let ending = match choices.int_in_range(0..=8)? {
        0..=3 => Ending::success(&results),
        4..=6 => Ending::failure(choices.choose(texts)?, &results),
        7 => Ending::denied(),
        // A call that goes on running.
        _ => return Ok(()),
    };
    assert!(set.finish(number, &ending.arguments(arguments).at(now)));
    Ok(())
}

fn message(
    choices: &mut Unstructured<'_>,
    set: &mut GuardSet,
    texts: &[String],
    at: Timestamp,
) -> Result<()> {
    let blocks = some(choices, texts)?;
    let name = choices.choose(texts)?.as_str();
    let source = match choices.int_in_range(0..=9)? {
        0 => Source::User,
        1..=5 => Source::Assistant,
        6 | 7 => Source::Plugin(name),
        _ => Source::Other(name),
    };
    let form = choices
        .choose(&[Form::Plain, Form::Plain, Form::Part, Form::Notice])
        .copied()?;
    let mut message = Incoming::new(source, &blocks).form(form);
    if choices.arbitrary()? {
        message = message.id(choices.choose(texts)?);
    }
    set.messages(&[message], Some(at));
    Ok(())
}

/// The set goes on elsewhere: through text and back.
fn moved(set: &GuardSet, setup: &Arc<Setup>) -> GuardSet {
    let saved = set.save();
    let text = serde_json::to_string(&saved).expect("a state is JSON");
    let read = serde_json::from_str(&text).expect("a state comes back");
    let restored = GuardSet::restore(Arc::clone(setup), "agent", &read).expect("a state fits");
    assert_eq!(restored.afresh, []);
    assert_eq!(restored.set.save(), saved);
    restored.set
}
