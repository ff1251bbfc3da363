//! A naive detector of persistent loops, which knows no guard.
//!
//! It looks at the calls of one agent between two human messages, after the fact, each as
//! nothing but a number that stands for the call together with its result.

use std::ops::Range;

/// So many identical calls with identical results in a row are a persistent loop.
pub const RUN: usize = 8;
/// So many where they fail.
pub const FAILING_RUN: usize = 5;
/// So many rounds of a cycle are one.
pub const ROUNDS: usize = 4;
/// The longest round that is looked for.
pub const MAX_PERIOD: usize = 8;

/// A call with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Equal where call and result are both the same.
    pub pair: usize,
    /// Whether the call failed.
    pub failed: bool,
}

/// A persistent loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Which of the calls.
    pub calls: Range<usize>,
    /// How many calls a round has: 1 for a run.
    pub period: usize,
}

/// The persistent loops among these calls, each as far as it goes and with its shortest period.
/// Where loops overlap they are one, with the period of the first.
pub fn loops(steps: &[Step]) -> Vec<Loop> {
    let mut found: Vec<Loop> = Vec::new();
    for period in 1..=MAX_PERIOD {
        for calls in stretches(steps, period) {
            let needed = match period {
                1 if steps[calls.start].failed => FAILING_RUN,
                1 => RUN,
                _ => ROUNDS * period,
            };
            // What has a shorter period is all inside the loop that was found with that.
            let is_known = found
                .iter()
                .any(|it| it.calls.start <= calls.start && calls.end <= it.calls.end);
            if calls.len() >= needed && !is_known {
                found.push(Loop { calls, period });
            }
        }
    }
    found.sort_by_key(|it| (it.calls.start, it.period));
    let mut merged: Vec<Loop> = Vec::new();
    for next in found {
        match merged.last_mut() {
            Some(last) if next.calls.start < last.calls.end => {
                last.calls.end = last.calls.end.max(next.calls.end);
            }
            _ => merged.push(next),
        }
    }
    merged
}

/// The longest stretches in which each call equals the one a period before it.
fn stretches(steps: &[Step], period: usize) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut at = period;
    while at < steps.len() {
        let start = at - period;
        while at < steps.len() && steps[at].pair == steps[at - period].pair {
            at += 1;
        }
        if at > start + period {
            stretches.push(start..at);
        }
        at += 1;
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loops of calls written as letters; capitals fail.
    fn of(text: &str) -> Vec<(usize, usize, usize)> {
        let steps: Vec<_> = text
            .bytes()
            .map(|byte| Step {
                pair: byte.into(),
                failed: byte.is_ascii_uppercase(),
            })
            .collect();
        let loops = loops(&steps);
        let of = |it: Loop| (it.calls.start, it.calls.end, it.period);
        loops.into_iter().map(of).collect()
    }

    #[test]
    fn a_run_of_eight_is_a_loop_and_one_of_five_that_fail() {
        assert_eq!(of("xaaaaaaay"), []);
        assert_eq!(of("xaaaaaaaay"), [(1, 9, 1)]);
        assert_eq!(of("xAAAAy"), []);
        assert_eq!(of("xAAAAAy"), [(1, 6, 1)]);
        assert_eq!(of("xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAy"), [(1, 36, 1)]);
    }

    #[test]
    fn a_cycle_walked_four_times_is_a_loop_with_its_shortest_period() {
        assert_eq!(of("abababa"), []);
        assert_eq!(of("abababab"), [(0, 8, 2)]);
        assert_eq!(of("xababababababababababay"), [(1, 22, 2)]);
        assert_eq!(of("abcdefghabcdefghabcdefghabcdefg"), []);
        assert_eq!(of("abcdefghabcdefghabcdefghabcdefgh"), [(0, 32, 8)]);
        assert_eq!(of("aaabaaabaaabaaab"), [(0, 16, 4)]);
    }

    #[test]
    fn loops_that_overlap_are_one_and_those_that_touch_are_not() {
        assert_eq!(of("aaaaaaaabababab"), [(0, 15, 1)]);
        assert_eq!(of("aaaaaaaabbbbbbbb"), [(0, 8, 1), (8, 16, 1)]);
    }
}
