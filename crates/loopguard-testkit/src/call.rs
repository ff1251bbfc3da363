//! One call of a scripted model, and what will come of it.

use loopguard::Arguments;
use serde_json::Value;

/// A call that a scripted model issues, together with how the tool would answer it.
#[derive(Clone, Debug)]
pub struct ScriptedCall {
    pub(crate) tool: String,
    pub(crate) arguments: ScriptedArguments,
    pub(crate) id: Option<String>,
    pub(crate) ending: ScriptedEnding,
    pub(crate) takes_ms: Option<i64>,
    pub(crate) late_result: Option<String>,
}

/// Arguments as a host has them: parsed, or as the model wrote them.
#[derive(Clone, Debug)]
pub(crate) enum ScriptedArguments {
    Value(Value),
    Text(String),
}

impl ScriptedArguments {
    pub(crate) fn get(&self) -> Arguments<'_> {
        match self {
            Self::Value(value) => Arguments::Value(value),
            Self::Text(text) => Arguments::Text(text),
        }
    }

    pub(crate) fn render(&self) -> String {
        match self {
            Self::Value(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// How a call ends once it is admitted.
#[derive(Clone, Debug)]
pub(crate) enum ScriptedEnding {
    Success(Vec<String>),
    Failure { message: String, text: String },
    DeniedByHost(String),
    Cancelled,
    Never,
}

/// A call of `tool` with parsed arguments. It succeeds with the text `ok`, unless told otherwise.
pub fn call(tool: &str, arguments: Value) -> ScriptedCall {
    ScriptedCall::new(tool, ScriptedArguments::Value(arguments))
}

/// A call of `tool` with arguments as the model wrote them.
pub fn call_text(tool: &str, arguments: &str) -> ScriptedCall {
    ScriptedCall::new(tool, ScriptedArguments::Text(arguments.to_owned()))
}

impl ScriptedCall {
    fn new(tool: &str, arguments: ScriptedArguments) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments,
            id: None,
            ending: ScriptedEnding::Success(vec!["ok".to_owned()]),
            takes_ms: None,
            late_result: None,
        }
    }

    /// The tool succeeds with this text.
    #[must_use]
    pub fn returns(self, text: &str) -> Self {
        self.returns_blocks([text])
    }

    /// The tool succeeds with several text blocks.
    #[must_use]
    pub fn returns_blocks<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts = texts.into_iter().map(str::to_owned).collect();
        self.ending = ScriptedEnding::Success(texts);
        self
    }

    /// The tool fails with this message; the model reads `Error: ` and the message.
    #[must_use]
    pub fn fails(self, message: &str) -> Self {
        self.fails_reading(message, &format!("Error: {message}"))
    }

    /// The tool fails with this message, and the model reads this text.
    #[must_use]
    pub fn fails_reading(mut self, message: &str, text: &str) -> Self {
        let (message, text) = (message.to_owned(), text.to_owned());
        self.ending = ScriptedEnding::Failure { message, text };
        self
    }

    /// The host refuses the call after the guards have admitted it.
    #[must_use]
    pub fn denied_by_host(mut self, reason: &str) -> Self {
        self.ending = ScriptedEnding::DeniedByHost(reason.to_owned());
        self
    }

    /// The call is given up while it runs.
    #[must_use]
    pub fn cancelled(mut self) -> Self {
        self.ending = ScriptedEnding::Cancelled;
        self
    }

    /// No result ever comes.
    #[must_use]
    pub fn never_answers(mut self) -> Self {
        self.ending = ScriptedEnding::Never;
        self
    }

    /// The host's id of the call, instead of a fresh one.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    /// How long the call runs, in milliseconds, instead of what is usual in the script.
    #[must_use]
    pub fn takes_ms(mut self, milliseconds: i64) -> Self {
        self.takes_ms = Some(milliseconds);
        self
    }

    /// A host that is told the call is refused reports this result for it all the same.
    #[must_use]
    pub fn answers_though_refused(mut self, text: &str) -> Self {
        self.late_result = Some(text.to_owned());
        self
    }
}
