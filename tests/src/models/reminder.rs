//! The reminder, naively.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Model, Told, line, names, some_tool};
use crate::life::{Call, TOOLS};

/// What the reminder goes by.
#[derive(Clone, Debug)]
pub struct ReminderRules {
    /// The counts at which to advise.
    pub thresholds: Vec<usize>,
    /// Tools that are left out.
    pub exclude: Vec<usize>,
}

impl ReminderRules {
    /// Any rules, within small ranges.
    pub fn any() -> impl Strategy<Value = Self> {
        let thresholds = prop::collection::btree_set(2..7usize, 1..4);
        (thresholds, some_tool()).prop_map(|(thresholds, exclude)| Self {
            thresholds: thresholds.into_iter().rev().collect(),
            exclude,
        })
    }

    /// The row that configures the guard so.
    pub fn row(&self) -> Value {
        let config = json!({"thresholds": self.thresholds, "exclude": names(&self.exclude)});
        json!({"name": "repeat-reminder", "config": config})
    }
}

/// Every call since the last word of a person; `None` where a call was pardoned.
#[derive(Debug)]
pub struct ReminderModel {
    rules: ReminderRules,
    calls: Vec<Option<Call>>,
}

impl ReminderModel {
    /// A reminder that has seen nothing.
    pub fn new(rules: ReminderRules) -> Self {
        Self {
            rules,
            calls: Vec::new(),
        }
    }
}

impl Model for ReminderModel {
    fn decide(&self, _call: Call, _exact: bool) -> Option<String> {
        None
    }

    fn observe(&mut self, told: &Told<'_>) -> Vec<String> {
        match told {
            Told::StartedOver => self.calls.clear(),
            Told::Pardoned(call) if self.calls.last() == Some(&Some(*call)) => {
                self.calls.push(None);
            }
            Told::Ended { call, .. } if !self.rules.exclude.contains(&call.tool) => {
                self.calls.push(Some(*call));
                let same = |past: &&Option<Call>| **past == Some(*call);
                let count = self.calls.iter().rev().take_while(same).count();
                if self.rules.thresholds.contains(&count) {
                    let lowest = self.rules.thresholds.iter().min() == Some(&count);
                    let code = if lowest {
                        "repeated-call"
                    } else {
                        "repeated-call-detailed"
                    };
                    return vec![line(code, &format!("{} × {count}", TOOLS[call.tool]), "")];
                }
            }
            _ => {}
        }
        Vec::new()
    }
}
