//! Decimal numbers of any length: sign, digits without outer zeros, exponent.

/// A JSON number literal, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'a> {
    text: &'a [u8],
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    /// The exponent's sign (negative or not) and digits, if it was written.
    exponent: Option<(bool, &'a [u8])>,
    has_fraction: bool,
}

/// What a number literal stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'a> {
    /// The nearest double, which is finite.
    Double(f64),
    /// All its digits: an integer, or what lies beyond every double.
    Exact {
        negative: bool,
        digits: Digits<'a>,
        exponent: Exponent<'a>,
    },
}

/// Digits that begin and end with another digit than zero, in two pieces around the point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits<'a> {
    whole: &'a [u8],
    fraction: &'a [u8],
}

/// A decimal exponent of any length: `written + shift`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exponent<'a> {
    /// Digits of a positive number without leading zeros.
    written: &'a [u8],
    shift: i64,
}

/// Digits to a word of a long number: the most whose power of ten fits twice into an i64.
const WORD_DIGITS: usize = 18;
const WORD: i64 = 1_000_000_000_000_000_000;

/// A double has at most 767 significant digits; what comes after can only break a tie.
const DECISIVE_DIGITS: usize = 800;

/// What a literal stands for: an integer for all its digits, anything else for the nearest
/// double, or for all its digits again where it is beyond the range of doubles.
pub(crate) fn meaning<'a>(literal: &Literal<'a>) -> Meaning<'a> {
    let Some((digits, shift)) = literal.digits() else {
        return Meaning::Double(0.0);
    };
    let (exponent_negative, written) = literal.exponent.unwrap_or((false, b""));
    let exponent = Exponent { written, shift };
    let exact = Meaning::Exact {
        negative: literal.negative,
        digits,
        exponent,
    };
    if literal.is_integer() {
        return exact;
    }
    if written.len() > WORD_DIGITS {
        // No text is long enough for its digits to outweigh such an exponent.
        return if exponent_negative {
            Meaning::Double(0.0)
        } else {
            exact
        };
    }
    let written = to_u64(written) as i64;
    let exponent = if exponent_negative {
        shift - written
    } else {
        shift + written
    };
    let magnitude = exponent + digits.len() as i64;
    if magnitude < -330 {
        return Meaning::Double(0.0);
    }
    if magnitude > 310 {
        return exact;
    }
    let double = nearest_double(literal, &digits, exponent);
    if double.is_infinite() {
        exact
    } else {
        Meaning::Double(double)
    }
}

/// The nearest double of a literal with a fraction or exponent, unless that takes more care
/// than the standard parser's.
pub(crate) fn plain_double(text: &[u8]) -> Option<f64> {
    if text.len() > 40 {
        return None;
    }
    let double: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    // So short a text has no zeros to outweigh its exponent: a double is right if it is one.
    double.is_finite().then_some(double)
}

/// The digits of a finite double's shortest spelling, and the power of ten of the last one.
pub(crate) fn shortest(double: f64) -> (u64, i64) {
    let mut buffer = zmij::Buffer::new();
    let literal = Literal::new(buffer.format_finite(double).as_bytes());
    let Some((digits, shift)) = literal.digits() else {
        return (0, 0);
    };
    let exponent = match literal.exponent {
        Some((true, written)) => shift - to_u64(written) as i64,
        Some((false, written)) => shift + to_u64(written) as i64,
        None => shift,
    };
    (digits.to_u64().unwrap_or(0), exponent)
}

fn nearest_double(literal: &Literal<'_>, digits: &Digits<'_>, exponent: i64) -> f64 {
    let parse = |text: &[u8]| {
        std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    // The standard parser stops reading an exponent at some length, which shows where many
    // zeros outweigh it; such a literal is put in other words.
    if literal
        .exponent
        .is_none_or(|(_, written)| written.len() <= 4)
    {
        return parse(literal.text);
    }
    let mut text = [0_u8; DECISIVE_DIGITS + 24];
    let kept = digits.len().min(DECISIVE_DIGITS);
    for (to, digit) in text.iter_mut().zip(digits.iter().take(kept)) {
        *to = digit;
    }
    let mut len = kept;
    let mut exponent = exponent + (digits.len() - kept) as i64;
    if kept < digits.len() {
        // The last digit is not zero, so what was left out is more than nothing.
        text[len] = b'1';
        len += 1;
        exponent -= 1;
    }
    text[len] = b'e';
    len += 1;
    if exponent < 0 {
        text[len] = b'-';
        len += 1;
    }
    let mut place = 1;
    while exponent.unsigned_abs() / place >= 10 {
        place *= 10;
    }
    while place > 0 {
        text[len] = b'0' + (exponent.unsigned_abs() / place % 10) as u8;
        len += 1;
        place /= 10;
    }
    let double = parse(&text[..len]);
    if literal.negative { -double } else { double }
}

impl<'a> Literal<'a> {
    /// Takes a literal apart that has the form of a JSON number.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let (negative, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (whole, mut rest) = rest.split_at(digits(rest));
        let mut fraction: &[u8] = b"";
        let has_fraction = rest.first() == Some(&b'.');
        if has_fraction {
            (fraction, rest) = rest[1..].split_at(digits(&rest[1..]));
        }
        let exponent = match rest {
            [b'e' | b'E', b'-', digits @ ..] => Some((true, digits)),
            [b'e' | b'E', b'+', digits @ ..] | [b'e' | b'E', digits @ ..] => Some((false, digits)),
            _ => None,
        };
        let exponent = exponent.map(|(negative, digits)| (negative, without_leading_zeros(digits)));
        Self {
            text,
            negative,
            whole,
            fraction,
            exponent,
            has_fraction,
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        !self.has_fraction && self.exponent.is_none()
    }

    /// The digits that count, and the power of ten of the last one but for the exponent
    /// as written. `None` for zero.
    fn digits(&self) -> Option<(Digits<'a>, i64)> {
        let mut whole = without_leading_zeros(self.whole);
        let mut fraction = without_trailing_zeros(self.fraction);
        let shift = if fraction.is_empty() {
            let all = whole.len();
            whole = without_trailing_zeros(whole);
            (all - whole.len()) as i64
        } else {
            let all = fraction.len();
            if whole.is_empty() {
                fraction = without_leading_zeros(fraction);
            }
            -(all as i64)
        };
        let digits = Digits { whole, fraction };
        (digits.len() > 0).then_some((digits, shift))
    }
}

impl Digits<'_> {
    pub(crate) fn len(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// The digits as a number, where they are few enough for that.
    pub(crate) fn to_u64(self) -> Option<u64> {
        if self.len() > 20 {
            return None;
        }
        self.iter().try_fold(0, |sum: u64, digit| {
            sum.checked_mul(10)?.checked_add(u64::from(digit & 15))
        })
    }

    /// The digits, eighteen at a time from the first on.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let mut digits = self.iter();
        std::iter::from_fn(move || {
            let first = digits.next()?;
            let rest = digits.by_ref().take(WORD_DIGITS - 1);
            Some(rest.fold(u64::from(first & 15), |sum, digit| {
                sum * 10 + u64::from(digit & 15)
            }))
        })
    }

    fn iter(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }
}

impl<'a> Exponent<'a> {
    /// The exponent's lowest word, then the higher ones up to the last that is not zero.
    pub(crate) fn words(self) -> (i64, impl Iterator<Item = u64>) {
        let mut words = self.written.rchunks(WORD_DIGITS);
        let lowest = to_u64(words.next().unwrap_or_default()) as i64 + self.shift;
        let (mut lowest, mut carry) = (lowest, 0);
        if lowest >= WORD {
            (lowest, carry) = (lowest - WORD, 1);
        } else if lowest < 0 && self.written.len() > WORD_DIGITS {
            (lowest, carry) = (lowest + WORD, -1);
        }
        let mut words = words.peekable();
        let high = std::iter::from_fn(move || {
            let Some(word) = words.next() else {
                let last = std::mem::take(&mut carry);
                return (last > 0).then_some(1);
            };
            let word = to_u64(word) as i64 + carry;
            let (word, over) = match word {
                WORD => (0, 1),
                -1 => (WORD - 1, -1),
                word => (word, 0),
            };
            carry = over;
            let is_top = words.peek().is_none() && carry == 0;
            (word != 0 || !is_top).then_some(word as u64)
        });
        (lowest, high)
    }
}

fn to_u64(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |sum: u64, digit| {
        sum.wrapping_mul(10).wrapping_add(u64::from(digit & 15))
    })
}

fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

fn without_trailing_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits
        .iter()
        .rev()
        .take_while(|&&digit| digit == b'0')
        .count();
    &digits[..digits.len() - zeros]
}
