//! The same input over and over, yet never the same: a letter's case is turned in place.

use serde_json::Value;

/// What stands where an input varies. A marker in any case of its letters is a number.
pub const MARKER: &str = "abcdefghijklmnopqrst";

/// A text with a number in it that can be changed for next to nothing: in place, a letter a
/// bit, so that a benchmark need neither hold thousands of inputs nor build one per call.
#[derive(Clone, Debug)]
pub struct Varied {
    text: String,
    at: usize,
    number: u32,
}

impl Varied {
    /// A text that holds [`MARKER`] once; one that does not has the marker put before it.
    pub fn new(text: impl Into<String>) -> Self {
        let mut text = text.into();
        let at = text.find(MARKER).unwrap_or_else(|| {
            text.insert_str(0, MARKER);
            0
        });
        Self {
            text,
            at,
            number: 0,
        }
    }

    /// The text of this number, modulo 2^20.
    pub fn set(&mut self, number: u32) -> &str {
        turn(&mut self.text, self.at, &mut self.number, number);
        &self.text
    }

    /// The text of the next number.
    pub fn next_text(&mut self) -> &str {
        self.set(self.number + 1)
    }
}

/// A value that varies in the same way: in the string under the key `id` of the root object.
#[derive(Clone, Debug)]
pub struct VariedValue {
    value: Value,
    number: u32,
}

impl VariedValue {
    /// The parsed text; the marker has to be the value of the root's `id`.
    pub fn new(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).expect("an input is JSON");
        assert_eq!(value["id"], MARKER, "the marker is the root's id");
        Self { value, number: 0 }
    }

    /// The value of the next number, modulo 2^20.
    pub fn next_value(&mut self) -> &Value {
        if let Some(Value::String(text)) = self.value.get_mut("id") {
            let next = self.number + 1;
            turn(text, 0, &mut self.number, next);
        }
        &self.value
    }
}

fn turn(text: &mut str, at: usize, from: &mut u32, to: u32) {
    let to = to & ((1 << MARKER.len()) - 1);
    let mut bits = *from ^ to;
    while bits != 0 {
        let bit = bits.trailing_zeros() as usize;
        if let Some(letter) = text.get_mut(at + bit..=at + bit) {
            match to >> bit & 1 {
                1 => letter.make_ascii_uppercase(),
                _ => letter.make_ascii_lowercase(),
            }
        }
        bits &= bits - 1;
    }
    *from = to;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_numbers_have_the_same_text() {
        let mut varied = Varied::new(format!("<{MARKER}>"));
        let texts: HashSet<_> = (0..5000).map(|_| varied.next_text().to_owned()).collect();
        assert_eq!(texts.len(), 5000);
        assert_eq!(varied.set(0), format!("<{MARKER}>"));
    }
}
