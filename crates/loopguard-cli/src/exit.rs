//! Exit codes.

use std::process::ExitCode;

/// How the program ends.
///
/// | code | constant | when |
/// | --- | --- | --- |
/// | 0 | [`Exit::FINE`] | everything was read and written |
/// | 1 | [`Exit::UNREADABLE`] | something could not be read or written; the rest was done |
/// | 2 | [`Exit::WRONG_USE`] | wrong use or configuration; nothing was done |
/// | 3 | [`Exit::FAIL_ON`] | the guards decided what `--fail-on` names; 1 and 2 win over it |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(u8);

impl Exit {
    /// Everything was read and written. A reader that closes the pipe early is fine, too.
    pub const FINE: Self = Self(0);
    /// Something could not be read or written.
    pub const UNREADABLE: Self = Self(1);
    /// Wrong use or configuration.
    pub const WRONG_USE: Self = Self(2);
    /// The guards decided what `--fail-on` names.
    pub const FAIL_ON: Self = Self(3);

    /// The code as the system has it.
    pub const fn code(self) -> u8 {
        self.0
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}
