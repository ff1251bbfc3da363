//! The guards of one agent.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use loopguard_core::{
    Arguments, Call, CallNumber, Denial, Event, Form, Guard, Message, Notice, Notices, Outcome,
    Output, Redaction, Seed, Source, StepId, Text, Timestamp, Verdict,
};

use crate::observer::{Action, Decision, Halt};
use crate::pending::PendingCalls;
use crate::setup::{Effect, Setup};
use crate::speaker::{Denials, Speaker, Waiting};
use crate::submission::{CallRef, Ending, EndingKind, Incoming, Submission};

/// The guards of one agent: asks them all before a call, tells them all afterwards.
#[derive(Debug)]
pub struct GuardSet {
    pub(crate) setup: Arc<Setup>,
    /// The agent whose event it is; where agents share a set, they take turns.
    pub(crate) agent: String,
    pub(crate) speaker: Speaker,
    pub(crate) seed: Seed,
    pub(crate) guards: Vec<Post>,
    pub(crate) pending: PendingCalls,
    /// What has been said and not been taken.
    pub(crate) waiting: Waiting,
    /// How many calls there have been.
    pub(crate) calls: u64,
    /// The last time that an event told.
    pub(crate) now: Option<Timestamp>,
    /// How many calls in a row have been refused.
    pub(crate) denials: Denials,
    /// Where guards put what they say: empty between two events.
    notices: Notices,
}

/// A guard on duty, until it fails.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) guard: Box<dyn Guard>,
    pub(crate) failed: bool,
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
        let posts = setup.guards.iter().map(|factory| Post {
            guard: factory.build(),
            failed: false,
        });
        Self {
            guards: posts.collect(),
            agent: agent.to_owned(),
            speaker: Speaker::new(agent),
            seed,
            pending: PendingCalls::default(),
            waiting: Waiting::default(),
            calls: 0,
            now: None,
            denials: Denials::new(),
            notices: Notices::new(),
            setup,
        }
    }

    /// Asks every guard whether a call may run, and tells them all what came of it.
    pub fn submit(&mut self, submission: &Submission<'_>) -> Answer {
        let Submission {
            tool, arguments, ..
        } = *submission;
        let setup = Arc::clone(&self.setup);
        let identity = setup.policy.identity(self.seed, tool, arguments);
        self.calls = self.calls.saturating_add(1);
        let call = Call::with_identity(
            tool,
            if submission.inexact {
                identity.inexact()
            } else {
                identity
            },
        )
        .arguments(arguments)
        .redacted_by(&setup.redaction)
        .numbered(CallNumber(self.calls))
        .at(self.tick(submission.at))
        .in_step(submission.step.map(StepId));
        match self.decide(&call) {
            None => {
                self.pending.begin(self.speaker, &call, submission.id);
                self.tell(&Event::Admitted(&call));
                Answer::Admitted(call.number())
            }
            Some(refusal) => {
                self.tell(&Event::Refused(&call, &refusal.denial));
                Answer::Refused(Box::new(refusal))
            }
        }
    }

    /// Tells the guards how an admitted call ended. A call finishes once: a result for a call
    /// that does not run (any more), or was refused, is ignored, and the answer is `false`.
    pub fn finish<'c>(&mut self, call: impl Into<CallRef<'c>>, ending: &Ending<'_>) -> bool {
        let Some(record) = self.pending.end(self.speaker, call.into()) else {
            return false;
        };
        let setup = Arc::clone(&self.setup);
        let at = self.tick(ending.at);
        let mut call = record.call().redacted_by(&setup.redaction);
        if let Some(arguments) = ending.arguments {
            call = call.arguments(arguments);
        }
        with_texts(self.seed, &setup.redaction, ending.texts, |texts| {
            let mut output = Output::new(texts);
            if let Some(digest) = self
                .setup
                .policy
                .result(self.seed, call.tool(), ending.texts)
            {
                output = output.compared_by(digest);
            }
            let message = match ending.kind {
                EndingKind::Failure(message) => setup.redaction.apply(message),
                _ => Cow::Borrowed(""),
            };
            let outcome = match ending.kind {
                EndingKind::Success => Outcome::Success(&output),
                EndingKind::Failure(_) => Outcome::Failure {
                    message: &message,
                    output: &output,
                },
                EndingKind::Denied => Outcome::Denied,
                EndingKind::Cancelled => Outcome::Cancelled,
            };
            if matches!(ending.kind, EndingKind::Success) {
                self.denials.forget(self.speaker);
            }
            self.tell(&Event::Finished {
                call: &call,
                outcome,
                at,
            });
        });
        self.pending.put_back(record);
        true
    }

    /// Tells the guards what messages the host hands to the agent's next step, as one batch.
    pub fn messages(&mut self, batch: &[Incoming<'_>], at: Option<Timestamp>) {
        let at = self.tick(at);
        let texts: Vec<Vec<Text<'_>>> = batch
            .iter()
            .map(|message| {
                message
                    .texts
                    .iter()
                    .map(|text| Text::new(self.seed, text))
                    .collect()
            })
            .collect();
        let messages: Vec<_> = batch
            .iter()
            .zip(&texts)
            .map(|(message, texts)| Message {
                id: message.id,
                source: message.source,
                form: self.form(message),
                texts,
            })
            .collect();
        self.tell(&Event::Messages(&messages, at));
    }

    /// Tells the guards that the history was compacted, which changes nothing in any of them.
    pub fn compacted(&mut self, at: Option<Timestamp>) {
        let at = self.tick(at);
        self.tell(&Event::Compacted(at));
    }

    /// Tells the guards that the host cleared the conversation: as if a human message had come.
    pub fn reset(&mut self, at: Option<Timestamp>) {
        let at = self.tick(at);
        self.tell(&Event::Reset(at));
    }

    /// Forgets what is held against one call: the user allows it again.
    pub fn pardon<'a>(&mut self, tool: &str, arguments: impl Into<Arguments<'a>>) {
        let identity = self
            .setup
            .policy
            .identity(self.seed, tool, arguments.into());
        self.tell(&Event::Pardoned(identity));
    }

    /// Takes the notices that have come up since they were last taken: the host delivers each
    /// as a message of its own, after the step's results. In a dry run there are none.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.waiting.take(self.speaker)
    }

    /// The next events are those of `agent`: for agents that share a set.
    pub fn turn_to(&mut self, agent: &str) {
        if self.agent != agent {
            agent.clone_into(&mut self.agent);
            self.speaker = Speaker::new(agent);
        }
    }

    /// The agent that is watched.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The seed of the agent's identities: part of its state.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many calls run.
    pub fn pending_calls(&self) -> usize {
        self.pending.len()
    }

    /// How many calls never finished and had to be forgotten because too many ran.
    pub fn forgotten_calls(&self) -> u64 {
        self.pending.forgotten()
    }

    /// The guards that have failed and are off duty for this agent: always none, or a guard
    /// has a fault.
    pub fn failed_guards(&self) -> impl Iterator<Item = &str> {
        self.guards
            .iter()
            .filter(|post| post.failed)
            .map(|post| post.guard.id().as_str())
    }

    /// Where an event tells no time, time stands still.
    fn tick(&mut self, at: Option<Timestamp>) -> Option<Timestamp> {
        self.now = at.or(self.now);
        self.now
    }

    /// Asks every guard, without any of them changing.
    fn decide(&mut self, call: &Call<'_>) -> Option<Refusal> {
        let mut refusal: Option<Refusal> = None;
        for post in self.guards.iter_mut().filter(|post| !post.failed) {
            let Some(verdict) = guarded(post, |guard| guard.decide(call)) else {
                continue;
            };
            match verdict {
                Verdict::Refuse(denial) => match &mut refusal {
                    Some(refusal) => refusal.further.push(*denial),
                    None => {
                        let (call, denial) = (call.number(), *denial);
                        let further = Vec::new();
                        refusal = Some(Refusal {
                            call,
                            denial,
                            further,
                            halt: None,
                        });
                    }
                },
                _ => continue,
            }
        }
        let mut refusal = refusal?;
        if let Some(limit) = self.setup.halt_after_denials {
            let denials = self.denials.count(self.speaker);
            refusal.halt = (denials >= limit).then(|| Halt::after(denials));
        }
        self.report(Action::Denial(&refusal.denial));
        for denial in &refusal.further {
            self.report(Action::FurtherDenial(denial));
        }
        if let Some(halt) = &refusal.halt {
            self.report(Action::Halt(halt));
        }
        match self.setup.effect {
            Effect::Live => Some(refusal),
            Effect::DryRun => None,
        }
    }

    /// Tells every guard, and keeps what they have to say.
    fn tell(&mut self, event: &Event<'_>) {
        if event.starts_over() {
            self.denials.clear();
        }
        let mut notices = std::mem::take(&mut self.notices);
        for post in self.guards.iter_mut().filter(|post| !post.failed) {
            guarded(post, |guard| guard.observe(event, &mut notices));
        }
        if !notices.is_empty() {
            for notice in notices.take() {
                self.report(Action::Notice(&notice));
                self.keep(notice);
            }
        }
        self.notices = notices;
    }

    fn keep(&mut self, notice: Notice) {
        if self.setup.effect == Effect::Live {
            self.waiting.add(self.speaker, notice);
        }
    }

    fn report(&self, action: Action<'_>) {
        if let Some(observer) = &self.setup.observer {
            let call = CallNumber(self.calls);
            let decision = Decision {
                action,
                call,
                effect: self.setup.effect,
            };
            // An observer's fault is none of the agent's.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                observer.decided(&self.agent, &decision);
            }));
        }
    }

    /// What comes from a guard of this set is a notice, whatever the host says of it.
    fn form(&self, message: &Incoming<'_>) -> Form {
        match message.source {
            Source::Plugin(name) if self.setup.guard_ids().any(|id| id.as_str() == name) => {
                Form::Notice
            }
            _ => message.form,
        }
    }
}

/// Guards fail open: one that panics is off duty from then on, and blocks nobody.
fn guarded<T>(post: &mut Post, ask: impl FnOnce(&mut dyn Guard) -> T) -> Option<T> {
    let answer = catch_unwind(AssertUnwindSafe(|| ask(&mut *post.guard)));
    post.failed = answer.is_err();
    answer.ok()
}

/// Text blocks of a result, without an allocation for as many as results usually have.
fn with_texts(seed: Seed, redaction: &Redaction, blocks: &[&str], then: impl FnOnce(&[Text<'_>])) {
    const FEW: usize = 4;
    let text = |block| Text::new(seed, block).redacted_by(redaction);
    if blocks.len() <= FEW {
        let texts: [_; FEW] = std::array::from_fn(|at| text(blocks.get(at).copied().unwrap_or("")));
        then(&texts[..blocks.len()]);
    } else {
        let texts: Vec<_> = blocks.iter().copied().map(text).collect();
        then(&texts);
    }
}
