//! What the brake says to one trace after another.

mod agent;
mod assistant;
mod beyond;
mod bounds;
mod calls;
mod cycles;
mod deny;
mod results;
mod sequences;
mod similar;
mod texts;

use agent::Agent;
use loopguard_brake::core::Notice;
use serde_json::Value;

/// Checks what is said to a trace: `place summary names`, joined by commas.
#[track_caller]
fn check(config: &Value, trace: &str, expect: &str) {
    assert_eq!(Agent::new(config).play(trace), expect, "{trace}");
}

/// The last notice of a trace.
fn last_notice(config: &Value, trace: &str) -> Notice {
    let mut agent = Agent::new(config);
    let heard = trace
        .split_whitespace()
        .flat_map(|token| agent.token(token).notices);
    heard.last().expect("a notice")
}
