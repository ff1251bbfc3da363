//! What holds for chanting and for near-duplicates, whatever the words.

use std::sync::Arc;

use loopguard::core::{
    Arguments, Call, Event, Form, Guard, Message, Notices, Outcome, Output, Seed, Source, Text,
};
use loopguard_brake::{Brake, BrakeConfig};
use loopguard_tests::cases;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

const WORDS: [&str; 8] = [
    "the", "build", "of", "parser", "has", "failed", "again", "now",
];

/// Pieces of a message: words, breaks, marks, fences, rows of tables, code.
const PIECES: [&str; 14] = [
    "now I look ",
    "again. ",
    "go on and on ",
    "\n",
    "\n\n",
    "```\n",
    "~~~~",
    "| a | b |\n",
    "    let a = 1;\n",
    "- item\n",
    "再看一遍。",
    "it's ",
    "42 ",
    "\r\n\t",
];

fn brake(config: &Value) -> Brake {
    let config = BrakeConfig::from_value(config).expect("a configuration");
    Brake::new("brake".into(), Arc::new(config))
}

fn words(of: &[usize]) -> String {
    of.iter().map(|word| format!("{} ", WORDS[*word])).collect()
}

/// A message of the assistant in these pieces: what is said of it.
fn said_of(pieces: &[&str], config: &Value) -> Vec<String> {
    let mut guard = brake(config);
    let mut said = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let is_last = at + 1 == pieces.len();
        let texts = [Text::new(Seed::FIXED, piece)];
        let form = if is_last { Form::Plain } else { Form::Part };
        let message = Message::new(Source::Assistant, &texts).id("one").form(form);
        let mut notices = Notices::new();
        guard.observe(&Event::Messages(&[message], None), &mut notices);
        said.extend(notices.take().into_iter().map(|notice| notice.text));
    }
    said
}

/// The text at these cuts, each moved to the next character.
fn cut<'a>(text: &'a str, cuts: &[prop::sample::Index]) -> Vec<&'a str> {
    let mut places: Vec<_> = cuts
        .iter()
        .map(|cut| (cut.index(text.len() + 1)..).find(|at| text.is_char_boundary(*at)))
        .map(|place| place.unwrap_or(text.len()))
        .collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places
        .windows(2)
        .map(|places| &text[places[0]..places[1]])
        .collect()
}

/// How often these calls are said to be similar.
fn similar(least: f64, calls: &[String]) -> usize {
    let mut guard =
        brake(&json!({"similarCalls": least, "callWarnCount": 2, "callReWarnEvery": 1}));
    let mut notices = Notices::new();
    for arguments in calls {
        let call = &Call::new(Seed::FIXED, "find", Arguments::Text(arguments));
        let (outcome, at) = (Outcome::Success(&Output::default()), None);
        guard.observe(&Event::Finished { call, outcome, at }, &mut notices);
    }
    notices.take().len()
}

fn a_message() -> impl Strategy<Value = String> {
    let phrase = vec(0..PIECES.len(), 1..9);
    (vec(0..PIECES.len(), 0..4), phrase, 1..20usize).prop_map(|(before, phrase, rounds)| {
        let text = |of: &[usize]| of.iter().map(|piece| PIECES[*piece]).collect::<String>();
        text(&before) + &text(&phrase).repeat(rounds)
    })
}

/// Messages that nobody chants would prove nothing.
#[test]
fn the_messages_are_some_chants_and_some_none() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let chanted = (0..100).filter(|_| {
        let text = a_message().new_tree(&mut runner).expect("a text").current();
        !said_of(&[&text], &json!({"assistantText": true})).is_empty()
    });
    let chanted = chanted.count();
    assert!((10..90).contains(&chanted), "{chanted}");
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_message_is_heard_alike_wherever_it_is_cut(
        text in a_message(),
        cuts in vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let config = json!({"assistantText": true, "minimumDuplicateChars": 1});
        prop_assert_eq!(said_of(&cut(&text, &cuts), &config), said_of(&[&text], &config));
        // At every character, too.
        let chars: Vec<_> = text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]).collect();
        prop_assert_eq!(said_of(&chars, &config), said_of(&[&text], &config));
    }

    #[test]
    fn what_is_fenced_is_never_chanted(phrase in vec(0..WORDS.len(), 1..9), rounds in 1..60usize) {
        let text = format!("```\n{}\n```\n", words(&phrase).repeat(rounds));
        prop_assert_eq!(said_of(&[&text], &json!({"assistantText": true})), Vec::<String>::new());
    }

    #[test]
    fn six_rounds_of_enough_words_are_a_chant_and_five_are_none(
        phrase in Just(WORDS.to_vec()).prop_shuffle(),
        length in 6..9usize,
        rounds in 1..9usize,
    ) {
        let phrase = phrase[..length].join(" ");
        let text = format!("{phrase}. ").repeat(rounds);
        let said = said_of(&[&text], &json!({"assistantText": true}));
        prop_assert_eq!(said.len(), usize::from(rounds >= 6), "{}", text);
    }

    #[test]
    fn the_order_of_words_does_not_matter(
        one in vec(0..WORDS.len(), 1..12).prop_flat_map(|of| (Just(of.clone()), Just(of).prop_shuffle())),
        least in 0.5..1.0f64,
        other in vec(0..WORDS.len(), 0..12),
    ) {
        let (one, shuffled) = one;
        let with = |words_: &[usize]| similar(least, &[words(&other), words(words_)]);
        prop_assert_eq!(with(&one), with(&shuffled));
        // Nor does how often a word comes.
        let twice = [&one[..], &one[..]].concat();
        prop_assert_eq!(with(&one), with(&twice));
    }

    #[test]
    fn what_is_similar_under_a_share_is_so_under_a_smaller_one(
        one in vec(0..WORDS.len(), 0..9),
        other in vec(0..WORDS.len(), 0..9),
        shares in (0.5..1.0f64, 0.5..1.0f64),
    ) {
        let calls = [words(&one), words(&other)];
        let (less, more) = (shares.0.min(shares.1), shares.0.max(shares.1));
        prop_assert!(similar(less, &calls) >= similar(more, &calls));
        // It is told at exactly the share of common words.
        let set = |of: &[usize]| of.iter().copied().collect::<std::collections::BTreeSet<_>>();
        let (a, b) = (set(&one), set(&other));
        let (common, all) = (a.intersection(&b).count(), a.union(&b).count());
        let is_alike = all == 0 || common as f64 / all as f64 >= less;
        prop_assert_eq!(similar(less, &calls), usize::from(is_alike));
    }
}
