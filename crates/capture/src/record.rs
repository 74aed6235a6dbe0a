//! Recording of live captures: pcapng files, one or a series.
//!
//! Every block is written as a whole, and soon: if the program is killed, the file is valid up to
//! its last whole block. The packet counters are at the end of each file.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Frame;
use super::live::{Counters, LiveCapture, LiveDevice};
use super::write::{FrameRecord, PcapNg};

/// When a file is full, and how many are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rotation {
    /// Maximum size of a file in bytes, rounded to whole packets.
    pub size: Option<u64>,
    /// Maximum time from the first packet of a file to its last.
    pub time: Option<Duration>,
    /// How many of the files are kept; the oldest is removed for a new one.
    pub keep: Option<usize>,
}

/// Writes the frames of a live capture.
pub struct LiveRecorder {
    path: PathBuf,
    rotation: Rotation,
    devices: Vec<LiveDevice>,
    out: PcapNg<BufWriter<CountingFile>>,
    /// When the first packet of this file came.
    begun: Option<i64>,
    /// The existing files of this capture, the latest last.
    kept: VecDeque<PathBuf>,
    /// The number of the latest file.
    number: u32,
}

/// A file, and how many bytes were written to it.
struct CountingFile {
    file: File,
    written: u64,
}

impl Rotation {
    /// Whether several files are requested.
    pub fn is_wanted(&self) -> bool {
        self.size.is_some() || self.time.is_some()
    }
}

impl LiveRecorder {
    /// Size of the write buffer in bytes.
    const BUFFER: usize = 1 << 18;

    /// Creates the only file, at `path`, or the first of several: `path` with `-00001` after its
    /// stem, or with the first free number. A file at `path` itself is overwritten.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, rotation: Rotation, devices: &[LiveDevice]) -> io::Result<Self> {
        let mut number = 0;
        let (file, first) = if rotation.is_wanted() {
            next_file(path, &mut number)?
        } else {
            (File::create(path)?, path.to_owned())
        };
        let out = begin(file, devices)?;
        let (path, devices, kept) = (path.to_owned(), devices.to_vec(), [first].into());
        Ok(Self { path, rotation, devices, out, begun: None, kept, number })
    }

    /// Writes to a file or a pipe that is open.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn on_file(file: File, devices: &[LiveDevice]) -> io::Result<Self> {
        let out = begin(file, devices)?;
        let (rotation, devices) = (Rotation::default(), devices.to_vec());
        let (path, kept) = (PathBuf::new(), VecDeque::new());
        Ok(Self { path, rotation, devices, out, begun: None, kept, number: 0 })
    }

    /// The current file.
    pub fn file(&self) -> &File {
        &self.out.get_ref().get_ref().file
    }

    /// Appends a frame, in a new file if this one is full; the counters at its end come from `live`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &mut self,
        frame: &Frame<'_>,
        comment: &str,
        live: &LiveCapture,
    ) -> io::Result<()> {
        if self.is_full(frame) {
            self.end(&live.counters())?;
            let (file, path) = next_file(&self.path, &mut self.number)?;
            self.kept.push_back(path);
            self.out = begin(file, &self.devices)?;
            self.begun = None;
            if let Some(keep) = self.rotation.keep {
                remove_oldest(&mut self.kept, keep.max(1))?;
            }
        }
        self.begun.get_or_insert(frame.time);
        self.append(&FrameRecord { comment, ..FrameRecord::from(*frame) })
    }

    /// Appends a frame to the current file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: &FrameRecord<'_>) -> io::Result<()> {
        self.out.write(record)
    }

    /// Flushes everything to the system.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes the packet counters, and ends the last file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self, counters: &[Counters]) -> io::Result<()> {
        self.end(counters)
    }

    fn end(&mut self, counters: &[Counters]) -> io::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        for (interface, counters) in counters.iter().enumerate() {
            self.out.statistics(interface as u16, time, counters)?;
        }
        self.out.flush()
    }

    fn is_full(&self, frame: &Frame<'_>) -> bool {
        let Some(begun) = self.begun else { return false };
        let written =
            self.out.get_ref().get_ref().written + self.out.get_ref().buffer().len() as u64;
        let by_size =
            self.rotation.size.is_some_and(|size| written + frame.bytes.len() as u64 > size);
        let lasted = u128::try_from(frame.time.saturating_sub(begun)).unwrap_or_default();
        by_size || self.rotation.time.is_some_and(|time| lasted >= time.as_nanos())
    }
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file with its header and the descriptions of all devices, which are flushed at once.
fn begin(file: File, devices: &[LiveDevice]) -> io::Result<PcapNg<BufWriter<CountingFile>>> {
    let counted = CountingFile { file, written: 0 };
    // A block goes into the buffer as a whole, or is written directly.
    let mut out = PcapNg::new(BufWriter::with_capacity(LiveRecorder::BUFFER, counted))?;
    for (interface, device) in devices.iter().enumerate() {
        out.describe(interface as u16, device)?;
    }
    out.flush()?;
    Ok(out)
}

/// The next file of a series whose name is free.
fn next_file(path: &Path, number: &mut u32) -> io::Result<(File, PathBuf)> {
    loop {
        *number += 1;
        let path = with_suffix(path, &format!("-{number:05}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the oldest files until so many are left.
pub(super) fn remove_oldest(files: &mut VecDeque<PathBuf>, left: usize) -> io::Result<()> {
    while files.len() > left {
        let Some(oldest) = files.pop_front() else { break };
        match fs::remove_file(&oldest) {
            // The user may have moved it away.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    Ok(())
}

/// `match.pcapng` as `match-00001.pcapng`.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
    name.push(suffix);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
