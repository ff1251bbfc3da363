//! What a scenario expects, and whether it came.

use std::ops::RangeInclusive;

use loopguard::Effect;
use loopguard_cli::{Action, Decision};
use serde_json::{Map, Value};

use super::play::Played;

/// The `expect` of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// No loop: how many notices and denials there may be.
    Progress {
        /// `None`: any number.
        notices: Option<u64>,
        denials: u64,
    },
    /// A loop.
    Loop {
        /// From which call's beginning to which call's result the first notice comes.
        notice: RangeInclusive<u64>,
        /// On which call the first denial comes, where denial is right.
        deny: Option<RangeInclusive<u64>>,
        /// How many denials there may be, where that is said.
        denials: Option<u64>,
        /// By which call the halt comes.
        halt_by: Option<u64>,
    },
}

impl Expected {
    /// Reads the `expect` of a scenario. What is not understood is not judged, so it is an
    /// error.
    pub(super) fn read(expect: &Value) -> Result<Self, String> {
        let mut keys = expect.as_object().cloned().unwrap_or_default();
        let expected = match keys.remove("loop") {
            Some(Value::Bool(false)) => Self::Progress {
                notices: match keys.get("notices").and_then(Value::as_str) {
                    Some("allowed") => {
                        keys.remove("notices");
                        None
                    }
                    _ => Some(required(&mut keys, "notices")?),
                },
                denials: required(&mut keys, "denials")?,
            },
            Some(Value::Bool(true)) => Self::Loop {
                notice: required(&mut keys, "notice_not_before")?
                    ..=required(&mut keys, "notice_by")?,
                deny: match number(&mut keys, "deny_by")? {
                    Some(by) => Some(required(&mut keys, "deny_not_before")?..=by),
                    None => None,
                },
                denials: number(&mut keys, "denials")?,
                halt_by: number(&mut keys, "halt_by")?,
            },
            _ => return Err("expect: `loop` is neither true nor false".to_owned()),
        };
        match keys.keys().next() {
            Some(key) => Err(format!("expect: `{key}` is not understood")),
            None => Ok(expected),
        }
    }

    /// What is wrong with what came, a line each.
    pub(super) fn against(&self, played: &Played) -> Vec<String> {
        let mut wrong = Vec::new();
        match self {
            Self::Progress { notices, denials } => {
                let came = count(played, Action::Notice);
                if let Some(notices) = notices
                    && came > *notices
                {
                    let first = first(played, &[Action::Notice]).map(place);
                    let first = first.unwrap_or_default();
                    wrong.push(format!(
                        "{came} notices, wanted {notices}; first at {first}"
                    ));
                }
                too_many_denials(played, *denials, &mut wrong);
            }
            Self::Loop {
                notice,
                deny,
                denials,
                halt_by,
            } => {
                let any = first(played, &[Action::Notice, Action::Deny, Action::Halt]);
                let fits = any.is_some_and(|it| is_between(it, notice, played));
                say(fits, "first notice", any, notice, &mut wrong);
                if let Some(deny) = deny {
                    let first = first(played, &[Action::Deny]);
                    let fits = first.is_some_and(|it| deny.contains(&it.call_index));
                    say(fits, "first denial", first, deny, &mut wrong);
                }
                if let Some(denials) = denials {
                    too_many_denials(played, *denials, &mut wrong);
                }
                if let Some(by) = halt_by {
                    let halt = first(played, &[Action::Halt]);
                    let fits = halt.is_some_and(|it| it.call_index <= *by);
                    say(fits, "halt", halt, &(1..=*by), &mut wrong);
                }
            }
        }
        wrong
    }
}

/// What came, in words.
pub(super) fn came(played: &Played) -> String {
    let firsts = [
        ("notice", Action::Notice),
        ("denial", Action::Deny),
        ("halt", Action::Halt),
    ];
    let came = firsts.iter().filter_map(|(what, action)| {
        let first = place(first(played, &[*action])?);
        Some(format!("{} × {what} from {first}", count(played, *action)))
    });
    match came.collect::<Vec<_>>().join("; ") {
        none if none.is_empty() => "nothing".to_owned(),
        came => came,
    }
}

/// Not before the first call of the range begins, not after the result of its last. What comes
/// in a batch comes with its last message.
fn is_between(decision: &Decision, calls: &RangeInclusive<u64>, played: &Played) -> bool {
    let lines = |call: u64| {
        let at = usize::try_from(call).ok()?.checked_sub(1)?;
        played.calls.get(at).copied()
    };
    let line = decision.line.unwrap_or_default();
    let begun = lines(*calls.start()).is_some_and(|first| first.call <= line);
    // A call that is not there, or has no result, is over with the stream.
    let over = lines(*calls.end()).and_then(|last| last.result);
    begun && over.is_none_or(|over| line <= over)
}

fn first<'a>(played: &'a Played, actions: &[Action]) -> Option<&'a Decision> {
    let mut live = live(played);
    live.find(|decision| actions.contains(&decision.action))
}

fn count(played: &Played, action: Action) -> u64 {
    let decisions = live(played).filter(|decision| decision.action == action);
    decisions.map(|_| 1).sum()
}

fn live(played: &Played) -> impl Iterator<Item = &Decision> {
    let decisions = played.decisions.iter();
    decisions.filter(|decision| decision.effect == Effect::Live)
}

fn too_many_denials(played: &Played, allowed: u64, wrong: &mut Vec<String>) {
    let came = count(played, Action::Deny);
    if came > allowed
        && let Some(first) = first(played, &[Action::Deny])
    {
        let first = place(first);
        wrong.push(format!(
            "{came} denials, wanted {allowed}; first at {first}"
        ));
    }
}

fn say(
    fits: bool,
    what: &str,
    came: Option<&Decision>,
    wanted: &RangeInclusive<u64>,
    wrong: &mut Vec<String>,
) {
    if fits {
        return;
    }
    wrong.push(match came {
        Some(came) => format!("{what} at {}, wanted {wanted:?}", place(came)),
        None => format!("no {what}, wanted {wanted:?}"),
    });
}

/// Where a decision fell, and whose it was.
fn place(decision: &Decision) -> String {
    let Decision {
        call_index,
        guard,
        code,
        ..
    } = decision;
    let place = match decision.tool {
        Some(_) => "",
        None => "a message after ",
    };
    format!("{place}call {call_index} ({guard} {code})")
}

fn number(keys: &mut Map<String, Value>, key: &str) -> Result<Option<u64>, String> {
    match keys.remove(key) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("expect: `{key}` is {value}, no count")),
        },
    }
}

fn required(keys: &mut Map<String, Value>, key: &str) -> Result<u64, String> {
    number(keys, key)?.ok_or_else(|| format!("expect: `{key}` is missing"))
}
