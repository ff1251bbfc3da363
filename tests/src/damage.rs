//! Saved state that something has happened to.

use serde_json::{Value, json};

/// Changes one thing somewhere in a value: mostly into another of its kind, as what is of
/// another kind is refused at once.
pub fn damage(value: &mut Value, Damage { place, with, wild }: Damage) {
    let at = place % count(value);
    let value = find(value, at);
    let numbers = [
        json!(0),
        json!(1),
        json!(7),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(-1),
    ];
    let texts = [
        json!(""),
        json!("read"),
        json!("f".repeat(32)),
        json!("0".repeat(32)),
    ];
    let others = [
        json!(null),
        json!([]),
        json!({}),
        json!(true),
        json!(1.5),
        json!([null]),
    ];
    let pick = |of: &[Value]| of[with % of.len()].clone();
    match value {
        _ if wild => *value = pick(&[&numbers[..], &texts, &others].concat()),
        Value::Number(_) => *value = pick(&numbers),
        Value::String(_) => *value = pick(&texts),
        Value::Null => *value = pick(&numbers),
        Value::Array(items) => match with % 4 {
            0 => items.clear(),
            1 => items.reverse(),
            2 => items.truncate(items.len() / 2),
            // Far too long, of what it holds anyway.
            _ => {
                let endless = items.iter().cycle().cloned();
                *items = endless.take(items.len().min(1) * 3000).collect();
            }
        },
        other => *other = pick(&others),
    }
}

/// Where to damage a value, and what with.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// Which of the values inside, counted round them.
    pub place: usize,
    /// Which of the values that may stand there instead, counted round them.
    pub with: usize,
    /// Whether it may be of any kind.
    pub wild: bool,
}

/// How many values there are in a value, itself included.
fn count(value: &Value) -> usize {
    let inside: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(entries) => entries.values().map(count).sum(),
        _ => 0,
    };
    1 + inside
}

/// The value at this place among all that are in a value.
fn find(value: &mut Value, at: usize) -> &mut Value {
    if at == 0 {
        return value;
    }
    let mut left = at - 1;
    let inside: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(entries) => entries.values_mut().collect(),
        _ => Vec::new(),
    };
    for value in inside {
        let size = count(value);
        if left < size {
            return find(value, left);
        }
        left -= size;
    }
    unreachable!("a place lies inside");
}
