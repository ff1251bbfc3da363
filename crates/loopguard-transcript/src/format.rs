//! The formats by name. A new one is a variant here and a row in [`Format::ALL`]; its module
//! is then asked for in `formats.rs`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A format in which sessions are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The neutral event stream itself, version 1: one event a line.
    Events,
    /// Session logs of the DeepSeek harness: `session.jsonl` and `session.N.jsonl`.
    Dsh,
    /// Session files of Claude Code: `<session>.jsonl` and `agent-ID.jsonl`.
    ClaudeCode,
    /// Sessions of Codex: rollouts, and the stream that `codex exec --json` writes.
    Codex,
    /// Session files of Gemini CLI, one document or one message a line.
    Gemini,
    /// Session files of pi.
    Pi,
    /// Events of the OpenHands agent SDK, one a line.
    OpenHands,
    /// Trajectories of SWE-agent: `*.traj`.
    SweAgent,
    /// Trajectories of mini-SWE-agent, versions 1 and 2: `*.traj.json`.
    MiniSweAgent,
    /// Exported sessions of opencode.
    OpenCode,
    /// Session files of Cline: `*.messages.json`.
    Cline,
    /// Session files of goose, as lines.
    Goose,
    /// Messages as the chat completions API takes them.
    OpenAi,
    /// Messages as the messages API of Anthropic takes them.
    Anthropic,
}

impl Format {
    /// Every format this version reads, in the order in which messages list them.
    ///
    /// Content is tried in this order, too: formats that wrap the messages of an API come
    /// before the bare messages.
    pub const ALL: &'static [Self] = &[
        Self::Events,
        Self::Dsh,
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Pi,
        Self::OpenHands,
        Self::SweAgent,
        Self::MiniSweAgent,
        Self::OpenCode,
        Self::Cline,
        Self::Goose,
        Self::OpenAi,
        Self::Anthropic,
    ];

    /// The name under which a user selects the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Dsh => "dsh",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Pi => "pi",
            Self::OpenHands => "openhands",
            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::OpenCode => "opencode",
            Self::Cline => "cline",
            Self::Goose => "goose",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// All names, separated by `, `, for messages.
    pub(crate) fn list() -> String {
        Self::ALL
            .iter()
            .map(|format| format.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{name}`; known formats: {known}", known = Format::list())]
pub struct ParseFormatError {
    name: String,
}

impl ParseFormatError {
    /// The name as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| ParseFormatError {
                name: name.to_owned(),
            })
    }
}
