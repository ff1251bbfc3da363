//! One module a format, behind one small trait.

mod anthropic;
mod blocks;
mod claude_code;
mod cline;
mod codex;
mod detection;
mod dsh;
mod events;
mod gemini;
mod goose;
mod mini_swe_agent;
mod openai;
mod opencode;
mod openhands;
mod outline;
mod pi;
mod stamp;
mod swe_agent;
mod values;

use crate::error::LineProblem;
use crate::format::Format;
use crate::json::Json;
use crate::lines::Line;
use crate::output::Output;

pub use detection::detect;
pub(crate) use detection::{claims, detect_head};
use outline::Outline;
use values::ByValue;

/// Turns the lines of one format, or its document, into events.
pub(crate) trait Reader {
    /// Takes the next line; blank and overlong ones never come here.
    ///
    /// # Errors
    ///
    /// Only the event stream fails on a line; hosts' formats skip and count.
    fn line(&mut self, line: Line<'_>, output: &mut Output<'_, '_>) -> Result<(), LineProblem>;

    /// Takes an input that is one JSON value; only of formats that [`may_be_document`].
    fn document(&mut self, _document: Json<'_>, _output: &mut Output<'_, '_>) {}

    /// The input is over.
    fn finish(&mut self, _output: &mut Output<'_, '_>) {}
}

/// The reader of a format, at the beginning of an input.
pub(crate) fn reader(format: Format) -> Box<dyn Reader> {
    match format {
        Format::Events => Box::new(events::Events),
        Format::Dsh => Box::new(dsh::Dsh::default()),
        Format::ClaudeCode => Box::new(claude_code::ClaudeCode::default()),
        Format::Codex => Box::new(codex::Codex::default()),
        Format::Gemini => Box::new(ByValue(gemini::Gemini::default())),
        Format::Pi => Box::new(pi::Pi::default()),
        Format::OpenHands => Box::new(openhands::OpenHands::default()),
        Format::SweAgent => Box::new(ByValue(swe_agent::SweAgent)),
        Format::MiniSweAgent => Box::new(ByValue(mini_swe_agent::MiniSweAgent::default())),
        Format::OpenCode => Box::new(ByValue(opencode::OpenCode::default())),
        Format::Cline => Box::new(ByValue(cline::Cline::default())),
        Format::Goose => Box::new(goose::Goose::default()),
        Format::OpenAi => Box::new(ByValue(openai::OpenAi::default())),
        Format::Anthropic => Box::new(ByValue(anthropic::Anthropic::default())),
    }
}

/// Whether a session of this format may be one JSON value rather than one a line.
pub(crate) fn may_be_document(format: Format) -> bool {
    match format {
        Format::Events
        | Format::Dsh
        | Format::ClaudeCode
        | Format::Codex
        | Format::Pi
        | Format::OpenHands
        | Format::Goose => false,
        Format::Gemini
        | Format::SweAgent
        | Format::MiniSweAgent
        | Format::OpenCode
        | Format::Cline
        | Format::OpenAi
        | Format::Anthropic => true,
    }
}

/// Whether a line, a document or an element of one is surely of this format.
fn recognises(format: Format, part: &Outline<'_>) -> bool {
    match format {
        Format::Events => events::recognises(part),
        Format::Dsh => dsh::recognises(part),
        Format::ClaudeCode => claude_code::recognises(part),
        Format::Codex => codex::recognises(part),
        Format::Gemini => gemini::recognises(part),
        Format::Pi => pi::recognises(part),
        Format::OpenHands => openhands::recognises(part),
        Format::SweAgent => swe_agent::recognises(part),
        Format::MiniSweAgent => mini_swe_agent::recognises(part),
        Format::OpenCode => opencode::recognises(part),
        Format::Cline => cline::recognises(part),
        Format::Goose => goose::recognises(part),
        Format::OpenAi => openai::recognises(part),
        Format::Anthropic => anthropic::recognises(part),
    }
}
