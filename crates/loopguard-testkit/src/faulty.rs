//! A guard with a fault.

use loopguard::core::{Call, Event, Guard, Notices, RestoreError, SavedGuard, Verdict};
use loopguard::{GuardFactory, GuardId};

/// The tool about whose calls a [`Faulty`] guard cannot decide.
pub const UNDECIDABLE: &str = "undecidable";

/// The tool whose calls a [`Faulty`] guard cannot hear of.
pub const UNHEARABLE: &str = "unhearable";

/// A guard that has nothing to say, and panics at the calls of two tools: what no guard should
/// do, and every set has to bear.
#[derive(Debug)]
pub struct Faulty(GuardId);

impl Faulty {
    /// Makes such guards, under this id.
    pub fn factory(id: &str) -> GuardFactory {
        GuardFactory::new(id, |id| Box::new(Self(id)))
    }
}

impl Guard for Faulty {
    fn id(&self) -> &GuardId {
        &self.0
    }

    fn decide(&self, call: &Call<'_>) -> Verdict {
        assert_ne!(call.tool(), UNDECIDABLE, "a fault of this guard's");
        Verdict::Admit
    }

    fn observe(&mut self, event: &Event<'_>, _notices: &mut Notices) {
        if let Event::Admitted(call) = event {
            assert_ne!(call.tool(), UNHEARABLE, "a fault of this guard's");
        }
    }

    fn save(&self) -> SavedGuard {
        SavedGuard::new(&self.0, "faulty", 1, None, &())
    }

    fn restore(&mut self, saved: &SavedGuard) -> Result<(), RestoreError> {
        saved.open("faulty", 1, None)
    }
}
