//! What the set's own row says: whose state is whose, what makes a call the same, when to halt,
//! whether anything takes effect, and what of a guard that fails.

mod failing;
mod halting;
mod identity;
mod scope;

use std::sync::{Arc, Mutex};

use loopguard::{
    Action, Answer, Decision, Ending, Notice, Observer, Refusal, Seed, Sessions, Setup, Submission,
};
use loopguard_tests::host::setup;
use serde_json::Value;

/// A host, and what its observer has been told.
struct Host {
    sessions: Sessions,
    seen: Arc<Seen>,
}

/// What came of a call.
#[derive(Debug)]
enum Heard {
    Notices(Vec<Notice>),
    Refused(Box<Refusal>),
}

impl Heard {
    /// The codes of what was said, a refusal behind `!`, a halt as `halt`.
    fn codes(&self) -> Vec<String> {
        match self {
            Heard::Notices(notices) => notices.iter().map(|it| it.code.clone()).collect(),
            Heard::Refused(refusal) => {
                let halt = refusal.halt.iter().map(|_| "halt".to_owned());
                let denial = format!("!{}", refusal.denial.code);
                std::iter::once(denial).chain(halt).collect()
            }
        }
    }
}

impl Host {
    fn new(rows: &Value) -> Self {
        let seen = Arc::<Seen>::default();
        let setup = Setup::clone(&setup(rows)).observed_by(Arc::clone(&seen) as Arc<dyn Observer>);
        Self {
            sessions: Sessions::new(setup, Seed::FIXED),
            seen,
        }
    }

    /// A call that ends in this way: the codes of what was said.
    fn call(&self, agent: &str, call: Submission<'_>, ending: Ending<'_>) -> Vec<String> {
        self.hear(agent, call, ending).codes()
    }

    fn hear(&self, agent: &str, call: Submission<'_>, ending: Ending<'_>) -> Heard {
        match self.sessions.submit(agent, &call) {
            Answer::Admitted(number) => {
                Heard::Notices(self.sessions.finish(agent, number, &ending))
            }
            Answer::Refused(refusal) => Heard::Refused(refusal),
            _ => unreachable!("there is no other answer"),
        }
    }

    /// A call that fails.
    fn fail(&self, agent: &str) -> Vec<String> {
        self.call(
            agent,
            Submission::new("make", "{}"),
            Ending::failure("no", &[]),
        )
    }

    /// A call that succeeds.
    fn read(&self, agent: &str) -> Vec<String> {
        self.call(
            agent,
            Submission::new("read", "{}"),
            Ending::success(&["text"]),
        )
    }

    fn seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.0.lock().expect("one thread"))
    }
}

/// Keeps every decision as a line: the agent, what, and whether it takes effect.
#[derive(Debug, Default)]
struct Seen(Mutex<Vec<String>>);

impl Observer for Seen {
    fn decided(&self, agent: &str, decision: &Decision<'_>) {
        let what = match decision.action {
            Action::Notice(notice) => notice.code.clone(),
            Action::Denial(denial) => format!("!{}", denial.code),
            Action::FurtherDenial(denial) => format!("!!{}", denial.code),
            Action::Halt(halt) => format!("halt {}", halt.denials),
            Action::Failed(guard) => format!("failed {guard}"),
            _ => unreachable!("there is no other action"),
        };
        let line = format!("{agent} #{} {what} {:?}", decision.call.0, decision.effect);
        self.0.lock().expect("one thread").push(line);
    }
}
