//! What the model reads: short, what was seen and one other way, never the repeated payload.

use loopguard_canonical::text_preview;
use loopguard_core::{Call, Facts, GuardId, Notice, Text, Verdict};

use crate::calls::Count;
use crate::config::BrakeConfig;
use crate::duplicates::Duplicate;
use crate::sequence::Loop;

pub(crate) fn repeated_call(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    count: Count,
) -> Notice {
    let (tool, times) = (call.tool(), count.times);
    let facts = Facts::new("callWarnCount", config.call_due().count)
        .tool(tool)
        .count(u64::from(times))
        .calls(count.first(), call.number());
    let text = format!(
        "{tool} has been called {times} times with identical arguments since the last user \
         message. Work with the results you already have, or change the arguments."
    );
    Notice::new(id, "call-count", text, format!("{tool} × {times}"), facts)
}

pub(crate) fn sequence_loop(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    found: &Loop,
) -> Notice {
    let (tools, count) = (found.tools.join(" → "), found.count);
    let mut facts = Facts::new("sequenceCount", config.sequence_due().count)
        .count(count)
        .calls(found.first, call.number());
    facts.tools.clone_from(&found.tools);
    facts.period = Some(found.period);
    let text = format!(
        "The same sequence of calls, {tools}, has come {count} times with identical arguments. \
         Leave the loop: change one of its calls, or decide with what they have already returned."
    );
    Notice::new(
        id,
        "sequence-loop",
        text,
        format!("sequence loop × {count}"),
        facts,
    )
}

pub(crate) fn duplicate_text(
    id: &GuardId,
    config: &BrakeConfig,
    text: &Text<'_>,
    found: Duplicate,
) -> Notice {
    let Duplicate { count, sources } = found;
    let window_ms = config.duplicate_text_window_ms();
    let mut facts =
        Facts::new("duplicateTextThreshold", config.duplicate_text_threshold()).count(count);
    facts.window_ms = Some(window_ms);
    let text = format!(
        "The same text has come {count} times within {} s, from {}: \"{}\" Do not ask for it \
         again; work with the copy you have.",
        window_ms as f64 / 1000.0,
        sources.join(", "),
        text_preview(text.as_str()),
    );
    facts.sources = sources;
    Notice::new(
        id,
        "duplicate-text",
        text,
        format!("duplicate text × {count}"),
        facts,
    )
}

pub(crate) fn call_denied(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    count: Count,
) -> Verdict {
    let (tool, times) = (call.tool(), count.times);
    let facts = Facts::new("callDenyCount", config.call_deny_count())
        .tool(tool)
        .count(u64::from(times))
        .calls(count.first(), call.number());
    let reason = format!(
        "This exact {tool} call has already come {times} times since the last user message and \
         was not run again. Work with the results you already have, or change the arguments."
    );
    Verdict::refuse(id, "call-denied", reason, facts)
}
