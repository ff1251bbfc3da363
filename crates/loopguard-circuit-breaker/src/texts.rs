//! What the model reads.

use loopguard_core::{Call, Facts, GuardId, Verdict};

use crate::breaker::Chain;
use crate::config::BreakerConfig;

/// The denial of a call whose circuit is open.
pub(crate) fn circuit_open(
    id: &GuardId,
    config: &BreakerConfig,
    call: &Call<'_>,
    chain: &Chain,
) -> Verdict {
    let facts = Facts::new("maxFailures", config.max_failures())
        .tool(call.tool())
        .count(chain.count)
        .calls(chain.first, chain.last);
    let reason = format!(
        "The identical {} call already failed {} consecutive times. Last failure: {}. Change the \
         arguments or approach, inspect external state, or ask the user instead of retrying \
         unchanged.",
        call.tool(),
        chain.count,
        chain.message,
    );
    Verdict::refuse(id, "circuit-open", reason, facts)
}
