//! Formats whose sessions are JSON values: a message a line, a session a line, or one document.

use super::Reader;
use crate::error::LineProblem;
use crate::json::Json;
use crate::lines::Line;
use crate::output::Output;
use crate::summary::SkipReason;

/// Turns values into events.
pub(super) trait Values {
    /// Takes a line's value, or the document; that has no line.
    fn value(&mut self, line: Option<u64>, value: Json<'_>, output: &mut Output<'_, '_>);
}

/// Reads a value a line, or one in all.
pub(super) struct ByValue<V>(pub(super) V);

impl<V: Values> Reader for ByValue<V> {
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem> {
        match Json::parse(&line.lossy()) {
            Ok(value) if value.is_object() || value.is_array() => {
                self.0.value(Some(line.number), value, output);
            }
            _ => output.skip(SkipReason::Broken),
        }
        Ok(())
    }

    fn document(&mut self, document: Json<'_>, output: &mut Output<'_, '_>) {
        self.0.value(None, document, output);
    }

    fn finish(&mut self, output: &mut Output<'_, '_>) {
        // A session in which nothing was said is a session.
        output.open_silent_session();
    }
}

/// The messages of a value that holds some, be it a list or an object with a list.
pub(super) fn list<'a>(value: Json<'a>, key: &str) -> Option<impl Iterator<Item = Json<'a>>> {
    let list = if value.is_array() {
        Some(value)
    } else {
        value.get(key).filter(|list| list.is_array())
    };
    list.map(Json::items)
}
