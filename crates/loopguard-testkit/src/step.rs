//! One step of a scripted model: a text, and the calls that it issues together.

use crate::call::ScriptedCall;

/// What a scripted model does in one step.
#[derive(Clone, Debug, Default)]
pub struct Step {
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<ScriptedCall>,
    pub(crate) schedule: Schedule,
}

/// In which order the calls of a step run.
#[derive(Clone, Debug, Default)]
pub(crate) enum Schedule {
    /// Each ends before the next is submitted, as exclusive tools run.
    #[default]
    OneByOne,
    /// All are submitted before the first ends; they end in this order.
    Parallel(Vec<usize>),
}

impl Step {
    /// Calls that run one after another.
    pub fn of(calls: impl IntoIterator<Item = ScriptedCall>) -> Self {
        Self {
            calls: calls.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Calls that are all submitted before the first of them ends; they end in their order.
    pub fn parallel(calls: impl IntoIterator<Item = ScriptedCall>) -> Self {
        let mut step = Self::of(calls);
        step.schedule = Schedule::Parallel((0..step.calls.len()).collect());
        step
    }

    /// A step that only says something.
    pub fn text(text: &str) -> Self {
        Self::default().saying(text)
    }

    /// What the model says before its calls.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        self.text = Some(text.to_owned());
        self
    }

    /// The order in which parallel calls end, by their places from 0.
    ///
    /// # Panics
    ///
    /// Unless every call of the step is named once.
    #[must_use]
    pub fn ending_in_order(mut self, order: impl IntoIterator<Item = usize>) -> Self {
        let order: Vec<_> = order.into_iter().collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(
            sorted.iter().copied().eq(0..self.calls.len()),
            "an order names every call of its step once"
        );
        self.schedule = Schedule::Parallel(order);
        self
    }
}

impl From<ScriptedCall> for Step {
    fn from(call: ScriptedCall) -> Self {
        Self::of([call])
    }
}

impl<const N: usize> From<[ScriptedCall; N]> for Step {
    fn from(calls: [ScriptedCall; N]) -> Self {
        Self::of(calls)
    }
}

impl From<Vec<ScriptedCall>> for Step {
    fn from(calls: Vec<ScriptedCall>) -> Self {
        Self::of(calls)
    }
}
