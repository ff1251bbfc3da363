//! Configurations as their authors write them: what is accepted, and what is said otherwise.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod acceptance;
mod errors;
mod properties;
mod reading;
mod schema;
mod tables;
