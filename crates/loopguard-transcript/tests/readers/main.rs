//! Inputs in, events out.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod agreement;
mod anthropic;
mod claude_code;
mod cline;
mod codex;
mod compression;
mod detection;
mod documents;
mod dsh;
mod events;
mod gemini;
mod goose;
mod mini_swe_agent;
mod openai;
mod opencode;
mod openhands;
mod pi;
mod properties;
mod real;
mod recorded;
mod robustness;
mod support;
mod swe_agent;
