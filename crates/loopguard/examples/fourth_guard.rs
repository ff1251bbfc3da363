//! A fourth guard, put into a set beside the others: `cargo run -p loopguard --example fourth_guard`.
//!
//! It grants an agent so many calls between two messages of a person: it advises when few are
//! left, and refuses what goes beyond.

use std::sync::Arc;

use loopguard::config::{ConfigErrors, Key, Kind, Section};
use loopguard::core::{
    Call, Event, Facts, Guard, GuardId, Notice, Notices, RestoreError, SavedGuard, Verdict,
    configuration_fingerprint,
};
use loopguard::{
    Answer, Ending, GuardFactory, Incoming, Preset, Seed, Sessions, Setup, Submission,
};
use serde_json::{Value, json};

const NAME: &str = "call-budget";

const KEYS: &[Key] = &[
    Key::new(
        "warnAt",
        Kind::Integer { min: 1 },
        "40",
        "calls at which to advise",
    ),
    Key::new(
        "limit",
        Kind::Integer { min: 2 },
        "50",
        "calls after which to refuse; above warnAt",
    ),
];

#[derive(Clone, Debug)]
struct BudgetConfig {
    warn_at: u64,
    limit: u64,
}

impl BudgetConfig {
    fn from_value(value: &Value) -> Result<Self, ConfigErrors> {
        let mut section = Section::from_value(NAME, value, KEYS);
        section.greater("limit", "warnAt");
        let config = Self {
            warn_at: section.integer("warnAt").unwrap_or(40),
            limit: section.integer("limit").unwrap_or(50),
        };
        section.finish()?;
        Ok(config)
    }
}

#[derive(Debug)]
struct CallBudget {
    id: GuardId,
    config: Arc<BudgetConfig>,
    /// Calls since a person spoke: all that has to be saved.
    calls: u64,
}

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

impl CallBudget {
    fn new(id: GuardId, config: Arc<BudgetConfig>) -> Self {
        Self {
            id,
            config,
            calls: 0,
        }
    }

    fn facts(&self, rule: &str, limit: u64, call: &Call<'_>) -> Facts {
        Facts::new(rule, limit).tool(call.tool()).count(self.calls)
    }

    fn fingerprint(&self) -> Option<loopguard::core::Fingerprint> {
        configuration_fingerprint(&[self.config.warn_at, self.config.limit])
    }
}

impl Guard for CallBudget {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        let limit = self.config.limit;
        // No guard refuses a call whose digits were lost on the way here.
        if self.calls < limit || !call.identity().is_exact() {
            return Verdict::Admit;
        }
        let reason = format!(
            "{limit} calls have been made since the user last spoke, and no more are granted. Say \
             what you have found, and ask how to go on."
        );
        Verdict::refuse(
            &self.id,
            "budget-spent",
            reason,
            self.facts("limit", limit, call),
        )
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        if event.starts_over() {
            self.calls = 0;
        }
        if let Event::Admitted(call) = event {
            self.calls = self.calls.saturating_add(1);
            if self.calls == self.config.warn_at {
                let left = self.config.limit - self.calls;
                let text = format!("{left} calls are left until the user has to speak.");
                let facts = self.facts("warnAt", self.config.warn_at, call);
                let summary = format!("{left} calls left");
                notices.push(Notice::new(&self.id, "budget-low", text, summary, facts));
            }
        }
    }

    fn save(&self) -> SavedGuard {
        SavedGuard::new(
            &self.id,
            NAME,
            STATE_VERSION,
            self.fingerprint(),
            &self.calls,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        self.calls = saved.open(NAME, STATE_VERSION, self.fingerprint())?;
        Ok(())
    }
}

fn setup(config: &Value) -> Result<Setup, ConfigErrors> {
    let config = Arc::new(BudgetConfig::from_value(config)?);
    let factory = GuardFactory::new(NAME, move |id| {
        Box::new(CallBudget::new(id, Arc::clone(&config)))
    });
    Ok(Setup::preset(Preset::Original).guard(factory))
}

/// Plays an agent that reads a file after the other.
pub(crate) fn main() {
    let wrong = setup(&json!({"warnAt": 5, "limit": 5})).expect_err("the limit has to be greater");
    println!("{wrong}");
    assert!(
        wrong
            .to_string()
            .contains("an integer greater than warnAt (5)")
    );

    let setup =
        Arc::new(setup(&json!({"warnAt": 3, "limit": 5})).expect("these values are allowed"));
    let sessions = Sessions::new(Arc::clone(&setup), Seed::FIXED);
    let read = |sessions: &Sessions, page: u32| {
        let arguments = json!({"path": format!("page-{page}.md")});
        match sessions.submit("main", &Submission::new("read", &arguments)) {
            Answer::Admitted(call) => sessions
                .finish("main", call, &Ending::success(&["…"]))
                .into_iter()
                .map(|notice| format!("page {page}: {}: {}", notice.guard, notice.text))
                .collect(),
            Answer::Refused(refusal) => vec![format!("page {page}: {}", refusal.denial.reason)],
            _ => Vec::new(),
        }
    };
    let mut said: Vec<String> = (1..=4).flat_map(|page| read(&sessions, page)).collect();

    // In another process it goes on where it was.
    let saved = sessions.save("main").expect("the agent is known");
    let sessions = Sessions::new(setup, Seed::FIXED);
    let afresh = sessions
        .restore("main", &saved)
        .expect("it is this version's");
    assert!(afresh.is_empty());
    said.extend((5..=6).flat_map(|page| read(&sessions, page)));

    sessions.messages("main", &[Incoming::user(&["go on"])], None);
    said.extend(read(&sessions, 7));

    for line in &said {
        println!("{line}");
    }
    assert_eq!(
        said,
        [
            "page 3: call-budget: 2 calls are left until the user has to speak.",
            "page 6: 5 calls have been made since the user last spoke, and no more are granted. \
             Say what you have found, and ask how to go on.",
        ]
    );
}
