//! The one way in: any input, any format.

use std::io::{BufRead, Cursor, Read};
use std::ops::ControlFlow;

use crate::compression::{Unpacked, open};
use crate::error::ReadError;
use crate::event::Event;
use crate::format::Format;
use crate::formats::{detect, reader};
use crate::lines::{BYTE_ORDER_MARK, Lines, Next, fill};
use crate::options::ReadOptions;
use crate::output::Output;
use crate::summary::{ReadSummary, SkipReason};

/// Reads an input to its end and hands each event to the sink, in order.
///
/// The first event of every session is [`EventKind::Session`](crate::EventKind::Session),
/// made up where no line announces the session. Where the sink returns
/// [`ControlFlow::Break`] the reading ends, and what was read so far is summed up.
///
/// Gzip and zstd are unpacked, several members or frames one after the other, one layer deep.
/// In memory are one line, the unanswered calls of the session and what a format must
/// remember of it; an input whose format is to be told from its content is also looked at up
/// to its first telling line.
///
/// # Errors
///
/// [`ReadError`]. An event stream fails on its first malformed line. The formats of hosts
/// fail only where nothing in the input is theirs; what is broken, cut off or unknown in them
/// is skipped and counted, and bytes that are not UTF-8 are read as U+FFFD.
pub fn read(
    input: impl BufRead,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    let (input, compression) = open(input)?;
    let (input, head, detected) = look(input, options.format)?;
    let Some(format) = options.format.or(detected) else {
        return Err(if is_blank(&head) {
            ReadError::Empty
        } else {
            ReadError::UnknownContent
        });
    };
    let wrong_format = || {
        let found = detect(&head).filter(|&found| found != format);
        ReadError::WrongFormat {
            named: format,
            found,
        }
    };
    // Lines of hosts may pass for events in which nothing is said: same `type`, other keys.
    if format == Format::Events
        && let wrong @ ReadError::WrongFormat { found: Some(_), .. } = wrong_format()
    {
        return Err(wrong);
    }

    let mut reader = reader(format);
    let mut lines = Lines::new(input, options.max_line_bytes);
    let mut output = Output::new(sink, format, compression);
    let mut blank = true;
    while !output.stopped() {
        let number = lines.read();
        match lines.next().map_err(|source| ReadError::Io {
            line: number,
            source,
        })? {
            Next::End => break,
            Next::TooLong => {
                blank = false;
                output.skip(SkipReason::TooLong);
            }
            Next::Line(line) if line.is_blank() => output.skip(SkipReason::Blank),
            Next::Line(line) => {
                blank = false;
                let line_number = line.number;
                reader
                    .line(line, &mut output)
                    .map_err(|problem| ReadError::Line {
                        line: line_number,
                        problem,
                    })?;
            }
        }
    }
    reader.finish(&mut output);
    if blank {
        return Err(ReadError::Empty);
    }
    if !output.recognised() {
        return Err(wrong_format());
    }
    Ok(output.into_summary(lines.read()))
}

/// Looking for the format ends here: no first telling line is that far down.
const MAX_HEAD_BYTES: usize = 16 << 20;
const MAX_PIECE_BYTES: usize = 64 << 10;

/// Reads ahead: to the first line break where the format is named, and until the content
/// tells it where not. Returns the whole input again, what was read ahead, and the format.
fn look<'r>(
    mut input: Unpacked<'r>,
    named: Option<Format>,
) -> Result<(Unpacked<'r>, Vec<u8>, Option<Format>), ReadError> {
    let mut head = Vec::new();
    let mut tried = 0;
    let mut detected = None;
    loop {
        let piece = fill(&mut input).map_err(|source| ReadError::Io { line: 0, source })?;
        // An input in memory is all one piece.
        let piece = &piece[..piece.len().min(MAX_PIECE_BYTES)];
        let (read, has_break) = (piece.len(), piece.contains(&b'\n'));
        head.extend_from_slice(piece);
        input.consume(read);
        let over = read == 0 || head.len() >= MAX_HEAD_BYTES;
        if named.is_some() {
            if over || has_break || head.len() >= MAX_PIECE_BYTES {
                break;
            }
            continue;
        }
        // Twice as much before the next try, so that all tries together cost two passes.
        if over || head.len() >= 2 * tried {
            tried = head.len();
            detected = detect(&head);
        }
        if over || detected.is_some() {
            break;
        }
    }
    Ok((
        Box::new(Cursor::new(head.clone()).chain(input)),
        head,
        detected,
    ))
}

fn is_blank(head: &[u8]) -> bool {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    head.iter().all(u8::is_ascii_whitespace)
}
