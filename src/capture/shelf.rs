//! Where bytes are read again: the inputs themselves, and the spool for what lies in none.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::Mutex;

use super::Place;
use super::positioned::{Positioned, write_all_at};
use super::warning::{Damage, Warning, reason};

/// How many bytes the spool gathers before it writes them.
const GATHERED: usize = 64 << 10;

/// Reads the bytes that a [`Place`] names. May be shared between threads.
pub struct Shelf {
    inputs: Vec<Option<Held>>,
    spool: Mutex<Spool>,
}

/// An input that can be read again.
#[derive(Clone)]
pub(super) enum Held {
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
    full: bool,
    complaint: Option<Damage>,
}

impl Shelf {
    /// A shelf of nothing but a spool, for frames that come from no input.
    pub fn spool_only(limit: u64) -> Self {
        Self::new(Vec::new(), limit)
    }

    pub(super) fn new(inputs: Vec<Option<Held>>, spool_limit: u64) -> Self {
        Self { inputs, spool: Mutex::new(Spool::new(spool_limit)) }
    }

    /// Replaces what is in `into` by the bytes at `place`. Fails when the file cannot be read, has
    /// become shorter, or when no such place was ever given out.
    pub fn read(&self, place: Place, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        into.resize(place.length as usize, 0);
        if place.source == Place::SPOOL {
            return self.spool.lock().read(place.offset, into);
        }
        match self.inputs.get(usize::from(place.source)) {
            Some(Some(held)) => held.read_exact_at(into, place.offset),
            _ => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Keeps bytes in the spool. Answers nothing when it takes no more, which
    /// [`Shelf::complaint`] explains once.
    pub fn keep(&self, bytes: &[u8]) -> Option<Place> {
        self.spool.lock().keep(bytes)
    }

    /// Why the spool takes nothing more, once.
    pub fn complaint(&self) -> Option<Warning> {
        let mut spool = self.spool.lock();
        let damage = spool.complaint.take()?;
        Some(Warning { input: "spool".to_owned(), offset: spool.end(), damage })
    }
}

impl Positioned for Held {
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
        Self { file, written: 0, gathered: Vec::new(), limit, full: false, complaint }
    }

    /// Where the next byte will lie.
    fn end(&self) -> u64 {
        self.written + self.gathered.len() as u64
    }

    fn keep(&mut self, bytes: &[u8]) -> Option<Place> {
        if self.full {
            return None;
        }
        let (offset, length) = (self.end(), u32::try_from(bytes.len()).ok()?);
        if offset + u64::from(length) > self.limit {
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
        Some(Place { source: Place::SPOOL, length, offset })
    }

    fn fill_up(&mut self, why: String) {
        self.full = true;
        self.complaint = Some(Damage::Spool(why));
    }

    fn write(&mut self) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile()?,
        };
        let file = self.file.insert(file);
        write_all_at(file, &self.gathered, self.written)?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }

    /// Bytes are kept whole: they lie in the file or behind it, never half and half.
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        match (offset.checked_sub(self.written), &self.file) {
            (Some(behind), _) => self.gathered.read_exact_at(into, behind),
            (None, Some(file)) => file.read_exact_at(into, offset),
            (None, None) => Err(ErrorKind::NotFound.into()),
        }
    }
}
