//! What the tests across crates share: golden data and its runner, random lives of agents, and
//! a naive model of each guard.
//!
//! - [`oracle::run`] plays a directory of golden data through the real guards.
//! - [`life`] makes up what happens to an agent; [`host`] plays it to the guards.
//! - [`models`] says, from whole histories kept in plain lists, what each guard should say.
#![forbid(unsafe_code)]

pub mod host;
pub mod life;
pub mod models;
pub mod oracle;
