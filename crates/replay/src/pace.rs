//! When messages are sent, and how late they were.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde::Serialize;
use spin_sleep::{SpinSleeper, SpinStrategy};

use report::{CaseVerdict, ReportEntry, ReportLine, ReportMark};
use text::{counted, duration};

/// The spacing of messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spacing {
    /// As recorded, faster by this factor.
    Recorded(f64),
    /// This many per second.
    Rate(u32),
    /// Without pauses.
    Asap,
}

/// Maps a recording's times to those of a run.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How recorded times become pauses.
    pub spacing: Spacing,
    /// Pauses are at most this long; `None`: unchanged.
    pub longest: Option<Duration>,
    /// The maximum packets per second, in any case.
    pub limit: Option<u32>,
}

/// How a pace shortens the pauses of a recording.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pauses {
    pub shortened: u64,
    /// By how much, in nanoseconds.
    pub by: u64,
}

impl Pace {
    /// When each message is due, in nanoseconds from the start, for messages recorded at these
    /// times.
    pub(super) fn due(self, times: impl Iterator<Item = i64>) -> (Vec<u64>, Pauses) {
        let mut pauses = Pauses::default();
        let (mut due, mut before) = (Vec::new(), None::<i64>);
        let mut at = 0u64;
        let least = self.limit.map_or(0, |limit| 1_000_000_000 / u64::from(limit.max(1)));
        for (n, time) in (0u64..).zip(times) {
            let gap = before.map_or(0, |before| time.saturating_sub(before)).max(0);
            before = Some(before.unwrap_or(time).max(time));
            let next = match self.spacing {
                Spacing::Recorded(speed) => {
                    let gap = Duration::from_nanos(gap.unsigned_abs());
                    let mut gap = nanoseconds(gap.div_f64(speed));
                    let longest = self.longest.map_or(u64::MAX, nanoseconds);
                    if gap > longest {
                        pauses.shortened += 1;
                        pauses.by = pauses.by.saturating_add(gap - longest);
                        gap = longest;
                    }
                    at.saturating_add(gap)
                }
                // Counted from the start, not from the previous one: rounding does not accumulate.
                Spacing::Rate(rate) => {
                    let due = u128::from(n) * 1_000_000_000 / u128::from(rate.max(1));
                    u64::try_from(due).unwrap_or(u64::MAX)
                }
                Spacing::Asap => 0,
            };
            let earliest = if n == 0 { 0 } else { at.saturating_add(least) };
            at = next.max(earliest);
            due.push(at);
        }
        (due, pauses)
    }

    /// The pause between the last message of a round and the next round.
    pub(super) fn pause(self, due: &[u64]) -> u64 {
        let gaps = due.len().saturating_sub(1) as u64;
        let mean = due.last().copied().unwrap_or_default().checked_div(gaps).unwrap_or_default();
        let least = self.limit.map_or(0, |limit| 1_000_000_000 / u64::from(limit.max(1)));
        match self.spacing {
            Spacing::Rate(rate) => (1_000_000_000 / u64::from(rate.max(1))).max(least),
            Spacing::Recorded(_) => mean.max(1_000_000).max(least),
            Spacing::Asap => least,
        }
    }
}

/// Waits until a message is due, the last moments by polling: a thread that sleeps is woken
/// milliseconds late.
pub(super) fn wait_until(due: Instant) {
    SpinSleeper::default().with_spin_strategy(SpinStrategy::SpinLoopHint).sleep_until(due);
}

/// A duration in nanoseconds.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// How precisely a pace was kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Pacing {
    id: &'static str,
    /// Messages of the recording that were sent, and bytes of them.
    pub messages: u64,
    pub bytes: u64,
    /// Answers to the master's requests.
    pub answers: u64,
    /// Seconds from the first message to the last.
    pub seconds: f64,
    /// Messages per second.
    pub rate: f64,
    /// Microseconds by which messages were late; `None` if none was timed.
    pub late_p50_us: Option<f64>,
    pub late_p99_us: Option<f64>,
    pub late_max_us: Option<f64>,
    /// How much later the end ran than the beginning, in microseconds.
    pub drift_us: Option<f64>,
    /// The same as text.
    text: String,
}

impl Pacing {
    /// Statistics of messages that were `late` by these nanoseconds, in order, over this span.
    pub(super) fn new(late: &[u64], is_timed: bool, bytes: u64, answers: u64, span: u64) -> Self {
        let messages = late.len() as u64;
        let seconds = span as f64 / 1e9;
        // The first message is at the beginning of the span.
        let rate = if span > 0 { (messages.saturating_sub(1)) as f64 / seconds } else { 0.0 };
        let mut pacing = Self {
            id: "replay/pacing",
            messages,
            bytes,
            answers,
            seconds,
            rate,
            ..Self::default()
        };
        if is_timed && !late.is_empty() {
            let mut sorted = late.to_vec();
            sorted.sort_unstable();
            // The percentile.
            let at = |part: usize| {
                let index = ((sorted.len() - 1) * part + 50) / 100;
                sorted.get(index).map(|late| *late as f64 / 1e3)
            };
            (pacing.late_p50_us, pacing.late_p99_us) = (at(50), at(99));
            pacing.late_max_us = at(100);
            pacing.drift_us = drift(late);
        }
        pacing.text = pacing.lateness_text();
        pacing
    }

    /// The same with messages on connections, which have their own pace.
    #[must_use]
    pub(super) fn and_streams(mut self, messages: u64, bytes: u64) -> Self {
        self.messages += messages;
        self.bytes += bytes;
        self.text = self.lateness_text();
        self
    }

    fn lateness_text(&self) -> String {
        let Self { messages, bytes, answers, seconds, rate, .. } = self;
        let span = duration((seconds * 1e9) as i64);
        let messages = counted(*messages, "message");
        let mut text = format!("{messages} of {bytes} bytes in {span}");
        if *rate > 0.0 {
            _ = write!(text, ", {rate:.1} per second");
        }
        if *answers > 0 {
            _ = write!(text, "; {} to the master", counted(*answers, "answer"));
        }
        let late = [self.late_p50_us, self.late_p99_us, self.late_max_us, self.drift_us];
        if let [Some(p50), Some(p99), Some(max), Some(drift)] = late {
            _ = write!(
                text,
                "; late by {p50:.0} µs at p50, {p99:.0} µs at p99, {max:.0} µs at most; drift \
                 {drift:.0} µs"
            );
        }
        text
    }
}

impl ReportEntry for Pacing {
    fn line(&self) -> ReportLine<'_> {
        let mark = ReportMark::Judged { verdict: CaseVerdict::Info, expected: false };
        ReportLine { mark, id: self.id, title: "", citation: "", messages: &[], text: &self.text }
    }
}

/// The difference between the medians of the first and the last hundredth, at least ten messages:
/// one delayed message is no drift.
fn drift(late: &[u64]) -> Option<f64> {
    let part = (late.len() / 100).max(10).min(late.len());
    let median = |part: &[u64]| {
        let mut sorted = part.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).map(|late| *late as f64 / 1e3)
    };
    let last = late.get(late.len() - part..)?;
    Some(median(last)? - median(late.get(..part)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn due(spacing: Spacing, longest: Option<u64>, limit: Option<u32>) -> (Vec<u64>, Pauses) {
        let longest = longest.map(Duration::from_millis);
        Pace { spacing, longest, limit }
            .due([5 * SECOND, 6 * SECOND, 16 * SECOND, 15 * SECOND, 16 * SECOND].into_iter())
    }

    #[test]
    fn messages_are_due_as_they_are_spaced() {
        let ms = |all: [u64; 5]| all.map(|ms| ms * 1_000_000).to_vec();
        let kept = Pauses::default();
        for (spacing, longest, limit, expected) in [
            (Spacing::Recorded(1.0), None, None, ms([0, 1000, 11_000, 11_000, 11_000])),
            (Spacing::Recorded(10.0), None, None, ms([0, 100, 1100, 1100, 1100])),
            (Spacing::Recorded(1.0), None, Some(2), ms([0, 1000, 11_000, 11_500, 12_000])),
            (Spacing::Rate(4), None, None, ms([0, 250, 500, 750, 1000])),
            (Spacing::Asap, None, None, ms([0; 5])),
            (Spacing::Asap, None, Some(100), ms([0, 10, 20, 30, 40])),
        ] {
            assert_eq!(due(spacing, longest, limit), (expected, kept), "{spacing:?}");
        }
        let (times, pauses) = due(Spacing::Recorded(1.0), Some(1500), None);
        assert_eq!(times, ms([0, 1000, 2500, 2500, 2500]));
        assert_eq!(pauses, Pauses { shortened: 1, by: 8_500_000_000 });
    }

    #[test]
    fn a_single_delay_is_no_drift() {
        let mut late = vec![10_000; 1000];
        late[999] = 5_000_000;
        let pacing = Pacing::new(&late, true, 27_000, 3, 999 * 1_000_000);
        assert_eq!((pacing.messages, pacing.bytes, pacing.answers), (1000, 27_000, 3));
        assert!((pacing.rate - 1000.0).abs() < 1e-9, "{}", pacing.rate);
        assert_eq!(pacing.late_p50_us, Some(10.0));
        assert_eq!(pacing.late_p99_us, Some(10.0));
        assert_eq!(pacing.late_max_us, Some(5000.0));
        assert_eq!(pacing.drift_us, Some(0.0));
        late[900..].fill(2_010_000);
        assert_eq!(Pacing::new(&late, true, 0, 0, 1).drift_us, Some(2000.0));
        assert_eq!(Pacing::new(&late, false, 0, 0, 1).late_p99_us, None);
        assert_eq!(Pacing::new(&[], true, 0, 0, 0).late_p99_us, None);
    }
}
