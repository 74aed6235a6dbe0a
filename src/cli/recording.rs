//! The arguments of commands that write packets to files.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use parking_lot::Mutex;

use super::file_format::check_packets;
use super::live::chown_to_user;
use analysis::FrameHook;
use capture::live::{Counters, LiveCapture, LiveDevice};
use capture::record::{LiveRecorder, Rotation};
use export::folder_of;
use text::parse_option;

/// Which files packets are written to.
#[derive(Args)]
pub(super) struct Recording {
    /// write the packets to a pcapng file; `-` is standard output, for `| wireshark -k -i -`
    #[arg(short, long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// start a new file at this size, such as 500k, 100M or 1G
    #[arg(long, value_name = "SIZE", requires = "write", value_parser = size)]
    rotate_size: Option<u64>,
    /// start a new file after this time, such as 90s, 15m or 1h
    #[arg(long, value_name = "TIME", requires = "write", value_parser = duration)]
    rotate_time: Option<Duration>,
    /// keep only the latest files
    #[arg(long, value_name = "FILES", requires = "write")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rotate_keep: Option<u32>,
}

impl Recording {
    /// Opens the file, if requested; it belongs to the user who called sudo.
    pub fn begin(&self, tapped: &[LiveDevice]) -> anyhow::Result<Option<LiveRecorder>> {
        let rotation = self.rotation();
        if self.rotate_keep.is_some() && !rotation.is_wanted() {
            bail!("--rotate-keep needs --rotate-size, --rotate-time or --on");
        }
        let Some(path) = &self.write else { return Ok(None) };
        if self.is_standard_output() {
            return Ok(Some(to_standard_output(rotation, tapped)?));
        }
        let cannot = || self.cannot_write();
        let file = LiveRecorder::create(path, rotation, tapped).with_context(cannot)?;
        chown_to_user(file.file()).with_context(cannot)?;
        Ok(Some(file))
    }

    /// What is said where packets cannot be written.
    pub fn cannot_write(&self) -> String {
        match self.path() {
            Some(path) if !self.is_standard_output() => format!("cannot write {}", path.display()),
            _ => "cannot write standard output".to_owned(),
        }
    }

    /// Refuses a file that is named as another kind of file.
    pub fn check_name(&self) -> anyhow::Result<()> {
        self.path().map_or(Ok(()), check_packets)
    }

    /// The file, as the user named it.
    pub fn path(&self) -> Option<&Path> {
        self.write.as_deref()
    }

    /// How many files are kept, if the user limits them.
    pub fn rotate_keep(&self) -> Option<u32> {
        self.rotate_keep
    }

    /// Whether packets are written to standard output.
    pub fn is_standard_output(&self) -> bool {
        self.write.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    fn rotation(&self) -> Rotation {
        let keep = self.rotate_keep.map(|files| files as usize);
        Rotation { size: self.rotate_size, time: self.rotate_time, keep }
    }

    /// The directories of later files: none, unless there are several files.
    pub fn writable(&self) -> Vec<PathBuf> {
        let Some(path) = self.write.as_ref().filter(|_| self.rotation().is_wanted()) else {
            return Vec::new();
        };
        vec![folder_of(path)]
    }
}

/// A recorder for the only file that standard output is.
fn to_standard_output(rotation: Rotation, tapped: &[LiveDevice]) -> anyhow::Result<LiveRecorder> {
    if rotation.is_wanted() {
        bail!("standard output is one file: --rotate-size and --rotate-time need -w FILE");
    }
    if io::stdout().is_terminal() {
        bail!("packets are not written to a terminal: name a file with -w, or use a pipe");
    }
    let out = standard_output().context("cannot write standard output")?;
    LiveRecorder::on_file(out, tapped).context("cannot write standard output")
}

/// Standard output as a file.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// A recorder for the thread of a loader.
pub(super) struct RecordingWriter {
    /// `None` after it was finished; the error that stopped writing.
    file: Mutex<io::Result<Option<LiveRecorder>>>,
    /// What is said where it cannot be written.
    cannot_write: String,
}

impl RecordingWriter {
    pub fn new(file: LiveRecorder, cannot_write: String) -> Self {
        Self { file: Mutex::new(Ok(Some(file))), cannot_write }
    }

    /// Writes each frame, until that fails.
    pub fn frame_hook(self: &Arc<Self>, capture: &LiveCapture) -> FrameHook {
        let (written, capture) = (Arc::clone(self), capture.clone());
        Box::new(move |frame| {
            let mut file = written.file.lock();
            let Ok(Some(recorder)) = file.as_mut() else { return };
            let mut done = recorder.write(frame, "", &capture);
            if done.is_ok() && capture.is_idle() {
                done = recorder.flush();
            }
            if let Err(error) = done {
                *file = Err(error);
            }
        })
    }

    /// Ends the file.
    pub fn finish(&self, counters: &[Counters]) -> anyhow::Result<()> {
        let file = std::mem::replace(&mut *self.file.lock(), Ok(None));
        let finished = file.and_then(|file| file.map_or(Ok(()), |file| file.finish(counters)));
        finished.with_context(|| self.cannot_write.clone())
    }
}

/// At most ten years.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(1)..=Duration::from_hours(24 * 3650)))
}

/// Parses `500k`, `100M`, `1G`, in powers of 1000; a number alone is bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let mut units = units.into_iter();
    let scaled = units.find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = scaled.unwrap_or((text, 1));
    let number = number.parse::<u64>().ok().filter(|n| *n > 0 && !number.starts_with('+'));
    let bytes = number.and_then(|number| number.checked_mul(factor));
    bytes.ok_or_else(|| "expected a size such as 500k, 100M or 1G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2d"), Ok(Duration::from_hours(48)));
        for (text, bytes) in [("1", 1), ("500k", 500_000), ("100M", 100_000_000)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        assert!(duration("0").is_err());
        for text in ["", "0", "s", "-1s", "+1", "1.5h", "1w", "1 s", "99999999999999999999", "1e9"]
        {
            assert!(size(text).is_err(), "{text}");
        }
        assert!(size("99999999999999999G").is_err());
    }
}
