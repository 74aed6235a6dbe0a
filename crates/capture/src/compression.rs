//! Compressed captures: gzip, zstd and lz4, recognised by their first bytes, never by their name.
//!
//! A cut or damaged stream gives what its decoder returned before: with gzip everything up to a
//! cut, with zstd and lz4 every whole block (of at most 128 KiB, and of 64 KiB to 4 MiB).

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use flate2::bufread::GzDecoder;
use lz4_flex::frame::FrameDecoder;

use super::warning::reason;

/// The compression of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Lz4,
}

impl Compression {
    /// Detects the compression by the first bytes of a stream and decompresses it. Several
    /// concatenated compressed streams are one.
    pub fn undo(
        mut stream: impl Read + Send + 'static,
    ) -> io::Result<(Self, Box<dyn Read + Send>)> {
        let mut magic = Vec::with_capacity(4);
        stream.by_ref().take(4).read_to_end(&mut magic)?;
        let compression = Self::from_magic(&magic);
        let whole = Cursor::new(magic).chain(stream);
        let plain: Box<dyn Read + Send> = match compression {
            Self::None => Box::new(whole),
            Self::Gzip => Box::new(Gzip::new(BufReader::new(whole))),
            Self::Zstd => Box::new(zstd::stream::read::Decoder::new(whole)?),
            Self::Lz4 => Box::new(Lz4::new(whole)),
        };
        Ok((compression, Box::new(Explained { stream: plain, compression })))
    }

    fn from_magic(magic: &[u8]) -> Self {
        match magic {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // A zstd frame, or a skippable one, which pzstd writes first.
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Self::Zstd,
            [0x04, 0x22, 0x4d, 0x18] => Self::Lz4,
            _ => Self::None,
        }
    }
}

/// Converts a decoder's errors into text.
struct Explained {
    stream: Box<dyn Read + Send>,
    compression: Compression,
}

impl Read for Explained {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.read(into).map_err(|error| {
            let name = match self.compression {
                Compression::Gzip => "gzip",
                Compression::Zstd => "zstd",
                Compression::Lz4 => "lz4",
                Compression::None => return error,
            };
            match error.kind() {
                _ if is_trailing(&error) => error,
                ErrorKind::Interrupted => error,
                kind @ ErrorKind::UnexpectedEof => {
                    io::Error::new(kind, format!("the {name} stream is cut short"))
                }
                kind => {
                    let why = reason(&error);
                    io::Error::new(kind, format!("the {name} stream is damaged ({why})"))
                }
            }
        })
    }
}

/// Whether everything was read, and other bytes follow.
pub(super) fn is_trailing(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<TrailingBytes>()).is_some()
}

/// Bytes behind a gzip stream that are none.
#[derive(Debug, thiserror::Error)]
#[error("bytes follow the gzip stream that are no gzip")]
struct TrailingBytes;

/// A gzip decoder for concatenated streams that tells what follows the last one.
struct Gzip<R: BufRead> {
    /// Absent once the stream is over.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gzip<R> {
    fn new(stream: R) -> Self {
        Self { decoder: Some(GzDecoder::new(stream)) }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(into);
            if into.is_empty() || !matches!(read, Ok(0)) {
                return read;
            }
            let next = decoder.get_mut().fill_buf()?;
            let (is_end, is_gzip) = (next.is_empty(), matches!(next, [0x1f] | [0x1f, 0x8b, ..]));
            let decoder = self.decoder.take().filter(|_| is_gzip);
            self.decoder = decoder.map(|decoder| GzDecoder::new(decoder.into_inner()));
            if !is_end && !is_gzip {
                return Err(io::Error::other(TrailingBytes));
            }
        }
        Ok(0)
    }
}

/// An lz4 decoder for concatenated frames that detects a cut. The one of `lz4_flex` stops at every
/// end mark, fails at a second frame with other block sizes, and takes a stream that ends between
/// two blocks for a complete one; so every frame gets its own.
struct Lz4<R: Read> {
    /// Absent once the stream is over.
    decoder: Option<FrameDecoder<CountingReader<R>>>,
}

/// Counts the bytes that are read, and detects the end.
struct CountingReader<R> {
    stream: R,
    passed: u64,
    ended: bool,
}

impl<R: Read> Lz4<R> {
    fn new(stream: R) -> Self {
        Self { decoder: Some(Self::frame(stream)) }
    }

    fn frame(stream: R) -> FrameDecoder<CountingReader<R>> {
        FrameDecoder::new(CountingReader { stream, passed: 0, ended: false })
    }
}

impl<R: Read> Read for Lz4<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(mut decoder) = self.decoder.take() {
            let read = decoder.read(into);
            if into.is_empty() || !matches!(read, Ok(0)) {
                self.decoder = Some(decoder);
                return read;
            }
            let live = decoder.into_inner();
            match (live.ended, live.passed) {
                (true, 0) => {}
                (true, _) => return Err(ErrorKind::UnexpectedEof.into()),
                (false, _) => self.decoder = Some(Self::frame(live.stream)),
            }
        }
        Ok(0)
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.passed += read as u64;
        self.ended |= read == 0 && !into.is_empty();
        Ok(read)
    }
}
