//! The code of the documentation, compiled and run as doctests of this package.

/// The front page.
#[doc = include_str!("../../README.md")]
struct Readme;

/// How a host calls the guards.
#[doc = include_str!("../../docs/hosts.md")]
struct Hosts;
