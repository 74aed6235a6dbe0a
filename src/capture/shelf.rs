//! Where bytes are read again: the inputs themselves, and the spool for what lies in none.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::Mutex;

use super::ByteRange;
use super::positioned::{Positioned, write_all_at};
use super::warning::{Damage, Warning, reason};

/// How many bytes the spool gathers before it writes them.
const GATHERED: usize = 64 << 10;

/// Reads the bytes that a [`Place`] names. May be shared between threads.
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

/// A temporary file without a name, as long as there is something to keep and room for it.
struct Spool {
    file: Option<File>,
    written: u64,
    /// What comes behind the bytes that are in the file.
    gathered: Vec<u8>,
    limit: u64,
    /// Whether new bytes take the place of the oldest.
    is_ring: bool,
    full: bool,
    complaint: Option<Damage>,
}

impl PayloadStore {
    /// A shelf of nothing but a spool, for frames that come from no input.
    pub fn spool_only(limit: u64) -> Self {
        Self::new(Vec::new(), limit)
    }

    pub(super) fn new(inputs: Vec<Option<HeldInput>>, spool_limit: u64) -> Self {
        Self { inputs, spool: Mutex::new(Spool::new(spool_limit)) }
    }

    /// Replaces what is in `into` by the bytes at `place`. Fails when the file cannot be read, has
    /// become shorter, or when no such place was ever given out.
    pub fn read(&self, place: ByteRange, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        into.resize(place.length as usize, 0);
        if place.source == ByteRange::SPOOL {
            return self.spool.lock().read(place.offset, into);
        }
        match self.inputs.get(usize::from(place.source)) {
            Some(Some(held)) => held.read_exact_at(into, place.offset),
            _ => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Whether a place can still be read: of a spool that is a ring, the oldest bytes are gone.
    pub fn holds(&self, place: ByteRange) -> bool {
        place.source != ByteRange::SPOOL || self.spool.lock().holds(place.offset)
    }

    /// Makes the spool a ring: where it is full, new bytes take the place of the oldest.
    pub(super) fn make_ring(&self) {
        self.spool.lock().is_ring = true;
    }

    /// Gives the spool its temporary file, for a time when none can be made.
    pub fn prepare(&self, file: File) {
        self.spool.lock().file.get_or_insert(file);
    }

    /// Keeps bytes in the spool. Answers nothing when it takes no more, which
    /// [`Shelf::complaint`] explains once.
    pub fn keep(&self, bytes: &[u8]) -> Option<ByteRange> {
        self.spool.lock().keep(bytes)
    }

    /// Why the spool takes nothing more, once.
    pub fn complaint(&self) -> Option<Warning> {
        let mut spool = self.spool.lock();
        let damage = spool.complaint.take()?;
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
        let (file, complaint) = (None, None);
        let (is_ring, full) = (false, false);
        Self { file, written: 0, gathered: Vec::new(), limit, is_ring, full, complaint }
    }

    /// Where the next byte will lie.
    fn end(&self) -> u64 {
        self.written + self.gathered.len() as u64
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
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED
            && let Err(error) = self.write()
        {
            // What is gathered stays in memory, so every place that was given out holds.
            self.fill_up(format!("the temporary file cannot be written: {}", reason(&error)));
        }
        Some(ByteRange { source: ByteRange::SPOOL, length, offset })
    }

    fn fill_up(&mut self, why: String) {
        self.full = true;
        self.complaint = Some(Damage::Spool(why));
    }

    fn write(&mut self) -> io::Result<()> {
        self.make()?;
        let Some(file) = &self.file else { return Err(ErrorKind::NotFound.into()) };
        let mut at = self.written;
        let mut rest = self.gathered.as_slice();
        while !rest.is_empty() {
            let (place, room) = self.lies(at);
            let part = rest.split_at(room.min(rest.len() as u64) as usize);
            write_all_at(file, part.0, place)?;
            at += part.0.len() as u64;
            rest = part.1;
        }
        self.written = at;
        self.gathered.clear();
        Ok(())
    }

    fn make(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        Ok(())
    }

    /// Where in the file the byte at `offset` of all that was kept lies, and how many bytes can
    /// follow there.
    fn lies(&self, offset: u64) -> (u64, u64) {
        if !self.is_ring {
            return (offset, u64::MAX);
        }
        let size = self.limit.max(1);
        (offset % size, size - offset % size)
    }

    /// Whether the bytes from `offset` on were not yet written over.
    fn holds(&self, offset: u64) -> bool {
        !self.is_ring || self.written.saturating_sub(offset) <= self.limit
    }

    /// Bytes are kept whole: they lie in the file or behind it, never half and half.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        match (offset.checked_sub(self.written), &self.file) {
            (Some(behind), _) => self.gathered.read_exact_at(into, behind),
            (None, Some(file)) if self.holds(offset) => {
                let (place, room) = self.lies(offset);
                let (here, on) = into.split_at_mut(room.min(into.len() as u64) as usize);
                file.read_exact_at(here, place)?;
                if on.is_empty() { Ok(()) } else { file.read_exact_at(on, 0) }
            }
            (None, _) => Err(ErrorKind::NotFound.into()),
        }
    }
}
