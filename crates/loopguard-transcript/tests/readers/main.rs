//! Inputs in, events out.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod claude_code;
mod compression;
mod detection;
mod dsh;
mod events;
mod properties;
mod real;
mod robustness;
mod support;
