//! A progress bar on standard error for reading the input.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar as Bar, ProgressStyle};

use crate::analysis::Meter;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);
/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar, removed from the screen when it is dropped.
pub(super) struct ProgressBar {
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl ProgressBar {
    /// Shows a bar for input that is read `rounds` times, if standard error is a terminal.
    pub fn show(meter: Meter, rounds: u64) -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (stop, stopped) = mpsc::channel();
        let draw = move || {
            let mut pause = PATIENCE;
            let mut bar = None;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = TICK;
                bar.get_or_insert_with(|| begin(&meter, rounds)).set_position(meter.read());
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        };
        let drawing = thread::Builder::new().name("progress".to_owned()).spawn(draw).ok()?;
        Some(Self { drawing: Some((stop, drawing)) })
    }
}

/// The bar for input of known size, or for a pipe, whose end is unknown.
fn begin(meter: &Meter, rounds: u64) -> Bar {
    let (bar, form) = match meter.size {
        Some(size) => (
            Bar::new(size * rounds),
            "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        ),
        None => (Bar::new_spinner(), "{spinner} {bytes}, {bytes_per_sec}"),
    };
    match ProgressStyle::with_template(form) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if let Some((stop, drawing)) = self.drawing.take() {
            drop(stop);
            // It only draws; its result does not matter.
            _ = drawing.join();
        }
    }
}
