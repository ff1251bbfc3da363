//! Refusals that a result does not say in a code of its own.
//!
//! Two records stand beside such a result. An approval that was asked for a call and rejected
//! names the call. A hook that blocked a tool before it ran names no call: the result is its
//! own if it quotes the hook's reason, or if only one call waits at all. What neither explains
//! is an error; the wording of a result alone proves nothing.

use std::collections::{HashMap, HashSet};

use crate::json::Json;
use crate::texts::Texts;

/// More blocked calls than one step issues; beyond it the oldest is forgotten.
const MAX_BLOCKS: usize = 64;

/// What was asked and refused since the step began. Approvals end with the step, too: a call
/// that waits for one keeps its step open.
#[derive(Default)]
pub(super) struct Refusals {
    /// The call that an approval was asked for.
    asked: HashMap<String, String>,
    rejected: HashSet<String>,
    /// The reasons of hooks that blocked a call; empty where the log holds none.
    blocks: Vec<String>,
}

impl Refusals {
    pub(super) fn asked(&mut self, data: Json<'_>) -> Option<()> {
        let [id, call] = data.fields(["id", "callId"]);
        // An approval may be asked for something else than a call.
        if let Some(call) = call.and_then(Json::as_str) {
            self.asked
                .insert(id?.as_str()?.into_owned(), call.into_owned());
        }
        Some(())
    }

    pub(super) fn decided(&mut self, data: Json<'_>) -> Option<()> {
        let [id, outcome] = data.fields(["id", "outcome"]);
        let call = self.asked.remove(&*id?.as_str()?);
        if matches!(outcome?.as_str()?.as_ref(), "rejected" | "denied") {
            self.rejected.extend(call);
        }
        Some(())
    }

    pub(super) fn hook(&mut self, data: Json<'_>) -> Option<()> {
        let [point, decision, reason, summary] =
            data.fields(["point", "decision", "reason", "stderrSummary"]);
        let point = point?.as_str()?;
        let decision = decision.and_then(Json::as_str).unwrap_or_default();
        if point == "PreToolUse" && matches!(&*decision, "block" | "deny") {
            let reason = reason
                .or(summary)
                .and_then(Json::as_str)
                .unwrap_or_default();
            if self.blocks.len() == MAX_BLOCKS {
                self.blocks.remove(0);
            }
            self.blocks.push(reason.trim().to_owned());
        }
        Some(())
    }

    /// Whether a failed result is the refusal of its call; each record explains one.
    pub(super) fn explain(&mut self, id: Option<&str>, texts: &Texts<'_>, waiting: u64) -> bool {
        if id.is_some_and(|id| self.rejected.remove(id)) {
            return true;
        }
        let quoted = |reason: &String| {
            !reason.is_empty() && texts.iter().any(|text| text.contains(reason.as_str()))
        };
        let block = self.blocks.iter().position(quoted);
        match block.or((waiting == 1 && !self.blocks.is_empty()).then_some(0)) {
            Some(block) => {
                self.blocks.remove(block);
                true
            }
            None => false,
        }
    }

    pub(super) fn end_step(&mut self) {
        *self = Self::default();
    }
}
