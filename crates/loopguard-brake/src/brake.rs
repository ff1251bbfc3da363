//! The guard: its detectors side by side.

use std::sync::Arc;

use loopguard_core::{
    Activity, Call, Event, Fingerprint, Form, Guard, GuardId, Message, Notices, Outcome, Output,
    RestoreError, SavedGuard, Seed, Source, Text, Timestamp, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::assistant::Assistant;
use crate::calls::{Calls, SavedCalls, short};
use crate::config::{BrakeConfig, Mode};
use crate::cycles::{Cycles, SavedCycles};
use crate::duplicates::{Duplicates, SavedDuplicates};
use crate::keys::NAME;
use crate::names::Names;
use crate::sequence::{Ended, SavedSequences, Sequences};
use crate::similar::Groups;
use crate::texts;

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
    /// In place of `sequences`, where cycles of every period are looked for.
    cycles: Option<Box<Cycles>>,
    duplicates: Duplicates,
    similar_calls: Groups,
    similar_texts: Groups,
    assistant: Option<Box<Assistant>>,
    activity: Activity,
}

impl Brake {
    /// A brake for one agent, under the id of its row.
    pub fn new(id: GuardId, config: Arc<BrakeConfig>) -> Self {
        Self {
            id,
            names: Names::default(),
            calls: Calls::new(),
            sequences: Sequences::new(config.sequence_length()),
            cycles: config.periods().map(|_| Box::new(Cycles::new())),
            duplicates: Duplicates::new(),
            similar_calls: Groups::default(),
            similar_texts: Groups::default(),
            assistant: config.assistant_text().then(Box::default),
            activity: Activity::default(),
            config,
        }
    }

    /// A call has ended (`None`: it was refused).
    fn count(&mut self, call: &Call<'_>, outcome: Option<&Outcome<'_>>, notices: &mut Notices) {
        let config = &*self.config;
        let values = config.of(Some(call.tool()));
        let (duplicates, progress) = (&self.duplicates, self.calls.progress());
        let is_known = |output: &Output<'_>| {
            let mut texts = output.texts().iter();
            texts.any(|text| text.has_units(values.minimum_duplicate_chars) && duplicates.has(text))
        };
        let Some(sighting) = self.calls.count(call, outcome, values, is_known) else {
            return;
        };
        if self.calls.progress() != progress {
            self.similar_calls.clear();
        }
        let mut is_told = false;
        if sighting.counts && values.call_due().at(u64::from(sighting.count.times)) {
            notices.push(texts::repeated_call(&self.id, config, call, sighting.count));
            is_told = true;
        }
        if let Some(least) = values.similar_calls
            && let Some(arguments) = call.preview(u64::MAX)
        {
            let tool = Fingerprint::of_bytes(Seed::FIXED, call.tool().as_bytes());
            let time = (None, None);
            let found = self
                .similar_calls
                .add(short(tool), &arguments, least, call.number(), time);
            if !is_told && values.call_due().at(found.count) {
                notices.push(texts::similar_calls(&self.id, config, call, found));
            }
        }
        let due = config.sequence_due();
        let found = match (&mut self.cycles, config.periods()) {
            (Some(cycles), Some(periods)) => {
                let step = call.step().filter(|_| values.step_aware);
                cycles.count((call, step), &sighting, &mut self.names, periods, due)
            }
            _ if sighting.counts && !sighting.is_aside => {
                let ended = Ended {
                    key: sighting.key,
                    tool: call.tool(),
                    number: call.number(),
                };
                self.sequences.count(&ended, &mut self.names, due)
            }
            _ => None,
        };
        if let Some(found) = found {
            notices.push(texts::sequence_loop(&self.id, config, call, &found));
        }
    }

    /// The blocks of one message, or of one result of `tool`.
    fn look_at(
        &mut self,
        blocks: &[Text<'_>],
        (source, tool): (&str, Option<&str>),
        now: Option<Timestamp>,
        notices: &mut Notices,
    ) {
        let config = &*self.config;
        let values = config.of(tool);
        self.duplicates.begin();
        // What the agent itself asks for or says again after progress is said anew; what
        // others inject is not.
        let is_own = tool.is_some() || source == Source::Assistant.name();
        let progress = self.calls.progress();
        for text in blocks {
            if !text.has_units(values.minimum_duplicate_chars) {
                continue;
            }
            let found = self.duplicates.appear(
                values,
                (text, progress, is_own),
                source,
                now,
                &mut self.names,
            );
            let is_told = found.is_some();
            if let Some(found) = found {
                notices.push(texts::duplicate_text(&self.id, config, tool, text, found));
            }
            if let Some(least) = values.similar_text {
                let time = (now, Some(values.duplicate_text_window_ms));
                let number = Default::default();
                let found = self
                    .similar_texts
                    .add(0, text.as_str(), least, number, time);
                let limit = values.duplicate_text_threshold;
                if !is_told && found.count >= limit && found.count.is_multiple_of(limit) {
                    notices.push(texts::similar_text(&self.id, config, text, (limit, found)));
                }
            }
        }
    }

    fn look_at_message(
        &mut self,
        message: &Message<'_>,
        now: Option<Timestamp>,
        notices: &mut Notices,
    ) {
        let is_assistant = message.source == Source::Assistant;
        if message.form == Form::Notice || (is_assistant && self.assistant.is_none()) {
            return;
        }
        if let Some(id) = message.id.filter(|_| message.form != Form::Part) {
            // Under the fixed seed: ids are only ever compared with ids.
            let id = Fingerprint::of_bytes(Seed::FIXED, id.as_bytes());
            if !self.duplicates.is_new_message(id) {
                return;
            }
        }
        let source = (message.source.name(), None);
        let heard = self
            .assistant
            .as_mut()
            .filter(|_| is_assistant)
            .map(|it| it.hear(message));
        let Some(heard) = heard else {
            return self.look_at(message.texts, source, now, notices);
        };
        if heard.is_whole {
            self.look_at(message.texts, source, now, notices);
        } else if let (Some(joined), Some(piece)) = (&heard.joined, message.texts.first()) {
            self.look_at(&[piece.with_text(joined)], source, now, notices);
        }
        if let Some(times) = heard.chanted {
            notices.push(texts::chanting(&self.id, &self.config, times));
        }
    }

    fn start_over(&mut self) {
        self.calls.clear();
        self.sequences.clear(&mut self.names);
        if let Some(cycles) = &mut self.cycles {
            cycles.clear(&mut self.names);
        }
        self.duplicates.clear(&mut self.names);
        self.similar_calls.clear();
        self.similar_texts.clear();
        if let Some(assistant) = &mut self.assistant {
            assistant.clear();
        }
    }
}

impl Guard for Brake {
    fn id(&self) -> &GuardId {
        &self.id
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        let config = &*self.config;
        let values = config.of(Some(call.tool()));
        if values.mode != Mode::Deny
            || self
                .activity
                .has_paused(call.submitted_at(), values.quiet_gap_ms)
            || !config.filter().admits(call.tool())
        {
            return Verdict::Admit;
        }
        if let Some((certain, count)) = self.calls.certain(call.identity())
            && certain >= values.call_deny_count
        {
            return texts::call_denied(&self.id, config, call, count);
        }
        if let (Some(limit), Some(cycles), Some(periods)) =
            (config.sequence_deny_count(), &self.cycles, config.periods())
        {
            let step = call.step().filter(|_| values.step_aware);
            if let Some(found) = cycles.would_go_on((call, step), &self.names, periods, limit) {
                return texts::sequence_denied(&self.id, config, call, &found);
            }
        }
        Verdict::Admit
    }

    fn may_refuse(&self) -> bool {
        self.config.may_deny()
    }

    fn observe(&mut self, event: &Event<'_>, notices: &mut Notices) {
        let gap = |call: &Call<'_>| self.config.of(Some(call.tool())).quiet_gap_ms;
        if self.activity.follow(event, gap) {
            self.start_over();
        }
        if event.starts_over() {
            self.start_over();
            return;
        }
        match event {
            Event::Refused(call, _) if self.config.filter().admits(call.tool()) => {
                self.count(call, None, notices);
            }
            Event::Finished { call, outcome, at } if self.config.filter().admits(call.tool()) => {
                self.count(call, Some(outcome), notices);
                // The output of a denied call is no text: there is none.
                if let Some(output) = outcome.output() {
                    let source = (call.tool(), Some(call.tool()));
                    self.look_at(output.texts(), source, *at, notices);
                }
            }
            Event::Messages(messages, at) => {
                for message in *messages {
                    self.look_at_message(message, *at, notices);
                }
            }
            Event::Pardoned(identity) => {
                self.calls.forget(*identity);
                if let Some(cycles) = &mut self.cycles {
                    cycles.clear(&mut self.names);
                }
            }
            _ => {}
        }
    }

    fn save(&self) -> SavedGuard {
        let state = SavedBrake {
            calls: self.calls.save(),
            sequences: self.sequences.save(&self.names),
            cycles: self.cycles.as_ref().map(|cycles| cycles.save(&self.names)),
            duplicates: self.duplicates.save(&self.names),
            similar_calls: self.similar_calls.clone(),
            similar_texts: self.similar_texts.clone(),
            assistant: self.assistant.as_deref().map(Assistant::to_save),
            activity: self.activity,
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
        let is_sound = state.similar_calls.is_sound()
            && state.similar_texts.is_sound()
            && state.assistant.as_ref().is_none_or(Assistant::is_sound);
        if !is_sound {
            return Err(RestoreError::Impossible(
                "it remembers more than a brake does",
            ));
        }
        let mut brake = Self::new(self.id.clone(), Arc::clone(&self.config));
        let names = &mut brake.names;
        brake.calls = Calls::restore(state.calls);
        brake.sequences = Sequences::restore(state.sequences, self.config.sequence_length(), names);
        if let (Some(cycles), Some(saved)) = (&mut brake.cycles, state.cycles) {
            **cycles = Cycles::restore(saved, names);
        }
        brake.duplicates = Duplicates::restore(state.duplicates, names);
        brake.similar_calls = state.similar_calls;
        brake.similar_texts = state.similar_texts;
        if let (Some(assistant), Some(saved)) = (&mut brake.assistant, state.assistant) {
            **assistant = saved;
        }
        brake.activity = state.activity;
        *self = brake;
        Ok(())
    }
}

/// All that a brake knows. Nothing of it may be missing in a saved state, be it null.
#[derive(Debug, Serialize, Deserialize)]
struct SavedBrake {
    calls: SavedCalls,
    sequences: SavedSequences,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    cycles: Option<SavedCycles>,
    duplicates: SavedDuplicates,
    similar_calls: Groups,
    similar_texts: Groups,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    assistant: Option<Assistant>,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    activity: Activity,
}
