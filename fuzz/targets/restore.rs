//! A saved state, whatever became of it, is refused or goes on, and no guard fails of it.

#![no_main]

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use loopguard::{SavedSet, Seed, Sessions, Setup, Submission};
use loopguard_fuzz::SETUPS;
use loopguard_tests::damage::{Damage, damage};
use loopguard_tests::host::Host;
use loopguard_tests::life::{
    ARGUMENTS, Asked, Call, End, Event, FAILURES, How, Message, SOURCES, TEXTS, TOOLS, What,
};

/// What is damaged: mostly what guards know.
const PARTS: [&str; 10] = [
    "/guards/0/state",
    "/guards/1/state",
    "/guards/2/state",
    "/guards/3/state",
    "/guards/4/state",
    "/guards/5/state",
    "/pending",
    "/waiting",
    "/denials",
    "",
];

fuzz_target!(|data: &[u8]| {
    // A state in JSON is taken as it is; anything else says how to come by one.
    if data.first() == Some(&b'{') {
        if let Ok(saved) = serde_json::from_slice::<SavedSet>(data) {
            for setup in &*SETUPS {
                go_on(setup, &saved, &[]);
            }
        }
        return;
    }
    let _ = made_up(&mut Unstructured::new(data));
});

fn made_up(choices: &mut Unstructured<'_>) -> Result<()> {
    let setup = choices.choose(&*SETUPS)?;
    let before = life(choices)?;
    let sessions = Arc::new(Sessions::new(Arc::clone(setup), Seed::new(7)));
    Host::of(&sessions, "agent").live(&before);
    sessions.submit("agent", &Submission::new("read", "{}"));
    let mut saved = serde_json::to_value(sessions.save("agent")).expect("a state is JSON");
    for _ in 0..choices.int_in_range(0..=6)? {
        let one = Damage {
            place: choices.arbitrary::<u16>()?.into(),
            with: choices.arbitrary::<u8>()?.into(),
            wild: choices.ratio(1, 8)?,
        };
        let part = choices.choose(&PARTS).copied()?;
        // An earlier damage may have taken it away.
        if let Some(part) = saved.pointer_mut(part) {
            damage(part, one);
        }
    }
    let after = life(choices)?;
    if let Ok(saved) = serde_json::from_value(saved) {
        go_on(setup, &saved, &after);
    }
    Ok(())
}

fn go_on(setup: &Arc<Setup>, saved: &SavedSet, after: &[Event]) {
    let sessions = Arc::new(Sessions::new(Arc::clone(setup), Seed::new(7)));
    if sessions.restore("agent", saved).is_err() {
        return;
    }
    // A host checks after each event that no guard has failed, and that a state comes back.
    let mut host = Host::of(&sessions, "agent");
    let _ = host.moved_to(setup);
    host.live(after);
    host.moved_to(setup).live(after);
}

fn life(choices: &mut Unstructured<'_>) -> Result<Vec<Event>> {
    let mut now = 1_700_000_000_000;
    let mut life = Vec::new();
    for _ in 0..choices.int_in_range(0..=40)? {
        now += choices.choose(&[0, 250, 1_000, 600_000, -500])?;
        let at = choices.ratio(7, 8)?.then_some(now);
        let what = what(choices)?;
        // What happens once may happen again at once.
        for _ in 0..choices.choose(&[1, 1, 2, 4]).copied()? {
            life.push(Event {
                at,
                what: what.clone(),
            });
        }
    }
    Ok(life)
}

fn what(choices: &mut Unstructured<'_>) -> Result<What> {
    Ok(match choices.int_in_range(0..=15)? {
        0..=9 => What::Call(asked(choices)?, end(choices)?),
        10 => What::Begin(asked(choices)?),
        11 => What::End(choices.int_in_range(0..=7)?, end(choices)?),
        12 | 13 => {
            let count = choices.int_in_range(0..=2)?;
            What::Messages(
                (0..count)
                    .map(|_| message(choices))
                    .collect::<Result<_>>()?,
            )
        }
        14 => What::Compacted,
        _ => match choices.arbitrary()? {
            true => What::Reset,
            false => What::Pardon(call(choices)?),
        },
    })
}

fn call(choices: &mut Unstructured<'_>) -> Result<Call> {
    Ok(Call {
        tool: choices.choose_index(TOOLS.len())?,
        arguments: choices.choose_index(ARGUMENTS.len())?,
    })
}

fn asked(choices: &mut Unstructured<'_>) -> Result<Asked> {
    Ok(Asked {
        call: call(choices)?,
        spelling: choices.int_in_range(0..=1)?,
        parsed: choices.arbitrary()?,
        inexact: choices.ratio(1, 16)?,
    })
}

fn end(choices: &mut Unstructured<'_>) -> Result<End> {
    let how = match choices.int_in_range(0..=9)? {
        0..=3 => How::Success,
        4..=7 => How::Failure(choices.choose_index(FAILURES.len())?),
        8 => How::Denied,
        _ => How::Cancelled,
    };
    Ok(End {
        how,
        texts: texts(choices)?,
    })
}

fn message(choices: &mut Unstructured<'_>) -> Result<Message> {
    Ok(Message {
        id: match choices.int_in_range(0..=6)? {
            6 => None,
            id => Some(id),
        },
        source: choices.choose_index(SOURCES.len())?,
        notice: choices.ratio(1, 8)?,
        texts: texts(choices)?,
    })
}

fn texts(choices: &mut Unstructured<'_>) -> Result<Vec<usize>> {
    let count = choices.choose(&[1, 1, 1, 0, 2, 5]).copied()?;
    (0..count)
        .map(|_| choices.choose_index(TEXTS.len()))
        .collect()
}
