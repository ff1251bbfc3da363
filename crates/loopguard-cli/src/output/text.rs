//! The frame around sessions as a person reads them: headings and the summary.

use std::io::IsTerminal as _;

use anstyle::Style;

use crate::engine::Action;
use crate::session::Session;
use crate::totals::Totals;
use crate::wrap::{one_line, padded, width, wrap};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The ids of guards are cut to this many columns.
const MAX_ID: usize = 60;

/// Where standard output is no terminal, and where the terminal does not tell.
const DEFAULT_WIDTH: usize = 100;

/// How wide lines may be.
pub(crate) fn terminal_width() -> usize {
    if !std::io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// A session under its heading. One in which nothing was decided is told in a line.
pub(super) fn session(
    file: &str,
    session: &Session,
    body: &str,
    took: Option<String>,
    room: usize,
) -> String {
    let file = one_line(file, usize::MAX);
    let mut parts = Vec::new();
    if let Some(id) = &session.id {
        parts.push(format!("session {}", one_line(id, 60)));
    }
    parts.push(one_line(&session.format, 30));
    parts.push(count(session.tally.calls, "call"));
    parts.extend(took);
    parts.extend(decided(session));
    let mut text = format!("{BOLD}{file}{BOLD:#}");
    let mut at = width(&file);
    for part in parts {
        // Names of files stay whole, so that they can be copied: the rest goes below.
        let more = width(&part) + 3;
        if at + more > room {
            text.push_str("\n ");
            at = 1;
        }
        text.push_str(" · ");
        text.push_str(&part);
        at += more;
    }
    text.push('\n');
    if session.decisions.is_empty() {
        text.push_str("       nothing to say\n");
    } else {
        text.push_str(body);
    }
    if session.halted {
        text.push_str("       the replay of this session ends here\n");
    }
    text.push('\n');
    text
}

/// How much was decided, of each kind.
fn decided(session: &Session) -> Vec<String> {
    let kinds = [
        (Action::Notice, "notice"),
        (Action::Deny, "denial"),
        (Action::Halt, "halt"),
    ];
    let of = |action| {
        let decisions = session.decisions.iter();
        decisions.filter(|it| it.action == action).count() as u64
    };
    let counts = kinds.map(|(action, what)| (of(action), what));
    let some = counts.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, what)| count(number, what)).collect()
}

/// What it comes to, over all sessions.
pub(super) fn summary(totals: &Totals, room: usize) -> String {
    if totals.sessions == 0 {
        return "Nothing was replayed.\n".to_owned();
    }
    let mut text = format!(
        "{BOLD}{}{BOLD:#}, {}, {}",
        count(totals.sessions, "session"),
        count(totals.calls, "call"),
        count(totals.events, "event"),
    );
    if totals.skipped_lines > 0 {
        let lines = count(totals.skipped_lines, "line");
        text.push_str(&format!(" ({lines} without an event)"));
    }
    text.push('\n');
    if totals.skipped_files > 0 {
        let files = count(totals.skipped_files, "file");
        text.push_str(&format!(
            "{files} passed over: named like sessions, but none in a format that is read\n"
        ));
    }
    let ids = totals
        .guards
        .iter()
        .map(|(id, _)| width(&one_line(id, MAX_ID)));
    let column = ids.max().unwrap_or(0).max("guard".len());
    let head = padded("guard", column);
    text.push_str(&format!(
        "  {DIM}{head}  notices  denials  but fine{DIM:#}\n"
    ));
    for (id, counts) in totals.guards.iter() {
        let id = padded(&one_line(id, MAX_ID), column);
        let (notices, denials) = (counts.notices, counts.denials);
        let fine = match denials {
            0 => String::new(),
            _ => format!("  {:>8}", counts.denied_but_succeeded),
        };
        text.push_str(&format!("  {id}  {notices:>7}  {denials:>7}{fine}\n"));
    }
    if totals.halts > 0 {
        text.push_str(&format!("  {}\n", count(totals.halts, "halt")));
    }
    for paragraph in [worth(totals)].into_iter().chain(failed(totals)) {
        for line in wrap(&paragraph, room.max(40)) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Which guards had a fault, in a sentence.
pub(super) fn failed(totals: &Totals) -> Option<String> {
    let guards = totals.failed_guards.iter();
    let guards = guards.map(|(id, sessions)| {
        let id = one_line(id, MAX_ID);
        format!("{id} (in {})", count(*sessions, "session"))
    });
    let guards: Vec<_> = guards.collect();
    (!guards.is_empty()).then(|| {
        format!(
            "A fault of the program's own: these guards failed and were off duty from there on: {}. \
             Please report it.",
            guards.join(", ")
        )
    })
}

/// What the denials would have been worth. Honestly: a recording does not tell what the model
/// would have done instead, but it tells which of the calls had been fine.
fn worth(totals: &Totals) -> String {
    let (denied, fine) = (totals.denials, totals.denied_but_succeeded);
    let would = format!(
        "{denied} of {} would have been denied",
        count(totals.calls, "call")
    );
    match (denied, fine) {
        (0, _) => "No call would have been denied.".to_owned(),
        (1, 0) => format!("{would}; no success was recorded for it."),
        (1, _) => format!("{would}, though its recorded result was fine."),
        (_, 0) => format!("{would}; no success was recorded for any of them."),
        (_, 1) => format!("{would}, 1 of them though its recorded result was fine."),
        _ => format!("{would}, {fine} of them though their recorded results were fine."),
    }
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_failed_is_told_in_one_sentence() {
        let mut totals = Totals {
            sessions: 3,
            ..Totals::default()
        };
        assert_eq!(failed(&totals), None);
        assert!(!summary(&totals, 200).contains("failed"));
        totals.failed_guards = [("brake".to_owned(), 2), ("a\nb".to_owned(), 1)].into();
        let told = "these guards failed and were off duty from there on: a b (in 1 session), brake (in 2 sessions). Please report it.";
        assert!(
            summary(&totals, 200).ends_with(&format!("A fault of the program's own: {told}\n"))
        );
    }
}
