//! Progress bars on standard error.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar as Bar, ProgressStyle};

use super::is_quiet;
use analysis::Meter;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);
/// Shorter work needs no bar.
const DELAY: Duration = Duration::from_millis(500);

/// A bar, removed from the screen when it is dropped.
pub(super) struct ProgressBar(Option<(Sender<()>, JoinHandle<()>)>);

impl ProgressBar {
    /// A bar for input that is read `rounds` times; the end of a pipe is unknown.
    pub fn of_input(meter: Meter, rounds: u64) -> Self {
        let size = meter.size.map(|size| size * rounds);
        let template = match size {
            Some(_) => "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        Self::show(template, size, move || meter.bytes_read())
    }

    /// Shows how far work of this size is, if standard error is a terminal.
    pub fn show(
        template: &'static str,
        size: Option<u64>,
        position: impl Fn() -> u64 + Send + 'static,
    ) -> Self {
        if !io::stderr().is_terminal() || is_quiet() {
            return Self(None);
        }
        let (stop, stopped) = mpsc::channel();
        let begin = move || {
            let bar = size.map_or_else(Bar::new_spinner, Bar::new);
            ProgressStyle::with_template(template)
                .map(|style| bar.clone().with_style(style))
                .unwrap_or(bar)
        };
        let draw = move || {
            let (mut pause, mut bar) = (DELAY, None);
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = TICK;
                bar.get_or_insert_with(&begin).set_position(position());
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        };
        let drawing = thread::Builder::new().name("progress".to_owned()).spawn(draw);
        Self(drawing.ok().map(|drawing| (stop, drawing)))
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if let Some((stop, drawing)) = self.0.take() {
            drop(stop);
            // It only draws; its result does not matter.
            _ = drawing.join();
        }
    }
}
