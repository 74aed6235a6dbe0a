//! A progress bar on standard error for sent messages.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::replay::{Plan, SendProgress};

/// Shows the number of sent messages on standard error, until it is dropped.
pub(super) struct Bar(Option<(mpsc::Sender<()>, thread::JoinHandle<()>)>);

impl Bar {
    const TICK: Duration = Duration::from_millis(100);

    pub fn show(progress: &SendProgress, plan: &Plan, rounds: u32) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let (stop, stopped) = mpsc::channel();
        let (progress, all) = (progress.clone(), plan.len() as u64 * u64::from(rounds));
        let draw = move || {
            let mut bar = None;
            while stopped.recv_timeout(Self::TICK) == Err(RecvTimeoutError::Timeout) {
                let begin = || {
                    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} messages");
                    let bar = ProgressBar::new(all);
                    style.map_or_else(|_| ProgressBar::new(all), |style| bar.with_style(style))
                };
                bar.get_or_insert_with(begin).set_position(progress.sent());
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        };
        let drawing = thread::Builder::new().name("progress".to_owned()).spawn(draw);
        Self(drawing.ok().map(|drawing| (stop, drawing)))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((stop, drawing)) = self.0.take() {
            drop(stop);
            // It only draws; its result does not matter.
            _ = drawing.join();
        }
    }
}
