//! The README, so that its example is compiled.

#[doc = include_str!("../README.md")]
struct Readme;
