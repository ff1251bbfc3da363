//! The reminder, naively.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Key, Model, Quiet, Submitted, Told, Weight, key_of, line, names, some_tool, weigh};
use crate::life::{Call, How, TOOLS};

/// What the reminder goes by.
#[derive(Clone, Debug)]
pub struct ReminderRules {
    /// The counts at which to advise.
    pub thresholds: Vec<usize>,
    /// Tools that are left out.
    pub exclude: Vec<usize>,
    /// What goes beyond the original.
    pub beyond: Beyond,
}

/// The keys beyond the original.
#[derive(Clone, Debug, Default)]
pub struct Beyond {
    /// A tool with thresholds of its own.
    pub own: Option<(usize, Vec<usize>)>,
    /// Past the highest threshold, how often it is told again.
    pub again: Option<usize>,
    /// How long a run is denied.
    pub deny_at: Option<usize>,
    /// Whether results belong to what repeats.
    pub result_aware: bool,
    /// Whether steps are sets.
    pub step_aware: bool,
    /// The longest pause that does not start anew.
    pub gap: Option<i64>,
}

fn thresholds() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::btree_set(2..5usize, 1..4)
        .prop_map(|thresholds| thresholds.into_iter().rev().collect())
}

impl ReminderRules {
    /// Any rules of the original, within small ranges.
    pub fn any() -> impl Strategy<Value = Self> {
        (thresholds(), some_tool()).prop_map(|(thresholds, exclude)| Self {
            thresholds,
            exclude,
            beyond: Beyond::default(),
        })
    }

    /// Any rules at all, within small ranges.
    pub fn wider() -> impl Strategy<Value = Self> {
        let own = prop::option::of((0..TOOLS.len(), thresholds()));
        let counts = (prop::option::of(1..3usize), prop::option::of(5..7usize));
        let flags = (any::<bool>(), any::<bool>());
        let gap = prop::option::of((2..9i64).prop_map(|steps| steps * 250));
        (Self::any(), own, counts, flags, gap).prop_map(|(rules, own, counts, flags, gap)| Self {
            beyond: Beyond {
                own,
                again: counts.0,
                deny_at: counts.1,
                result_aware: flags.0,
                step_aware: flags.1,
                gap,
            },
            ..rules
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
        let beyond = &self.beyond;
        let own = beyond.own.iter();
        let own = own.map(|(tool, own)| json!({"tools": [TOOLS[*tool]], "thresholds": own}));
        let config = json!({
            "thresholds": self.thresholds,
            "exclude": names(&self.exclude),
            "overrides": own.collect::<Vec<_>>(),
            "remindEvery": beyond.again,
            "denyAt": beyond.deny_at,
            "resultAware": beyond.result_aware,
            "stepAware": beyond.step_aware,
            "quietGapMs": beyond.gap,
        });
        json!({"name": "repeat-reminder", "config": config})
    }

    fn thresholds_of(&self, call: Call) -> &[usize] {
        match &self.beyond.own {
            Some((tool, own)) if *tool == call.tool => own,
            _ => &self.thresholds,
        }
    }
}

/// Every step since the last word of a person, and those that stand aside.
#[derive(Debug)]
pub struct ReminderModel {
    rules: ReminderRules,
    run: Vec<Step>,
    aside: Vec<Step>,
    /// The call that ended last, and what it is compared by.
    last: Option<Key>,
    /// Counts the calls that ended, and when another one succeeded meanwhile.
    ended: usize,
    doubted: usize,
    quiet: Quiet,
}

/// The calls of one step.
#[derive(Debug)]
struct Step {
    id: Option<u64>,
    calls: Vec<(Key, bool)>,
    /// When the last of them ended.
    ended: usize,
}

impl Step {
    fn holds(&self, call: Call) -> bool {
        self.calls.iter().any(|(key, _)| key.0 == call)
    }

    fn keys(&self) -> BTreeSet<&Key> {
        self.calls.iter().map(|(key, _)| key).collect()
    }
}

/// The last steps that are all the same.
fn same(steps: &[Step]) -> impl Iterator<Item = &Step> {
    let last = steps.last().map(Step::keys).unwrap_or_default();
    steps
        .iter()
        .rev()
        .take_while(move |step| step.keys() == last)
}

impl ReminderModel {
    /// A reminder that has seen nothing.
    pub fn new(rules: ReminderRules) -> Self {
        Self {
            rules,
            run: Vec::new(),
            aside: Vec::new(),
            last: None,
            ended: 0,
            doubted: 0,
            quiet: Quiet::default(),
        }
    }

    fn clear(&mut self) {
        self.run.clear();
        self.aside.clear();
        self.last = None;
    }

    fn step(&self, call: &Submitted) -> Option<u64> {
        call.step.filter(|_| self.rules.beyond.step_aware)
    }

    fn ended(&mut self, call: &Submitted, how: Option<How>, texts: &[&str]) -> Option<String> {
        self.ended += 1;
        let (step, aware) = (self.step(call), self.rules.beyond.result_aware);
        let weight = weigh(texts);
        let mut key = Key(call.call, None);
        let mut is_aside = false;
        if aware {
            key = match how {
                Some(How::Cancelled) => return None,
                Some(How::Success | How::Failure(_)) => key_of(call.call, texts),
                _ => self
                    .last
                    .clone()
                    .filter(|last| last.0 == call.call)
                    .unwrap_or(key),
            };
            self.last = Some(key.clone());
            let succeeded = how == Some(How::Success);
            let is_new = self.run.last().is_some_and(|step| !step.holds(call.call));
            is_aside = is_new && !(succeeded && weight == Weight::Substance);
            match is_aside {
                true if succeeded => self.doubted = self.ended,
                true => {}
                false => self.aside.clear(),
            }
        }
        let steps = if is_aside {
            &mut self.aside
        } else {
            &mut self.run
        };
        if step.is_none() || steps.last().is_none_or(|last| last.id != step) {
            let (id, calls) = (step, Vec::new());
            steps.push(Step {
                id,
                calls,
                ended: 0,
            });
        }
        let open = steps.last_mut()?;
        if open.holds(call.call) {
            return None;
        }
        open.calls.push((key, call.exact));
        open.ended = self.ended;
        let count = same(steps).count();
        let empty = aware && how == Some(How::Success) && weight == Weight::Empty;
        self.line(call.call, count, empty)
    }

    /// What is said of a run of this length.
    fn line(&self, call: Call, count: usize, is_empty: bool) -> Option<String> {
        let thresholds = self.rules.thresholds_of(call);
        let (lowest, highest) = (thresholds.iter().min()?, thresholds.iter().max()?);
        let again = self.rules.beyond.again;
        let is_again =
            again.is_some_and(|every| count > *highest && (count - highest).is_multiple_of(every));
        if !thresholds.contains(&count) && !is_again {
            return None;
        }
        let summary = format!("{} × {count}", TOOLS[call.tool]);
        match count == *lowest {
            true if is_empty && thresholds.len() > 1 => None,
            true => Some(line("repeated-call", &summary, "")),
            false => Some(line("repeated-call-detailed", &summary, "")),
        }
    }
}

impl Model for ReminderModel {
    fn decide(&self, call: &Submitted) -> Option<String> {
        let deny_at = self.rules.beyond.deny_at?;
        let is_open = |steps: &[Step]| {
            let step = self.step(call);
            step.is_some() && steps.last().is_some_and(|last| last.id == step)
        };
        if !call.exact
            || self.rules.exclude.contains(&call.call.tool)
            || self.quiet.is_over(call.at, self.rules.beyond.gap)
        {
            return None;
        }
        for (steps, doubted) in [(&self.run, self.doubted), (&self.aside, 0)] {
            let only = steps
                .last()
                .is_some_and(|last| last.calls.len() == 1 && last.holds(call.call));
            let certain = same(steps).filter(|step| step.ended > doubted).count();
            let exact = same(steps).all(|step| step.calls.iter().all(|(_, exact)| *exact));
            if only && exact && certain >= deny_at && !is_open(steps) {
                let count = same(steps).count().to_string();
                return Some(line("repeated-call-denied", &count, ""));
            }
        }
        None
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        match told {
            Told::StartedOver => self.clear(),
            Told::Submitted(call) if self.quiet.is_over(call.at, self.rules.beyond.gap) => {
                self.clear();
            }
            Told::Pardoned(call) => {
                let steps = [self.run.last(), self.aside.last()];
                if steps.into_iter().flatten().any(|step| step.holds(*call)) {
                    self.clear();
                }
            }
            _ => {}
        }
        self.quiet.note(told);
        match told {
            Told::Ended {
                call, how, texts, ..
            } if !self.rules.exclude.contains(&call.call.tool) => {
                self.ended(call, *how, texts).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
