//! `fragshark open`: the terminal interface.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::thread;

use clap::Args;
use parking_lot::Mutex;

use super::captures::{Reading, inputs, warn};
use crate::capture::Input;
use crate::dump::Colour;
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
}

impl Open {
    pub fn run(self, colour: Colour) -> anyhow::Result<()> {
        if !io::stdout().is_terminal() {
            return Err(NoTerminal.into());
        }
        let inputs = self.inputs();
        let title = inputs.iter().map(Input::name).collect::<Vec<_>>().join(", ");
        let secrets = self.reading.secrets();
        let (session, loader) = Session::open(&inputs, self.reading.decode_as)?;
        let session = Arc::new(Mutex::new(session));
        let filled = Arc::clone(&session);
        // Ends with the program: a pipe may never end, and nobody waits for it.
        thread::Builder::new().name("loader".to_owned()).spawn(move || loader.run(&filled))?;
        let shown = tui::run(Arc::clone(&session), title, secrets, colour);
        warn(session.lock().warnings());
        Ok(shown?)
    }

    /// Whether anything was said of what to open, or how.
    pub fn is_told(&self) -> bool {
        !self.files.is_empty() || self.reading.is_told()
    }

    fn inputs(&self) -> Vec<Input> {
        if self.files.is_empty() {
            return vec![Input::Memory { name: "the tour".to_owned(), bytes: TOUR.into() }];
        }
        inputs(&self.files)
    }
}
