//! What is wrong with a configuration, shown in the text itself.

use anstyle::{AnsiColor, Style};
use loopguard::{ConfigError, ConfigErrors, ConfigWarning};

use crate::wrap::{columns, one_line, printable, width, wrap};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Where the terminal does not tell how wide it is, and where there is none.
const DEFAULT_WIDTH: usize = 100;

/// The column of line numbers.
const NUMBERS: usize = 5;

/// A tab is shown as so many blanks, which is what lines up in every terminal.
const TAB: &str = "    ";

/// Everything that is wrong with a file, each thing under its line, and how many there are.
pub(crate) fn errors(text: &str, errors: &ConfigErrors) -> String {
    let mut shown: String = errors
        .iter()
        .map(|error| Finding::error(error).shown(text))
        .collect();
    if let (true, Some(first)) = (errors.len() > 1, errors.iter().next()) {
        let (count, file) = (errors.len(), one_line(first.file(), usize::MAX));
        shown.push_str(&format!("{BOLD}{count} errors in {file}{BOLD:#}\n"));
    }
    shown
}

/// Everything that is allowed but hardly meant.
pub(crate) fn warnings(text: &str, warnings: &[ConfigWarning]) -> String {
    let shown = warnings.iter();
    shown
        .map(|warning| Finding::warning(warning).shown(text))
        .collect()
}

/// One thing to be shown.
#[derive(Debug)]
struct Finding {
    style: Style,
    level: &'static str,
    file: String,
    /// Row and key.
    subject: String,
    headline: String,
    place: Option<Place>,
    /// What stands beside the caret, where there is room.
    hint: Option<String>,
    /// What stands below.
    notes: Vec<String>,
}

/// Where to point at; all in characters, counted from 1.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: usize,
    column: usize,
    length: usize,
}

impl Place {
    fn new(line: Option<usize>, column: Option<usize>, length: Option<usize>) -> Option<Self> {
        Some(Self {
            line: line?,
            column: column?,
            length: length.unwrap_or(1),
        })
    }
}

impl Finding {
    fn error(error: &ConfigError) -> Self {
        let meant = error.suggestion();
        let meant = meant.map(|meant| format!("did you mean {meant:?}?"));
        let allowed = error.expected().map(|it| format!("allowed is {it}"));
        let known = error.known_keys().map(|it| format!("known keys: {it}"));
        let mut notes: Vec<_> = meant.into_iter().chain(allowed).chain(known).collect();
        if notes.is_empty() {
            notes.push("mend this first: what comes behind it is not read".to_owned());
        }
        let mut notes = notes.into_iter();
        Self {
            style: ERROR,
            level: "error",
            file: error.file().to_owned(),
            subject: subject(error.label(), error.path()),
            headline: error.headline(),
            place: Place::new(error.line(), error.column(), error.length()),
            hint: notes.next(),
            notes: notes.collect(),
        }
    }

    fn warning(warning: &ConfigWarning) -> Self {
        Self {
            style: WARNING,
            level: "warning",
            file: warning.file().to_owned(),
            subject: subject(warning.label(), warning.path()),
            headline: warning.message().to_owned(),
            place: Place::new(warning.line(), warning.column(), warning.length()),
            hint: None,
            notes: Vec::new(),
        }
    }

    fn shown(&self, text: &str) -> String {
        let style = self.style;
        let at = match self.place {
            Some(Place { line, column, .. }) => format!(":{line}:{column}"),
            None => String::new(),
        };
        let file = one_line(&self.file, usize::MAX);
        let head = format!("{file}{at}: {}{}", self.subject, self.headline);
        let mut shown = format!(
            "{style}{}{style:#}: {BOLD}{}{BOLD:#}\n",
            self.level,
            one_line(&head, usize::MAX)
        );
        let terminal = terminal_size::terminal_size();
        let room = terminal.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
        let room = room.saturating_sub(NUMBERS + 3).max(40);
        let line = self.place.and_then(|place| {
            let line = text.split('\n').nth(place.line.checked_sub(1)?)?;
            Some((place, line.strip_suffix('\r').unwrap_or(line)))
        });
        let mut notes: Vec<&str> = Vec::new();
        match line {
            Some((place, line)) => {
                let Excerpt { line, skip, carets } = excerpt(line, place, room);
                let number = place.line;
                shown.push_str(&format!("{DIM}{number:>NUMBERS$} │{DIM:#} {line}\n"));
                let mut under = "^".repeat(carets.max(1));
                match self.hint.as_deref() {
                    Some(hint) if skip + under.len() + 1 + width(hint) <= room => {
                        under.push(' ');
                        under.push_str(&one_line(hint, room));
                    }
                    hint => notes.extend(hint),
                }
                let blank = format!("{:NUMBERS$}", "");
                shown.push_str(&format!(
                    "{DIM}{blank} │{DIM:#} {:skip$}{style}{under}{style:#}\n",
                    ""
                ));
            }
            None => notes.extend(self.hint.as_deref()),
        }
        notes.extend(self.notes.iter().map(String::as_str));
        for note in notes {
            for (at, line) in wrap(note, room - 2).iter().enumerate() {
                let mark = if at == 0 { "=" } else { " " };
                shown.push_str(&format!("{DIM}{:NUMBERS$} {mark}{DIM:#} {line}\n", ""));
            }
        }
        shown.push('\n');
        shown
    }
}

/// A source line as it is shown, and where the carets stand.
#[derive(Debug)]
struct Excerpt {
    line: String,
    /// Columns before the first caret.
    skip: usize,
    /// Columns under which a caret stands.
    carets: usize,
}

/// As much of a line as there is room for, the place in it.
fn excerpt(line: &str, place: Place, room: usize) -> Excerpt {
    let shown = |character: char| match character {
        '\t' => TAB.to_owned(),
        character => printable(character).to_string(),
    };
    let pieces: Vec<String> = line.chars().map(shown).collect();
    let start = place.column.saturating_sub(1).min(pieces.len());
    let end = start.saturating_add(place.length).min(pieces.len());
    // Far to the right, what stands before it is cut off.
    let before = |from: usize| {
        pieces[from..start]
            .iter()
            .map(|it| width(it))
            .sum::<usize>()
    };
    let from = match before(0) > room / 2 {
        true => (0..start)
            .find(|&from| before(from) <= room / 4)
            .unwrap_or(start),
        false => 0,
    };
    let mut line = String::new();
    if from > 0 {
        line.push('…');
    }
    line.extend(pieces[from..].iter().map(String::as_str));
    let skip = before(from) + usize::from(from > 0);
    let carets: usize = pieces[start..end].iter().map(|it| width(it)).sum();
    Excerpt {
        line: fitted(&line, room),
        skip,
        carets: carets.min(room.saturating_sub(skip)),
    }
}

/// The line with an ellipsis in place of what there is no room for; blanks stay.
fn fitted(line: &str, room: usize) -> String {
    if width(line) <= room {
        return line.to_owned();
    }
    let mut length = 0;
    let fits = line.chars().take_while(|&character| {
        length += columns(character);
        length < room
    });
    let mut line: String = fits.collect();
    line.push('…');
    line
}

/// `row 1 (brake): callWarnCount: `, without the parts that are not known.
fn subject(label: &str, path: &str) -> String {
    let parts = [label, path].into_iter().filter(|part| !part.is_empty());
    parts.map(|part| format!("{part}: ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carets(line: &str, column: usize, length: usize, room: usize) -> String {
        let place = Place {
            line: 1,
            column,
            length,
        };
        let Excerpt { line, skip, carets } = excerpt(line, place, room);
        assert!(width(&line) <= room, "{line}");
        format!("{line}\n{:skip$}{}", "", "^".repeat(carets))
    }

    #[test]
    fn carets_stand_under_what_is_meant() {
        assert_eq!(carets("a: bcd # e", 4, 3, 40), "a: bcd # e\n   ^^^");
        assert_eq!(carets("\ta: b", 5, 1, 40), "    a: b\n       ^");
    }

    #[test]
    fn wide_characters_line_up() {
        assert_eq!(carets("名字: 好 # x", 5, 1, 40), "名字: 好 # x\n      ^^");
        assert_eq!(carets("🦀: \"🦀🦀\"", 4, 4, 40), "🦀: \"🦀🦀\"\n    ^^^^^^");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let line = format!("{}key: 1{}", "x".repeat(100), "y".repeat(100));
        let shown = carets(&line, 101, 3, 40);
        assert_eq!(
            shown,
            format!(
                "…{}key: 1{}…\n{}^^^",
                "x".repeat(10),
                "y".repeat(22),
                " ".repeat(11)
            )
        );
    }

    #[test]
    fn a_place_that_is_not_there_does_no_harm() {
        for (column, length) in [(0, 0), (9, 1), (usize::MAX, usize::MAX)] {
            assert!(carets("a: b", column, length, 40).starts_with("a: b\n"));
            assert!(carets("", column, length, 40).starts_with('\n'));
        }
    }
}
