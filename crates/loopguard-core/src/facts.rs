//! A decision explained as data.

use serde::{Deserialize, Serialize};

use crate::CallNumber;

/// What a notice or a denial rests on, for programs: which calls, how often, under which rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Facts {
    /// The configuration key that sets the rule, such as `thresholds`.
    pub rule: String,
    /// The rule's value that was reached.
    pub limit: u64,
    /// How often it has come.
    pub count: u64,
    /// The tool of the call that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The tools of one round of a loop, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Where a text came from, in order of appearance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Calls from one round of a loop to the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    /// The window in which it was counted, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_ms: Option<u64>,
    /// The first call that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_call: Option<CallNumber>,
    /// The last call that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_call: Option<CallNumber>,
}

impl Facts {
    /// Facts under the rule `rule`, whose value `limit` was reached.
    pub fn new(rule: &str, limit: u64) -> Self {
        Self {
            rule: rule.to_owned(),
            limit,
            ..Self::default()
        }
    }

    /// How often it has come.
    #[must_use]
    pub fn count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// The tool that it is about.
    #[must_use]
    pub fn tool(mut self, tool: &str) -> Self {
        self.tool = Some(tool.to_owned());
        self
    }

    /// The first and the last call that count.
    #[must_use]
    pub fn calls(mut self, first: CallNumber, last: CallNumber) -> Self {
        self.first_call = Some(first);
        self.last_call = Some(last);
        self
    }
}
