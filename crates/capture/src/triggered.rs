//! Files that are written when something happens: with the frames before it, which were kept, and
//! with those that follow for some time.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Frame;
use super::kept_frames::KeptFrames;
use super::live::{Counters, LiveDevice};
use super::record::{LiveRecorder, remove_oldest, with_suffix};
use super::write::FrameRecord;

/// Which frames are kept, and which files are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerSettings {
    /// The files are named as this one, with a label after its stem.
    pub path: PathBuf,
    /// How long frames are kept.
    pub keep: Duration,
    /// Maximum size of what is kept in bytes, with 64 bytes more for each frame. As much may be
    /// written of the frames that follow.
    pub keep_size: u64,
    /// For how long frames are written that follow.
    pub after: Duration,
    /// How many files are left; the oldest is removed for a new one.
    pub files: usize,
}

/// What is written into packet comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerComment {
    /// The numbers of the frames that get it. If none of them is kept, the latest frame gets it.
    pub frames: Vec<u64>,
    /// The comment.
    pub text: String,
}

/// Keeps the latest frames, and writes them to a file when it is asked to.
pub struct TriggeredRecorder {
    settings: TriggerSettings,
    devices: Vec<LiveDevice>,
    kept: KeptFrames,
    current: Option<TriggeredFile>,
    /// The existing files of this capture, the latest last.
    files: VecDeque<PathBuf>,
}

/// The file that is being written.
struct TriggeredFile {
    out: LiveRecorder,
    /// It ends before a frame after this time, in nanoseconds since the Unix epoch,
    until: i64,
    /// or before one that is longer than this.
    left: u64,
}

impl TriggeredRecorder {
    /// A recorder that keeps frames of these devices in a temporary file.
    pub fn new(settings: TriggerSettings, temporary: File, devices: &[LiveDevice]) -> Self {
        let kept = KeptFrames::new(temporary, settings.keep, settings.keep_size);
        let (devices, files) = (devices.to_vec(), VecDeque::new());
        Self { settings, devices, kept, current: None, files }
    }

    /// Keeps the next frame, and writes it if a file is being written. The file ends with the
    /// `counters` of the devices.
    ///
    /// # Errors
    ///
    /// If the temporary file or the current file cannot be written.
    pub fn push(
        &mut self,
        frame: &Frame<'_>,
        comments: &[TriggerComment],
        counters: impl Fn() -> Vec<Counters>,
    ) -> io::Result<()> {
        self.kept.push(frame)?;
        let length = frame.bytes.len() as u64;
        let is_over = |file: &mut TriggeredFile| frame.time > file.until || length > file.left;
        if let Some(file) = self.current.take_if(is_over) {
            file.out.finish(&counters())?;
        }
        let Some(file) = &mut self.current else { return Ok(()) };
        file.left -= length;
        let texts: Vec<_> = comments.iter().map(|comment| comment.text.as_str()).collect();
        let comment = texts.join("\n");
        file.out.append(&FrameRecord { comment: &comment, ..FrameRecord::from(*frame) })
    }

    /// Whether a file is being written.
    pub fn is_writing(&self) -> bool {
        self.current.is_some()
    }

    /// Begins a file with the frames that are kept, unless one is being written, and returns its
    /// name. `time` is that of the latest frame, in nanoseconds since the Unix epoch.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written, the temporary file cannot be read, or the oldest
    /// file cannot be removed.
    pub fn begin(
        &mut self,
        label: &str,
        time: i64,
        comments: &[TriggerComment],
    ) -> io::Result<Option<&Path>> {
        if self.is_writing() {
            return Ok(None);
        }
        remove_oldest(&mut self.files, self.settings.files.max(1) - 1)?;
        let (file, path) = create(&self.settings.path, label)?;
        self.files.push_back(path);
        let mut out = LiveRecorder::on_file(file, &self.devices)?;
        let mut on_latest = Vec::new();
        for comment in comments {
            if !comment.frames.iter().any(|number| self.kept.has(*number)) {
                on_latest.push(comment.text.as_str());
            }
        }
        let latest = self.kept.latest();
        self.kept.each(|number, record| {
            let at_fault = comments.iter().filter(|comment| comment.frames.contains(&number));
            let mut texts: Vec<_> = at_fault.map(|comment| comment.text.as_str()).collect();
            if latest == Some(number) {
                texts.append(&mut on_latest);
            }
            out.append(&FrameRecord { comment: &texts.join("\n"), ..record })
        })?;
        out.flush()?;
        let after = i64::try_from(self.settings.after.as_nanos()).unwrap_or(i64::MAX);
        let until = time.saturating_add(after);
        self.current = Some(TriggeredFile { out, until, left: self.settings.keep_size });
        Ok(self.files.back().map(PathBuf::as_path))
    }

    /// Flushes the current file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.current.as_mut().map_or(Ok(()), |file| file.out.flush())
    }

    /// Ends the current file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(self, counters: &[Counters]) -> io::Result<()> {
        self.current.map_or(Ok(()), |file| file.out.finish(counters))
    }
}

/// Creates a file with a label in its name, and a number if that name is taken.
fn create(path: &Path, label: &str) -> io::Result<(File, PathBuf)> {
    let mut number = 1;
    loop {
        let suffix = if number > 1 { format!("-{label}-{number}") } else { format!("-{label}") };
        let path = with_suffix(path, &suffix);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}
