//! What was measured, as numbers, and as tables of them.

use std::collections::BTreeMap;
use std::fmt;

use loopguard_transcript::SessionOutcome;

/// What was measured of each source.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// By name.
    pub sources: Vec<Source>,
}

/// One source of recorded sessions.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its file's name without the ending.
    pub name: String,
    /// What was measured.
    pub measures: Measures,
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Sessions.
    pub sessions: Split,
    /// Calls over all agents, as recorded.
    pub calls: usize,
    /// Sessions with notices.
    pub noticed: Split,
    /// Sessions with denials.
    pub denied: Split,
    /// Notices.
    pub notices: usize,
    /// Denials, in order.
    pub denials: Vec<DenialSeen>,
    /// Persistent loops, in order.
    pub loops: Vec<LoopSeen>,
    /// What each guard decided, by its id and the code.
    pub codes: BTreeMap<(String, String), CodeSeen>,
}

/// Sessions by how their task ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Done.
    pub success: usize,
    /// Not done.
    pub failure: usize,
    /// Nobody knows.
    pub unknown: usize,
}

/// How often one thing was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeSeen {
    /// Decisions.
    pub decisions: usize,
    /// Sessions that had any.
    pub sessions: Split,
}

/// A call that was denied.
#[derive(Clone, Debug)]
pub struct DenialSeen {
    /// The session's id.
    pub session: String,
    /// How its task ended.
    pub outcome: SessionOutcome,
    /// The call's number in it.
    pub call: u64,
    /// The call's tool.
    pub tool: String,
    /// Whose denial was the first.
    pub guard: String,
    /// What it had found.
    pub code: String,
    /// Whether the recorded result was fine.
    pub fine: bool,
    /// Whether it was fine and unlike every earlier result of the same call.
    pub fine_and_new: bool,
}

/// A persistent loop, and what the guards had to say about it.
#[derive(Clone, Debug)]
pub struct LoopSeen {
    /// The session's id.
    pub session: String,
    /// How its task ended.
    pub outcome: SessionOutcome,
    /// Whose calls they are.
    pub agent: String,
    /// The number of the first call in the session.
    pub first_call: usize,
    /// The tool of the first call.
    pub tool: String,
    /// How many calls are inside.
    pub calls: usize,
    /// How many calls a round has: 1 for a run.
    pub period: usize,
    /// On which of its calls, from 1, the first notice or denial fell.
    pub noticed_at: Option<usize>,
    /// On which the first denial fell.
    pub denied_at: Option<usize>,
}

impl LoopSeen {
    /// In which round the first notice or denial fell; in a run, on which call.
    pub fn noticed_in_round(&self) -> Option<usize> {
        Some((self.noticed_at? - 1) / self.period + 1)
    }

    /// How many calls came after the first denial, which would never have been made.
    pub fn calls_after_denial(&self) -> usize {
        self.denied_at.map_or(0, |at| self.calls - at)
    }
}

impl Split {
    pub(super) fn add(&mut self, outcome: SessionOutcome) {
        match outcome {
            SessionOutcome::Success => self.success += 1,
            SessionOutcome::Failure => self.failure += 1,
            _ => self.unknown += 1,
        }
    }

    fn join(&mut self, other: Self) {
        self.success += other.success;
        self.failure += other.failure;
        self.unknown += other.unknown;
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            success,
            failure,
            unknown,
        } = self;
        f.pad(&format!("{success}/{failure}/{unknown}"))
    }
}

impl Measures {
    fn join(&mut self, other: &Self) {
        self.sessions.join(other.sessions);
        self.calls += other.calls;
        self.noticed.join(other.noticed);
        self.denied.join(other.denied);
        self.notices += other.notices;
        self.denials.extend_from_slice(&other.denials);
        self.loops.extend_from_slice(&other.loops);
        for (code, seen) in &other.codes {
            let total = self.codes.entry(code.clone()).or_default();
            total.decisions += seen.decisions;
            total.sessions.join(seen.sessions);
        }
    }
}

impl Table {
    /// All sources together.
    pub fn total(&self) -> Measures {
        let mut total = Measures::default();
        for source in &self.sources {
            total.join(&source.measures);
        }
        total
    }

    /// What a person looks into: the loops without a notice, every denial in a session whose
    /// task was done, and every denial of a call whose result was fine and new.
    pub fn details(&self) -> String {
        let total = self.total();
        let mut lines = Vec::new();
        for it in total.loops.iter().filter(|it| it.noticed_at.is_none()) {
            let (session, tool, calls, period) = (&it.session, &it.tool, it.calls, it.period);
            let first = it.first_call;
            lines.push(format!(
                "loop without a notice: {session} call {first} {tool}: {calls} calls, period {period}"
            ));
        }
        let done = |it: &DenialSeen| it.outcome == SessionOutcome::Success;
        for (what, is_one) in [
            ("denial in a success", &done as &dyn Fn(&DenialSeen) -> bool),
            ("denial of what was fine and new", &|it| it.fine_and_new),
        ] {
            for it in total.denials.iter().filter(|it| is_one(it)) {
                let (session, call, tool) = (&it.session, it.call, &it.tool);
                let (guard, code) = (&it.guard, &it.code);
                lines.push(format!(
                    "{what}: {session} call {call} {tool}: {guard} {code}"
                ));
            }
        }
        lines.join("\n")
    }

    fn rows(&self) -> Vec<(&str, Measures)> {
        let sources = self.sources.iter();
        let mut rows: Vec<_> = sources
            .map(|source| (source.name.as_str(), source.measures.clone()))
            .collect();
        rows.push(("total", self.total()));
        rows
    }
}

impl fmt::Display for Table {
    /// Three tables: what was decided, in which loops, and by whom. Sessions stand as
    /// `success/failure/unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<26} {:>13} {:>6}  {:>7} {:>13}  {:>7} {:>11} {:>5} {:>5}",
            "source",
            "sessions s/f/u",
            "calls",
            "notices",
            "in sessions",
            "denials",
            "in sessions",
            "fine",
            "new"
        )?;
        for (name, it) in self.rows() {
            let fine = it.denials.iter().filter(|it| it.fine).count();
            let new = it.denials.iter().filter(|it| it.fine_and_new).count();
            let (sessions, calls, notices) = (it.sessions, it.calls, it.notices);
            let (noticed, denials, denied) = (it.noticed, it.denials.len(), it.denied);
            writeln!(
                f,
                "{name:<26} {sessions:>14} {calls:>6}  {notices:>7} {noticed:>13}  \
                 {denials:>7} {denied:>11} {fine:>5} {new:>5}"
            )?;
        }
        writeln!(
            f,
            "\n{:<26} {:>5} {:>6}  {:>7} {:>9} {:>9}  {:>6} {:>9} {:>17}",
            "persistent loops",
            "loops",
            "calls",
            "noticed",
            "at call*",
            "in round*",
            "denied",
            "at call*",
            "calls after denial"
        )?;
        for (name, it) in self.rows() {
            if it.loops.is_empty() {
                continue;
            }
            let count = |has: fn(&LoopSeen) -> Option<usize>| it.loops.iter().filter_map(has);
            let (loops, noticed) = (it.loops.len(), count(|it| it.noticed_at));
            let calls: usize = it.loops.iter().map(|it| it.calls).sum();
            let after: usize = it.loops.iter().map(LoopSeen::calls_after_denial).sum();
            let (at, round) = (
                median(noticed.clone()),
                median(count(LoopSeen::noticed_in_round)),
            );
            let denied = count(|it| it.denied_at);
            let (noticed, denied, denied_at) =
                (noticed.count(), denied.clone().count(), median(denied));
            let share = per_cent(after, calls);
            writeln!(
                f,
                "{name:<26} {loops:>5} {calls:>6}  {noticed:>7} {at:>9} {round:>9}  \
                 {denied:>6} {denied_at:>9} {after:>9} {share:>8}"
            )?;
        }
        writeln!(f, "* the median over the loops that have one")?;
        let (guard, code) = ("guard", "code");
        writeln!(
            f,
            "\n{guard:<30} {code:<24} {:>9} {:>13}",
            "decisions", "in sessions"
        )?;
        for ((guard, code), seen) in self.total().codes {
            let (decisions, sessions) = (seen.decisions, seen.sessions);
            writeln!(f, "{guard:<30} {code:<24} {decisions:>9} {sessions:>13}")?;
        }
        Ok(())
    }
}

/// The middle one, or halfway between the two in the middle.
fn median(numbers: impl Iterator<Item = usize>) -> String {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable();
    let half = numbers.len() / 2;
    match (numbers.get(half), numbers.len() % 2) {
        (None, _) => "-".to_owned(),
        (Some(middle), 1) => middle.to_string(),
        (Some(upper), _) => {
            let sum = numbers[half - 1] + upper;
            let rest = if sum % 2 == 1 { ".5" } else { "" };
            format!("{}{rest}", sum / 2)
        }
    }
}

/// A share with one digit behind the point.
fn per_cent(part: usize, whole: usize) -> String {
    let thousandths = (part * 1000 + whole / 2) / whole.max(1);
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_shares() {
        let median = |numbers: &[usize]| median(numbers.iter().copied());
        assert_eq!(median(&[]), "-");
        assert_eq!(median(&[3, 1, 2]), "2");
        assert_eq!(median(&[4, 1, 2, 8]), "3");
        assert_eq!(median(&[5, 2]), "3.5");
        assert_eq!(per_cent(1, 3), "33.3%");
        assert_eq!(per_cent(2, 3), "66.7%");
        assert_eq!(per_cent(0, 0), "0.0%");
    }
}
