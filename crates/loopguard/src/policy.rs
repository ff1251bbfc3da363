//! Which parts of calls and results do not count.

use loopguard_canonical::Mask;
use loopguard_config::{Key, Kind, NamePattern, Section};
use loopguard_core::{Arguments, Fingerprint, Identity, Seed, configuration_fingerprint};

/// The volatile parts of calls and results, tool by tool: a request id, a timestamp.
///
/// Every matching rule applies, in order. Without a rule for a tool nothing is left out.
#[derive(Clone, Debug, Default)]
pub struct IdentityPolicy {
    rules: Vec<Rule>,
    fingerprint: Option<Fingerprint>,
}

#[derive(Clone, Debug)]
struct Rule {
    tools: Vec<NamePattern>,
    arguments: Vec<Mask>,
    result: Vec<Mask>,
}

impl Rule {
    fn is_for(&self, tool: &str) -> bool {
        self.tools.iter().any(|pattern| pattern.matches(tool))
    }
}

/// The keys of one volatile part.
const PART_KEYS: &[Key] = &[
    Key::new(
        "at",
        Kind::Text,
        "none",
        "a JSON pointer to the part, in which * stands for any key or index",
    ),
    Key::new(
        "match",
        Kind::Text,
        "none",
        "a regular expression for the text to replace: of every string, or of that at `at`",
    ),
    Key::new(
        "as",
        Kind::Text,
        "none",
        "what stands in its place; by default a fixed marker",
    ),
];

/// The keys of one rule of the policy.
pub(crate) const RULE_KEYS: &[Key] = &[
    Key::new(
        "tools",
        Kind::Required(&Kind::Patterns),
        "none",
        "the tools that the rule is for",
    ),
    Key::new(
        "arguments",
        Kind::Groups(PART_KEYS),
        "[]",
        "the volatile parts of their arguments",
    ),
    Key::new(
        "result",
        Kind::Groups(PART_KEYS),
        "[]",
        "the volatile parts of their results",
    ),
];

impl IdentityPolicy {
    /// Reads the rules under `key` of a row; what is wrong with them goes to its errors.
    pub(crate) fn read(section: &Section, key: &str) -> Self {
        let rules: Vec<_> = section
            .groups(key)
            .into_iter()
            .map(|rule| Rule {
                tools: rule.patterns("tools").unwrap_or_default(),
                arguments: read_masks(&rule, "arguments"),
                result: read_masks(&rule, "result"),
            })
            .collect();
        let effective = section.effective();
        let fingerprint = match rules.is_empty() {
            true => None,
            false => configuration_fingerprint(&effective.get(key)),
        };
        Self { rules, fingerprint }
    }

    /// What makes a call of `tool` the same call as another.
    pub fn identity(&self, seed: Seed, tool: &str, arguments: Arguments<'_>) -> Identity {
        if self.rules.is_empty() {
            return Identity::of(seed, tool, arguments);
        }
        let masks = self.rules.iter().filter(|rule| rule.is_for(tool));
        let mut masks = masks.flat_map(|rule| &rule.arguments).peekable();
        match masks.peek() {
            None => Identity::of(seed, tool, arguments),
            Some(_) => Identity::of_masked(seed, tool, arguments, masks),
        }
    }

    /// What a result of `tool` is compared by, where a rule leaves parts of it out.
    pub(crate) fn result(&self, seed: Seed, tool: &str, blocks: &[&str]) -> Option<Fingerprint> {
        let rules = || self.rules.iter().filter(|rule| rule.is_for(tool));
        let masks = || rules().flat_map(|rule| &rule.result);
        masks().next()?;
        let empty = Fingerprint::from_u128(blocks.len() as u128);
        Some(blocks.iter().fold(empty, |digest, block| {
            digest.combine(Fingerprint::of_masked_text(seed, block, masks()))
        }))
    }

    /// What saved state is checked against; `None` for the policy that leaves nothing out.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint
    }
}

fn read_masks(rule: &Section, key: &str) -> Vec<Mask> {
    let mut masks = Vec::new();
    for mut part in rule.groups(key) {
        let built = Mask::new(part.text("at"), part.text("match"), part.text("as"));
        match built {
            Ok(mask) => masks.push(mask),
            Err(error) => {
                let key = if part.gives("at") { "at" } else { "match" };
                part.reject(key, format!("a volatile part that can be found: {error}"));
            }
        }
    }
    masks
}
