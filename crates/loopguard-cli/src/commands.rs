//! One module a command: its arguments, and what it does.

pub(crate) mod check;
pub(crate) mod replay;
