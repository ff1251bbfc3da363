//! The guards of one agent, as a host sees them.

use std::sync::Arc;

use loopguard_core::{
    Arguments, Call, CallNumber, Denial, Event, Form, Message, Notice, Outcome, Output, Redaction,
    Seed, Source, StepId, Text, Timestamp,
};

use crate::observer::Halt;
use crate::setup::Setup;
use crate::speaker::Speaker;
use crate::submission::{CallRef, Ending, EndingKind, Incoming, Submission};
use crate::watch::Watch;

/// The guards of one agent: asks them all before a call, tells them all afterwards.
#[derive(Debug)]
pub struct GuardSet {
    pub(crate) setup: Arc<Setup>,
    pub(crate) watch: Watch,
}

/// What the guards answer to a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The call may run; it is finished by this number, or by the host's id.
    Admitted(CallNumber),
    /// The call must not run: the model reads the reason in place of a result.
    /// Boxed: to admit costs no more than a word.
    Refused(Box<Refusal>),
}

/// Why a call must not run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refusal {
    /// The call.
    pub call: CallNumber,
    /// The first denial: its reason is the one for the model.
    pub denial: Denial,
    /// What the other guards had against the call.
    pub further: Vec<Denial>,
    /// Advice to end the agent's run, where that is configured.
    pub halt: Option<Halt>,
}

impl GuardSet {
    /// The guards of `agent`, under a seed that should be random where arguments come from
    /// strangers, and [`Seed::FIXED`] in a replay.
    pub fn new(setup: Arc<Setup>, agent: &str, seed: Seed) -> Self {
        Self {
            watch: Watch::new(&setup, agent, seed),
            setup,
        }
    }

    /// Asks every guard whether a call may run, and tells them all what came of it.
    pub fn submit(&mut self, submission: &Submission<'_>) -> Answer {
        let Self { setup, watch } = self;
        let (tool, arguments) = (submission.tool, submission.arguments);
        let mut identity = setup.policy.identity(watch.seed, tool, arguments);
        if submission.inexact {
            identity = identity.inexact();
        }
        watch.calls = watch.calls.saturating_add(1);
        let call = Call::with_identity(tool, identity)
            .arguments(arguments)
            .redacted_by(&setup.redaction)
            .numbered(CallNumber(watch.calls))
            .at(watch.tick(submission.at))
            .in_step(submission.step.map(StepId));
        match watch.decide(setup, &call) {
            None => {
                watch.pending.begin(watch.speaker, &call, submission.id);
                watch.tell(setup, &Event::Admitted(&call));
                Answer::Admitted(call.number())
            }
            Some(refusal) => {
                watch.tell(setup, &Event::Refused(&call, &refusal.denial));
                Answer::Refused(refusal)
            }
        }
    }

    /// Tells the guards how an admitted call ended. A call finishes once: a result for a call
    /// that does not run (any more), or was refused, is ignored, and the answer is `false`.
    pub fn finish<'c>(&mut self, call: impl Into<CallRef<'c>>, ending: &Ending<'_>) -> bool {
        let Self { setup, watch } = self;
        let Some(record) = watch.pending.end(watch.speaker, call.into()) else {
            return false;
        };
        let at = watch.tick(ending.at);
        let mut call = record.call().redacted_by(&setup.redaction);
        if let Some(arguments) = ending.arguments {
            call = call.arguments(arguments);
        }
        with_texts(watch.seed, &setup.redaction, ending.texts, |texts| {
            let mut output = Output::new(texts);
            if let Some(digest) = setup.policy.result(watch.seed, call.tool(), ending.texts) {
                output = output.compared_by(digest);
            }
            let outcome = match ending.kind {
                EndingKind::Success => Outcome::Success(&output),
                EndingKind::Failure(message) => Outcome::Failure {
                    message,
                    output: &output,
                },
                EndingKind::Denied => Outcome::Denied,
                EndingKind::Cancelled => Outcome::Cancelled,
            };
            if matches!(outcome, Outcome::Success(_)) {
                watch.denials.forget(watch.speaker);
            }
            watch.tell(
                setup,
                &Event::Finished {
                    call: &call,
                    outcome,
                    at,
                },
            );
        });
        watch.pending.put_back(record);
        true
    }

    /// Tells the guards what messages the host hands to the agent's next step, as one batch.
    pub fn messages(&mut self, batch: &[Incoming<'_>], at: Option<Timestamp>) {
        let Self { setup, watch } = self;
        let at = watch.tick(at);
        let text = |text| Text::new(watch.seed, text).redacted_by(&setup.redaction);
        let texts = batch
            .iter()
            .map(|message| message.texts.iter().copied().map(text).collect());
        let texts: Vec<Vec<Text<'_>>> = texts.collect();
        let messages = batch.iter().zip(&texts).map(|(message, texts)| {
            Message::new(message.source, texts)
                .id(message.id)
                .form(form(setup, message))
        });
        let messages: Vec<_> = messages.collect();
        watch.tell(setup, &Event::Messages(&messages, at));
    }

    /// Tells the guards that the history was compacted, which changes nothing in any of them.
    pub fn compacted(&mut self, at: Option<Timestamp>) {
        let at = self.watch.tick(at);
        self.watch.tell(&self.setup, &Event::Compacted(at));
    }

    /// Tells the guards that the host cleared the conversation: as if a human message had come.
    pub fn reset(&mut self, at: Option<Timestamp>) {
        let at = self.watch.tick(at);
        self.watch.tell(&self.setup, &Event::Reset(at));
    }

    /// Forgets what is held against one call: the user allows it again.
    pub fn pardon<'a>(&mut self, tool: &str, arguments: impl Into<Arguments<'a>>) {
        let identity = self
            .setup
            .policy
            .identity(self.watch.seed, tool, arguments.into());
        self.watch.tell(&self.setup, &Event::Pardoned(identity));
    }

    /// Takes the notices that have come up since they were last taken: the host delivers each
    /// as a message of its own, after the step's results. In a dry run there are none.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.watch.waiting.take(self.watch.speaker)
    }

    /// The next events are those of `agent`: for agents that share a set.
    pub fn turn_to(&mut self, agent: &str) {
        if self.watch.agent != agent {
            agent.clone_into(&mut self.watch.agent);
            self.watch.speaker = Speaker::new(agent);
        }
    }

    /// The agent that is watched.
    pub fn agent(&self) -> &str {
        &self.watch.agent
    }

    /// The seed of the agent's identities: part of its state.
    pub fn seed(&self) -> Seed {
        self.watch.seed
    }

    /// How many calls run.
    pub fn pending_calls(&self) -> usize {
        self.watch.pending.len()
    }

    /// How many calls never finished and had to be forgotten because too many ran.
    pub fn forgotten_calls(&self) -> u64 {
        self.watch.pending.forgotten()
    }

    /// The guards that have failed and are off duty for this agent: always none, or a guard
    /// has a fault.
    pub fn failed_guards(&self) -> impl Iterator<Item = &str> {
        let failed = self.watch.guards.iter().filter(|post| post.failed);
        failed.map(|post| post.guard.id().as_str())
    }
}

/// What comes from a guard of this set is a notice, whatever the host says of it.
fn form(setup: &Setup, message: &Incoming<'_>) -> Form {
    match message.source {
        Source::Plugin(name) if setup.guard_ids().any(|id| id.as_str() == name) => Form::Notice,
        _ => message.form,
    }
}

/// Text blocks of a result, without an allocation for as many as results usually have.
fn with_texts(seed: Seed, redaction: &Redaction, blocks: &[&str], then: impl FnOnce(&[Text<'_>])) {
    let text = |block| Text::new(seed, block).redacted_by(redaction);
    match *blocks {
        [] => then(&[]),
        [one] => then(&[text(one)]),
        [one, two] => then(&[text(one), text(two)]),
        _ => then(&blocks.iter().copied().map(text).collect::<Vec<_>>()),
    }
}
