//! The known word that a misspelt one is near.

/// Words longer than this are nobody's typo, and would cost quadratic time.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if one is near enough to be what was meant.
///
/// Near means few edits for the word's length (one in three characters, at most three), where
/// an edit inserts, drops or replaces a character or swaps two neighbours. Upper and lower case,
/// `_` and `-` make no difference. Among equally near candidates the first one wins.
///
/// ```
/// use loopguard_config::nearest;
///
/// assert_eq!(nearest("treshold", ["thresholds", "include"]), Some("thresholds"));
/// assert_eq!(nearest("call_warn_count", ["callWarnCount"]), Some("callWarnCount"));
/// assert_eq!(nearest("colour", ["thresholds", "include"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word)?;
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        let Some(other) = plain(candidate) else {
            continue;
        };
        let allowed = (word.len().max(other.len()) / 3).clamp(1, 3);
        let edits = distance(&word, &other);
        // As many edits as characters would turn any word into any other.
        let enough_in_common = edits < word.len().min(other.len()) || edits == 0;
        if edits <= allowed && enough_in_common && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The word's characters without what people mix up for reasons other than typing.
fn plain(word: &str) -> Option<Vec<char>> {
    let plain: Vec<char> = word
        .chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .take(LONGEST + 1)
        .collect();
    (plain.len() <= LONGEST).then_some(plain)
}

/// Edit distance in which a swap of two neighbours is one edit and no part is edited twice.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(a: &str, b: &str) -> usize {
        distance(
            &a.chars().collect::<Vec<_>>(),
            &b.chars().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "ba", 1),
            ("treshold", "thresholds", 2),
            ("kitten", "sitting", 3),
            ("abcd", "badc", 2),
            ("ca", "abc", 3),
        ] {
            assert_eq!(edits(a, b), expected, "{a:?} to {b:?}");
            assert_eq!(edits(b, a), expected, "{b:?} to {a:?}");
        }
    }

    #[test]
    fn short_words_are_not_near_to_everything() {
        assert_eq!(nearest("a", ["id"]), None);
        assert_eq!(nearest("", ["id", ""]), Some(""));
        assert_eq!(nearest("od", ["id"]), Some("id"));
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(nearest("cat", ["bat", "hat"]), Some("bat"));
    }

    #[test]
    fn a_novel_is_nobodys_typo() {
        let long = "a".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(nearest("noval", [long.as_str(), "novel"]), Some("novel"));
    }
}
