//! The one way in: any input, any format.

use std::io::{BufRead, Cursor, Read};
use std::ops::ControlFlow;

use crate::compression::{Unpacked, open};
use crate::error::ReadError;
use crate::event::Event;
use crate::format::Format;
use crate::formats::{claims, detect_head, may_be_document, reader};
use crate::json::Json;
use crate::layout::{self, Layout};
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
/// to its first telling line. A session that is one JSON document is in memory as a whole.
///
/// # Errors
///
/// [`ReadError`]. An event stream fails on its first malformed line, a document that is not
/// JSON fails as a whole. Otherwise the formats of hosts fail only where nothing in the input
/// is theirs; what is broken, cut off or unknown in them is skipped and counted, and bytes
/// that are not UTF-8 are read as U+FFFD.
pub fn read(
    input: impl BufRead,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<ReadSummary, ReadError> {
    let (input, compression) = open(input)?;
    let (mut input, mut head, detected) = look(input, options.format)?;
    let Some(format) = options.format.or(detected) else {
        return Err(if is_blank(&head) {
            ReadError::Empty
        } else {
            ReadError::UnknownContent
        });
    };
    let document = may_be_document(format) && layout::of(&head) != Layout::Lines;
    if document {
        head = read_whole(&mut input, head, options.max_document_bytes)?;
    }
    // Lines of hosts may pass for events in which nothing is said: same `type`, other keys.
    // Messages of one host may pass for those of another in the same way.
    let judged = match head.get(..MAX_PIECE_BYTES) {
        // However the input comes in pieces.
        Some(beginning) if !document => layout::settled(beginning),
        _ => &head,
    };
    if let Some(named) = options.format
        && let found @ Some(other) = detect_head(judged, false)
        && other != named
        && !claims(named, judged)
    {
        return Err(ReadError::WrongFormat { named, found });
    }

    let mut output = Output::new(sink, format, compression);
    let outcome = if document {
        read_document(&head, format, options, &mut output)?
    } else {
        let input = Cursor::new(head.clone()).chain(input);
        read_lines(input, format, options, &mut output)?
    };
    match outcome {
        Outcome::Blank => Err(ReadError::Empty),
        Outcome::Read { .. } if !output.recognised() => Err(wrong_format(format, judged)),
        Outcome::Read { lines } => Ok(output.into_summary(lines)),
    }
}

fn wrong_format(named: Format, head: &[u8]) -> ReadError {
    let found = detect_head(head, true).filter(|&found| found != named);
    ReadError::WrongFormat { named, found }
}

enum Outcome {
    Blank,
    Read { lines: u64 },
}

fn read_lines(
    input: impl BufRead,
    format: Format,
    options: &ReadOptions,
    output: &mut Output<'_, '_>,
) -> Result<Outcome, ReadError> {
    let mut reader = reader(format);
    let mut lines = Lines::new(input, options.max_line_bytes);
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
                    .line(line, output)
                    .map_err(|problem| ReadError::Line {
                        line: line_number,
                        problem,
                    })?;
            }
        }
    }
    reader.finish(output);
    Ok(if blank {
        Outcome::Blank
    } else {
        Outcome::Read {
            lines: lines.read(),
        }
    })
}

fn read_document(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    output: &mut Output<'_, '_>,
) -> Result<Outcome, ReadError> {
    if is_blank(bytes) {
        return Ok(Outcome::Blank);
    }
    if layout::of_whole(bytes) == Layout::Lines {
        return read_lines(bytes, format, options, output);
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = String::from_utf8_lossy(text);
    let document = match Json::parse(&text) {
        Ok(document) => document,
        Err(_) if layout::has_values_as_lines(&text) => {
            return read_lines(bytes, format, options, output);
        }
        Err(problem) => {
            let before = &text.as_bytes()[..problem.offset];
            let start = before.iter().rposition(|&byte| byte == b'\n');
            let breaks = before.iter().filter(|&&byte| byte == b'\n').count();
            return Err(ReadError::Document {
                line: breaks as u64 + 1,
                byte: problem.offset - start.map_or(0, |at| at + 1),
                expected: problem.reason,
            });
        }
    };
    let mut reader = reader(format);
    reader.document(document, output);
    reader.finish(output);
    // Its lines mean nothing.
    Ok(Outcome::Read { lines: 0 })
}

/// All of an input whose first bytes are read.
fn read_whole(
    input: &mut Unpacked<'_>,
    mut head: Vec<u8>,
    limit: usize,
) -> Result<Vec<u8>, ReadError> {
    let room = (limit as u64 + 1).saturating_sub(head.len() as u64);
    input
        .take(room)
        .read_to_end(&mut head)
        .map_err(|source| ReadError::Io { line: 0, source })?;
    if head.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    Ok(head)
}

/// Looking for the format ends here: no first telling line is that far down.
const MAX_HEAD_BYTES: usize = 16 << 20;
const MAX_PIECE_BYTES: usize = 64 << 10;

/// Reads ahead: a piece if the format is named, and until the content tells it if not.
/// Returns the rest of the input, what was read ahead, and the format.
fn look(
    mut input: Unpacked<'_>,
    named: Option<Format>,
) -> Result<(Unpacked<'_>, Vec<u8>, Option<Format>), ReadError> {
    let mut head = Vec::new();
    let mut tried = 0;
    let mut detected = None;
    loop {
        let piece = fill(&mut input).map_err(|source| ReadError::Io { line: 0, source })?;
        // An input in memory is all one piece.
        let piece = &piece[..piece.len().min(MAX_PIECE_BYTES)];
        let read = piece.len();
        let has_line_end = piece.contains(&b'\n');
        head.extend_from_slice(piece);
        input.consume(read);
        let over = read == 0 || head.len() >= MAX_HEAD_BYTES;
        if let Some(named) = named {
            // A stream that is still being written shows what it is with its first lines.
            let enough = head.len() >= MAX_PIECE_BYTES
                || (has_line_end
                    && !may_be_document(named)
                    && layout::of(&head) == Layout::Lines
                    && claims(named, layout::settled(&head)));
            if over || enough {
                break;
            }
            continue;
        }
        // Twice as much before the next try, so that all tries together cost two passes.
        if over || head.len() >= 2 * tried {
            tried = head.len();
            let known = if over { &head } else { layout::settled(&head) };
            detected = detect_head(known, over);
            if over || detected.is_some_and(|format| shows_layout(format, &head)) {
                break;
            }
        }
    }
    Ok((input, head, detected))
}

fn shows_layout(format: Format, head: &[u8]) -> bool {
    !may_be_document(format) || layout::of(head) != Layout::Open
}

fn is_blank(head: &[u8]) -> bool {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    head.iter().all(u8::is_ascii_whitespace)
}
