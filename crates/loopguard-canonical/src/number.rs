//! One normal form for the many spellings of a number, and the spelling that is quoted.

use std::fmt::{self, Display, Write};

use serde_json::Number;

use crate::decimal::{self, Literal, Meaning};
use crate::hash::{Hash128, Hasher};

/// Whether `serde_json` keeps the digits of a number as text, that is whether somebody in
/// the build switched `arbitrary_precision` on. Only then does a number own memory.
pub(crate) const KEEPS_DIGITS: bool = std::mem::needs_drop::<Number>();

/// The hash of a number literal.
#[inline]
pub(crate) fn hash_literal(hasher: Hasher, text: &[u8]) -> Hash128 {
    // Nearly every number is a short integer.
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        _ => (false, text),
    };
    let integer = digits.iter().all(u8::is_ascii_digit);
    if integer && digits.len() <= 19 {
        let magnitude = digits
            .iter()
            .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        return hash_integer(hasher, negative, magnitude);
    }
    if let Some(double) = short_double(digits) {
        return hash_double(hasher, if negative { -double } else { double });
    }
    if !integer && let Some(double) = decimal::plain_double(text) {
        return hash_double(hasher, double);
    }
    match decimal::meaning(&Literal::new(text)) {
        Meaning::Double(double) => hash_double(hasher, double),
        Meaning::Exact {
            negative,
            digits,
            exponent,
        } => {
            let (lowest, higher) = exponent.words();
            let mut hash = if let Some(digits) = digits.to_u64() {
                hasher.number(negative, digits, lowest)
            } else {
                // Only digits that fit no word are followed by words of digits.
                let start = hasher.number(negative, digits.len() as u64, lowest);
                digits
                    .words()
                    .fold(start, |hash, word| hasher.more(hash, word))
            };
            for word in higher {
                hash = hasher.more(hash, word);
            }
            hash
        }
    }
}

/// The hash of a parsed number, and whether its digits are all there.
#[inline]
pub(crate) fn hash_parsed(hasher: Hasher, number: &Number) -> (Hash128, bool) {
    if !KEEPS_DIGITS && let Some(magnitude) = number.as_u64() {
        (hash_integer(hasher, false, magnitude), true)
    } else if !KEEPS_DIGITS && let Some(integer) = number.as_i64() {
        let hash = hash_integer(hasher, integer < 0, integer.unsigned_abs());
        (hash, true)
    } else if !KEEPS_DIGITS && let Some(double) = number.as_f64() {
        (hash_double(hasher, double), !may_have_been_integer(double))
    } else {
        (hash_displayed(hasher, number), true)
    }
}

/// Puts out the canonical spelling of a number literal.
pub(crate) fn write_literal(text: &[u8], out: &mut impl FnMut(&[u8])) {
    let literal = Literal::new(text);
    if literal.is_integer() {
        // An integer keeps its digits; minus zero has no sign in JavaScript.
        out(if text == b"-0" { b"0" } else { text });
        return;
    }
    match decimal::meaning(&literal) {
        Meaning::Double(double) => write_double(double, out),
        Meaning::Exact { .. } => out(text),
    }
}

/// Puts out the canonical spelling of a parsed number.
pub(crate) fn write_parsed(number: &Number, out: &mut impl FnMut(&[u8])) {
    match number.as_f64() {
        Some(double) if !KEEPS_DIGITS && number.is_f64() => write_double(double, out),
        _ => {
            let mut short = Short::default();
            if write!(short, "{number}").is_ok() {
                write_literal(short.as_str().as_bytes(), out);
            } else {
                write_literal(number.to_string().as_bytes(), out);
            }
        }
    }
}

/// Whether a parser may have made this double of an integer literal that fits no word.
///
/// Such a literal is at least 2^64, or below -2^63, whose neighbours round to -2^63.
fn may_have_been_integer(double: f64) -> bool {
    const ABOVE_U64: f64 = 18_446_744_073_709_551_616.0;
    const I64_MIN: f64 = -9_223_372_036_854_775_808.0;
    double >= ABOVE_U64 || double <= I64_MIN
}

#[inline(always)]
fn hash_integer(hasher: Hasher, negative: bool, mut magnitude: u64) -> Hash128 {
    let mut exponent = 0;
    if magnitude == 0 {
        return hasher.number(false, 0, 0);
    }
    while magnitude.is_multiple_of(10) {
        magnitude /= 10;
        exponent += 1;
    }
    hasher.number(negative, magnitude, exponent)
}

#[inline]
fn hash_double(hasher: Hasher, double: f64) -> Hash128 {
    let magnitude = double.abs();
    if magnitude >= 9_007_199_254_740_992.0 {
        // From 2^53 on every double is an integer, and not all its digits are spelled.
        let (digits, exponent) = decimal::shortest(double);
        return hasher.number(double < 0.0, digits, exponent);
    }
    let integer = magnitude as u64;
    if integer as f64 == magnitude {
        hash_integer(hasher, double < 0.0, integer)
    } else {
        // No integer is spelled like it, so its bits are as good as its digits.
        hasher.fraction(double.to_bits())
    }
}

/// The double that an unsigned literal with a fraction or exponent stands for, where it can
/// be had without rounding twice: both digits and power of ten are doubles themselves.
#[inline]
fn short_double(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    if text.len() > 17 {
        return None;
    }
    let (mut digits, mut places, mut fraction) = (0_u64, 0, false);
    for &byte in text {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                places += usize::from(fraction);
            }
            b'.' => fraction = true,
            _ => return None,
        }
    }
    // Sixteen digits after the point's place can exceed 2^53.
    (digits < 1 << 53 && fraction).then(|| digits as f64 / POWERS[places])
}

/// Prints a finite double as ECMAScript prints it.
fn write_double(double: f64, out: &mut impl FnMut(&[u8])) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(double).as_bytes();
    // Nearly all that is spelled without an exponent here is spelled so there.
    if !text.contains(&b'e') && (1e-6..1e21).contains(&double.abs()) {
        out(text.strip_suffix(b".0").unwrap_or(text));
        return;
    }
    let (digits, exponent) = decimal::shortest(double);
    let mut text = Short::default();
    // Nothing fails here: 17 digits, 21 places and an exponent of three digits fit.
    let _ = write_ecmascript(&mut text, double < 0.0 && digits > 0, digits, exponent);
    out(&text.bytes[..text.len]);
}

/// Prints `digits * 10^exponent` as ECMAScript prints a number.
fn write_ecmascript(out: &mut Short, negative: bool, digits: u64, exponent: i64) -> fmt::Result {
    let mut all = Short::default();
    write!(all, "{digits}")?;
    let all = all.as_str();
    let count = all.len() as i64;
    let point = count + exponent;
    if negative {
        out.write_char('-')?;
    }
    if (count..=21).contains(&point) {
        out.write_str(all)?;
        (count..point).try_for_each(|_| out.write_char('0'))
    } else if (1..=21).contains(&point) {
        let (whole, fraction) = all.split_at(point as usize);
        write!(out, "{whole}.{fraction}")
    } else if (-5..=0).contains(&point) {
        out.write_str("0.")?;
        (point..0).try_for_each(|_| out.write_char('0'))?;
        out.write_str(all)
    } else {
        let (first, rest) = all.split_at(1);
        out.write_str(first)?;
        if !rest.is_empty() {
            write!(out, ".{rest}")?;
        }
        write!(out, "e{:+}", point - 1)
    }
}

/// A short text on the stack.
struct Short {
    bytes: [u8; 48],
    len: usize,
}

impl Default for Short {
    fn default() -> Self {
        Self {
            bytes: [0; 48],
            len: 0,
        }
    }
}

impl Short {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes
            .get_mut(self.len..end)
            .ok_or(fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// The hash of a parsed number by its text, without allocating.
///
/// A number that keeps its digits is displayed in one piece, however long it is. Should
/// that ever change, an allocation puts the pieces together.
fn hash_displayed(hasher: Hasher, number: &impl Display) -> Hash128 {
    struct Pieces {
        hasher: Hasher,
        first: Option<Hash128>,
    }

    impl Write for Pieces {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.first.is_some() {
                return Err(fmt::Error);
            }
            self.first = Some(hash_literal(self.hasher, text.as_bytes()));
            Ok(())
        }
    }

    let mut pieces = Pieces {
        hasher,
        first: None,
    };
    match (write!(pieces, "{number}"), pieces.first) {
        (Ok(()), Some(hash)) => hash,
        _ => hash_literal(hasher, number.to_string().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn a_number_that_is_displayed_in_pieces_is_the_same_number() {
        let hasher = Hasher::new(Seed::new(7));
        for text in ["-123456789012345678901.50", "1e400", "7"] {
            let whole = hash_literal(hasher, text.as_bytes());
            assert_eq!(hash_displayed(hasher, &text), whole);
            let (first, rest) = text.split_at(text.len() / 2);
            assert_eq!(
                hash_displayed(hasher, &format_args!("{first}{rest}")),
                whole
            );
        }
    }

    #[test]
    fn digits_are_printed_as_ecmascript_prints_them_wherever_the_point_is() {
        let printed = |negative, digits, exponent| {
            let mut text = Short::default();
            write_ecmascript(&mut text, negative, digits, exponent).expect("it is short");
            text.as_str().to_owned()
        };
        assert_eq!(printed(true, 12345, -3), "-12.345");
        assert_eq!(printed(false, 12345, 16), "123450000000000000000");
        assert_eq!(printed(false, 12345, 17), "1.2345e+21");
        assert_eq!(printed(false, 12345, -10), "0.0000012345");
        assert_eq!(printed(false, 12345, -11), "1.2345e-7");
    }
}
