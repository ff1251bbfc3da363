//! Compressed input, recognised by its first bytes.

use std::fmt;
use std::io::{BufRead, Cursor, Read};

use crate::error::ReadError;

/// How an input is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip, one or more members. Read where the feature `gzip` is on.
    Gzip,
    /// Zstandard, one or more frames. Read where the feature `zstd` is on.
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

/// An input as what it holds.
pub(crate) type Unpacked<'r> = Box<dyn BufRead + 'r>;

/// Looks at the first bytes and unpacks what is packed: once, so that a bomb inside a bomb
/// stays packed.
pub(crate) fn open<'r>(
    mut input: impl BufRead + 'r,
) -> Result<(Unpacked<'r>, Option<Compression>), ReadError> {
    let mut magic = Vec::with_capacity(MAGIC_BYTES);
    input
        .by_ref()
        .take(MAGIC_BYTES as u64)
        .read_to_end(&mut magic)
        .map_err(|source| ReadError::Io { line: 0, source })?;
    let compression = recognise(&magic);
    let input = Cursor::new(magic).chain(input);
    let opened: Unpacked<'r> = match compression {
        None => Box::new(input),
        Some(Compression::Gzip) => gunzip(input)?,
        Some(Compression::Zstd) => unzstd(input)?,
    };
    Ok((opened, compression))
}

const MAGIC_BYTES: usize = 4;

fn recognise(magic: &[u8]) -> Option<Compression> {
    match magic {
        [0x1f, 0x8b, ..] => Some(Compression::Gzip),
        // A frame, or one that decoders skip, which some tools write first.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Compression::Zstd),
        _ => None,
    }
}

/// What is unpacked is handed on in pieces of this size.
#[cfg(any(feature = "gzip", feature = "zstd"))]
const PIECE_BYTES: usize = 128 << 10;

#[cfg(feature = "gzip")]
fn gunzip<'r>(input: impl BufRead + 'r) -> Result<Unpacked<'r>, ReadError> {
    let unpacked = flate2::bufread::MultiGzDecoder::new(input);
    Ok(Box::new(std::io::BufReader::with_capacity(
        PIECE_BYTES,
        unpacked,
    )))
}

#[cfg(not(feature = "gzip"))]
fn gunzip<'r>(_input: impl BufRead + 'r) -> Result<Unpacked<'r>, ReadError> {
    Err(ReadError::CompressionOff(Compression::Gzip))
}

#[cfg(feature = "zstd")]
fn unzstd<'r>(input: impl BufRead + 'r) -> Result<Unpacked<'r>, ReadError> {
    // Frames that need a window beyond the decoder's own limit (128 MiB) are refused there.
    let unpacked = zstd::stream::read::Decoder::with_buffer(input)
        .map_err(|source| ReadError::Io { line: 0, source })?;
    Ok(Box::new(std::io::BufReader::with_capacity(
        PIECE_BYTES,
        unpacked,
    )))
}

#[cfg(not(feature = "zstd"))]
fn unzstd<'r>(_input: impl BufRead + 'r) -> Result<Unpacked<'r>, ReadError> {
    Err(ReadError::CompressionOff(Compression::Zstd))
}
