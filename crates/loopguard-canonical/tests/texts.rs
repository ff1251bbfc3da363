//! Texts as they count, fingerprints as values.

#![allow(clippy::unwrap_used, reason = "a helper's failure is a test's failure")]

use loopguard_canonical::{Arguments, Fingerprint, Identity, ParseHexError, Seed, text_preview};
use proptest::prelude::*;

const SEED: Seed = Seed::new(9);

fn of(text: &str) -> Fingerprint {
    Fingerprint::of_text(SEED, text)
}

/// The rule, one replacement after the other.
fn naive(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    while text.contains(" \n") || text.contains("\t\n") {
        text = text.replace(" \n", "\n").replace("\t\n", "\n");
    }
    let is_blank = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
    text.trim_matches(is_blank).to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn texts_count_as_their_normal_form(
        text in "([a-bé]|[ \t\n\r\u{b}\u{a0}\u{feff}\u{85}\u{2029}\u{205f}]){0,40}",
        filling in 0_usize..200,
    ) {
        let text = text.clone() + &"word ".repeat(filling) + &text;
        let normal = naive(&text);
        prop_assert_eq!(of(&text), Fingerprint::of_bytes(SEED, normal.as_bytes()));
        prop_assert_eq!(of(&text), of(&normal));
        prop_assert_eq!(of(&text), Fingerprint::of_masked_text(SEED, &text, []));
    }
}

#[test]
fn long_texts_are_hashed_piecewise_to_the_same_end() {
    for count in [100, 1_000, 1_365, 1_366, 20_000] {
        let text = "line\t \r\n".repeat(count) + &"x".repeat(count * 2) + "\r" + "end";
        let normal = naive(&text);
        assert_eq!(of(&text), Fingerprint::of_bytes(SEED, normal.as_bytes()));
    }
}

#[test]
fn every_white_space_of_javascript_is_trimmed_and_no_other() {
    for c in '\0'..=char::MAX {
        let is_blank = matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
            | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}');
        if is_blank || c.is_whitespace() || (c as u32).is_multiple_of(97) {
            let text = format!("{c}a{c}");
            assert_eq!(of(&text) == of("a"), is_blank, "{c:?}");
        }
    }
}

#[test]
fn texts_differ_by_what_counts() {
    for (a, b) in [
        ("a b", "a  b"),
        ("a\nb", "a\n b"),
        ("a\nb", "a\n\nb"),
        ("a", "A"),
        ("é", "e\u{301}"),
    ] {
        assert_ne!(of(a), of(b));
    }
    assert_eq!(of("a \r\n\tb"), of("a\n\tb"));
    assert_ne!(of("a"), Fingerprint::of_text(Seed::FIXED, "a"));
    assert_eq!(of("a"), Fingerprint::of_masked_text(SEED, " a\r\n", []));
}

#[test]
fn a_word_without_end_is_quoted_as_far_as_a_preview_goes() {
    for word in ["x", "é", "😀"] {
        let shown = 160 / word.encode_utf16().count();
        let wanted = format!(
            "a {}…",
            word.repeat(shown - 2 / word.encode_utf16().count())
        );
        let text = format!(" a\n{} b", word.repeat(100_000));
        assert_eq!(text_preview(&text), wanted);
    }
}

#[test]
fn arguments_may_come_as_a_text_or_as_an_owned_one() {
    let owned = String::from("{\"a\":1}");
    let of = |arguments: Arguments<'_>| Identity::of(SEED, "tool", arguments);
    assert_eq!(of((&owned).into()), of(owned.as_str().into()));
}

#[test]
fn the_order_of_blocks_counts() {
    let (a, b, c) = (of("a"), of("b"), of("c"));
    assert_ne!(a.combine(b), b.combine(a));
    assert_ne!(a.combine(b).combine(c), a.combine(b.combine(c)));
    assert_ne!(a.combine(a), a);
}

#[test]
fn seeds_fingerprints_and_identities_are_saved_as_text() {
    let fingerprint = Fingerprint::from_u128(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
    assert_eq!(fingerprint.to_string(), "0123456789abcdef0011223344556677");
    assert_eq!(format!("{fingerprint:?}"), fingerprint.to_string());
    assert_eq!(
        fingerprint.to_u128(),
        0x0123_4567_89ab_cdef_0011_2233_4455_6677
    );
    assert_eq!("0123456789ABCDEF0011223344556677".parse(), Ok(fingerprint));
    assert!(Fingerprint::from_u128(1 << 64) > Fingerprint::from_u128(u128::from(u64::MAX)));
    assert_eq!(align_of::<Fingerprint>(), 8);

    let seed = Seed::new(0xff);
    assert_eq!(format!("{seed:?}"), "Seed(00000000000000ff)");
    assert_eq!(
        serde_json::to_string(&seed).unwrap(),
        "\"00000000000000ff\""
    );
    assert_eq!(
        serde_json::from_str::<Seed>("\"00000000000000ff\"").unwrap(),
        seed
    );
    let error = serde_json::from_str::<Seed>("255").unwrap_err();
    let expected = "invalid type: integer `255`, expected a string of hexadecimal digits";
    assert!(error.to_string().starts_with(expected), "{error}");
    for text in [
        "",
        "ff",
        "+0000000000000ff",
        "00000000000000fg",
        "000000000000000ff",
    ] {
        let error: Result<Seed, ParseHexError> = text.parse();
        assert_eq!(
            error.unwrap_err().to_string(),
            "expected 16 hexadecimal digits"
        );
        assert!(serde_json::from_str::<Seed>(&format!("\"{text}\"")).is_err());
    }

    let identity = Identity::of(seed, "tool", "{\"a\":1}".into()).inexact();
    let saved = serde_json::to_string(&identity).unwrap();
    let fingerprint = identity.fingerprint();
    assert_eq!(
        saved,
        format!("{{\"fingerprint\":\"{fingerprint}\",\"exact\":false}}")
    );
    assert_eq!(serde_json::from_str::<Identity>(&saved).unwrap(), identity);
}

/// Saved state is compared with fingerprints that another build took. These never change;
/// if they have to, the scheme's number has to change with them.
#[test]
fn fingerprints_are_the_same_on_every_machine() {
    let texts = [
        "{}",
        "[]",
        "null",
        "\"text\"",
        "-12000",
        "0.1",
        "1e300",
        "123456789012345678901234567890",
        "1e400",
        r#"{"path":"src/lib.rs","lines":[1,2.5,true,null],"é":{"\ud800":"\n"}}"#,
    ];
    let fingerprints: Vec<String> = texts
        .iter()
        .map(|text| {
            Identity::of(Seed::FIXED, "tool", (*text).into())
                .fingerprint()
                .to_string()
        })
        .collect();
    assert_eq!(fingerprints, PINNED);
    let (a, b) = (of("a\r\nb"), of("c"));
    assert_eq!([a, b, a.combine(b)].map(|f| f.to_string()), PINNED_TEXTS);
}

const PINNED: [&str; 10] = [
    "b57adb607efa59e15bc52c1c12be070c",
    "285ccff845658abc404b6331cbbb2c82",
    "1eaad6515a74430d6e491c55c9044b97",
    "c1a963146f77d853db589d2fd8c0f7f8",
    "da6e8b7e933665c8ff1f2ac359186090",
    "1ced62b1d8e6f5493dafdda1c7c3b5d8",
    "bc3cb750b3853497b9329cbf6ac0c8ee",
    "d75ee6d2c4d20d596d1ebf44029aa742",
    "501639b691a9788a535596258d97e74a",
    "ccf17f5597692ee0c467574833bfe1c3",
];
const PINNED_TEXTS: [&str; 3] = [
    "cb3976ff8c53a47352e23100667631e7",
    "d7111ad6567b8756b59551e55b169da8",
    "89c3890151c278f1b52d60aa740d7d4f",
];
