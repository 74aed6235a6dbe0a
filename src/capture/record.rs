//! Live captures on their way to disk: pcapng files, one or one after the other.
//!
//! Every block is handed to the system whole, and none waits long: whatever happens to the program,
//! the file opens up to its last whole block. What became of the packets stands at the end of each
//! file.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Frame;
use super::live::{Counters, LiveCapture, Tapped};
use super::write::{Described, FrameRecord, PcapNg, Statistics};

/// When a file is full, and how many are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rotation {
    /// Bytes of a file at most, as far as whole packets go.
    pub size: Option<u64>,
    /// From the first packet of a file to its last at most.
    pub time: Option<Duration>,
    /// How many of the files are kept; the oldest is removed for a new one.
    pub keep: Option<usize>,
}

/// Writes the frames of a live capture.
pub struct LiveRecorder {
    path: PathBuf,
    rotation: Rotation,
    devices: Vec<Tapped>,
    out: PcapNg<BufWriter<CountingFile>>,
    /// When the first packet of this file came.
    begun: Option<i64>,
    /// The files of this capture that are still there, the latest last.
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
    /// Whether there is more than one file.
    pub fn is_wanted(&self) -> bool {
        self.size.is_some() || self.time.is_some()
    }
}

impl LiveRecorder {
    /// Bytes that are gathered before they are written.
    const BUFFER: usize = 1 << 18;

    /// Begins the only file, at `path`, or the first of several: `path` with `-00001` behind its
    /// stem, or with the first number that is free. A file at `path` itself is written over.
    pub fn create(path: &Path, rotation: Rotation, devices: &[Tapped]) -> io::Result<Self> {
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

    /// The file that is being written.
    pub fn file(&self) -> &File {
        &self.out.get_ref().get_ref().file
    }

    /// Where it is.
    pub fn file_path(&self) -> &Path {
        self.kept.back().map_or(self.path.as_path(), PathBuf::as_path)
    }

    /// Appends a frame, in a new file if this one is full; `tap` tells what stands at its end.
    pub fn write(&mut self, frame: &Frame<'_>, comment: &str, tap: &LiveCapture) -> io::Result<()> {
        if self.is_full(frame) {
            self.end(&tap.counters())?;
            let (file, path) = next_file(&self.path, &mut self.number)?;
            self.kept.push_back(path);
            self.out = begin(file, &self.devices)?;
            self.begun = None;
            while self.rotation.keep.is_some_and(|keep| self.kept.len() > keep.max(1)) {
                let Some(oldest) = self.kept.pop_front() else { break };
                match fs::remove_file(&oldest) {
                    // Whoever has moved it away is welcome to it.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
        self.begun.get_or_insert(frame.time);
        self.out.write(&FrameRecord { comment, ..FrameRecord::from(*frame) })
    }

    /// Gives everything to the system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes what became of the packets, and ends the last file.
    pub fn finish(mut self, counters: &[Counters]) -> io::Result<()> {
        self.end(counters)
    }

    fn end(&mut self, counters: &[Counters]) -> io::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        for (interface, counters) in counters.iter().enumerate() {
            let comment = format!("dropped by fragshark itself: {}", counters.dropped_by_us);
            let said = Statistics {
                time,
                received: counters.received,
                dropped_by_interface: counters.dropped_by_interface,
                accepted: counters.received,
                dropped_by_kernel: counters.dropped_by_kernel,
                delivered: counters.delivered,
                comment: &comment,
            };
            self.out.statistics(interface as u16, &said)?;
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

/// A file with its header and the descriptions of all devices, which are on disk at once.
fn begin(file: File, devices: &[Tapped]) -> io::Result<PcapNg<BufWriter<CountingFile>>> {
    let counted = CountingFile { file, written: 0 };
    // A block goes into the buffer whole, or through it.
    let mut out = PcapNg::new(BufWriter::with_capacity(LiveRecorder::BUFFER, counted))?;
    for (interface, device) in devices.iter().enumerate() {
        let Tapped { name, link, filter, snap_length } = device;
        let (link, snap_length) = (*link, *snap_length);
        out.describe(interface as u16, &Described { name, filter, link, snap_length })?;
    }
    out.flush()?;
    Ok(out)
}

/// The next file of a series that is not there yet.
fn next_file(path: &Path, number: &mut u32) -> io::Result<(File, PathBuf)> {
    loop {
        *number += 1;
        let path = numbered(path, *number);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// `match.pcapng` as `match-00001.pcapng`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
    name.push(format!("-{number:05}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
