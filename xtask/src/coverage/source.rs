//! One source file: which of its lines count, which of them ran, and which need not.

use std::collections::BTreeMap;

/// What a comment begins with that excuses the lines below it. Its reason follows, as far as
/// the comment goes.
const MARK: &str = "// Not covered:";

/// How often each line ran that holds code, by its number.
pub(crate) type Runs = BTreeMap<usize, u64>;

/// What the tests leave of a file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Judged {
    /// How many lines count.
    pub(crate) lines: usize,
    /// The lines that never ran, excused ones among them.
    pub(crate) missed: Vec<usize>,
    /// The excuses that hold: where, and the reason.
    pub(crate) excused: Vec<(usize, String)>,
    /// What is wrong, by line.
    pub(crate) wrong: Vec<(usize, &'static str)>,
}

/// Judges a file by its text. Its unit tests, which come last in a file, do not count.
pub(crate) fn judge(text: &str, runs: &Runs) -> Judged {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ");
    let end = lines.windows(2).position(tests).unwrap_or(lines.len());
    let counted: Vec<(usize, bool)> = runs
        .range(..=end)
        .map(|(&line, &runs)| (line, runs > 0))
        .collect();
    let missed = |(line, ran): &(usize, bool)| (!ran).then_some(*line);
    let mut judged = Judged {
        lines: counted.len(),
        missed: counted.iter().filter_map(missed).collect(),
        ..Judged::default()
    };
    let mut open = judged.missed.clone();
    for (at, reason) in excuses(&lines[..end]) {
        let below = counted.iter().filter(|(line, _)| *line > at);
        let excused: Vec<usize> = below.map_while(missed).collect();
        if excused.is_empty() {
            judged.wrong.push((at, "an excuse for lines that run"));
        } else if reason.is_empty() {
            judged.wrong.push((at, "an excuse without its reason"));
        } else {
            judged.excused.push((excused[0], reason));
        }
        open.retain(|line| !excused.contains(line));
    }
    let gaps = open.iter().map(|&line| (line, "no test runs this line"));
    judged.wrong.extend(gaps);
    judged.wrong.sort_unstable();
    judged
}

/// The excuses of a file: the line of each, counted from 1, and its reason.
fn excuses(lines: &[&str]) -> Vec<(usize, String)> {
    let found = lines.iter().enumerate().filter_map(|(at, line)| {
        let first = line.strip_prefix(MARK)?;
        let more = lines[at + 1..].iter();
        let more = more.map_while(|line| line.strip_prefix("// "));
        let reason: Vec<_> = std::iter::once(first).chain(more).map(str::trim).collect();
        Some((at + 1, reason.join(" ").trim().to_owned()))
    });
    found.collect()
}

/// Line numbers as people write them: `3, 7-9`.
pub(crate) fn ranges(lines: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let texts = ranges.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_never_run_are_wrong_and_unit_tests_do_not_count() {
        let text = "fn f() {\n    g();\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        let judged = judge(text, &Runs::from([(1, 3), (2, 0), (3, 1), (7, 0)]));
        assert_eq!((judged.lines, &judged.missed[..]), (3, &[2][..]));
        assert_eq!(judged.wrong, [(2, "no test runs this line")]);
    }

    #[test]
    fn an_excuse_holds_up_to_the_next_line_that_runs() {
        let text = "f();\n// Not covered: it cannot\n// come to that.\nif g() {\n    h();\n}\nh();";
        let judged = judge(text, &Runs::from([(1, 1), (4, 0), (5, 0), (6, 1), (7, 0)]));
        assert_eq!(judged.missed, [4, 5, 7]);
        assert_eq!(judged.excused, [(4, "it cannot come to that.".to_owned())]);
        assert_eq!(judged.wrong, [(7, "no test runs this line")]);
    }

    #[test]
    fn an_excuse_has_a_reason_and_is_needed() {
        let text = "// Not covered: why not.\nf();\n// Not covered:\ng();\n";
        let judged = judge(text, &Runs::from([(2, 1), (4, 0)]));
        let wrong = [
            (1, "an excuse for lines that run"),
            (3, "an excuse without its reason"),
        ];
        assert_eq!(judged.wrong, wrong);
    }

    #[test]
    fn neighbouring_lines_are_one_range() {
        assert_eq!(ranges(&[3, 7, 8, 9, 11]), "3, 7-9, 11");
        assert_eq!(ranges(&[]), "");
    }
}
