//! What the tests across crates share: golden data and its runner, random lives of agents, and
//! a naive model of each guard.
//!
//! - [`oracle::run`] plays a directory of golden data through the real guards.
//! - [`scenarios::run`] plays streams that say what guards should make of them.
//! - [`corpus::measure`] plays recorded sessions and counts what guards say where.
//! - [`life`] makes up what happens to an agent; [`host`] plays it to the guards.
//! - [`rows`] configures them at random.
//! - [`damage`] changes what was saved.
//! - [`models`] says, from whole histories kept in plain lists, what each guard should say.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod damage;
#[cfg(doctest)]
mod documentation;
mod files;
pub mod host;
pub mod life;
pub mod models;
pub mod oracle;
pub mod rows;
pub mod scenarios;

use proptest::test_runner::{Config, FileFailurePersistence};

/// So many random cases; one that fails is kept in a file beside its test, to be committed.
pub fn cases(count: u32) -> Config {
    Config {
        cases: count,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    }
}
