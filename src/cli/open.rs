//! `fragshark open`: the terminal interface.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::bail;
use clap::Args;
use parking_lot::Mutex;

use super::captures::{Reading, inputs, warn};
use super::confine;
use super::live::{Devices, stopped_by_signals, sum_up};
use super::recording::{Recording, Written};
use crate::capture::Input;
use crate::dump::Colour;
use crate::rights::Needs;
use crate::session::Session;
use crate::tui;

/// What there is to see without a file: a server registers, is challenged and answers, a client
/// lists, queries and connects.
const TOUR: &[u8] = include_bytes!("../../captures/tour.pcapng");

/// There is nothing to draw on.
#[derive(Debug, thiserror::Error)]
#[error("the interface needs a terminal; `fragshark decode FILE` prints text")]
pub(super) struct NoTerminal;

/// browse captures in the terminal; without a file, the built-in tour
#[derive(Args)]
pub(super) struct Open {
    /// captures, merged in time order; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    devices: Devices,
    #[command(flatten)]
    recording: Recording,
    /// how many messages are kept of a live capture, the latest
    #[arg(long, value_name = "MESSAGES", default_value = "1000000", hide_default_value = true)]
    #[arg(requires = "interface", value_parser = clap::value_parser!(u32).range(1..))]
    keep_messages: u32,
}

impl Open {
    pub fn run(self, colour: Colour) -> anyhow::Result<()> {
        if !io::stdout().is_terminal() {
            return Err(NoTerminal.into());
        }
        if self.devices.are_told() {
            return self.run_live(colour);
        }
        let inputs = self.inputs();
        let title = inputs.iter().map(Input::name).collect::<Vec<_>>().join(", ");
        let secrets = self.reading.secrets();
        let (session, loader) = Session::open(&inputs, self.reading.decode_as)?;
        session.prepare();
        confine(&Needs { writable: here(), files_of_others: true })?;
        let session = Arc::new(Mutex::new(session));
        let filled = Arc::clone(&session);
        // Ends with the program: a pipe may never end, and nobody waits for it.
        thread::Builder::new().name("loader".to_owned()).spawn(move || loader.run(&filled))?;
        let shown = tui::run(Arc::clone(&session), title, secrets, colour);
        warn(session.lock().warnings());
        Ok(shown?)
    }

    /// The same of devices: all that comes is shown, and written where somebody wants it.
    fn run_live(self, colour: Colour) -> anyhow::Result<()> {
        if !self.files.is_empty() {
            bail!("either devices or files are opened, not both");
        }
        let live = self.devices.open()?;
        let tapped = live.tapped().to_vec();
        let file = self.recording.begin(&tapped)?;
        let tap = live.tap(stopped_by_signals()?, None);
        let title = format!("live: {}", tap.name());
        let secrets = self.reading.secrets();
        let inputs = [Input::Live(tap.clone())];
        let (mut session, mut loader) = Session::open(&inputs, self.reading.decode_as)?;
        session.keep_last(self.keep_messages as usize);
        session.prepare();
        let writable = here().into_iter().chain(self.recording.writable()).collect();
        confine(&Needs { writable, files_of_others: false })?;
        tap.start()?;
        let written = file.map(|file| Arc::new(Written::new(file)));
        if let Some(written) = &written {
            loader.show(written.witness(&tap));
        }
        let session = Arc::new(Mutex::new(session));
        let filled = Arc::clone(&session);
        let loading = thread::Builder::new().name("loader".to_owned());
        let loading = loading.spawn(move || loader.run(&filled))?;
        let shown = tui::run(Arc::clone(&session), title, secrets, colour);
        tap.stop();
        tap.wait();
        // What has come until now is taken, and written.
        _ = loading.join();
        let counters = tap.counters();
        warn(session.lock().warnings());
        sum_up(&tapped, &counters);
        shown?;
        written.map_or(Ok(()), |written| written.finish(&counters))
    }

    /// Whether anything was said of what to open, or how.
    pub fn is_told(&self) -> bool {
        !self.files.is_empty() || self.reading.is_told() || self.devices.are_told()
    }

    fn inputs(&self) -> Vec<Input> {
        if self.files.is_empty() {
            return vec![Input::Memory { name: "the tour".to_owned(), bytes: TOUR.into() }];
        }
        inputs(&self.files)
    }
}

/// Where the interface saves what is copied out of it.
fn here() -> Vec<PathBuf> {
    env::current_dir().into_iter().collect()
}
