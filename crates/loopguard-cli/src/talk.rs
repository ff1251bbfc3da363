//! What the program says beside its data, to standard error.

use std::fmt::Display;
use std::io::Write as _;

/// Says what is wrong. Where standard error is closed, nobody wants to know.
pub(crate) fn error(what: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "error: {what}");
}

/// Says something of several lines, with its colours where standard error is a terminal.
pub(crate) fn styled(text: &str) {
    let _ = anstream::AutoStream::auto(std::io::stderr().lock()).write_all(text.as_bytes());
}

/// Says that standard output takes nothing more.
pub(crate) fn unwritable(cause: &std::io::Error) {
    error(format_args!(
        "standard output cannot be written: {cause}; make room, or write elsewhere"
    ));
}

/// An error with everything that caused it, in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Some errors say what caused them themselves.
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
