//! Messages that the host hands to an agent.

use crate::Text;

/// Who a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source<'a> {
    /// A person: the only source that makes a human message.
    User,
    /// The model itself.
    Assistant,
    /// A plugin of the host, by name.
    Plugin(&'a str),
    /// Anything else that injects context: `tool`, `system`, …
    Other(&'a str),
}

impl<'a> Source<'a> {
    /// The name that a notice quotes.
    pub fn name(&self) -> &'a str {
        match self {
            Source::User => "user",
            Source::Assistant => "assistant",
            Source::Plugin(name) | Source::Other(name) => name,
        }
    }
}

/// What a message is, beside its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A message whole.
    #[default]
    Plain,
    /// Advice, of a guard or of any other plugin: never looked at as text.
    Notice,
    /// A piece of a message that is still streaming.
    Part,
}

/// One message, as it is handed to an agent's next step.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Message<'a> {
    /// The message's own id: a message that the host shows again is looked at once.
    pub id: Option<&'a str>,
    /// Who it comes from.
    pub source: Source<'a>,
    /// What it is. Whatever comes from a guard of the same set is a [`Form::Notice`].
    pub form: Form,
    /// Its text blocks.
    pub texts: &'a [Text<'a>],
}

impl<'a> Message<'a> {
    /// A whole message of these blocks, without an id.
    pub fn new(source: Source<'a>, texts: &'a [Text<'a>]) -> Self {
        Self {
            id: None,
            source,
            form: Form::Plain,
            texts,
        }
    }

    /// Gives it an id of its own, if it has one.
    #[must_use]
    pub fn id(mut self, id: impl Into<Option<&'a str>>) -> Self {
        self.id = id.into();
        self
    }

    /// Says what it is.
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Whether a person wrote it.
    pub fn is_human(&self) -> bool {
        self.source == Source::User
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_quoted_by_its_name_and_only_a_person_is_human() {
        let sources = [
            (Source::User, "user", true),
            (Source::Assistant, "assistant", false),
            (Source::Plugin("mail"), "mail", false),
            // Whatever a host calls it: a name makes no person.
            (Source::Other("user"), "user", false),
        ];
        for (source, name, is_human) in sources {
            assert_eq!(source.name(), name);
            let message = Message {
                id: None,
                source,
                form: Form::Plain,
                texts: &[],
            };
            assert_eq!(message.is_human(), is_human);
        }
    }
}
