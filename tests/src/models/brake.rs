//! The brake, naively.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Model, Told, line};
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
            }
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
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
        });
        json!({"name": "brake", "config": config})
    }
}

/// Everything since the last word of a person.
#[derive(Debug)]
pub struct BrakeModel {
    rules: BrakeRules,
    /// Every call that ended, and whether it was exact.
    calls: Vec<Call>,
    counted: HashMap<Call, Vec<bool>>,
    /// The places at which each sequence came, overlapping ones left out.
    sequences: HashMap<Vec<Call>, Vec<usize>>,
    /// The sequence that was told last, and the period of the loop that it is part of.
    told: Option<(Vec<Call>, usize)>,
    texts: HashMap<String, Appearances>,
    ids: HashSet<usize>,
}

/// Everything that is known of one text.
#[derive(Debug, Default)]
struct Appearances {
    sources: Vec<String>,
    /// How many there are in the open window, and when it opened.
    count: usize,
    opened: Moment,
    noticed: Option<Moment>,
}

/// A time, or one that was not known: it is taken for that of the next appearance.
type Moment = Option<i64>;

fn passed(then: Moment, now: Moment) -> i64 {
    match (then, now) {
        (Some(then), Some(now)) => (now - then).max(0),
        _ => 0,
    }
}

impl BrakeModel {
    /// A brake that has seen nothing.
    pub fn new(rules: BrakeRules) -> Self {
        Self {
            rules,
            calls: Vec::new(),
            counted: HashMap::new(),
            sequences: HashMap::new(),
            told: None,
            texts: HashMap::new(),
            ids: HashSet::new(),
        }
    }

    fn is_due(&self, count: usize, first: usize) -> bool {
        (0..=count).any(|more| count == first + more * self.rules.again)
    }

    /// A call has ended: what is to be said of its count and of its sequence.
    fn ended(&mut self, call: Call, exact: bool) -> Vec<String> {
        let mut said = Vec::new();
        let counted = self.counted.entry(call).or_default();
        counted.push(exact);
        let count = counted.len();
        if self.is_due(count, self.rules.call_warn) {
            let summary = format!("{} × {count}", TOOLS[call.tool]);
            said.push(line("call-count", &summary, ""));
        }
        self.calls.push(call);
        said.extend(self.sequence());
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
        if !self.is_due(count, self.rules.sequences) || told_other {
            return None;
        }
        // How many calls ago this very window came; a rotation that has not come before is as
        // far from the sequence's last coming.
        let before = (1..=end - length).find(|p| self.calls[..end - p].ends_with(&window));
        self.told = Some((sequence, before.unwrap_or_else(|| end - last.unwrap_or(0))));
        let tools: Vec<_> = window.iter().map(|call| TOOLS[call.tool]).collect();
        let summary = format!("sequence loop × {count}");
        Some(line("sequence-loop", &summary, &tools.join(",")))
    }

    /// The blocks of one message or result: what is to be said of them.
    fn look_at(&mut self, texts: &[&str], source: &str, now: Moment) -> Vec<String> {
        let mut said = Vec::new();
        let mut told: HashSet<String> = HashSet::new();
        for text in texts {
            if text.encode_utf16().count() < self.rules.shortest {
                continue;
            }
            let key = normalised(text);
            let seen = self.texts.entry(key.clone()).or_default();
            if seen.count == 0 || passed(seen.opened, now) > self.rules.window {
                seen.count = 0;
                seen.opened = now;
            }
            seen.opened = seen.opened.or(now);
            seen.count += 1;
            seen.sources.push(source.to_owned());
            let cooled = match seen.noticed {
                None => true,
                Some(then) => passed(then, now) >= self.rules.cooldown,
            };
            if seen.count < self.rules.texts || !cooled || told.contains(&key) {
                seen.noticed = seen.noticed.map(|then| then.or(now));
                continue;
            }
            seen.noticed = Some(now);
            told.insert(key);
            let mut sources: Vec<&str> = Vec::new();
            for source in &seen.sources[seen.sources.len().saturating_sub(8)..] {
                if !sources.contains(&source.as_str()) {
                    sources.push(source);
                }
            }
            let summary = format!("duplicate text × {}", seen.count);
            said.push(line("duplicate-text", &summary, &sources.join(",")));
        }
        said
    }

    fn message(&mut self, message: &Message, now: Moment) -> Vec<String> {
        let source = message.source();
        if message.notice || source == "assistant" || source == "plugin:dsh-brake" {
            return Vec::new();
        }
        if message.id.is_some_and(|id| !self.ids.insert(id)) {
            return Vec::new();
        }
        let name = source.strip_prefix("plugin:").unwrap_or(source);
        let texts: Vec<_> = message
            .texts
            .iter()
            .map(|text| crate::life::TEXTS[*text])
            .collect();
        self.look_at(&texts, name, now)
    }
}

impl Model for BrakeModel {
    fn decide(&self, call: Call, exact: bool) -> Option<String> {
        let counted = self.counted.get(&call)?;
        let certain = counted.iter().filter(|exact| **exact).count();
        if !self.rules.deny || !exact || certain < self.rules.call_deny {
            return None;
        }
        Some(line("call-denied", &counted.len().to_string(), ""))
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        match told {
            Told::StartedOver => {
                *self = Self::new(self.rules.clone());
                Vec::new()
            }
            Told::Pardoned(call) => {
                self.counted.remove(call);
                Vec::new()
            }
            Told::Messages(batch, now) => {
                let batch = batch.iter();
                batch
                    .flat_map(|message| self.message(message, *now))
                    .collect()
            }
            Told::Ended {
                call,
                exact,
                how,
                texts,
                at,
            } => {
                let mut said = self.ended(*call, *exact);
                if matches!(how, Some(How::Success | How::Failure(_))) {
                    said.extend(self.look_at(texts, TOOLS[call.tool], *at));
                }
                said
            }
        }
    }
}

/// A text without what does not matter.
fn normalised(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<_> = lines.split('\n').collect();
    let last = lines.len() - 1;
    for line in &mut lines[..last] {
        *line = line.trim_end_matches([' ', '\t']);
    }
    let outer = |c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}');
    lines.join("\n").trim_matches(outer).to_owned()
}
