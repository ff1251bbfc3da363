//! One tool call by one agent, as the guards see it.

use std::borrow::Cow;
use std::fmt;

use loopguard_canonical::{
    Arguments, Identity, Seed, canonical_preview, canonical_text, cut, utf16_len,
};
use serde::{Deserialize, Serialize};

use crate::{Redaction, Timestamp};

/// The place of a call among the calls of what a guard watches, counted from 1.
///
/// Facts name calls by it. A host that drives a guard by hand may leave it at 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct CallNumber(pub u64);

impl fmt::Display for CallNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", self.0)
    }
}

/// The model step that issued a call: calls with the same step were issued together.
///
/// Within what one guard watches, a step's id never comes again for another step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(pub u64);

/// One tool call: its small [`Identity`], computed once for all guards, and borrowed
/// tool name and arguments while they are at hand.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    tool: &'a str,
    identity: Identity,
    arguments: Option<Arguments<'a>>,
    number: CallNumber,
    at: Option<Timestamp>,
    step: Option<StepId>,
    redaction: Option<&'a Redaction>,
}

impl<'a> Call<'a> {
    /// A call of `tool` with `arguments`, its identity computed under `seed`.
    #[inline]
    pub fn new(seed: Seed, tool: &'a str, arguments: Arguments<'a>) -> Self {
        Self::with_identity(tool, Identity::of(seed, tool, arguments)).arguments(arguments)
    }

    /// A call whose identity is known already; its arguments are not at hand.
    #[inline]
    pub fn with_identity(tool: &'a str, identity: Identity) -> Self {
        Self {
            tool,
            identity,
            arguments: None,
            number: CallNumber(0),
            at: None,
            step: None,
            redaction: None,
        }
    }

    /// Puts the arguments at hand, for previews; the identity stays as it is.
    #[must_use]
    #[inline]
    pub fn arguments(mut self, arguments: Arguments<'a>) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Gives the call its place in the order of calls.
    #[must_use]
    #[inline]
    pub fn numbered(mut self, number: CallNumber) -> Self {
        self.number = number;
        self
    }

    /// Says when the call was submitted.
    #[must_use]
    #[inline]
    pub fn at(mut self, at: Option<Timestamp>) -> Self {
        self.at = at;
        self
    }

    /// Says which model step issued the call.
    #[must_use]
    #[inline]
    pub fn in_step(mut self, step: Option<StepId>) -> Self {
        self.step = step;
        self
    }

    /// Says what previews of the arguments must not quote.
    #[must_use]
    #[inline]
    pub fn redacted_by(mut self, redaction: &'a Redaction) -> Self {
        self.redaction = Some(redaction).filter(|redaction| !redaction.is_empty());
        self
    }

    /// A text about the call, such as its failure's message, without what must not be quoted.
    #[inline]
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.redaction {
            Some(redaction) => redaction.apply(text),
            None => Cow::Borrowed(text),
        }
    }

    /// The tool's name, as the model wrote it.
    #[inline]
    pub fn tool(&self) -> &'a str {
        self.tool
    }

    /// What makes this call the same call as another.
    #[inline]
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The call's place in the order of calls.
    #[inline]
    pub fn number(&self) -> CallNumber {
        self.number
    }

    /// When the call was submitted, if that is known.
    #[inline]
    pub fn submitted_at(&self) -> Option<Timestamp> {
        self.at
    }

    /// The model step that issued the call; `None`: a step of its own.
    #[inline]
    pub fn step(&self) -> Option<StepId> {
        self.step
    }

    /// The canonical text of the arguments, at most `max_units` UTF-16 units of it, then
    /// how many were left out; `None` where the arguments are not at hand.
    ///
    /// Allocates: for notices and denials only.
    pub fn preview(&self, max_units: u64) -> Option<String> {
        let arguments = self.arguments?;
        let Some(redaction) = self.redaction else {
            return Some(canonical_preview(arguments, max_units));
        };
        // Taken out of the whole text: a cut must not leave half a secret unrecognised.
        let text = canonical_text(arguments);
        let text = redaction.apply(&text);
        Some(match cut(&text, max_units) {
            Some(head) => {
                let omitted = utf16_len(&text) - utf16_len(head);
                format!("{head}… (+{omitted} more chars)")
            }
            None => text.into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_counts_what_it_leaves_out_after_the_secrets_are_gone() {
        let secrets = Redaction::new(vec![regex::Regex::new("sk-[a-z]+").unwrap()]);
        let call = Call::new(
            Seed::FIXED,
            "login",
            Arguments::Text(r#"{"key":"sk-abcdef"}"#),
        );
        assert_eq!(call.preview(3).unwrap(), "{\"k… (+16 more chars)");
        let call = call.redacted_by(&secrets).numbered(CallNumber(7));
        assert_eq!(call.preview(99).unwrap(), r#"{"key":"[redacted]"}"#);
        assert_eq!(call.preview(3).unwrap(), "{\"k… (+17 more chars)");
        assert_eq!(
            call.redacted("sk-x: no such user"),
            "[redacted]: no such user"
        );
        assert_eq!(call.number().to_string(), "#7");
        assert_eq!(
            Call::with_identity("login", call.identity()).preview(9),
            None
        );
    }
}
