//! The texts that an agent has been shown, naively.

use std::collections::{HashMap, HashSet};

use super::BrakeRules;
use crate::models::{line, normalised, passed};

/// Everything that is known of texts and messages.
#[derive(Debug, Default)]
pub(super) struct Texts {
    texts: HashMap<String, Appearances>,
    ids: HashSet<usize>,
}

/// Everything that is known of one text.
#[derive(Debug)]
struct Appearances {
    sources: Vec<String>,
    /// How many there are in the open window, and when it opened.
    count: usize,
    opened: Moment,
    /// How often there had been progress by then.
    progress: usize,
    noticed: Option<Moment>,
}

/// A time, or one that was not known: it is taken for that of the next appearance.
type Moment = Option<i64>;

impl Texts {
    /// Whether a message has not been looked at.
    pub(super) fn is_new(&mut self, id: usize) -> bool {
        self.ids.insert(id)
    }

    /// Whether one of the texts has been shown.
    pub(super) fn has(&self, rules: &BrakeRules, texts: &[&str]) -> bool {
        let long = texts.iter().filter(|text| is_long(rules, text));
        long.into_iter()
            .any(|text| self.texts.contains_key(&normalised(text)))
    }

    /// The blocks of one message or result: what is to be said of them. What the agent itself
    /// asks for or says after progress is said anew.
    pub(super) fn look_at(
        &mut self,
        rules: &BrakeRules,
        texts: &[&str],
        source: &str,
        (progress, is_own): (usize, bool),
        now: Moment,
    ) -> Vec<String> {
        let mut said = Vec::new();
        let mut told: HashSet<String> = HashSet::new();
        for text in texts.iter().filter(|text| is_long(rules, text)) {
            let key = normalised(text);
            let seen = self
                .texts
                .entry(key.clone())
                .or_insert_with(|| Appearances {
                    sources: Vec::new(),
                    count: 0,
                    opened: now,
                    progress,
                    noticed: None,
                });
            let is_anew = is_own && seen.progress != progress;
            if is_anew || passed(seen.opened, now) > rules.window {
                (seen.count, seen.opened, seen.progress) = (0, now, progress);
            }
            seen.opened = seen.opened.or(now);
            seen.count += 1;
            seen.sources.push(source.to_owned());
            let cooled = match seen.noticed {
                None => true,
                Some(then) => passed(then, now) >= rules.cooldown,
            };
            if seen.count < rules.texts || !cooled || told.contains(&key) {
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
}

fn is_long(rules: &BrakeRules, text: &str) -> bool {
    text.encode_utf16().count() >= rules.shortest
}
