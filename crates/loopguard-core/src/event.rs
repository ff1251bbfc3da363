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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Facts, Output, Seed};

    #[test]
    fn an_event_knows_when_it_happened_where_the_host_told() {
        let moment = |ms| Some(Timestamp::from_millis(ms));
        let call = Call::new(Seed::FIXED, "ls", Arguments::Text("{}"));
        let call = call.at(moment(1));
        let denial = Denial {
            guard: "mine".into(),
            code: "circuit-open".to_owned(),
            reason: "no".to_owned(),
            facts: Facts::default(),
        };
        let output = Output::default();
        let outcome = Outcome::Success(&output);
        let (finished, at) = (moment(2), moment(3));
        let events = [
            (Event::Admitted(&call), moment(1)),
            (Event::Refused(&call, &denial), moment(1)),
            (
                Event::Finished {
                    call: &call,
                    outcome,
                    at: finished,
                },
                finished,
            ),
            (Event::Messages(&[], at), at),
            (Event::Compacted(at), at),
            (Event::Reset(at), at),
            (Event::Pardoned(call.identity()), None),
        ];
        for (event, at) in events {
            assert_eq!(event.at(), at, "{event:?}");
        }
    }
}
