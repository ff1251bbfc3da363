//! What one key of a configuration means.

use crate::Words;
use crate::node::Node;

/// One key that a configuration row may carry: a line of a guard's key table.
///
/// Tables are `const`, and everything follows from them: which values are accepted, what an
/// error says is allowed, which key a misspelt one is near, and the generated documentation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Key {
    /// The key as it is written, in camelCase.
    pub name: &'static str,
    /// Which values are allowed.
    pub kind: Kind,
    /// The value that holds when the key is absent, as JSON text; `none` when that is off.
    pub default: &'static str,
    /// One line on what the key does, with its unit.
    pub about: &'static str,
}

/// The values that a key allows.
///
/// Whole numbers may be written `3` or `3.0`; a number in quotes is text and is refused where a
/// number is asked for. `null` is absence for every kind, and a key whose default is `none` may
/// be given as `off`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number of at least `min`; beyond `u64` it counts as [`u64::MAX`].
    Integer {
        /// The least value allowed.
        min: u64,
    },
    /// A whole number from `min` to `max`, both allowed.
    IntegerUpTo {
        /// The least value allowed.
        min: u64,
        /// The greatest value allowed.
        max: u64,
    },
    /// A non-empty list of distinct whole numbers of at least `min`, in any order.
    Integers {
        /// The least value allowed.
        min: u64,
    },
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A number from `min` to `max`, both allowed.
    Ratio {
        /// The least value allowed.
        min: f64,
        /// The greatest value allowed.
        max: f64,
    },
    /// A list of [`NamePattern`](crate::NamePattern)s.
    Patterns,
    /// A regular expression.
    Regex,
    /// A list of regular expressions.
    Regexes,
    /// A list of regular expressions that ignore case.
    RegexesIgnoringCase,
    /// Any text.
    Text,
    /// A list of mappings, each with these keys.
    Groups(&'static [Key]),
    /// A list of mappings, each with `tools` (a non-empty list of name patterns) and any of
    /// these keys: other values of them for those tools.
    Overrides(&'static [Key]),
    /// A mapping from notice codes to own texts, each with the placeholders that its own
    /// [`Words`] allow.
    Messages(&'static [Words]),
    /// A value of that kind that must be there.
    Required(&'static Kind),
    /// A value of that kind that is still checked, though the key is on its way out: using it
    /// is a warning. Such a key is not listed among the known ones.
    Deprecated {
        /// Which values are allowed.
        kind: &'static Kind,
        /// A fragment for the warning: what to do instead.
        instead: &'static str,
    },
}

impl Kind {
    /// The kind of the value itself, without [`Kind::Required`] and [`Kind::Deprecated`].
    #[must_use]
    pub fn value(&self) -> &Kind {
        match self {
            Kind::Required(kind) | Kind::Deprecated { kind, .. } => kind.value(),
            kind => kind,
        }
    }

    /// Whether the key must be given.
    #[must_use]
    pub fn is_required(&self) -> bool {
        match self {
            Kind::Required(_) => true,
            Kind::Deprecated { kind, .. } => kind.is_required(),
            _ => false,
        }
    }

    /// What to do instead, where the key is on its way out.
    #[must_use]
    pub fn deprecation(&self) -> Option<&'static str> {
        match self {
            Kind::Deprecated { instead, .. } => Some(instead),
            Kind::Required(kind) => kind.deprecation(),
            _ => None,
        }
    }

    /// The values allowed, as an error puts it: `an integer of at least 2`.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self {
            Kind::Integer { min } => format!("an integer of at least {min}"),
            Kind::IntegerUpTo { min, max } => format!("an integer from {min} to {max}"),
            Kind::Integers { min } => {
                format!("a non-empty list of distinct integers of at least {min}")
            }
            Kind::Flag => "true or false".to_owned(),
            Kind::Choice(choices) => choice_text(choices),
            Kind::Ratio { min, max } => format!("a number from {min} to {max}"),
            Kind::Patterns => "a list of name patterns".to_owned(),
            Kind::Regex => "a regular expression".to_owned(),
            Kind::Regexes | Kind::RegexesIgnoringCase => "a list of regular expressions".to_owned(),
            Kind::Text => "a text".to_owned(),
            Kind::Groups(keys) => format!("a list of mappings with the keys {}", known(keys)),
            Kind::Overrides(_) => {
                "a list of mappings, each with \"tools\" and the keys to override".to_owned()
            }
            Kind::Messages(_) => "a mapping from notice codes to texts".to_owned(),
            Kind::Required(kind) | Kind::Deprecated { kind, .. } => kind.allowed(),
        }
    }
}

impl Key {
    /// A key: its name, the values allowed, the default as JSON text (or `none`), and one line
    /// on what it does.
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            default,
            about,
        }
    }

    /// Whether a value switches the key off: the text `off`, for a key that is off by default.
    /// So a row can undo what its preset switches on, which absence does not.
    pub(crate) fn is_off(&self, node: &Node) -> bool {
        let is_free_text = matches!(self.kind.value(), Kind::Text | Kind::Regex);
        let may_be_off = self.default == "none" && !self.kind.is_required() && !is_free_text;
        may_be_off && node.as_text() == Some("off")
    }

    /// As [`Kind::value`], of a table's own key.
    pub(crate) fn kind_of_value(&'static self) -> &'static Kind {
        self.kind.value()
    }
}

/// The key that says which tools an override is for.
pub(crate) const TOOLS: Key = Key {
    name: "tools",
    kind: Kind::Required(&Kind::Patterns),
    default: "none",
    about: "the tools that the values are for",
};

/// The keys of a table that a message offers.
pub(crate) fn known(keys: &[Key]) -> String {
    let names: Vec<_> = offered(keys).collect();
    names.join(", ")
}

/// The names of a table that are worth suggesting.
pub(crate) fn offered(keys: &[Key]) -> impl Iterator<Item = &'static str> {
    keys.iter()
        .filter(|key| key.kind.deprecation().is_none())
        .map(|key| key.name)
}

fn choice_text(choices: &[&str]) -> String {
    let quoted: Vec<_> = choices.iter().map(|choice| format!("{choice:?}")).collect();
    quoted.join(" or ")
}
