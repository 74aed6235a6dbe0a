//! The rounds of `fragshark watch`, one after the other, until a signal ends them.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use parking_lot::{Condvar, Mutex};

use super::super::destination::write_json;
use super::super::signals::StopSignals;
use super::super::{DONE, NEGATIVE, PARTIAL};
use super::WatchFormat;
use export::Output;
use text::{duration_of, escaped, utc};
use tui::{WatchUpdate, WatchView, run_watch};
use watch::{MetricsServer, RoundReport, Watcher, metrics, system_time};

/// How many intervals a round may be late before the program counts as unhealthy.
const LATE: u32 = 3;
/// What is granted in addition, for short intervals.
const GRACE: Duration = Duration::from_secs(10);

/// A flag that signals set, and what waits for it.
#[derive(Clone, Default)]
pub(super) struct StopFlag(Arc<(Mutex<bool>, Condvar)>);

impl StopFlag {
    /// A flag that the first signal sets; call it when privileges are dropped, because it starts a
    /// thread.
    pub fn set_by(signals: StopSignals) -> io::Result<Self> {
        let flag = Self::default();
        let set = flag.clone();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            signals.wait();
            set.set();
        })?;
        Ok(flag)
    }

    /// Ends the rounds.
    fn set(&self) {
        let (is_set, waiting) = &*self.0;
        *is_set.lock() = true;
        waiting.notify_all();
    }

    /// Waits until then; whether to stop.
    fn wait_until(&self, time: Instant) -> bool {
        let (is_set, waiting) = &*self.0;
        let mut is_set = is_set.lock();
        while !*is_set && !waiting.wait_until(&mut is_set, time).timed_out() {}
        *is_set
    }
}

/// What the rounds need.
pub(super) struct Rounds {
    pub watcher: Watcher,
    pub metrics: Option<MetricsServer>,
    pub every: Duration,
    /// The number of rounds, unless a signal ends them.
    pub count: Option<u64>,
    pub once: bool,
    pub output: RoundOutput,
}

/// Where rounds are reported.
pub(super) enum RoundOutput {
    /// Lines or documents.
    Lines(WatchFormat, Box<Output>),
    /// A view, which may have ended.
    View(Sender<WatchUpdate>),
}

impl Rounds {
    /// How long to wait before the first round. It is an interval after the last one of an earlier
    /// run, so that a program that is started again and again does not ask more often.
    fn delay(&self, last_round: Option<i64>) -> Duration {
        let since =
            last_round.filter(|_| !self.once).map(|last| system_time().saturating_sub(last));
        let since = since.and_then(|since| u64::try_from(since).ok()).map(Duration::from_nanos);
        since.map_or(Duration::ZERO, |since| self.every.saturating_sub(since))
    }

    /// When the first round is, in words; `None` if it is now.
    pub fn waits_until(&self, last_round: Option<i64>) -> Option<String> {
        let delay = Some(self.delay(last_round)).filter(|delay| !delay.is_zero())?;
        let delay = i64::try_from(delay.as_nanos()).unwrap_or(i64::MAX);
        let at = utc(system_time().saturating_add(delay));
        let (at, every) = (at.get(..19).unwrap_or(&at), duration_of(self.every));
        Some(format!("the next round is at {at}Z, {every} after the last one"))
    }

    /// Runs all rounds; the status.
    pub fn run(mut self, stop: &StopFlag, last_round: Option<i64>) -> anyhow::Result<u8> {
        let mut next = Instant::now() + self.delay(last_round);
        let (mut done, mut status) = (0, DONE);
        self.page(last_round.unwrap_or_else(system_time), next);
        while !stop.wait_until(next) {
            let now = system_time();
            let report = self.watcher.round(now)?;
            status = self.status(&report);
            self.page(now, next);
            self.report(report)?;
            done += 1;
            if self.count == Some(done) {
                break;
            }
            // A late round does not make the next ones more frequent.
            next = (next + self.every).max(Instant::now());
        }
        self.watcher.leave();
        if let RoundOutput::Lines(_, out) = self.output {
            out.finish()?;
        }
        Ok(status)
    }

    fn status(&self, report: &RoundReport) -> u8 {
        match report {
            _ if !self.once => DONE,
            report if !report.alerts.is_empty() => NEGATIVE,
            report if !report.all_answered() => PARTIAL,
            _ => DONE,
        }
    }

    /// Sets the pages after the round at `now`, which was due at `due`.
    fn page(&self, now: i64, due: Instant) {
        if let Some(page) = &self.metrics {
            let until = due + self.every * LATE + GRACE;
            page.set(metrics(&self.watcher, now, self.every.as_secs_f64()), until);
        }
    }

    fn report(&mut self, report: RoundReport) -> anyhow::Result<()> {
        match &mut self.output {
            RoundOutput::Lines(format, out) => format.write(&report, out),
            RoundOutput::View(updates) => {
                let recent = self.watcher.recent().clone();
                // A view that has ended sets the flag.
                _ = updates.send(WatchUpdate { report, recent });
                Ok(())
            }
        }
    }

    /// Runs the rounds in a thread and shows them in a view. When one of the two ends, so does the
    /// other.
    pub fn run_with_view(
        self,
        stop: &StopFlag,
        last_round: Option<i64>,
        view: WatchView,
        updates: &Receiver<WatchUpdate>,
    ) -> anyhow::Result<u8> {
        thread::scope(|scope| {
            let rounds = scope.spawn(|| self.run(stop, last_round));
            let shown = run_watch(view, updates);
            stop.set();
            let status = rounds.join().map_err(|_| anyhow!("the rounds have ended badly"))??;
            shown?;
            Ok(status)
        })
    }
}

impl WatchFormat {
    fn write(self, report: &RoundReport, mut out: impl io::Write) -> anyhow::Result<()> {
        match self {
            Self::Text => {
                for line in report.lines() {
                    writeln!(out, "{}", escaped(&line))?;
                }
            }
            Self::Json => write_json(&mut out, report)?,
            Self::Ndjson => {
                serde_json::to_writer(&mut out, report)?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
