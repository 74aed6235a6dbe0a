//! Random access to bytes: from the inputs themselves, and from the spool for others.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::Mutex;

use super::ByteRange;
use super::positioned::{Positioned, write_all_at};
use super::warning::{Damage, Warning, reason};

/// How many bytes the spool buffers before it writes them.
const GATHERED: usize = 64 << 10;

/// Reads the bytes of a [`ByteRange`]. May be shared between threads.
pub struct PayloadStore {
    inputs: Vec<Option<HeldInput>>,
    spool: Mutex<Spool>,
}

/// An input that can be read again.
#[derive(Clone)]
pub(super) enum HeldInput {
    File(Arc<File>),
    Memory(Arc<[u8]>),
}

/// An unnamed temporary file, created when needed, with a size limit.
struct Spool {
    file: Option<File>,
    written: u64,
    /// The bytes after those in the file.
    buffer: Vec<u8>,
    limit: u64,
    /// Whether new bytes overwrite the oldest.
    is_ring: bool,
    full: bool,
    warning: Option<Damage>,
}

impl PayloadStore {
    /// A store with only a spool, for frames that come from no input.
    pub fn spool_only(limit: u64) -> Self {
        Self::new(Vec::new(), limit)
    }

    pub(super) fn new(inputs: Vec<Option<HeldInput>>, spool_limit: u64) -> Self {
        Self { inputs, spool: Mutex::new(Spool::new(spool_limit)) }
    }

    /// Replaces the content of `into` by the bytes of a range.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has become shorter, or if this store never returned the range.
    pub fn read_range(&self, range: ByteRange, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        into.resize(range.length as usize, 0);
        if range.source == ByteRange::SPOOL {
            return self.spool.lock().read_range(range.offset, into);
        }
        self.input(range.source)?.read_exact_at(into, range.offset)
    }

    /// Fills `into` with the bytes from `offset` on, which may be those of several ranges. Fails
    /// also where the spool has these only in parts.
    pub(super) fn read_exact(&self, source: u16, offset: u64, into: &mut [u8]) -> io::Result<()> {
        if source != ByteRange::SPOOL {
            return self.input(source)?.read_exact_at(into, offset);
        }
        let spool = self.spool.lock();
        if spool.follows(offset) < into.len() as u64 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        spool.read_range(offset, into)
    }

    /// Fills `into` with the bytes from `offset` on of the spool; false unless its file has them all.
    pub(super) fn read_spooled(&self, offset: u64, into: &mut [u8]) -> io::Result<bool> {
        let spool = self.spool.lock();
        let is_there = offset + into.len() as u64 <= spool.written;
        if is_there {
            spool.read_range(offset, into)?;
        }
        Ok(is_there)
    }

    fn input(&self, source: u16) -> io::Result<&HeldInput> {
        let held = self.inputs.get(usize::from(source)).and_then(Option::as_ref);
        held.ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Whether a range can still be read: of a ring buffer, the oldest bytes are gone.
    pub fn holds(&self, range: ByteRange) -> bool {
        range.source != ByteRange::SPOOL || self.spool.lock().holds(range.offset)
    }

    /// Makes the spool a ring buffer: when it is full, new bytes overwrite the oldest.
    pub(super) fn make_ring(&self) {
        self.spool.lock().is_ring = true;
    }

    /// Sets the temporary file of the spool in advance, because none can be created later.
    pub fn prepare(&self, file: File) {
        self.spool.lock().file.get_or_insert(file);
    }

    /// Stores bytes in the spool. Returns nothing when it is full, which
    /// [`PayloadStore::warning`] explains once.
    pub fn keep(&self, bytes: &[u8]) -> Option<ByteRange> {
        self.spool.lock().keep(bytes)
    }

    /// Drops everything in the spool: no range in it is used any more.
    pub fn clear(&self) {
        let mut spool = self.spool.lock();
        spool.buffer.clear();
        (spool.written, spool.full) = (0, false);
    }

    /// Why the spool is full or failed, once.
    pub fn warning(&self) -> Option<Warning> {
        let mut spool = self.spool.lock();
        let damage = spool.warning.take()?;
        Some(Warning { input: "spool".to_owned(), offset: spool.end(), damage })
    }
}

impl Positioned for HeldInput {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(into, offset),
            Self::Memory(bytes) => bytes.read_at(into, offset),
        }
    }
}

impl Spool {
    fn new(limit: u64) -> Self {
        let (file, warning) = (None, None);
        let (is_ring, full) = (false, false);
        Self { file, written: 0, buffer: Vec::new(), limit, is_ring, full, warning }
    }

    /// The offset of the next byte.
    fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    fn keep(&mut self, bytes: &[u8]) -> Option<ByteRange> {
        if self.full {
            return None;
        }
        let (offset, length) = (self.end(), u32::try_from(bytes.len()).ok()?);
        if !self.is_ring && offset + u64::from(length) > self.limit {
            self.fill_up(format!(
                "the temporary file has reached its limit of {} bytes",
                self.limit
            ));
            return None;
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= GATHERED
            && let Err(error) = self.write()
        {
            // The buffered bytes stay in memory, so all earlier ranges remain valid.
            self.fill_up(format!("the temporary file cannot be written: {}", reason(&error)));
        }
        Some(ByteRange { source: ByteRange::SPOOL, length, offset })
    }

    fn fill_up(&mut self, why: String) {
        self.full = true;
        self.warning = Some(Damage::Spool(why));
    }

    fn write(&mut self) -> io::Result<()> {
        self.make()?;
        let Some(file) = &self.file else { return Err(ErrorKind::NotFound.into()) };
        let mut at = self.written;
        let mut rest = self.buffer.as_slice();
        while !rest.is_empty() {
            let (place, space) = self.position_in_file(at);
            let part = rest.split_at(space.min(rest.len() as u64) as usize);
            write_all_at(file, part.0, place)?;
            at += part.0.len() as u64;
            rest = part.1;
        }
        self.written = at;
        self.buffer.clear();
        Ok(())
    }

    fn make(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        Ok(())
    }

    /// The position in the file of the byte at `offset` of everything stored, and how many bytes
    /// can follow there.
    fn position_in_file(&self, offset: u64) -> (u64, u64) {
        if !self.is_ring {
            return (offset, u64::MAX);
        }
        let size = self.limit.max(1);
        (offset % size, size - offset % size)
    }

    /// Whether the bytes from `offset` on have not been overwritten.
    fn holds(&self, offset: u64) -> bool {
        !self.is_ring || self.written.saturating_sub(offset) <= self.limit
    }

    /// How many bytes from `offset` on are all in the file, or all in the buffer.
    fn follows(&self, offset: u64) -> u64 {
        match self.written.checked_sub(offset) {
            None | Some(0) => self.end().saturating_sub(offset),
            Some(in_file) => in_file,
        }
    }

    /// Items are stored as a whole, either in the file or in the buffer, never split.
    fn read_range(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        match (offset.checked_sub(self.written), &self.file) {
            (Some(behind), _) => self.buffer.read_exact_at(into, behind),
            (None, Some(file)) if self.holds(offset) => {
                let (place, space) = self.position_in_file(offset);
                let (here, on) = into.split_at_mut(space.min(into.len() as u64) as usize);
                file.read_exact_at(here, place)?;
                if on.is_empty() { Ok(()) } else { file.read_exact_at(on, 0) }
            }
            (None, _) => Err(ErrorKind::NotFound.into()),
        }
    }
}
