//! The agent loop: plays a story to the guards, and keeps what the model reads.

mod calls;

use std::collections::BTreeMap;
use std::sync::Arc;

use loopguard::{Base, Effect, Form, Incoming, Notice, Seed, Sessions, Setup, Timestamp};
use serde_json::Value;

use self::calls::Open;
use crate::journal::Journal;
use crate::script::{Clock, InjectedMessage, Script, Scripted};
use crate::step::{Schedule, Step};
use crate::transcript::{Entry, Transcript, What};

/// Plays a story to the guards of these rows (or of [`guards`](crate::guards)).
///
/// # Panics
///
/// Where the rows are wrong, with everything that is.
pub fn run(rows: impl Into<Value>, script: &Script) -> Transcript {
    match Setup::from_value("testkit", &rows.into(), Base::default()) {
        Ok(loaded) => run_setup(loaded.setup, script),
        Err(errors) => panic!("{errors}"),
    }
}

/// Plays a story to the guards of a setup, whose observer is replaced.
pub fn run_setup(setup: Setup, script: &Script) -> Transcript {
    let journal = Arc::new(Journal::default());
    let effect = setup.effect();
    let setup = Arc::new(setup.observed_by(Arc::clone(&journal) as _));
    let mut play = Play {
        sessions: Sessions::new(Arc::clone(&setup), Seed::FIXED),
        setup,
        journal,
        effect,
        script,
        now: 0,
        messages: 0,
        agents: BTreeMap::new(),
        transcript: Transcript::default(),
    };
    for event in &script.events {
        play.event(event);
    }
    play.end()
}

/// A story that is being played.
struct Play<'s> {
    setup: Arc<Setup>,
    sessions: Sessions,
    journal: Arc<Journal>,
    effect: Effect,
    script: &'s Script,
    now: i64,
    /// How many messages there have been: each has an id of its own.
    messages: u64,
    agents: BTreeMap<String, Agent>,
    transcript: Transcript,
}

/// What the loop knows of an agent.
#[derive(Default)]
struct Agent {
    /// What gathers until the next step.
    inbox: Vec<InjectedMessage>,
    steps: u64,
    calls: u64,
    is_halted: bool,
}

impl Play<'_> {
    fn event(&mut self, event: &Scripted) {
        match event {
            Scripted::Message(agent, message) => self.message(agent, message),
            Scripted::Steps(steps) => {
                let steps: Vec<_> = steps.iter().map(|(agent, step)| (&**agent, step)).collect();
                self.steps(&steps);
            }
            Scripted::Reacting(agent, limit, model) => {
                let mut read = self.transcript.entries.len();
                for _ in 0..*limit {
                    let Some(step) = model(&self.transcript.entries[read..]) else {
                        break;
                    };
                    read = self.transcript.entries.len();
                    self.steps(&[(agent, &step)]);
                }
            }
            Scripted::Agentless(call) => self.agentless(call),
            Scripted::Compacted(agent) => {
                self.sessions.compacted(agent, self.time());
                self.record(Some(agent), What::Compacted);
            }
            Scripted::Reset(agent) => {
                self.sessions.reset(agent, self.time());
                self.known(agent).is_halted = false;
                self.record(Some(agent), What::Reset);
            }
            Scripted::Ends(agent) => {
                self.sessions.end(agent);
                self.record(Some(agent), What::Ended);
                self.agents.remove(agent);
            }
            Scripted::Restarted => self.restart(),
            Scripted::Pause(milliseconds) => {
                self.now += milliseconds;
                self.record(None, What::Pause(*milliseconds));
            }
        }
    }

    /// Saves the state of every agent as JSON, and goes on from it.
    fn restart(&mut self) {
        let sessions = Sessions::new(Arc::clone(&self.setup), Seed::FIXED);
        for agent in self.agents.keys() {
            let Some(saved) = self.sessions.save(agent) else {
                continue;
            };
            let saved = serde_json::to_string(&saved).expect("saved state is plain data");
            let saved = serde_json::from_str(&saved).expect("saved state reads back");
            let afresh = sessions.restore(agent, &saved);
            assert_eq!(afresh, Ok(Vec::new()), "no guard starts afresh");
        }
        self.sessions = sessions;
        self.record(None, What::Restarted);
    }

    fn message(&mut self, agent: &str, message: &InjectedMessage) {
        let texts = message.texts.clone();
        let what = match &message.plugin {
            None => What::User(texts),
            Some(plugin) => What::Context {
                plugin: plugin.clone(),
                id: message.id.clone(),
                form: message.form,
                texts,
            },
        };
        self.record(Some(agent), what);
        self.gather(agent, message.clone());
        let known = self.known(agent);
        known.is_halted &= message.plugin.is_some();
    }

    /// Puts a message where the agent's next step finds it.
    fn gather(&mut self, agent: &str, mut message: InjectedMessage) {
        self.messages += 1;
        let id = format!("m{}", self.messages);
        message.id.get_or_insert(id);
        self.known(agent).inbox.push(message);
    }

    /// A step of each of these agents at the same time; usually there is one.
    fn steps(&mut self, steps: &[(&str, &Step)]) {
        let taken = steps
            .iter()
            .filter(|(agent, _)| !self.known(agent).is_halted);
        let taken: Vec<_> = taken.copied().collect();
        for (agent, step) in &taken {
            self.begin(agent, step);
        }
        let mut notices: Vec<(&str, Vec<Notice>)> = Vec::new();
        match &taken[..] {
            [(agent, step)] if matches!(step.schedule, Schedule::OneByOne) => {
                for call in &step.calls {
                    if !self.known(agent).is_halted {
                        let open = self.submit(agent, call);
                        notices.push((agent, self.finish(agent, &open)));
                    }
                }
            }
            _ => {
                let mut open: Vec<Vec<Option<Open<'_>>>> =
                    taken.iter().map(|_| Vec::new()).collect();
                let longest = taken.iter().map(|(_, step)| step.calls.len()).max();
                for at in 0..longest.unwrap_or(0) {
                    for ((agent, step), open) in taken.iter().zip(&mut open) {
                        if let Some(call) = step.calls.get(at) {
                            open.push(Some(self.submit(agent, call)));
                        }
                    }
                }
                for at in 0..longest.unwrap_or(0) {
                    for ((agent, step), open) in taken.iter().zip(&mut open) {
                        let place = match &step.schedule {
                            Schedule::OneByOne => at,
                            Schedule::Parallel(order) => order.get(at).copied().unwrap_or(at),
                        };
                        if let Some(open) = open.get_mut(place).and_then(Option::take) {
                            notices.push((agent, self.finish(agent, &open)));
                        }
                    }
                }
            }
        }
        for (agent, notices) in notices {
            for notice in notices {
                self.deliver(agent, notice);
            }
        }
    }

    /// Hands over what has gathered, as one batch.
    fn begin(&mut self, agent: &str, step: &Step) {
        let known = self.known(agent);
        known.steps += 1;
        let batch = std::mem::take(&mut known.inbox);
        let what = What::Step {
            handed_over: batch.len(),
            at: self.time().map(Timestamp::as_millis),
        };
        self.record(Some(agent), what);
        let texts: Vec<Vec<&str>> = batch
            .iter()
            .map(|message| message.texts.iter().map(String::as_str).collect())
            .collect();
        let incoming = batch.iter().zip(&texts).map(|(message, texts)| {
            let incoming = match &message.plugin {
                None => Incoming::user(texts),
                Some(plugin) => Incoming::plugin(plugin, texts),
            };
            let incoming = incoming.form(message.form);
            match &message.id {
                Some(id) => incoming.id(id),
                None => incoming,
            }
        });
        let incoming: Vec<_> = incoming.collect();
        self.sessions.messages(agent, &incoming, self.time());
        self.observe(agent);
        if let Some(text) = &step.text {
            self.record(Some(agent), What::Assistant(text.clone()));
        }
    }

    /// A notice becomes a message of its own, and comes back with the next batch.
    fn deliver(&mut self, agent: &str, notice: Notice) {
        let back = InjectedMessage {
            plugin: Some(notice.guard.as_str().to_owned()),
            form: Form::Notice,
            texts: vec![notice.text.clone()],
            id: None,
        };
        self.gather(agent, back);
        self.record(Some(agent), What::Notice(notice));
    }

    /// Keeps what has been decided: all there is of it in a dry run.
    fn observe(&mut self, agent: &str) {
        for observed in self.journal.take() {
            // Who is watched under one state for all agents goes by the name of the first.
            let step = self.known(agent).steps;
            let line = format!(
                "{} step {step}: {}",
                observed.agent,
                observed.heard.summary()
            );
            self.transcript.observed.push(line);
            if self.effect == Effect::DryRun {
                self.record(Some(agent), What::Withheld(observed.heard));
            }
        }
    }

    fn record(&mut self, agent: Option<&str>, what: What) {
        let step = agent.map_or(0, |agent| self.known(agent).steps);
        let agent = agent.map(str::to_owned);
        self.transcript.entries.push(Entry { agent, step, what });
    }

    fn known(&mut self, agent: &str) -> &mut Agent {
        self.agents.entry(agent.to_owned()).or_default()
    }

    fn time(&self) -> Option<Timestamp> {
        match self.script.clock {
            Clock::Ticking { .. } => Some(Timestamp::from_millis(self.now)),
            Clock::Stopped => None,
        }
    }

    /// The story is over: what still waits is no longer delivered.
    fn end(mut self) -> Transcript {
        let agents: Vec<_> = self.agents.keys().cloned().collect();
        for agent in agents {
            for notice in self.sessions.take_notices(&agent) {
                self.record(Some(&agent), What::Waiting(notice));
            }
        }
        self.transcript
    }
}
