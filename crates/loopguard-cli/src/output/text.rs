//! The frame around sessions as a person reads them: headings and the summary.

use std::io::IsTerminal as _;

use anstyle::Style;

use super::wrap::{one_line, wrap};
use crate::session::Session;
use crate::totals::Totals;

const BOLD: Style = Style::new().bold();

/// Where standard output is no terminal, and where the terminal does not tell.
const DEFAULT_WIDTH: usize = 100;

/// How wide lines may be.
pub(crate) fn width() -> usize {
    if !std::io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// A session under its heading. One in which nothing was decided is told in a line.
pub(super) fn session(file: &str, session: &Session, body: &str, _width: usize) -> String {
    let file = one_line(file, usize::MAX);
    let id = session
        .id
        .as_deref()
        .map_or_else(String::new, |id| format!(" · session {}", one_line(id, 60)));
    let format = one_line(&session.format, 30);
    let calls = count(session.tally.calls, "call");
    let mut text = format!("{BOLD}{file}{BOLD:#}{id} · {format} · {calls}\n");
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

/// What it comes to, over all sessions.
pub(super) fn summary(totals: &Totals, width: usize) -> String {
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
    let ids = totals.guards.iter().map(|(id, _)| id.chars().count());
    let column = ids.max().unwrap_or(0).max("guard".len());
    text.push_str(&format!("  {:<column$}  notices  denials\n", "guard"));
    for (id, counts) in totals.guards.iter() {
        text.push_str(&format!(
            "  {id:<column$}  {:>7}  {:>7}\n",
            counts.notices, counts.denials
        ));
    }
    if totals.halts > 0 {
        text.push_str(&format!("  {}\n", count(totals.halts, "halt")));
    }
    for line in wrap(&worth(totals), width.max(40)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// What the denials would have been worth. Honestly: a recording does not tell what the model
/// would have done instead, but it tells which of the calls had been fine.
fn worth(totals: &Totals) -> String {
    let (denied, fine) = (totals.denials, totals.denied_but_succeeded);
    match (denied, fine) {
        (0, _) => "No call would have been denied.".to_owned(),
        (1, 0) => "1 call would have been denied; no success was recorded for it.".to_owned(),
        (1, _) => "1 call would have been denied, though its recorded result was fine.".to_owned(),
        (_, 0) => format!(
            "{denied} calls would have been denied; no success was recorded for any of them."
        ),
        (_, 1) => format!(
            "{denied} calls would have been denied, 1 of them though its recorded result was fine."
        ),
        _ => format!(
            "{denied} calls would have been denied, {fine} of them though their recorded results \
             were fine."
        ),
    }
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
