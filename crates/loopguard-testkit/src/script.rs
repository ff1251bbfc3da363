//! The story that a scripted agent loop plays.

use std::fmt;
use std::sync::Arc;

use loopguard::Form;

use crate::call::ScriptedCall;
use crate::step::Step;
use crate::transcript::Entry;

/// What happens, in order. Unless told otherwise it happens to the agent `main`.
#[derive(Clone, Debug)]
pub struct Script {
    agent: String,
    pub(crate) events: Vec<Scripted>,
    pub(crate) clock: Clock,
    pub(crate) after_denial: AfterDenial,
}

/// Whether the host tells times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clock {
    /// A call takes so many milliseconds, where it does not say otherwise.
    Ticking { call_ms: i64 },
    /// Every event comes without a time.
    Stopped,
}

/// Where notices go that wait when a call has been refused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AfterDenial {
    /// They are delivered after the step's results, like all others.
    Messages,
    /// The host carries no message then: they follow the reason after a blank line.
    InTheReason,
}

/// Chooses the next step from what the agent has read in its last one.
type Reaction = Arc<dyn Fn(&[Entry]) -> Option<Step> + Send + Sync>;

/// One thing that happens.
#[derive(Clone)]
pub(crate) enum Scripted {
    Message(String, InjectedMessage),
    Steps(Vec<(String, Step)>),
    Reacting(String, usize, Reaction),
    Agentless(ScriptedCall),
    Compacted(String),
    Reset(String),
    Ends(String),
    Restarted,
    Pause(i64),
}

impl fmt::Debug for Scripted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(agent, message) => write!(formatter, "{agent}: {message:?}"),
            Self::Steps(steps) => write!(formatter, "{steps:?}"),
            Self::Reacting(agent, limit, _) => write!(formatter, "{agent}: reacts, to {limit}"),
            Self::Agentless(call) => write!(formatter, "no agent: {call:?}"),
            Self::Compacted(agent) => write!(formatter, "{agent}: compacted"),
            Self::Reset(agent) => write!(formatter, "{agent}: reset"),
            Self::Ends(agent) => write!(formatter, "{agent}: ends"),
            Self::Restarted => write!(formatter, "restarted"),
            Self::Pause(milliseconds) => write!(formatter, "pause of {milliseconds} ms"),
        }
    }
}

/// A message that the host hands to an agent's next step.
#[derive(Clone, Debug)]
pub struct InjectedMessage {
    /// The plugin that injects it; a person where there is none.
    pub(crate) plugin: Option<String>,
    pub(crate) form: Form,
    pub(crate) texts: Vec<String>,
    pub(crate) id: Option<String>,
}

/// A message that a plugin injects.
pub fn message(plugin: &str, text: &str) -> InjectedMessage {
    InjectedMessage {
        plugin: Some(plugin.to_owned()),
        form: Form::Plain,
        texts: vec![text.to_owned()],
        id: None,
    }
}

impl InjectedMessage {
    /// One more text block of the same message.
    #[must_use]
    pub fn block(mut self, text: &str) -> Self {
        self.texts.push(text.to_owned());
        self
    }

    /// The message's id, instead of a fresh one: a host may show a message again.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    /// The message is a notice of its plugin.
    #[must_use]
    pub fn as_notice(mut self) -> Self {
        self.form = Form::Notice;
        self
    }
}

impl Default for Script {
    fn default() -> Self {
        Self {
            agent: "main".to_owned(),
            events: Vec::new(),
            clock: Clock::Ticking { call_ms: 1000 },
            after_denial: AfterDenial::Messages,
        }
    }
}

impl Script {
    /// A story in which nothing happens yet. A call takes a second.
    pub fn new() -> Self {
        Self::default()
    }

    /// From here on it happens to this agent.
    #[must_use]
    pub fn agent(mut self, name: &str) -> Self {
        self.agent = name.to_owned();
        self
    }

    /// A person writes.
    #[must_use]
    pub fn user(self, text: &str) -> Self {
        let prompt = InjectedMessage {
            plugin: None,
            ..message("", text)
        };
        self.injected(prompt)
    }

    /// A plugin injects context.
    #[must_use]
    pub fn context(self, plugin: &str, text: &str) -> Self {
        self.injected(message(plugin, text))
    }

    /// Somebody injects this message. All messages between two steps are one batch.
    #[must_use]
    pub fn injected(self, message: InjectedMessage) -> Self {
        let agent = self.agent.clone();
        self.then(Scripted::Message(agent, message))
    }

    /// The model takes a step: calls that run one by one, or a [`Step`].
    #[must_use]
    pub fn step(self, step: impl Into<Step>) -> Self {
        let step = (self.agent.clone(), step.into());
        self.then(Scripted::Steps(vec![step]))
    }

    /// The model only says something: a step without calls.
    #[must_use]
    pub fn says(self, text: &str) -> Self {
        self.step(Step::text(text))
    }

    /// The model takes the same step so many times.
    #[must_use]
    pub fn repeat(mut self, times: usize, step: impl Into<Step>) -> Self {
        let step = step.into();
        for _ in 0..times {
            self = self.step(step.clone());
        }
        self
    }

    /// The model goes through these steps so many times.
    #[must_use]
    pub fn cycle<S: Into<Step>>(
        mut self,
        times: usize,
        steps: impl IntoIterator<Item = S>,
    ) -> Self {
        let steps: Vec<Step> = steps.into_iter().map(Into::into).collect();
        for step in std::iter::repeat_n(&steps, times).flatten() {
            self = self.step(step.clone());
        }
        self
    }

    /// Several agents take a step at the same time: their calls are submitted in turn, the first
    /// of each, then the second of each, and end in the same way.
    #[must_use]
    pub fn at_once<'n, S: Into<Step>>(self, steps: impl IntoIterator<Item = (&'n str, S)>) -> Self {
        let steps = steps
            .into_iter()
            .map(|(agent, step)| (agent.to_owned(), step.into()));
        let steps = steps.collect();
        self.then(Scripted::Steps(steps))
    }

    /// The model takes the same step until a call of it is refused, at most so many times.
    #[must_use]
    pub fn until_denied(self, limit: usize, step: impl Into<Step>) -> Self {
        self.until(limit, step, Entry::is_refusal)
    }

    /// The model takes the same step until a notice comes, at most so many times.
    #[must_use]
    pub fn until_noticed(self, limit: usize, step: impl Into<Step>) -> Self {
        self.until(limit, step, Entry::is_notice)
    }

    /// The model chooses each step, at most so many, from what it has read in the one before:
    /// nothing before the first; `None` ends it.
    #[must_use]
    pub fn reacting(
        self,
        limit: usize,
        model: impl Fn(&[Entry]) -> Option<Step> + Send + Sync + 'static,
    ) -> Self {
        let agent = self.agent.clone();
        self.then(Scripted::Reacting(agent, limit, Arc::new(model)))
    }

    /// A tool is called past every agent.
    #[must_use]
    pub fn agentless(self, call: ScriptedCall) -> Self {
        self.then(Scripted::Agentless(call))
    }

    /// The agent's history is compacted.
    #[must_use]
    pub fn compacted(self) -> Self {
        let agent = self.agent.clone();
        self.then(Scripted::Compacted(agent))
    }

    /// The agent's conversation is cleared.
    #[must_use]
    pub fn reset(self) -> Self {
        let agent = self.agent.clone();
        self.then(Scripted::Reset(agent))
    }

    /// The agent ends. What happens to its name later happens to a new agent.
    #[must_use]
    pub fn ends(self) -> Self {
        let agent = self.agent.clone();
        self.then(Scripted::Ends(agent))
    }

    /// The host ends, with the guards' state saved as JSON, and starts again from it.
    #[must_use]
    pub fn restarted(self) -> Self {
        self.then(Scripted::Restarted)
    }

    /// Nothing happens for so long.
    #[must_use]
    pub fn pause_ms(self, milliseconds: i64) -> Self {
        self.then(Scripted::Pause(milliseconds))
    }

    /// A call takes so many milliseconds, where it does not say otherwise.
    #[must_use]
    pub fn calls_take_ms(mut self, milliseconds: i64) -> Self {
        self.clock = Clock::Ticking {
            call_ms: milliseconds,
        };
        self
    }

    /// The host tells no times at all.
    #[must_use]
    pub fn without_times(mut self) -> Self {
        self.clock = Clock::Stopped;
        self
    }

    /// The host carries no messages after a denial: what waits then follows the reason.
    #[must_use]
    pub fn notices_in_reasons(mut self) -> Self {
        self.after_denial = AfterDenial::InTheReason;
        self
    }

    fn until(self, limit: usize, step: impl Into<Step>, is_enough: fn(&Entry) -> bool) -> Self {
        let step = step.into();
        self.reacting(limit, move |read| {
            (!read.iter().any(is_enough)).then(|| step.clone())
        })
    }

    fn then(mut self, event: Scripted) -> Self {
        self.events.push(event);
        self
    }
}
