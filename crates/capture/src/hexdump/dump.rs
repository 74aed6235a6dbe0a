//! The rows of one dump, put together in each base that its offsets may be written in.

use super::HexdumpError;
use super::row::{Base, HexdumpRow};

/// The most bytes of a dump whose rows were left out: more than the longest packet.
const LONGEST_PACKET: usize = 1 << 17;
/// Bytes of the longest word that od prints.
const LONGEST_WORD: usize = 8;

/// The rows of one dump, until it ends.
#[derive(Debug, Default)]
pub(super) struct Dump {
    /// The bytes by the bases that fit all rows.
    readings: Vec<DumpReading>,
    /// Equal rows were left out before the next one.
    has_repeats: bool,
    /// Equal rows were left out somewhere.
    had_repeats: bool,
}

/// The bytes of a dump in one base.
#[derive(Debug)]
struct DumpReading {
    base: Base,
    /// The offset of its first byte.
    start: usize,
    bytes: Vec<u8>,
    /// Where the bytes of the last row begin.
    last: usize,
    /// Every offset was that of the byte behind the last row.
    is_exact: bool,
}

impl Dump {
    /// A dump that begins with a row.
    pub fn beginning_with(row: &HexdumpRow) -> Self {
        let bases = [Base::Hexadecimal, Base::Octal, Base::Decimal].into_iter();
        let readings = bases.filter_map(|base| {
            let (start, bytes) = (row.offset(base)?, row.bytes.clone());
            Some(DumpReading { base, start, bytes, last: 0, is_exact: true })
        });
        Self { readings: readings.collect(), ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.readings.is_empty()
    }

    /// Equal rows were left out here.
    pub fn repeat(&mut self) {
        (self.has_repeats, self.had_repeats) = (true, true);
    }

    /// How many bytes the last row has.
    pub fn last_row(&self) -> usize {
        self.readings.first().map_or(0, |reading| reading.bytes.len() - reading.last)
    }

    /// Whether a row may come next.
    pub fn takes(&self, row: &HexdumpRow) -> bool {
        self.readings.iter().any(|reading| reading.fit(row, self.has_repeats).is_some())
    }

    /// Adds a row that may come next, in the bases that it fits.
    pub fn add_row(&mut self, row: &HexdumpRow) {
        let has_repeats = std::mem::take(&mut self.has_repeats);
        self.readings.retain_mut(|reading| {
            let fit = reading.fit(row, has_repeats);
            fit.inspect(|fit| reading.add_row(row, fit)).is_some()
        });
    }

    /// The bytes of the dump.
    ///
    /// # Errors
    ///
    /// If rows were left out, and the bases differ in how many.
    pub fn finish(self) -> Result<Vec<u8>, HexdumpError> {
        let is_exact = self.readings.iter().any(|reading| reading.is_exact);
        let mut readings = self.readings.into_iter().filter(|reading| reading.is_exact == is_exact);
        let Some(first) = readings.next() else { return Ok(Vec::new()) };
        if self.had_repeats && readings.any(|other| other.bytes != first.bytes) {
            return Err(HexdumpError::UnknownBase);
        }
        Ok(first.bytes)
    }
}

/// How a row fits behind the bytes before it.
struct RowFit {
    /// How many bytes before it are kept.
    kept: usize,
    /// How many bytes were left out before it.
    left_out: usize,
    /// No byte before it was too many, except NULs that fill up a word.
    is_exact: bool,
}

impl DumpReading {
    /// How a row fits behind the bytes; `None` if its offset does not.
    fn fit(&self, row: &HexdumpRow, has_repeats: bool) -> Option<RowFit> {
        let offset = row.offset(self.base)?.checked_sub(self.start)?;
        let line = self.bytes.get(self.last..).unwrap_or_default();
        if has_repeats {
            let (kept, left_out) = (self.bytes.len(), offset.checked_sub(self.bytes.len())?);
            let are_rows = left_out > 0 && left_out.checked_rem(line.len()) == Some(0);
            return (are_rows && kept + left_out <= LONGEST_PACKET).then_some(RowFit {
                kept,
                left_out,
                is_exact: true,
            });
        }
        // Behind the last row, or, if letters beside its bytes were taken for bytes, in it.
        let unwanted = line.get(offset.checked_sub(self.last)?..)?;
        let fills_word = unwanted.len() < LONGEST_WORD && unwanted.iter().all(|byte| *byte == 0);
        let is_exact = unwanted.is_empty() || row.is_length && fills_word;
        let fits = is_exact || self.base == Base::Hexadecimal;
        fits.then_some(RowFit { kept: offset, left_out: 0, is_exact })
    }

    fn add_row(&mut self, row: &HexdumpRow, fit: &RowFit) {
        let line = self.bytes.get(self.last..).unwrap_or_default().to_vec();
        self.bytes.truncate(fit.kept);
        self.bytes.extend(line.iter().cycle().take(fit.left_out));
        self.is_exact &= fit.is_exact;
        if !row.is_length {
            self.last = self.bytes.len();
        }
        self.bytes.extend_from_slice(&row.bytes);
    }
}
