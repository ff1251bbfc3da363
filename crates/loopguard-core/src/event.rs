//! What guards are told.

use crate::{Call, Denial, Identity, Message, Outcome, Timestamp};

/// One thing that happened to the agent that a guard watches.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Every guard admitted the call; it is about to run.
    Admitted(&'a Call<'a>),
    /// A guard refused the call: it is over, the tool never runs. The denial is the one whose
    /// reason the model reads, whichever guard it came from.
    Refused(&'a Call<'a>, &'a Denial),
    /// An admitted call ended. Comes at most once per call.
    Finished {
        /// The call, its arguments where they are still at hand.
        call: &'a Call<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
        /// When it ended.
        at: Option<Timestamp>,
    },
    /// A batch of messages, as the host hands it to the agent's next step.
    Messages(&'a [Message<'a>], Option<Timestamp>),
    /// The history was compacted: changes nothing in any guard.
    Compacted(Option<Timestamp>),
    /// The host cleared the conversation: as if a human message had come.
    Reset(Option<Timestamp>),
    /// Forget what is held against one identity: the user allows it again.
    Pardoned(Identity),
}

impl Event<'_> {
    /// When it happened, if that is known.
    #[inline]
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Event::Admitted(call) | Event::Refused(call, _) => call.submitted_at(),
            Event::Finished { at, .. }
            | Event::Messages(_, at)
            | Event::Compacted(at)
            | Event::Reset(at) => *at,
            Event::Pardoned(_) => None,
        }
    }

    /// Whether this resets the agent in every guard: a batch that holds a human message (the
    /// rest of the batch is then not looked at), or a cleared conversation.
    #[inline]
    pub fn starts_over(&self) -> bool {
        match self {
            Event::Messages(messages, _) => messages.iter().any(Message::is_human),
            Event::Reset(_) => true,
            _ => false,
        }
    }

    /// The call that has just ended, whatever its outcome: refused, or finished.
    ///
    /// Guards that count calls count these; a model that hammers a denied call is the
    /// loop worth breaking.
    #[inline]
    pub fn ended_call(&self) -> Option<&Call<'_>> {
        match self {
            Event::Refused(call, _) | Event::Finished { call, .. } => Some(call),
            _ => None,
        }
    }
}
