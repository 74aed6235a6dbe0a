//! A bar on standard error that shows how far the input has been read.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar as Bar, ProgressStyle};

use crate::analysis::Meter;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);
/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar while it lives; it leaves nothing on the screen.
pub(super) struct ProgressBar {
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl ProgressBar {
    /// Shows a bar for input that is read `rounds` times, where standard error is a terminal.
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

/// The bar of what can be read again, or of a pipe, whose end nobody knows.
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
            // It only draws; what became of it changes nothing.
            _ = drawing.join();
        }
    }
}
