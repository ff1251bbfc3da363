//! Chanting: the model falls into saying the same words over and over within one message.

use serde::{Deserialize, Serialize};

/// The longest phrase, in words, that is recognised when it is chanted.
const MAX_PERIOD: usize = 64;

/// How often a phrase has to come without a break: a refrain comes three or four times.
const ROUNDS: u16 = 6;

/// How many words have to be chanted: `no no no no no no` is emphasis.
const MIN_WORDS: u16 = 36;

/// For each period, the run that makes a chant: one period less than all its words.
const ENOUGH: [u16; MAX_PERIOD] = {
    let mut enough = [0; MAX_PERIOD];
    let mut at = 0;
    while at < MAX_PERIOD {
        let period = at as u16 + 1;
        let all = if ROUNDS * period > MIN_WORDS {
            ROUNDS * period
        } else {
            MIN_WORDS
        };
        enough[at] = all - period;
        at += 1;
    }
    enough
};

/// A message as it comes, in one piece or in many; holds no text, only numbers.
///
/// Words are compared without case and punctuation. Code in fences or behind an indentation
/// of four blanks, rows of tables and words without a letter are left out: they repeat by
/// their nature. Lists are compared like any other text, so that items with a common
/// beginning and another end are none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Chant {
    /// The last words, the newest first; 0 where there has been none.
    words: Vec<u32>,
    /// For each period, how many words up to the newest equal the one a period before; the
    /// place of a period is one less than it.
    runs: Vec<u16>,
    /// The word that is still growing: what it hashes to so far, and whether it has a letter.
    word: u64,
    has_letter: bool,
    /// What is known of the line so far.
    line: Line,
    in_fence: bool,
    told: bool,
}

/// The line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    /// Blanks before the first other character.
    indent: u32,
    /// Backticks or tildes right behind them.
    fence: u32,
    /// Whether anything else has come.
    has_begun: bool,
    /// Whether the line is code or a row of a table.
    is_left_out: bool,
}

/// Where the hash of a word begins.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Chant {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            runs: Vec::new(),
            word: SEED,
            has_letter: false,
            line: Line::default(),
            in_fence: false,
            told: false,
        }
    }
}

impl Chant {
    /// The next piece of the message: how many times its words have come by now, where that
    /// is to be told. Once a message.
    pub(crate) fn hear(&mut self, piece: &str) -> Option<u64> {
        let mut found = None;
        for c in piece.chars() {
            if !self.is_in_text(c) {
                self.end_word();
            } else if c.is_alphanumeric() {
                self.has_letter |= c.is_alphabetic();
                if c.is_ascii() {
                    self.add(c.to_ascii_lowercase());
                    continue;
                }
                c.to_lowercase().for_each(|c| self.add(c));
                // Scripts without blanks have words of one character.
                if is_ideograph(c) {
                    found = self.end_word().or(found);
                }
            } else if c != '\'' && c != '’' {
                found = self.end_word().or(found);
            }
        }
        found
    }

    /// The message is over: its last word may be the one that was missing.
    pub(crate) fn end(&mut self) -> Option<u64> {
        let found = self.end_word();
        self.words.fill(0);
        self.runs.fill(0);
        let (words, runs) = (
            std::mem::take(&mut self.words),
            std::mem::take(&mut self.runs),
        );
        *self = Self {
            words,
            runs,
            ..Self::default()
        };
        found
    }

    /// Follows the line; whether the character belongs to what is compared.
    fn is_in_text(&mut self, c: char) -> bool {
        let line = &mut self.line;
        match c {
            '\n' | '\r' => {
                if line.fence >= 3 {
                    self.in_fence = !self.in_fence;
                }
                self.line = Line::default();
            }
            ' ' | '\t' if !line.has_begun && line.fence == 0 => {
                line.indent = line.indent.saturating_add(if c == '\t' { 4 } else { 1 });
            }
            '`' | '~' if !line.has_begun => line.fence = line.fence.saturating_add(1),
            _ if !line.has_begun => {
                line.has_begun = true;
                line.is_left_out = line.indent >= 4 || line.fence >= 3 || c == '|';
            }
            _ => {}
        }
        !(self.in_fence || self.line.is_left_out)
    }

    /// The word grows.
    fn add(&mut self, c: char) {
        self.word = (self.word ^ u64::from(c)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    fn end_word(&mut self) -> Option<u64> {
        let (word, has_letter) = ((self.word >> 32) as u32 | 1, self.has_letter);
        (self.word, self.has_letter) = (SEED, false);
        if !has_letter || self.told {
            return None;
        }
        if self.words.is_empty() {
            self.words = vec![0; MAX_PERIOD];
            self.runs = vec![0; MAX_PERIOD];
        }
        let is_chant = self.follow(word);
        self.words.copy_within(..MAX_PERIOD - 1, 1);
        self.words[0] = word;
        if !is_chant {
            return None;
        }
        self.told = true;
        let at = self
            .runs
            .iter()
            .zip(&ENOUGH)
            .position(|(run, enough)| run >= enough)?;
        let period = at as u64 + 1;
        Some((u64::from(self.runs[at]) + period) / period)
    }

    /// The runs of all periods up to a word: whether one of them makes a chant.
    fn follow(&mut self, word: u32) -> bool {
        // Most words are none of the last ones: to see that takes a handful of vector
        // instructions.
        if !self
            .words
            .iter()
            .fold(false, |any, before| any | (*before == word))
        {
            self.runs.fill(0);
            return false;
        }
        let mut is_chant = false;
        for ((run, before), enough) in self.runs.iter_mut().zip(&self.words).zip(&ENOUGH) {
            *run = match *before == word {
                true => run.saturating_add(1),
                false => 0,
            };
            is_chant |= *run >= *enough;
        }
        is_chant
    }

    /// Whether this came out of a saved state as one that can be gone on with.
    pub(crate) fn is_sound(&self) -> bool {
        let lengths = (self.words.len(), self.runs.len());
        lengths == (0, 0) || lengths == (MAX_PERIOD, MAX_PERIOD)
    }
}

/// Chinese, Japanese and Korean characters, which stand without blanks between words.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENTENCE: &str = "Now I will write the review and then I will check it. ";

    fn heard(text: &str) -> Option<u64> {
        let mut chant = Chant::default();
        chant.hear(text).or_else(|| chant.end())
    }

    #[test]
    fn a_sentence_over_and_over_is_a_chant_and_told_once() {
        assert_eq!(heard(&SENTENCE.repeat(5)), None);
        assert_eq!(heard(&SENTENCE.repeat(6)), Some(6));
        let mut chant = Chant::default();
        assert_eq!(chant.hear(&SENTENCE.repeat(20)), Some(6));
        assert_eq!(chant.hear(&SENTENCE.repeat(20)), None);
        assert_eq!(chant.end(), None);
        assert_eq!(
            chant.hear(&SENTENCE.repeat(7)),
            Some(6),
            "the next message is another"
        );
    }

    #[test]
    fn pieces_are_heard_as_the_whole() {
        let text = format!("The reading is done. {}", SENTENCE.repeat(9));
        for size in [1, 2, 7, 50] {
            let mut chant = Chant::default();
            let chars: Vec<char> = text.chars().collect();
            let pieces = chars
                .chunks(size)
                .map(|piece| piece.iter().collect::<String>());
            let found: Vec<u64> = pieces.filter_map(|piece| chant.hear(&piece)).collect();
            assert_eq!(found, [6], "pieces of {size}");
        }
    }

    #[test]
    fn a_word_over_and_over_is_one_too_and_emphasis_is_not() {
        assert_eq!(heard(&"no ".repeat(12)), None);
        assert_eq!(heard(&"no ".repeat(40)), Some(36));
        assert_eq!(heard(&"我会继续检查代码。".repeat(6)), Some(6));
        // Rare characters stand without blanks, too.
        assert_eq!(heard(&"𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇".repeat(6)), Some(6));
    }

    #[test]
    fn code_tables_and_numbers_repeat_by_their_nature() {
        let row = "row! { id: next(), active: true, tags: vec![], owner: None },\n";
        assert_eq!(
            heard(&format!("Here:\n```rust\n{}```\nDone.\n", row.repeat(30))),
            None
        );
        assert_eq!(heard(&format!("~~~\n{}", row.repeat(30))), None);
        assert_eq!(heard(&format!("    {row}").repeat(30)), None);
        assert_eq!(heard(&"| yes | no | maybe |\n".repeat(30)), None);
        assert_eq!(heard(&"0 1 0 1 - -- 3.14 ".repeat(60)), None);
        let after = format!("```\n{}```\n{}", row.repeat(9), SENTENCE.repeat(6));
        assert_eq!(heard(&after), Some(6));
    }

    #[test]
    fn a_line_of_blanks_or_ticks_without_end_is_left_out() {
        for (c, line) in [
            (
                '\t',
                Line {
                    indent: u32::MAX - 1,
                    ..Line::default()
                },
            ),
            (
                '`',
                Line {
                    fence: u32::MAX,
                    ..Line::default()
                },
            ),
        ] {
            let mut chant = Chant {
                line,
                ..Chant::default()
            };
            let found = chant.hear(&format!("{c}{}", SENTENCE.repeat(9)));
            assert_eq!(found.or_else(|| chant.end()), None, "{c:?}");
        }
    }

    #[test]
    fn lists_with_common_beginnings_are_no_chant() {
        let names = "amber birch cobalt dune ember fjord garnet harbor indigo juniper kelp lumen";
        let items = names
            .split(' ')
            .map(|name| format!("- [ ] read the file src/{name}.rs\n"));
        assert_eq!(heard(&items.collect::<String>()), None);
    }
}
