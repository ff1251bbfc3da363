//! The assistant's own messages, whole or in pieces.

use loopguard_core::{Fingerprint, Form, Message, Seed, Text};
use serde::{Deserialize, Serialize};

use crate::chanting::Chant;

/// How many bytes of a streaming message are joined, to be compared as a whole when it is
/// over. A longer one is heard for chanting and otherwise passed over.
pub const MAX_STREAM_BYTES: usize = 64 * 1024;

/// The message that the model is at.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Assistant {
    chant: Chant,
    /// The message that streams, if one does.
    id: Option<Fingerprint>,
    joined: String,
    streams: bool,
    is_too_long: bool,
    is_secret: bool,
}

/// What has been heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    /// How often words have been chanted, where that is to be told.
    pub(crate) chanted: Option<u64>,
    /// The text of a message that came in pieces and is over.
    pub(crate) joined: Option<String>,
    /// Whether the blocks of the message are whole texts.
    pub(crate) is_whole: bool,
}

impl Assistant {
    /// The next message, or the next piece of one.
    pub(crate) fn hear(&mut self, message: &Message<'_>) -> Heard {
        let id = message
            .id
            .map(|id| Fingerprint::of_bytes(Seed::FIXED, id.as_bytes()));
        if self.streams && self.id != id {
            self.end(); // The one that streamed was broken off.
        }
        let mut heard = Heard {
            is_whole: !self.streams,
            ..Heard::default()
        };
        for (at, text) in message.texts.iter().enumerate() {
            // Blocks stand apart; pieces that stream do not.
            if at > 0 && heard.is_whole && message.form != Form::Part {
                heard.chanted = self.chant.hear("\n").or(heard.chanted);
            }
            heard.chanted = self.chant.hear(text.as_str()).or(heard.chanted);
        }
        if message.form == Form::Part {
            heard.is_whole = false;
            (self.streams, self.id) = (true, id);
            self.join(message.texts);
            return heard;
        }
        if self.streams {
            self.join(message.texts);
            heard.joined = Some(std::mem::take(&mut self.joined)).filter(|_| !self.is_too_long);
        }
        heard.chanted = self.end().or(heard.chanted);
        heard
    }

    fn join(&mut self, texts: &[Text<'_>]) {
        for text in texts {
            self.is_secret |= text.is_redacted();
            if self.joined.len() + text.as_str().len() > MAX_STREAM_BYTES {
                (self.is_too_long, self.joined) = (true, String::new());
            }
            if !self.is_too_long {
                self.joined.push_str(text.as_str());
            }
        }
    }

    fn end(&mut self) -> Option<u64> {
        let found = self.chant.end();
        self.joined.clear();
        (self.streams, self.is_too_long, self.is_secret, self.id) = (false, false, false, None);
        found
    }

    pub(crate) fn clear(&mut self) {
        self.end();
    }

    /// What is kept in a saved state. The text of a message from which something must not be
    /// quoted is not: the message is then passed over, as one that is too long.
    pub(crate) fn to_save(&self) -> Self {
        let mut saved = self.clone();
        if self.is_secret {
            (saved.joined, saved.is_too_long) = (String::new(), true);
        }
        saved
    }

    /// Whether this came out of a saved state as one that can be gone on with.
    pub(crate) fn is_sound(&self) -> bool {
        self.chant.is_sound() && self.joined.len() <= MAX_STREAM_BYTES
    }
}
