//! The guard: three detectors side by side.

use std::sync::Arc;

use loopguard_core::{
    Call, Event, Fingerprint, Form, Guard, GuardId, Message, Notices, Outcome, RestoreError,
    SavedGuard, Seed, Source, Text, Timestamp, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::calls::{Calls, Count};
use crate::config::{BrakeConfig, Mode};
use crate::duplicates::{Duplicates, SavedDuplicates};
use crate::names::Names;
use crate::sequence::{SavedSequences, Sequences};
use crate::{NAME, texts};

/// The version of the saved state's shape.
const STATE_VERSION: u32 = 1;

/// Advises on cumulative repeats, sequence loops and duplicated text, and denies a call that
/// has come too often where it is allowed to.
#[derive(Clone, Debug)]
pub struct Brake {
    id: GuardId,
    config: Arc<BrakeConfig>,
    names: Names,
    calls: Calls,
    sequences: Sequences,
    duplicates: Duplicates,
}

impl Brake {
    /// A brake for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<BrakeConfig>) -> Self {
        let sequences = Sequences::new(config.sequence_length());
        Self {
            id,
            config,
            names: Names::default(),
            calls: Calls::new(),
            sequences,
            duplicates: Duplicates::new(),
        }
    }

    /// A call has ended, whatever its outcome.
    fn count(&mut self, call: &Call<'_>, notices: &mut Notices) {
        let config = &*self.config;
        let count = self.calls.count(call);
        if config.call_due().at(u64::from(count.times)) {
            notices.push(texts::repeated_call(&self.id, config, call, count));
        }
        let due = config.sequence_due();
        if let Some(found) = self.sequences.count(call, &mut self.names, due) {
            notices.push(texts::sequence_loop(&self.id, config, call, &found));
        }
    }

    /// The blocks of one message or one result.
    fn look_at(
        &mut self,
        blocks: &[Text<'_>],
        source: &str,
        now: Option<Timestamp>,
        notices: &mut Notices,
    ) {
        self.duplicates.begin();
        for text in blocks {
            if !text.has_units(self.config.minimum_duplicate_chars()) {
                continue;
            }
            let found = self
                .duplicates
                .appear(&self.config, text, source, now, &mut self.names);
            if let Some(found) = found {
                notices.push(texts::duplicate_text(&self.id, &self.config, text, found));
            }
        }
    }

    fn look_at_message(
        &mut self,
        message: &Message<'_>,
        now: Option<Timestamp>,
        notices: &mut Notices,
    ) {
        if message.form != Form::Plain || message.source == Source::Assistant {
            return;
        }
        if let Some(id) = message.id {
            // Under the fixed seed: ids are only ever compared with ids.
            let id = Fingerprint::of_bytes(Seed::FIXED, id.as_bytes());
            if !self.duplicates.is_new_message(id) {
                return;
            }
        }
        self.look_at(message.texts, message.source.name(), now, notices);
    }

    fn start_over(&mut self) {
        self.calls.clear();
        self.sequences.clear(&mut self.names);
        self.duplicates.clear(&mut self.names);
    }

    fn is_too_often(&self, count: Count) -> bool {
        self.config.mode() == Mode::Deny && u64::from(count.exact) >= self.config.call_deny_count()
    }
}

impl Guard for Brake {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        match self.calls.get(call.identity()) {
            Some(count) if call.identity().is_exact() && self.is_too_often(*count) => {
                texts::call_denied(&self.id, &self.config, call, *count)
            }
            _ => Verdict::Admit,
        }
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        if event.starts_over() {
            self.start_over();
            return;
        }
        if let Some(call) = event.ended_call() {
            self.count(call, notices);
        }
        match event {
            // The output of a denied call is no text: there is none.
            Event::Finished {
                call,
                outcome: Outcome::Success(output) | Outcome::Failure { output, .. },
                at,
            } => self.look_at(output.texts(), call.tool(), *at, notices),
            Event::Messages(messages, at) => {
                for message in *messages {
                    self.look_at_message(message, *at, notices);
                }
            }
            Event::Pardoned(identity) => self.calls.forget(*identity),
            _ => {}
        }
    }

    fn save(&self) -> SavedGuard {
        let state = SavedBrake {
            calls: self.calls.save(),
            sequences: self.sequences.save(&self.names),
            duplicates: self.duplicates.save(&self.names),
        };
        SavedGuard::new(
            &self.id,
            NAME,
            STATE_VERSION,
            self.config.fingerprint(),
            &state,
        )
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        let state: SavedBrake = saved.open(NAME, STATE_VERSION, self.config.fingerprint())?;
        let mut names = Names::default();
        self.calls = Calls::restore(state.calls);
        self.sequences =
            Sequences::restore(state.sequences, self.config.sequence_length(), &mut names);
        self.duplicates = Duplicates::restore(state.duplicates, &mut names);
        self.names = names;
        Ok(())
    }
}

/// All that a brake knows.
#[derive(Debug, Serialize, Deserialize)]
struct SavedBrake {
    calls: Vec<(Fingerprint, Count)>,
    sequences: SavedSequences,
    duplicates: SavedDuplicates,
}
