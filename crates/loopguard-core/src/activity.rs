//! When an agent was last active, and whether it has paused since.

use serde::{Deserialize, Serialize};

use crate::{Call, Event, Source, Timestamp, elapsed_ms};

/// The agent's last own event: a call submitted or ended, or a message of its own.
///
/// A pause lies between that and the next call. What others inject meanwhile ends no pause
/// (a scheduler's tick comes at its end), and a slow tool is none: its result is an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Activity {
    last: Option<Timestamp>,
}

impl Activity {
    /// Whether a call submitted at `at` comes after a pause longer than `gap` milliseconds;
    /// never where no gap is configured, or a time is unknown.
    #[inline]
    pub fn has_paused(&self, at: Option<Timestamp>, gap_ms: Option<u64>) -> bool {
        gap_ms.is_some_and(|gap| elapsed_ms(self.last, at) > gap)
    }

    /// Follows what happens: whether this is a call after a pause longer than `gap_ms` gives
    /// for it, so that counting starts anew.
    #[inline]
    pub fn follow(
        &mut self,
        event: &Event<'_>,
        gap_ms: impl FnOnce(&Call<'_>) -> Option<u64>,
    ) -> bool {
        match event {
            Event::Admitted(call) | Event::Refused(call, _) => {
                let at = call.submitted_at();
                let has_paused = self.has_paused(at, gap_ms(call));
                self.last = at.or(self.last);
                return has_paused;
            }
            Event::Finished { at, .. } => self.last = at.or(self.last),
            Event::Messages(messages, at) => {
                let mut messages = messages.iter();
                if messages.any(|message| message.source == Source::Assistant) {
                    self.last = at.or(self.last);
                }
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Message, Outcome, Output, Seed};

    fn at(ms: i64) -> Option<Timestamp> {
        Some(Timestamp::from_millis(ms))
    }

    fn follow(activity: &mut Activity, event: &Event<'_>) {
        assert!(!activity.follow(event, |_| None));
    }

    #[test]
    fn a_pause_is_longer_than_the_gap_and_ends_with_a_call() {
        let mut activity = Activity::default();
        assert!(!activity.has_paused(at(9_000), Some(1_000)));
        let call = Call::new(Seed::FIXED, "t", Arguments::Text("")).at(at(10_000));
        follow(&mut activity, &Event::Admitted(&call));
        assert!(!activity.has_paused(at(11_000), Some(1_000)));
        assert!(activity.has_paused(at(11_001), Some(1_000)));
        assert!(!activity.has_paused(at(11_001), None));
        assert!(!activity.has_paused(None, Some(1_000)));
    }

    #[test]
    fn a_slow_tool_is_no_pause_and_an_injected_message_ends_none() {
        let mut activity = Activity::default();
        let call = Call::new(Seed::FIXED, "t", Arguments::Text("")).at(at(0));
        follow(&mut activity, &Event::Admitted(&call));
        let outcome = Outcome::Success(&Output::default());
        follow(
            &mut activity,
            &Event::Finished {
                call: &call,
                outcome,
                at: at(60_000),
            },
        );
        assert!(!activity.has_paused(at(60_500), Some(1_000)));
        let tick = |source| Message::new(source, &[]);
        follow(
            &mut activity,
            &Event::Messages(&[tick(Source::Other("system"))], at(90_000)),
        );
        assert!(activity.has_paused(at(90_100), Some(1_000)));
        follow(
            &mut activity,
            &Event::Messages(&[tick(Source::Assistant)], at(90_000)),
        );
        assert!(!activity.has_paused(at(90_100), Some(1_000)));
    }
}
