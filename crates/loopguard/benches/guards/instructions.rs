//! The work whose instructions are counted.
//!
//! `cargo xtask instructions` runs each scenario under valgrind with two numbers of calls, so
//! that what is counted is a call once the tables are full, and nothing of what comes before.
//! Unlike a time, a count is the same on a busy machine.

use std::hint::black_box;

use loopguard_bench::{Varied, VariedValue, inputs};

use crate::agent::{Agent, Calls, Host, SHORT_RESULT, USUAL_RESULT, Work};
use crate::setups;

/// Does what is asked for: nothing but the names of the scenarios, or one of them so many times.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    match words {
        [] => names().iter().for_each(|name| println!("{name}")),
        [name, calls] => {
            let mut call = scenario(name).ok_or_else(|| format!("no scenario {name}"))?;
            let calls: u32 = calls.parse().map_err(|_| format!("{calls} is no number"))?;
            (0..calls).for_each(|_| call());
        }
        _ => return Err("usage: --instructions [SCENARIO CALLS]".to_owned()),
    }
    Ok(())
}

/// An identity alone, each guard alone, all of them: with a short result, and a usual one.
fn names() -> Vec<String> {
    let mut names = vec!["identity/raw".to_owned(), "identity/value".to_owned()];
    for values in setups::presets() {
        let alone = setups::GUARDS.map(|guard| format!("{}/{guard}/usual", values.name));
        names.extend(alone);
        names.extend(["short", "usual"].map(|result| format!("{}/all/{result}", values.name)));
    }
    names
}

/// One call of a scenario, whose tables are full already.
fn scenario(name: &str) -> Option<Box<dyn FnMut()>> {
    let text = inputs::usual().text;
    let distinct = || Calls::Distinct(Varied::new(text.as_str()));
    match name.split('/').collect::<Vec<_>>().as_slice() {
        ["identity", form] => {
            let calls = match *form {
                "raw" => distinct(),
                "value" => Calls::DistinctValue(VariedValue::new(&text)),
                _ => return None,
            };
            let mut work = Work::new(calls, SHORT_RESULT);
            Some(Box::new(move || {
                black_box(work.identity());
            }))
        }
        [preset, who, result] => {
            let mut presets = setups::presets().into_iter();
            let values = presets.find(|values| values.name == *preset)?;
            let setup = match *who {
                "all" => values.all(),
                who => values.alone(setups::GUARDS.into_iter().find(|guard| *guard == who)?),
            };
            let result = match *result {
                "short" => SHORT_RESULT,
                "usual" => USUAL_RESULT,
                _ => return None,
            };
            let mut agent = Agent::warm(Host::set(setup), Work::new(distinct(), result));
            Some(Box::new(move || agent.call()))
        }
        _ => None,
    }
}
