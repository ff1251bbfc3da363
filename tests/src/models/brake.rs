//! The brake, naively.

mod cycles;
mod texts;

use std::collections::{HashMap, HashSet};

use cycles::Cycles;
use proptest::prelude::*;
use serde_json::{Value, json};
use texts::Texts;

use super::{Key, Model, Quiet, Submitted, Told, Weight, key_of, line, names, some_tool, weigh};
use crate::life::{Call, How, Message, TOOLS};

/// What the brake goes by.
#[derive(Clone, Debug)]
pub struct BrakeRules {
    /// Whether it may deny.
    pub deny: bool,
    /// Times after which a call is told first.
    pub call_warn: usize,
    /// Times after which a call is denied.
    pub call_deny: usize,
    /// Further times after which something is told again.
    pub again: usize,
    /// Calls of a sequence.
    pub length: usize,
    /// Times after which a sequence is told first.
    pub sequences: usize,
    /// Appearances from which a text is told.
    pub texts: usize,
    /// How long a text's window is open.
    pub window: i64,
    /// How long a text is not told again.
    pub cooldown: i64,
    /// The units of the shortest text that is looked at.
    pub shortest: usize,
    /// What goes beyond the original.
    pub beyond: Beyond,
}

/// The keys beyond the original.
#[derive(Clone, Debug, Default)]
pub struct Beyond {
    /// A tool that is told after another number of times.
    pub own: Option<(usize, usize)>,
    /// Tools that are left out.
    pub exclude: Vec<usize>,
    /// Whether results belong to what repeats.
    pub result_aware: bool,
    /// Whether steps are sets.
    pub step_aware: bool,
    /// The longest pause that does not start anew.
    pub gap: Option<i64>,
    /// The longest period of a cycle, in place of windows.
    pub longest: Option<usize>,
    /// How many rounds of a cycle there may be.
    pub deny_rounds: Option<usize>,
    /// Whether the assistant's messages are text.
    pub assistant: bool,
}

impl BrakeRules {
    /// Any rules, within small ranges.
    pub fn any() -> impl Strategy<Value = Self> {
        let calls = (any::<bool>(), 2..5usize, 1..3usize, 1..4usize);
        let sequences = (2..5usize, 2..4usize);
        let texts = (2..5usize, 4..12i64, 0..8i64, 1..24usize);
        (calls, sequences, texts).prop_map(|(calls, sequences, texts)| {
            let (deny, call_warn, later, again) = calls;
            let (length, sequences) = sequences;
            let (texts, window, cooldown, shortest) = texts;
            Self {
                deny,
                call_warn,
                call_deny: call_warn + later,
                again,
                length,
                sequences,
                texts,
                // In steps of the times of a life, so that their ends are hit exactly.
                window: window * 250,
                cooldown: cooldown * 250,
                shortest,
                beyond: Beyond::default(),
            }
        })
    }

    /// Any rules at all, within small ranges, but for what is no matter of counting.
    pub fn wider() -> impl Strategy<Value = Self> {
        let own = prop::option::of((0..TOOLS.len(), 2..5usize));
        let flags = (any::<bool>(), any::<bool>(), any::<bool>());
        let gap = prop::option::weighted(0.3, (2..9i64).prop_map(|steps| steps * 250));
        let cycles = (
            prop::option::weighted(0.7, 0..5usize),
            prop::option::weighted(0.8, 1..3usize),
        );
        // So that a cycle may be denied before its calls are.
        let later = prop_oneof![Just(0), 1..20usize];
        let all = (Self::any(), later, own, some_tool(), flags, gap, cycles);
        all.prop_map(|(rules, later, own, exclude, flags, gap, cycles)| Self {
            call_deny: rules.call_deny + later,
            beyond: Beyond {
                // It may not come after what is denied.
                own: own.map(|(tool, warn)| (tool, warn.min(rules.call_deny - 1))),
                exclude,
                result_aware: flags.0,
                step_aware: flags.1,
                gap,
                longest: cycles.0.map(|more| rules.length + more),
                deny_rounds: cycles.0.and(cycles.1).map(|more| rules.sequences + more),
                assistant: flags.2,
            },
            ..rules
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
        let beyond = &self.beyond;
        let own = beyond.own.iter();
        let own = own.map(|(tool, own)| json!({"tools": [TOOLS[*tool]], "callWarnCount": own}));
        let config = json!({
            "mode": if self.deny { "deny" } else { "remind" },
            "callWarnCount": self.call_warn,
            "callDenyCount": self.call_deny,
            "callReWarnEvery": self.again,
            "sequenceLength": self.length,
            "sequenceCount": self.sequences,
            "duplicateTextThreshold": self.texts,
            "duplicateTextWindowMs": self.window,
            "duplicateTextCooldownMs": self.cooldown,
            "minimumDuplicateChars": self.shortest,
            "overrides": own.collect::<Vec<_>>(),
            "exclude": names(&beyond.exclude),
            "resultAware": beyond.result_aware,
            "stepAware": beyond.step_aware,
            "quietGapMs": beyond.gap,
            "sequenceMaxLength": beyond.longest,
            "sequenceDenyCount": beyond.deny_rounds,
            "assistantText": beyond.assistant,
        });
        json!({"name": "brake", "config": config})
    }
}

/// Everything since the last word of a person.
#[derive(Debug)]
pub struct BrakeModel {
    rules: BrakeRules,
    /// Every call that ended, whatever became of it.
    ended: Vec<Ended>,
    /// How often there was progress, and how often something was done at all.
    progress: usize,
    actions: usize,
    /// What is compared of the calls that make sequences.
    calls: Vec<Key>,
    /// The places at which each sequence came, overlapping ones left out.
    sequences: HashMap<Vec<Key>, Vec<usize>>,
    /// The sequence that was told last, and the period of the loop that it is part of.
    told: Option<(Vec<Key>, usize)>,
    cycles: Cycles,
    texts: Texts,
    quiet: Quiet,
}

/// A call that ended.
#[derive(Debug)]
struct Ended {
    key: Key,
    exact: bool,
    /// Whether it was counted, and in which step.
    counts: bool,
    step: Option<u64>,
    progress: usize,
    actions: usize,
}

impl BrakeModel {
    /// A brake that has seen nothing.
    pub fn new(rules: BrakeRules) -> Self {
        Self {
            rules,
            ended: Vec::new(),
            progress: 0,
            actions: 0,
            calls: Vec::new(),
            sequences: HashMap::new(),
            told: None,
            cycles: Cycles::default(),
            texts: Texts::default(),
            quiet: Quiet::default(),
        }
    }

    fn start_over(&mut self) {
        self.ended.clear();
        self.calls.clear();
        self.sequences.clear();
        self.told = None;
        self.cycles = Cycles::default();
        self.texts = Texts::default();
    }

    fn warn(&self, call: Call) -> usize {
        match self.rules.beyond.own {
            Some((tool, own)) if tool == call.tool => own,
            _ => self.rules.call_warn,
        }
    }

    fn step(&self, call: &Submitted) -> Option<u64> {
        call.step.filter(|_| self.rules.beyond.step_aware)
    }

    /// How often a call has come, since the last progress and as it is now.
    fn count(&self, call: Call) -> impl Iterator<Item = &Ended> {
        let mut all = self
            .ended
            .iter()
            .rev()
            .filter(move |ended| ended.key.0 == call);
        let last = all.next();
        let same = move |ended: &&Ended| {
            last.is_some_and(|last| last.key == ended.key && last.progress == ended.progress)
        };
        last.into_iter()
            .chain(all.take_while(same))
            .filter(|ended| ended.counts)
    }

    /// A call has ended: what is to be said of its count and of its sequence.
    fn ended(&mut self, call: &Submitted, how: Option<How>, texts: &[&str]) -> Vec<String> {
        let (mut said, of) = (Vec::new(), call.call);
        let known = self.ended.iter().rev().find(|ended| ended.key.0 == of);
        let known = known.map(|ended| ended.key.clone());
        let (mut key, mut is_aside, mut is_action) = (Key(of, None), false, false);
        if self.rules.beyond.result_aware {
            match how {
                Some(How::Cancelled) => return said,
                Some(How::Success | How::Failure(_)) => {
                    key = key_of(of, texts);
                    if known.as_ref() != Some(&key) {
                        let succeeded = how == Some(How::Success);
                        let is_shown = known.is_none() && self.texts.has(&self.rules, texts);
                        let tells = (succeeded || known.is_some()) && !is_shown;
                        let is_progress = tells && weigh(texts) == Weight::Substance;
                        is_action = is_progress || succeeded;
                        is_aside = known.is_none() && !is_progress;
                        self.progress += usize::from(is_progress);
                        self.actions += usize::from(is_action);
                    }
                }
                _ => key = known.unwrap_or(key),
            }
        }
        let step = self.step(call);
        self.ended.push(Ended {
            key: key.clone(),
            exact: call.exact,
            counts: false,
            step,
            progress: self.progress,
            actions: self.actions,
        });
        // Identical calls of one step count once: it is that of the last one that counted.
        let counts = step.is_none() || self.count(of).next().is_none_or(|last| last.step != step);
        if let Some(ended) = self.ended.last_mut() {
            ended.counts = counts;
        }
        let count = self.count(of).count();
        if counts && is_due(count, self.warn(of), self.rules.again) {
            let summary = format!("{} × {count}", TOOLS[of.tool]);
            said.push(line("call-count", &summary, ""));
        }
        if self.rules.beyond.longest.is_some() {
            self.cycles.act(is_aside, is_action);
            if !is_aside {
                said.extend(self.cycles.add(&self.rules, call, step, key, is_action));
            }
        } else if counts && !is_aside {
            self.calls.push(key);
            said.extend(self.sequence());
        }
        said
    }

    fn sequence(&mut self) -> Option<String> {
        let (length, end) = (self.rules.length, self.calls.len());
        if let Some((_, period)) = self.told
            && (end <= period || self.calls[end - 1] != self.calls[end - 1 - period])
        {
            self.told = None;
        }
        let window = self.calls[end.checked_sub(length)?..].to_vec();
        if window.iter().collect::<HashSet<_>>().len() < length {
            return None;
        }
        // Rotations are one sequence: the one that begins with its least call stands for all.
        let mut sequence = window.clone();
        while sequence.iter().min() != sequence.first() {
            sequence.rotate_left(1);
        }
        let came = self.sequences.entry(sequence.clone()).or_default();
        let last = came.last().copied();
        if last.is_some_and(|last| end - last < length) {
            return None;
        }
        came.push(end);
        let count = came.len();
        let told_other = self
            .told
            .as_ref()
            .is_some_and(|(told, _)| *told != sequence);
        if !is_due(count, self.rules.sequences, self.rules.again) || told_other {
            return None;
        }
        // How many calls ago this very window came; a rotation that has not come before is as
        // far from the sequence's last coming.
        let before = (1..=end - length).find(|p| self.calls[..end - p].ends_with(&window));
        self.told = Some((sequence, before.unwrap_or_else(|| end - last.unwrap_or(0))));
        let tools: Vec<_> = window.iter().map(|key| TOOLS[key.0.tool]).collect();
        let summary = format!("sequence loop × {count}");
        Some(line("sequence-loop", &summary, &tools.join(",")))
    }

    fn message(&mut self, message: &Message, now: Option<i64>) -> Vec<String> {
        let source = message.source();
        let is_own = source == "assistant";
        let is_text = !is_own || self.rules.beyond.assistant;
        if message.notice || !is_text || source == "plugin:dsh-brake" {
            return Vec::new();
        }
        if message.id.is_some_and(|id| !self.texts.is_new(id)) {
            return Vec::new();
        }
        let name = source.strip_prefix("plugin:").unwrap_or(source);
        let texts: Vec<_> = message
            .texts
            .iter()
            .map(|text| crate::life::TEXTS[*text])
            .collect();
        let progress = (self.progress, is_own);
        let mut said = self.texts.look_at(&self.rules, &texts, name, progress, now);
        if is_own && texts.iter().any(|text| text.starts_with("On and on")) {
            said.push(line("chanting", "chanting × 6", ""));
        }
        said
    }
}

/// Whether something is told at this count.
fn is_due(count: usize, first: usize, again: usize) -> bool {
    (0..=count).any(|more| count == first + more * again)
}

impl Model for BrakeModel {
    fn decide(&self, call: &Submitted) -> Option<String> {
        let is_out = self.rules.beyond.exclude.contains(&call.call.tool);
        let is_paused = self.quiet.is_over(call.at, self.rules.beyond.gap);
        if !self.rules.deny || !call.exact || is_out || is_paused {
            return None;
        }
        let count = self.count(call.call).count();
        let holds = |ended: &&Ended| {
            ended.exact && ended.progress == self.progress && ended.actions == self.actions
        };
        if self.count(call.call).filter(holds).count() >= self.rules.call_deny {
            return Some(line("call-denied", &count.to_string(), ""));
        }
        self.cycles.refuse(&self.rules, call, self.step(call))
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        let gap = self.rules.beyond.gap;
        match told {
            Told::StartedOver => self.start_over(),
            Told::Submitted(call) if self.quiet.is_over(call.at, gap) => self.start_over(),
            Told::Pardoned(call) => {
                self.ended.retain(|ended| ended.key.0 != *call);
                self.cycles = Cycles::default();
            }
            _ => {}
        }
        self.quiet.note(told);
        match told {
            Told::Messages(batch, now) => {
                let batch = batch.iter();
                batch
                    .flat_map(|message| self.message(message, *now))
                    .collect()
            }
            Told::Ended {
                call,
                how,
                texts,
                at,
            } if !self.rules.beyond.exclude.contains(&call.call.tool) => {
                let mut said = self.ended(call, *how, texts);
                if matches!(how, Some(How::Success | How::Failure(_))) {
                    let (tool, own) = (TOOLS[call.call.tool], (self.progress, true));
                    said.extend(self.texts.look_at(&self.rules, texts, tool, own, *at));
                }
                said
            }
            _ => Vec::new(),
        }
    }
}
