//! Payloads that are read again in the order of the capture, with few large reads.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::{ByteRange, PayloadStore};

/// How many bytes are read at once.
const WINDOW: usize = 128 << 10;
/// How many inputs have a window; with more, the windows take turns.
const WINDOWS: usize = 16;

/// Reads ranges that follow each other, in each input.
pub struct PayloadWindows {
    payloads: Arc<PayloadStore>,
    windows: Vec<PayloadWindow>,
    /// The window that another input gets when all are used.
    next: usize,
}

/// Bytes of an input, or of the spool.
struct PayloadWindow {
    source: u16,
    offset: u64,
    bytes: Vec<u8>,
}

impl PayloadWindows {
    /// Empty windows.
    pub fn new(payloads: Arc<PayloadStore>) -> Self {
        Self { payloads, windows: Vec::new(), next: 0 }
    }

    /// The bytes of a range.
    ///
    /// # Errors
    ///
    /// As [`PayloadStore::read`].
    pub fn bytes(&mut self, range: ByteRange) -> io::Result<&[u8]> {
        let at = self.window_of(range.source);
        let window = self.windows.get_mut(at).ok_or(ErrorKind::NotFound)?;
        if window.get(range).is_none() {
            window.offset = range.offset;
            self.payloads.read_ahead(range, WINDOW, &mut window.bytes)?;
        }
        window.get(range).ok_or_else(|| ErrorKind::UnexpectedEof.into())
    }

    /// The index of an input's window, which may be a new one.
    fn window_of(&mut self, source: u16) -> usize {
        if let Some(known) = self.windows.iter().position(|window| window.source == source) {
            return known;
        }
        if self.windows.len() < WINDOWS {
            self.windows.push(PayloadWindow { source, offset: 0, bytes: Vec::new() });
            return self.windows.len() - 1;
        }
        self.next = (self.next + 1) % WINDOWS;
        if let Some(window) = self.windows.get_mut(self.next) {
            window.source = source;
            window.bytes.clear();
        }
        self.next
    }
}

impl PayloadWindow {
    fn get(&self, range: ByteRange) -> Option<&[u8]> {
        let begin = usize::try_from(range.offset.checked_sub(self.offset)?).ok()?;
        self.bytes.get(begin..begin.checked_add(range.length as usize)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::payload_store::HeldInput;
    use super::*;

    /// A byte of an input.
    fn byte(source: u16, at: u64) -> u8 {
        (at % 251) as u8 ^ source as u8
    }

    #[test]
    fn windows_read_what_the_store_reads() {
        let size = 3 * WINDOW as u64 + 11;
        let input = |source| HeldInput::Memory((0..size).map(|at| byte(source, at)).collect());
        let sources = WINDOWS as u16 + 3;
        let inputs = (0..sources).map(|source| Some(input(source))).collect();
        let payloads = Arc::new(PayloadStore::new(inputs, 0));
        let mut windows = PayloadWindows::new(Arc::clone(&payloads));
        let mut whole = Vec::new();
        for offset in (0..size).step_by(5_003).chain([7, size - 1, 0]) {
            for source in 0..sources {
                let length = (offset as u32 * 7) % 70_000;
                let range = ByteRange { source, length, offset };
                let read = windows.bytes(range).map(<[u8]>::to_vec).ok();
                let should = payloads.read(range, &mut whole).ok().map(|()| whole.clone());
                assert_eq!(read, should, "{range:?}");
                assert_eq!(read.is_some(), offset + u64::from(length) <= size);
            }
        }
        let range = ByteRange { source: sources, length: 1, offset: 0 };
        assert!(windows.bytes(range).is_err());
    }

    #[test]
    fn windows_read_the_spool_in_its_file_and_in_memory() {
        for (limit, is_ring) in [(u64::MAX, false), (300_000, true)] {
            let payloads = Arc::new(PayloadStore::spool_only(limit));
            if is_ring {
                payloads.make_ring();
            }
            let mut windows = PayloadWindows::new(Arc::clone(&payloads));
            let payload = |n: u32| n.to_be_bytes().repeat(997);
            let mut ranges = Vec::new();
            for n in 0..600 {
                ranges.push((n, payloads.keep(&payload(n)).unwrap()));
                // Some are read while others come.
                if n % 100 == 3 {
                    assert_eq!(windows.bytes(ranges[ranges.len() - 2].1).unwrap(), payload(n - 1));
                }
            }
            let held: Vec<_> = ranges.iter().filter(|(_, range)| payloads.holds(*range)).collect();
            assert!(held.len() > 60 && is_ring == (held.len() < ranges.len()));
            for (n, range) in held {
                assert_eq!(windows.bytes(*range).unwrap(), payload(*n), "{n}");
            }
        }
    }
}
