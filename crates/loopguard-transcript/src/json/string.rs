//! What stands between the quotes of a string.

use std::borrow::Cow;

use wide::u8x16;

/// How many bytes at the start are neither quote, backslash nor control character. Sixteen at a
/// time: most of a recorded line is the inside of strings.
pub(super) fn plain_prefix(bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks();
    for (index, chunk) in chunks.iter().enumerate() {
        let lanes = u8x16::new(*chunk);
        let ends = lanes.simd_eq(u8x16::splat(b'"')) | lanes.simd_eq(u8x16::splat(b'\\'));
        let controls = lanes.simd_eq(lanes.min(u8x16::splat(0x1f)));
        let special = (ends | controls).to_bitmask();
        if special != 0 {
            return index * chunk.len() + special.trailing_zeros() as usize;
        }
    }
    let plain = |byte: &u8| *byte != b'"' && *byte != b'\\' && *byte >= 0x20;
    bytes.len() - rest.len() + rest.iter().take_while(|byte| plain(byte)).count()
}

/// Undoes the escapes of a valid string, given without its quotes. A lone surrogate, which no
/// Rust string can hold, becomes U+FFFD.
pub(super) fn unescape(inner: &str) -> Cow<'_, str> {
    let Some(first) = backslash(inner) else {
        return Cow::Borrowed(inner);
    };
    let mut text = String::with_capacity(inner.len());
    text.push_str(&inner[..first]);
    let mut rest = &inner[first..];
    while let Some(escape) = rest.strip_prefix('\\') {
        rest = match escape.as_bytes().first() {
            Some(b'u') => unicode(&escape[1..], &mut text),
            Some(&byte) => {
                text.push(match byte {
                    b'b' => '\u{8}',
                    b'f' => '\u{c}',
                    b'n' => '\n',
                    b'r' => '\r',
                    b't' => '\t',
                    other => char::from(other),
                });
                &escape[1..]
            }
            None => "",
        };
        let plain = backslash(rest).unwrap_or(rest.len());
        text.push_str(&rest[..plain]);
        rest = &rest[plain..];
    }
    Cow::Owned(text)
}

fn backslash(text: &str) -> Option<usize> {
    memchr::memchr(b'\\', text.as_bytes())
}

/// Reads the digits after `\u`, and a second escape where both are one character.
fn unicode<'a>(digits: &'a str, text: &mut String) -> &'a str {
    let Some((unit, rest)) = unit(digits) else {
        return "";
    };
    if (0xd800..0xdc00).contains(&unit)
        && let Some((low, after)) = rest.strip_prefix("\\u").and_then(self::unit)
        && (0xdc00..0xe000).contains(&low)
    {
        let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        return after;
    }
    text.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
    rest
}

fn unit(digits: &str) -> Option<(u32, &str)> {
    let (digits, rest) = digits.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_without_escapes_is_borrowed() {
        assert!(matches!(unescape("plain é"), Cow::Borrowed("plain é")));
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(
            unescape(r#"a\"b\\c\/d\n\t\r\b\fé"#),
            "a\"b\\c/d\n\t\r\u{8}\u{c}é"
        );
    }

    #[test]
    fn surrogate_pairs_are_one_character_and_lone_ones_are_replaced() {
        assert_eq!(unescape(r"\ud83d\ude00"), "😀");
        assert_eq!(unescape(r"\ud83dx"), "\u{fffd}x");
        assert_eq!(unescape(r"\ud83d\ud83d\ude00"), "\u{fffd}😀");
        assert_eq!(unescape(r"\ude00\u0041"), "\u{fffd}A");
    }

    proptest! {
        #[test]
        fn the_plain_prefix_is_what_a_loop_finds(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let naive = bytes.iter().position(|b| *b < 0x20 || *b == b'"' || *b == b'\\');
            prop_assert_eq!(plain_prefix(&bytes), naive.unwrap_or(bytes.len()));
        }
    }
}
