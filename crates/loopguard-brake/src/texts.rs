//! What the model reads: short, what was seen and one other way, never the repeated payload.

use loopguard_config::Words;
use loopguard_core::{Call, Facts, GuardId, Notice, Text, Verdict};

use crate::calls::Count;
use crate::config::BrakeConfig;
use crate::duplicates::Duplicate;
use crate::sequence::Loop;
use crate::similar::Grown;

const CALL_COUNT: &str = "call-count";
const CALL_DENIED: &str = "call-denied";
const SEQUENCE_LOOP: &str = "sequence-loop";
const SEQUENCE_DENIED: &str = "sequence-denied";
const DUPLICATE_TEXT: &str = "duplicate-text";
const SIMILAR_CALLS: &str = "similar-calls";
const SIMILAR_TEXT: &str = "similar-text";
const CHANTING: &str = "chanting";

/// The texts of this guard.
pub(crate) const WORDS: &[Words] = &[
    Words::new(
        CALL_COUNT,
        &["tool", "count"],
        "{tool} has been called {count} times with identical arguments. Work with the results \
         you already have, or change the arguments.",
    )
    .zh("{tool} 已用相同的参数调用了 {count} 次。请利用已有的结果，或修改参数。"),
    Words::new(
        CALL_DENIED,
        &["tool", "count"],
        "This exact {tool} call has already come {count} times and was not run again. Work with \
         the results you already have, or change the arguments.",
    )
    .zh("这个完全相同的 {tool} 调用已出现 {count} 次，因此没有再次执行。请利用已有的结果，或修改参数。"),
    Words::new(
        SEQUENCE_LOOP,
        &["tools", "count"],
        "The same sequence of calls, {tools}, has come {count} times with identical arguments. \
         Leave the loop: change one of its calls, or decide with what they have already returned.",
    )
    .zh("同一串调用（{tools}）已用相同的参数出现了 {count} 次。请跳出循环：改变其中一个调用，或根据已返回的结果做出决定。"),
    Words::new(
        SEQUENCE_DENIED,
        &["tool", "tools", "count"],
        "The sequence of calls {tools} has already come {count} times with identical arguments, \
         and this {tool} call would begin it again, so it was not run. Take a step that is not \
         part of the sequence, or finish with what you have.",
    )
    .zh("调用序列 {tools} 已用相同的参数出现了 {count} 次，而这个 {tool} 调用会让它重新开始，因此没有执行。请采取序列之外的步骤，或根据已有结果完成任务。"),
    Words::new(
        DUPLICATE_TEXT,
        &["count", "seconds", "sources", "preview"],
        "The same text has come {count} times within {seconds} s, from {sources}: \"{preview}\" \
         Do not ask for it again; work with the copy you have.",
    )
    .zh("同一段文本在 {seconds} 秒内出现了 {count} 次，来自 {sources}：“{preview}” 请不要再次获取，直接使用已有的内容。"),
    Words::new(
        SIMILAR_CALLS,
        &["tool", "count"],
        "{tool} has been called {count} times with almost the same arguments. Decide with what \
         these calls have returned, or try something that differs in more than wording.",
    )
    .zh("{tool} 已用几乎相同的参数调用了 {count} 次。请根据已有结果做出决定，或尝试真正不同的做法。"),
    Words::new(
        SIMILAR_TEXT,
        &["count", "preview"],
        "Almost the same text has come {count} times: \"{preview}\" Work with the copy you have.",
    )
    .zh("几乎相同的文本已出现 {count} 次：“{preview}” 请直接使用已有的内容。"),
    Words::new(
        CHANTING,
        &["count"],
        "Your message repeats the same words {count} times in a row. Stop there, and say or do \
         the next thing.",
    )
    .zh("你的消息把同样的话连续重复了 {count} 次。请停下来，说或做下一件事。"),
];

pub(crate) fn repeated_call(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    count: Count,
) -> Notice {
    let (tool, times) = (call.tool(), count.times.to_string());
    let facts = Facts::new("callWarnCount", config.of(Some(tool)).call_warn_count)
        .tool(tool)
        .count(u64::from(count.times))
        .calls(count.first(), call.number());
    let text = config
        .wording()
        .text(CALL_COUNT, &[("tool", tool), ("count", &times)]);
    Notice::new(id, CALL_COUNT, text, format!("{tool} × {times}"), facts)
}

pub(crate) fn call_denied(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    count: Count,
) -> Verdict {
    let (tool, times) = (call.tool(), count.times.to_string());
    let facts = Facts::new("callDenyCount", config.of(Some(tool)).call_deny_count)
        .tool(tool)
        .count(u64::from(count.times))
        .calls(count.first(), call.number());
    let text = config
        .wording()
        .text(CALL_DENIED, &[("tool", tool), ("count", &times)]);
    Verdict::refuse(id, CALL_DENIED, text, facts)
}

pub(crate) fn sequence_loop(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    found: &Loop,
) -> Notice {
    let (tools, count) = (found.tools.join(" → "), found.count.to_string());
    let facts = loop_facts("sequenceCount", config.sequence_due().count, call, found);
    let text = config
        .wording()
        .text(SEQUENCE_LOOP, &[("tools", &tools), ("count", &count)]);
    Notice::new(
        id,
        SEQUENCE_LOOP,
        text,
        format!("sequence loop × {count}"),
        facts,
    )
}

pub(crate) fn sequence_denied(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    found: &Loop,
) -> Verdict {
    let (tools, count) = (found.tools.join(" → "), found.count.to_string());
    let limit = config.sequence_deny_count().unwrap_or_default();
    let facts = loop_facts("sequenceDenyCount", limit, call, found).tool(call.tool());
    let values = [
        ("tool", call.tool()),
        ("tools", &*tools),
        ("count", &*count),
    ];
    Verdict::refuse(
        id,
        SEQUENCE_DENIED,
        config.wording().text(SEQUENCE_DENIED, &values),
        facts,
    )
}

fn loop_facts(rule: &str, limit: u64, call: &Call<'_>, found: &Loop) -> Facts {
    let mut facts = Facts::new(rule, limit)
        .count(found.count)
        .calls(found.first, call.number());
    facts.tools.clone_from(&found.tools);
    facts.period = Some(found.period);
    facts
}

pub(crate) fn duplicate_text(
    id: &GuardId,
    config: &BrakeConfig,
    tool: Option<&str>,
    text: &Text<'_>,
    found: Duplicate,
) -> Notice {
    let Duplicate { count, sources } = found;
    let values = config.of(tool);
    let window_ms = values.duplicate_text_window_ms;
    let mut facts =
        Facts::new("duplicateTextThreshold", values.duplicate_text_threshold).count(count);
    facts.window_ms = Some(window_ms);
    let (count, seconds) = (count.to_string(), (window_ms as f64 / 1000.0).to_string());
    let (named, preview) = (sources.join(", "), text.preview());
    let values = [
        ("count", &*count),
        ("seconds", &*seconds),
        ("sources", &*named),
        ("preview", &*preview),
    ];
    facts.sources = sources;
    let text = config.wording().text(DUPLICATE_TEXT, &values);
    Notice::new(
        id,
        DUPLICATE_TEXT,
        text,
        format!("duplicate text × {count}"),
        facts,
    )
}

pub(crate) fn similar_calls(
    id: &GuardId,
    config: &BrakeConfig,
    call: &Call<'_>,
    found: Grown,
) -> Notice {
    let (tool, count) = (call.tool(), found.count.to_string());
    let facts = Facts::new("similarCalls", config.of(Some(tool)).call_warn_count)
        .tool(tool)
        .count(found.count)
        .calls(found.first, call.number());
    let text = config
        .wording()
        .text(SIMILAR_CALLS, &[("tool", tool), ("count", &count)]);
    Notice::new(
        id,
        SIMILAR_CALLS,
        text,
        format!("similar {tool} × {count}"),
        facts,
    )
}

pub(crate) fn similar_text(
    id: &GuardId,
    config: &BrakeConfig,
    text: &Text<'_>,
    (limit, found): (u64, Grown),
) -> Notice {
    let facts = Facts::new("similarText", limit).count(found.count);
    let (count, preview) = (found.count.to_string(), text.preview());
    let values = [("count", &*count), ("preview", &*preview)];
    let text = config.wording().text(SIMILAR_TEXT, &values);
    Notice::new(
        id,
        SIMILAR_TEXT,
        text,
        format!("similar text × {count}"),
        facts,
    )
}

pub(crate) fn chanting(id: &GuardId, config: &BrakeConfig, times: u64) -> Notice {
    let facts = Facts::new("assistantText", times).count(times);
    let count = times.to_string();
    let text = config.wording().text(CHANTING, &[("count", &count)]);
    Notice::new(id, CHANTING, text, format!("chanting × {count}"), facts)
}
