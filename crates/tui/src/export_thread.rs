//! The thread that writes an export, and checks its name.

use std::fs;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use super::export::{NameState, Saves, SinglePacket};
use super::text::{counted, grouped};
use analysis::Session;
use capture::write::{FrameRecord, PcapNg};
use export::{
    Existing, ExportError, ExportForm, ExportProgress, ExportSummary, Output, SessionExport,
};
use text::Secrets;

/// A running export. Dropping it stops it and leaves no file.
pub struct ExportThread {
    progress: Arc<ExportProgress>,
    thread: Option<JoinHandle<Result<String, String>>>,
}

impl ExportThread {
    /// Starts to write.
    pub fn start(
        saves: &Saves,
        name: &str,
        (export, form): (SessionExport, ExportForm),
        session: Arc<Mutex<Session>>,
        secrets: Secrets,
    ) -> Result<Self, String> {
        let (path, name) = (saves.folder.join(name), name.to_owned());
        let inputs = saves.inputs.clone();
        let progress = Arc::new(ExportProgress::default());
        let shared = Arc::clone(&progress);
        let write = move || {
            let out = Output::file(&path, &inputs, Existing::Replaced);
            let mut out = out.map_err(|error| reason(&error))?;
            let written = export.write(form, &session, secrets, &shared, &mut out);
            let written = written.and_then(|written| shared.check().map(|()| written));
            let written = written.map_err(|error| match error {
                ExportError::Stopped => format!("stopped; {name} was not written"),
                ExportError::Write(error) => {
                    format!("{name} was not written: {}", root(&error))
                }
                error => format!("{name} was not written: {}", reason(&error)),
            })?;
            out.finish().map_err(|error| reason(&error))?;
            Ok(summary_text(&export, written, &name))
        };
        let thread = thread::Builder::new().name("export".to_owned()).spawn(write);
        let thread = thread.map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(Self { progress, thread: Some(thread) })
    }

    /// How many messages or rows have been written.
    pub fn done(&self) -> u64 {
        self.progress.done()
    }

    /// Requests it to stop.
    pub fn stop(&self) {
        self.progress.stop();
    }

    /// Its result, once it has ended; after that none.
    pub fn ended(&mut self) -> Option<Result<String, String>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|_| Err("nothing was written".to_owned())))
    }
}

impl Drop for ExportThread {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // Nobody waits for its result.
            _ = thread.join();
        }
    }
}

impl Saves {
    /// Writes a datagram to a capture of its own, under a name that is free; returns the name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_packet(&self, packet: &SinglePacket) -> Result<String, String> {
        let SinglePacket { number, time, source, destination, payload, comment } = packet;
        let frame = net::compose::datagram(*source, *destination, payload)
            .ok_or("it is too long for a datagram")?;
        let names = (1..100).map(|n| match n {
            1 => format!("{}-packet{number}.pcapng", self.stem),
            n => format!("{}-packet{number}-{n}.pcapng", self.stem),
        });
        let mut free = names.filter(|name| self.check(name) == NameState::Free);
        let name = free.next().ok_or("there are too many of this name")?;
        let write = || -> io::Result<Vec<u8>> {
            let mut capture = PcapNg::new(Vec::new())?;
            capture.write(&FrameRecord::ip(*time, &frame, comment))?;
            capture.finish()
        };
        let bytes = write().map_err(|error| error.to_string())?;
        let path = self.folder.join(&name);
        let mut out = Output::file(&path, &self.inputs, Existing::Kept).map_err(|e| reason(&e))?;
        out.write_all(&bytes).map_err(|error| reason(&error))?;
        out.finish().map_err(|error| reason(&error))?;
        Ok(name)
    }

    /// What exists under a name now.
    pub fn check(&self, name: &str) -> NameState {
        let path = self.folder.join(name);
        let Some(parent) = path.parent() else { return NameState::NoFile };
        let Ok(parent) = fs::canonicalize(parent) else { return NameState::NoFolder };
        let Ok(here) = fs::canonicalize(&self.folder) else { return NameState::NoFolder };
        if !parent.starts_with(&here) {
            return NameState::Outside;
        }
        // A link is kept: its target is written.
        let Ok(target) = fs::canonicalize(&path) else {
            let is_dangling = fs::symlink_metadata(&path).is_ok();
            return if is_dangling { NameState::NoFile } else { NameState::Free };
        };
        let is_target = |input| fs::canonicalize(input).is_ok_and(|input| input == target);
        match fs::metadata(&target) {
            _ if !target.starts_with(&here) => NameState::Outside,
            Ok(metadata) if metadata.is_file() => {
                if self.inputs.iter().any(is_target) {
                    NameState::Input
                } else {
                    NameState::Exists
                }
            }
            _ => NameState::NoFile,
        }
    }
}

/// `27 messages written to tour.csv`.
fn summary_text(export: &SessionExport, written: ExportSummary, name: &str) -> String {
    let gone = match written.gone {
        0 => String::new(),
        gone => format!("; {} messages were dropped before they could be written", grouped(gone)),
    };
    let left_out = match written.left_out {
        0 => String::new(),
        left_out => format!("; {} are left out", counted(left_out, export.row())),
    };
    format!("{} written to {name}{left_out}{gone}", counted(written.rows, export.row()))
}

/// An error with its causes.
/// The last cause of an error.
fn root(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .last()
        .map_or_else(String::new, ToString::to_string)
}

fn reason(error: &dyn std::error::Error) -> String {
    let source = error.source().map(|source| format!(": {source}"));
    format!("{error}{}", source.unwrap_or_default())
}
