//! What the model reads.

use loopguard_config::Words;
use loopguard_core::{Call, Facts, GuardId, Notice, Verdict};

use crate::chain::{Chain, Failure, kept_message};
use crate::config::BreakerConfig;
use crate::similar::Similar;

const OPEN: &str = "circuit-open";
const SIMILAR: &str = "similar-failures";
const INFERRED: &str = "inferred-failures";

const PLACEHOLDERS: &[&str] = &["tool", "count", "message"];

/// The texts of this guard. That of the original has no other language.
pub(crate) const WORDS: &[Words] = &[
    Words::new(
        OPEN,
        PLACEHOLDERS,
        "The identical {tool} call already failed {count} consecutive times. Last failure: \
         {message}. Change the arguments or approach, inspect external state, or ask the user \
         instead of retrying unchanged.",
    ),
    Words::new(
        SIMILAR,
        PLACEHOLDERS,
        "The last {count} failing calls all ended with the same failure, whatever their \
         arguments: {message}. Other words will not help: remove the cause, use another tool, or \
         ask the user.",
    )
    .zh(
        "最近 {count} 次失败的调用无论参数如何都以同样的错误结束：{message}。换一种说法没有用：\
         请先消除原因、改用其他工具，或询问用户。",
    ),
    Words::new(
        INFERRED,
        PLACEHOLDERS,
        "The identical {tool} call has ended {count} times in a row with what looks like a \
         failure: {message}. Change the arguments or approach before you call it again.",
    )
    .zh(
        "完全相同的 {tool} 调用已连续 {count} 次以疑似失败告终：{message}。再次调用之前请修改\
         参数或换一种做法。",
    ),
];

/// The denial of a call whose circuit is open.
pub(crate) fn circuit_open(
    id: &GuardId,
    config: &BreakerConfig,
    call: &Call<'_>,
    chain: &Chain,
) -> Verdict {
    let limit = config.of(call.tool()).max_failures;
    let facts = facts_of(Facts::new("maxFailures", limit), call, chain);
    let count = chain.count.to_string();
    let values = [
        ("tool", call.tool()),
        ("count", &*count),
        ("message", &*chain.message),
    ];
    Verdict::refuse(id, OPEN, config.wording().text(OPEN, &values), facts)
}

/// The notice that a call fails, though the host does not say so.
pub(crate) fn inferred_failures(
    id: &GuardId,
    config: &BreakerConfig,
    call: &Call<'_>,
    chain: &Chain,
) -> Notice {
    let limit = config.of(call.tool()).max_failures;
    let facts = facts_of(Facts::new("failurePatterns", limit), call, chain);
    let count = chain.count.to_string();
    let values = [
        ("tool", call.tool()),
        ("count", &*count),
        ("message", &*chain.message),
    ];
    let text = config.wording().text(INFERRED, &values);
    Notice::new(
        id,
        INFERRED,
        text,
        format!("{} failed × {count}", call.tool()),
        facts,
    )
}

/// The notice that everything that is tried fails alike.
pub(crate) fn similar_failures(
    id: &GuardId,
    config: &BreakerConfig,
    failure: &Failure<'_>,
    similar: &Similar,
) -> Notice {
    let (call, values) = (failure.call, config.of(failure.call.tool()));
    let limit = values.max_similar_failures.unwrap_or_default();
    let facts = Facts::new("maxSimilarFailures", limit)
        .tool(call.tool())
        .count(similar.count)
        .calls(similar.first, call.number());
    let count = similar.count.to_string();
    let message = kept_message(failure, values.error_preview_chars);
    let values = [
        ("tool", call.tool()),
        ("count", &*count),
        ("message", &*message),
    ];
    let text = config.wording().text(SIMILAR, &values);
    Notice::new(
        id,
        SIMILAR,
        text,
        format!("similar failures × {count}"),
        facts,
    )
}

fn facts_of(facts: Facts, call: &Call<'_>, chain: &Chain) -> Facts {
    facts
        .tool(call.tool())
        .count(chain.count)
        .calls(chain.first, chain.last)
}
