//! What the model reads.

use loopguard_core::{Call, Facts, GuardId, Notice};

use crate::config::ReminderConfig;
use crate::reminder::Run;

const SHORT: &str = "You are repeating the exact same tool call with identical arguments. \
    Carefully analyze the previous result before calling again: if the task is not complete, try \
    a different approach or different arguments instead of repeating the call.";

const ADVICE: &str = "The repeated calls are not making progress. Do not call this tool with \
    these exact arguments again. Inspect the latest result and choose a different action, \
    different arguments, or finish the task if enough evidence has been gathered.";

/// The notice at the threshold of this rank: the short one at the lowest, at every later one
/// the detailed one.
pub(crate) fn notice(
    id: &GuardId,
    config: &ReminderConfig,
    rank: usize,
    call: &Call<'_>,
    run: Run,
) -> Notice {
    let facts = Facts::new("thresholds", run.count)
        .tool(call.tool())
        .count(run.count)
        .calls(run.first, call.number());
    let summary = format!("{} × {}", call.tool(), run.count);
    if rank == 0 {
        return Notice::new(id, "repeated-call", SHORT, summary, facts);
    }
    // A host that finishes a call later need not keep its arguments: then none are quoted.
    let arguments = match call.preview(config.arguments_preview_chars()) {
        Some(preview) => format!("\n- arguments: {preview}"),
        None => String::new(),
    };
    let text = format!(
        "Repeated tool call detected:\n- tool: {}\n- consecutive_calls: {}{arguments}\n{ADVICE}",
        call.tool(),
        run.count,
    );
    Notice::new(id, "repeated-call-detailed", text, summary, facts)
}
