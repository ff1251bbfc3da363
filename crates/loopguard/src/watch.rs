//! Asking and telling the guards of one agent.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopguard_core::{Call, CallNumber, Denial, Event, Guard, Notices, Seed, Timestamp, Verdict};

use crate::observer::{Action, Decision, Halt};
use crate::pending::PendingCalls;
use crate::set::Refusal;
use crate::setup::{Effect, Setup};
use crate::speaker::{Denials, Speaker, Waiting};

/// The guards of one agent, and what is known of it: all that changes in a set.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The agent whose event it is; where agents share a set, they take turns.
    pub(crate) agent: String,
    pub(crate) speaker: Speaker,
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
    pub(crate) seed: Seed,
    /// Where guards put what they say: empty between two events.
    notices: Notices,
}

/// A guard on duty, until it fails.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) guard: Box<dyn Guard>,
    pub(crate) failed: bool,
}

impl Watch {
    pub(crate) fn new(setup: &Setup, agent: &str, seed: Seed) -> Self {
        let posts = setup.guards.iter().map(|factory| Post {
            guard: factory.build(),
            failed: false,
        });
        Self {
            agent: agent.to_owned(),
            speaker: Speaker::new(agent),
            guards: posts.collect(),
            pending: PendingCalls::default(),
            waiting: Waiting::default(),
            calls: 0,
            now: None,
            denials: Denials::new(),
            seed,
            notices: Notices::new(),
        }
    }

    /// Where an event tells no time, time stands still.
    pub(crate) fn tick(&mut self, at: Option<Timestamp>) -> Option<Timestamp> {
        self.now = at.or(self.now);
        self.now
    }

    /// Asks every guard, without any of them changing.
    pub(crate) fn decide(&mut self, setup: &Setup, call: &Call<'_>) -> Option<Box<Refusal>> {
        let mut denials = Vec::new();
        let failed = each(&mut self.guards, |guard| {
            if let Verdict::Refuse(denial) = guard.decide(call) {
                denials.push(*denial);
            }
        });
        self.report_failed(setup, &failed);
        if denials.is_empty() {
            return None;
        }
        let refusal = self.refuse(setup, call, denials);
        self.report(setup, Action::Denial(&refusal.denial));
        for denial in &refusal.further {
            self.report(setup, Action::FurtherDenial(denial));
        }
        if let Some(halt) = &refusal.halt {
            self.report(setup, Action::Halt(halt));
        }
        match setup.effect {
            Effect::Live => Some(Box::new(refusal)),
            Effect::DryRun => None,
        }
    }

    /// The first denial is the reason, the others are further findings.
    fn refuse(&mut self, setup: &Setup, call: &Call<'_>, mut denials: Vec<Denial>) -> Refusal {
        let denial = denials.remove(0);
        let halt = setup.halt_after_denials.and_then(|limit| {
            let denials = self.denials.count(self.speaker);
            (denials >= limit).then(|| Halt::after(denials))
        });
        Refusal {
            call: call.number(),
            denial,
            further: denials,
            halt,
        }
    }

    /// Tells every guard, and keeps what they have to say.
    pub(crate) fn tell(&mut self, setup: &Setup, event: &Event<'_>) {
        if event.starts_over() {
            self.denials.clear();
        }
        let mut notices = std::mem::take(&mut self.notices);
        let failed = each(&mut self.guards, |guard| guard.observe(event, &mut notices));
        self.report_failed(setup, &failed);
        if !notices.is_empty() {
            for notice in notices.take() {
                self.report(setup, Action::Notice(&notice));
                if setup.effect == Effect::Live {
                    self.waiting.add(self.speaker, notice);
                }
            }
        }
        self.notices = notices;
    }

    fn report_failed(&self, setup: &Setup, failed: &[usize]) {
        // The set's own word for it: a guard that has failed is asked for nothing more.
        let ids = failed.iter().filter_map(|&at| setup.guards.get(at));
        for guard in ids {
            self.report(setup, Action::Failed(guard.id()));
        }
    }

    fn report(&self, setup: &Setup, action: Action<'_>) {
        if let Some(observer) = &setup.observer {
            let call = CallNumber(self.calls);
            let decision = Decision {
                action,
                call,
                effect: setup.effect,
            };
            // An observer's fault is none of the agent's.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                observer.decided(&self.agent, &decision);
            }));
        }
    }
}

/// Asks the guards on duty one after the other. Guards fail open: one that panics is off duty
/// from then on, and blocks nobody. Gives the places of those that did.
fn each(posts: &mut [Post], mut ask: impl FnMut(&mut dyn Guard)) -> Vec<usize> {
    let mut failed = Vec::new();
    let mut at = 0;
    while at < posts.len() {
        let all_answered = catch_unwind(AssertUnwindSafe(|| {
            while let Some(post) = posts.get_mut(at) {
                if !post.failed {
                    ask(&mut *post.guard);
                }
                at += 1;
            }
        }));
        if all_answered.is_err() {
            posts[at].failed = true;
            failed.push(at);
            at += 1;
        }
    }
    failed
}
