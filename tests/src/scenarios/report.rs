//! What came of the scenarios.

use std::fmt;

use loopguard_cli::Decision;

/// What came of a directory of scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Scenario by scenario, by the names of their files.
    pub outcomes: Vec<Outcome>,
}

/// What came of one scenario.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file's name without its ending.
    pub id: String,
    /// The group that it belongs to.
    pub group: String,
    /// What happens in it.
    pub title: String,
    /// What came, in words.
    pub came: String,
    /// What is wrong with it; nothing where all is right.
    pub wrong: Vec<String>,
    /// All that the guards decided.
    pub decisions: Vec<Decision>,
}

impl Outcome {
    /// Whether what was wanted came.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Every decision, a line each.
    pub fn details(&self) -> String {
        let line = |decision: &Decision| {
            let Decision {
                agent,
                call_index,
                guard,
                action,
                code,
                ..
            } = decision;
            let line = decision.line.unwrap_or_default();
            let tool = decision.tool.as_deref().unwrap_or("message");
            format!(
                "    line {line}, call {call_index}, {agent}, {tool}: {action:?} {guard} {code}\n"
            )
        };
        self.decisions.iter().map(line).collect()
    }
}

impl fmt::Display for Outcome {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id, group, came, ..
        } = self;
        match self.is_right() {
            true => write!(f, "right {group}/{id}: {came}"),
            false => write!(f, "WRONG {group}/{id}: {}", self.wrong.join("; ")),
        }
    }
}

impl Report {
    /// The scenarios in which something else came than was wanted.
    pub fn wrong(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|outcome| !outcome.is_right())
    }

    /// How many there are, and how many came out right.
    pub fn total(&self) -> String {
        let wrong = self.wrong().count();
        let all = self.outcomes.len();
        format!("{} of {all} scenarios right, {wrong} wrong", all - wrong)
    }
}

impl fmt::Display for Report {
    /// One line for each scenario, and the total.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            writeln!(f, "{outcome}")?;
        }
        write!(f, "{}", self.total())
    }
}
