//! A small agent loop with one guard and a scripted model: `cargo run --example small_host`.
//!
//! The host asks the guard before a call, tells it afterwards, and hands its advice to the model
//! as a message of its own, behind the result. It needs nothing but this crate.

use std::sync::Arc;

use loopguard_repeat_reminder::core::{
    Arguments, Call, CallNumber, Event, Guard, Notices, Outcome, Output, Seed, Text, Verdict,
};
use loopguard_repeat_reminder::{DEFAULT_ID, ReminderConfig, RepeatReminder};

/// What the model is told to say: a call, as long as it is not advised.
const STUBBORN: (&str, &str) = ("read", r#"{"path":"src/main.rs"}"#);
const WISER: (&str, &str) = ("grep", r#"{"pattern":"fn main"}"#);

fn main() {
    let mut guard = RepeatReminder::new(DEFAULT_ID.into(), Arc::new(ReminderConfig::default()));
    let mut conversation = vec!["user: where does it start?".to_owned()];

    for number in 1..=5 {
        let (tool, arguments) = ask_the_model(&conversation);
        // A live host draws its seed at random, once, and keeps it.
        let call = Call::new(Seed::FIXED, tool, Arguments::Text(arguments));
        let call = call.numbered(CallNumber(number));

        // This guard only advises; another one might refuse.
        if let Verdict::Refuse(denial) = guard.decide(&call) {
            guard.observe(&Event::Refused(&call, &denial), &mut Notices::new());
            conversation.push(format!("{tool}: {}", denial.reason));
            continue;
        }
        let mut notices = Notices::new();
        guard.observe(&Event::Admitted(&call), &mut notices);

        let result = run(tool);
        let texts = [Text::new(Seed::FIXED, &result)];
        let output = Output::new(&texts);
        let outcome = Outcome::Success(&output);
        guard.observe(
            &Event::Finished {
                call: &call,
                outcome,
                at: None,
            },
            &mut notices,
        );

        conversation.push(format!("{tool}: {result}"));
        for notice in notices.take() {
            conversation.push(format!(
                "{} ({}): {}",
                notice.guard, notice.summary, notice.text
            ));
        }
    }

    for message in &conversation {
        println!("{message}");
    }
    let advised = conversation
        .iter()
        .filter(|it| it.starts_with(DEFAULT_ID))
        .count();
    assert_eq!(advised, 1, "the third identical call is advised about");
}

/// A model that changes its ways once it has been advised.
fn ask_the_model(conversation: &[String]) -> (&'static str, &'static str) {
    match conversation
        .iter()
        .any(|message| message.starts_with(DEFAULT_ID))
    {
        false => STUBBORN,
        true => WISER,
    }
}

fn run(tool: &str) -> String {
    format!("what {tool} found")
}
