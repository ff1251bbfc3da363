//! What the model reads.

use loopguard_config::Words;
use loopguard_core::{Call, Facts, GuardId, Notice, Verdict};

use crate::config::{ReminderConfig, Values};
use crate::run::Run;

const SHORT: &str = "repeated-call";
const DETAILED: &str = "repeated-call-detailed";
const DENIED: &str = "repeated-call-denied";

const PLACEHOLDERS: &[&str] = &["tool", "count", "arguments"];

/// The texts of this guard. Those of the original have no other language.
pub(crate) const WORDS: &[Words] = &[
    Words::new(
        SHORT,
        PLACEHOLDERS,
        "You are repeating the exact same tool call with identical arguments. Carefully analyze \
         the previous result before calling again: if the task is not complete, try a different \
         approach or different arguments instead of repeating the call.",
    ),
    Words::new(
        DETAILED,
        PLACEHOLDERS,
        "Repeated tool call detected:\n- tool: {tool}\n- consecutive_calls: {count}\n- arguments: \
         {arguments}\nThe repeated calls are not making progress. Do not call this tool with \
         these exact arguments again. Inspect the latest result and choose a different action, \
         different arguments, or finish the task if enough evidence has been gathered.",
    ),
    Words::new(
        DENIED,
        &["tool", "count"],
        "The identical {tool} call has come {count} times in a row and was not run again: it \
         would bring nothing new. Change the arguments, take another way, or finish with what \
         you have.",
    )
    .zh(
        "完全相同的 {tool} 调用已连续出现 {count} 次，因此没有再次执行：它不会带来新的信息。\
         请修改参数、换一种做法，或根据已有结果完成任务。",
    ),
];

/// What the detailed text says of the arguments, where they are not at hand.
const NO_ARGUMENTS: &str = "\n- arguments: \n";

/// The notice at the threshold of this rank: the short one at the lowest, at every later one
/// the detailed one.
pub(crate) fn notice(
    id: &GuardId,
    config: &ReminderConfig,
    rank: usize,
    call: &Call<'_>,
    run: &Run,
) -> Notice {
    let (tool, values) = (call.tool(), config.of(call.tool()));
    let limit = values.thresholds.get(rank).copied().unwrap_or(run.count);
    let facts = Facts::new("thresholds", limit)
        .tool(tool)
        .count(run.count)
        .calls(run.first, call.number());
    let code = if rank == 0 { SHORT } else { DETAILED };
    let wording = config.wording();
    let quotes = rank > 0 || wording.has_own(code);
    let preview = quotes
        .then(|| call.preview(values.arguments_preview_chars))
        .flatten();
    let count = run.count.to_string();
    let arguments = preview.as_deref().unwrap_or_default();
    let values = [("tool", tool), ("count", &*count), ("arguments", arguments)];
    let mut text = wording.text(code, &values);
    if preview.is_none() && code == DETAILED && !wording.has_own(code) {
        // A host that finishes a call later need not keep its arguments: then none are quoted.
        text = text.replacen(NO_ARGUMENTS, "\n", 1);
    }
    Notice::new(id, code, text, format!("{tool} × {count}"), facts)
}

/// The denial of a call whose run is long enough.
pub(crate) fn denial(
    id: &GuardId,
    config: &ReminderConfig,
    values: &Values,
    call: &Call<'_>,
    run: &Run,
) -> Verdict {
    let facts = Facts::new("denyAt", values.deny_at.unwrap_or_default())
        .tool(call.tool())
        .count(run.count)
        .calls(run.first, call.number());
    let count = run.count.to_string();
    let text = config
        .wording()
        .text(DENIED, &[("tool", call.tool()), ("count", &count)]);
    Verdict::refuse(id, DENIED, text, facts)
}
