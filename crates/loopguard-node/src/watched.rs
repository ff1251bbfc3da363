//! The agents that JavaScript holds, each under a number.
//!
//! A method of a class costs Node several times what a function costs it, so what is called for
//! every call of an agent is a function that takes the agent's number.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loopguard::{
    Afresh, Answer, CallNumber, Ending, GuardSet, SavedSet, Scope, Sessions, Submission,
};
use napi::bindgen_prelude::Result;

use crate::arguments::RunningArguments;
use crate::guards::wrong;

/// One agent.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) name: String,
    /// The agent's own guards, at hand without a look-up; `None` where agents share theirs.
    own: Option<Arc<Mutex<GuardSet>>>,
    pub(crate) arguments: RunningArguments,
}

thread_local! {
    /// Node calls a module from one thread for each of its instances.
    static WATCHED: RefCell<(u32, HashMap<u32, Watched>)> = RefCell::default();
}

/// One more agent: its number.
pub(crate) fn begin(sessions: Arc<Sessions>, name: String, scope: Scope) -> u32 {
    let own = (scope == Scope::Agent).then(|| sessions.agent(&name));
    let watched = Watched {
        sessions,
        name,
        own,
        arguments: RunningArguments::default(),
    };
    WATCHED.with_borrow_mut(|(last, all)| {
        *last = last.wrapping_add(1);
        all.insert(*last, watched);
        *last
    })
}

/// The agent is gone, and its state with it.
pub(crate) fn end(number: u32) {
    let gone = WATCHED.try_with(|all| all.borrow_mut().1.remove(&number));
    if let Ok(Some(gone)) = gone {
        gone.sessions.end(&gone.name);
    }
}

/// Does something with an agent.
pub(crate) fn with<T>(number: u32, then: impl FnOnce(&mut Watched) -> T) -> Result<T> {
    WATCHED.with_borrow_mut(|(_, all)| match all.get_mut(&number) {
        Some(watched) => Ok(then(watched)),
        None => Err(wrong(format!("there is no agent of the number {number}"))),
    })
}

impl Watched {
    pub(crate) fn submit(&self, call: &Submission<'_>) -> Answer {
        match &self.own {
            Some(set) => lock(set).submit(call),
            // Where agents share a state, the steps of each have to be told apart.
            None => self.sessions.submit(&*self.name, call),
        }
    }

    pub(crate) fn finish(&self, call: CallNumber, ending: &Ending<'_>) {
        self.set(|set| set.finish(call, ending));
    }

    /// Goes on from a saved state.
    pub(crate) fn restore(&mut self, saved: &SavedSet) -> Result<Vec<Afresh>> {
        let afresh = self.sessions.restore(&self.name, saved);
        let afresh = afresh.map_err(|error| wrong(error.to_string()))?;
        self.arguments = RunningArguments::default();
        if let Some(own) = &mut self.own {
            *own = self.sessions.agent(&self.name);
        }
        Ok(afresh)
    }

    /// Does something with the guards, under their lock.
    pub(crate) fn set<T>(&self, then: impl FnOnce(&mut GuardSet) -> T) -> T {
        let looked_up;
        let set = match &self.own {
            Some(set) => set,
            None => {
                looked_up = self.sessions.agent(&self.name);
                &looked_up
            }
        };
        let mut set = lock(set);
        set.turn_to(&self.name);
        then(&mut set)
    }
}

fn lock(set: &Mutex<GuardSet>) -> MutexGuard<'_, GuardSet> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}
