//! Where canonical text goes: all of it, or as much as may be shown.

use crate::scan;

/// Takes canonical text piece by piece.
pub(crate) trait Sink {
    /// Takes well-formed UTF-8.
    fn put(&mut self, piece: &[u8]);

    /// Takes a string as WTF-8 and puts it in quotes, escaped. `lone`: there may be lone
    /// surrogates in it.
    fn put_string(&mut self, text: &[u8], lone: bool);

    /// Whether what comes now is only counted, so that its order does not matter.
    fn is_full(&self) -> bool {
        false
    }
}

impl Sink for Vec<u8> {
    #[inline(always)]
    fn put(&mut self, piece: &[u8]) {
        self.extend_from_slice(piece);
    }

    #[inline]
    fn put_string(&mut self, text: &[u8], lone: bool) {
        self.reserve(text.len() + 2);
        self.push(b'"');
        escape(text, lone, |piece| {
            self.extend_from_slice(piece);
            true
        });
        self.push(b'"');
    }
}

/// Keeps the first UTF-16 units and counts the others.
#[derive(Debug)]
pub(crate) struct Capped {
    text: Vec<u8>,
    /// As many bytes fit whatever they are, for nothing has more units than bytes. Beyond
    /// that, units are counted.
    max_units: u64,
    /// How many units are left, once they are counted.
    room: Option<u64>,
    full: bool,
    omitted: u64,
}

impl Capped {
    pub(crate) fn new(max_units: u64) -> Self {
        Self {
            text: Vec::new(),
            max_units,
            room: None,
            full: false,
            omitted: 0,
        }
    }

    /// The shown text, and how many units were left out.
    pub(crate) fn finish(self) -> (Vec<u8>, u64) {
        (self.text, self.omitted)
    }
}

impl Sink for Capped {
    #[inline]
    fn put(&mut self, piece: &[u8]) {
        if self.room.is_none() && (self.text.len() + piece.len()) as u64 <= self.max_units {
            self.text.extend_from_slice(piece);
        } else {
            self.put_counted(piece);
        }
    }

    #[inline]
    fn put_string(&mut self, text: &[u8], lone: bool) {
        if self.full {
            self.omitted += string_units(text, lone) + 2;
            return;
        }
        self.put(b"\"");
        let taken = escape(text, lone, |piece| {
            self.put(piece);
            !self.full
        });
        self.omitted += string_units(&text[taken..], lone);
        self.put(b"\"");
    }

    fn is_full(&self) -> bool {
        self.full
    }
}

impl Capped {
    fn put_counted(&mut self, piece: &[u8]) {
        if self.full {
            self.omitted += scan::utf16_units(piece);
            return;
        }
        let mut room = self
            .room
            .unwrap_or_else(|| self.max_units - scan::utf16_units(&self.text));
        let mut shown = 0;
        while let Some(&first) = piece.get(shown) {
            let (length, units) = match first {
                0..0x80 => (1, 1),
                0x80..0xe0 => (2, 1),
                0xe0..0xf0 => (3, 1),
                0xf0.. => (4, 2),
            };
            if units > room {
                break;
            }
            room -= units;
            shown += length;
        }
        self.room = Some(room);
        let (shown, omitted) = piece.split_at(shown.min(piece.len()));
        self.text.extend_from_slice(shown);
        if !omitted.is_empty() {
            // From the first unit that did not fit on nothing is shown, or a gap would open.
            self.full = true;
            self.omitted += scan::utf16_units(omitted);
        }
    }
}

/// How many units WTF-8 has when it is escaped.
fn string_units(text: &[u8], lone: bool) -> u64 {
    let surrogates = if lone {
        text.windows(2).filter(|pair| is_lone(pair)).count()
    } else {
        0
    };
    // `\ud800` in place of one.
    scan::escaped_units(text) + 5 * surrogates as u64
}

fn special_or_lone(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && !scan::is_special(text[at]) && !is_lone(&text[at..]) {
        at += 1;
    }
    at
}

fn is_lone(bytes: &[u8]) -> bool {
    matches!(bytes, [0xed, 0xa0..=0xbf, ..])
}

/// Gives a string piece by piece as JavaScript escapes it, for as long as `put` wants more.
/// Gives how many bytes it came to.
#[inline]
pub(crate) fn escape(text: &[u8], lone: bool, mut put: impl FnMut(&[u8]) -> bool) -> usize {
    let mut at = 0;
    loop {
        let end = if lone {
            special_or_lone(text, at)
        } else {
            scan::special(text, at)
        };
        if end > at && !put(&text[at..end]) {
            return end;
        }
        let Some(&byte) = text.get(end) else {
            return end;
        };
        at = end + 1;
        let more = match byte {
            b'"' => put(b"\\\""),
            b'\\' => put(b"\\\\"),
            b'\n' => put(b"\\n"),
            b'\t' => put(b"\\t"),
            b'\r' => put(b"\\r"),
            0x08 => put(b"\\b"),
            0x0c => put(b"\\f"),
            0xed => {
                at = (end + 3).min(text.len());
                let low = |byte: &u8| u32::from(byte & 0x3f);
                let unit = text[end + 1..at]
                    .iter()
                    .fold(0, |unit, byte| unit << 6 | low(byte));
                put(&unicode(0xd000 | unit))
            }
            control => put(&unicode(u32::from(control))),
        };
        if !more {
            return at;
        }
    }
}

fn unicode(unit: u32) -> [u8; 6] {
    let digit = |shift: u32| b"0123456789abcdef"[(unit >> shift & 15) as usize];
    [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]
}
