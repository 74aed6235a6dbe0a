//! The part of an input that is in memory: a buffer that slides over a stream.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use super::compression::is_trailing;
use super::warning::reason;

/// Read size, and the memory that an input takes as long as its frames are small.
const CHUNK: usize = 256 << 10;

/// A sliding buffer over a stream. It grows only as bytes arrive, never because of a length field.
pub(super) struct Window {
    stream: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that were read and not yet consumed.
    held: Range<usize>,
    /// Stream offset of the first byte held.
    offset: u64,
    /// Stream offset of the record or block that is being read.
    mark: u64,
    ended: bool,
    /// The read error that ended the stream, if any.
    failure: Option<String>,
    /// Other bytes follow a compressed stream, which was read to its end.
    has_trailing: bool,
}

impl Window {
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; CHUNK];
        Self {
            stream,
            buffer,
            held: 0..0,
            offset: 0,
            mark: 0,
            ended: false,
            failure: None,
            has_trailing: false,
        }
    }

    /// Bytes of the stream before the first byte held.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Sets the mark at the beginning of a record or block, for error positions.
    #[inline]
    pub fn mark(&mut self) {
        self.mark = self.offset;
    }

    /// The position of the last mark.
    pub fn marked(&self) -> u64 {
        self.mark
    }

    /// The bytes held; at least as many as the last [`Window::hold`] requested.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.at(self.held.clone())
    }

    /// Bytes that were held and may since have been consumed. They are valid until the next `hold`.
    #[inline]
    pub fn at(&self, range: Range<usize>) -> &[u8] {
        self.buffer.get(range).unwrap_or_default()
    }

    /// The position of the first byte held in the buffer, to make a range for [`Window::at`].
    #[inline]
    pub fn position(&self) -> usize {
        self.held.start
    }

    /// Reads until `length` bytes are held. False when the stream ends before.
    #[inline]
    pub fn hold(&mut self, length: usize) -> bool {
        self.held.len() >= length || self.refill(length)
    }

    /// Consumes `length` of the held bytes.
    #[inline]
    pub fn pass(&mut self, length: usize) {
        let length = length.min(self.held.len());
        self.held.start += length;
        self.offset += length as u64;
    }

    /// Skips `length` bytes, held or not. False when the stream ends before.
    pub fn skip(&mut self, mut length: u64) -> bool {
        while length > 0 {
            if !self.hold(1) {
                return false;
            }
            let step = usize::try_from(length).unwrap_or(usize::MAX).min(self.held.len());
            self.pass(step);
            length -= step as u64;
        }
        true
    }

    /// The read error that ended the stream, if any.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Whether other bytes follow a compressed stream.
    pub fn has_trailing(&self) -> bool {
        self.has_trailing
    }

    #[cold]
    fn refill(&mut self, length: usize) -> bool {
        self.buffer.copy_within(self.held.clone(), 0);
        self.held = 0..self.held.len();
        while self.held.len() < length && !self.ended {
            if self.held.end == self.buffer.len() {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            let space = self.buffer.get_mut(self.held.end..).unwrap_or_default();
            match self.stream.read(space) {
                Ok(0) => self.ended = true,
                Ok(read) => self.held.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_trailing(&error) => {
                    (self.ended, self.has_trailing) = (true, true);
                }
                Err(error) => {
                    self.ended = true;
                    self.failure = Some(reason(&error));
                }
            }
        }
        self.held.len() >= length
    }
}
