//! The same question again and again: what is lost, how long answers take, and what changes in them.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::ask::latency_text;
use ::query::{
    AnswerEnd, Approach, QueryClient, QueryTarget, QuestionAnswer, QuestionLimits, ServerInterview,
    TargetSubject, TrafficRecorder,
};
use codec::FieldRole;
use export::Output;
use protocol::Reading;
use render::field_values;
use text::shown;

/// How many changes of one answer are told.
const CHANGES: usize = 8;
/// How long is slept at once, so that a signal ends the series soon.
const NAP: Duration = Duration::from_millis(50);

/// How often, and how far apart.
#[derive(Clone, Copy)]
pub(super) struct SeriesPlan {
    pub count: u32,
    pub interval: Duration,
    pub limits: QuestionLimits,
}

/// What came so far.
#[derive(Default)]
pub(super) struct AnswerSeries {
    asked: u32,
    /// How long each answer took.
    latencies: Vec<Duration>,
    /// The values of the last answer, by their names.
    last: Option<BTreeMap<String, String>>,
    has_fault: bool,
}

impl AnswerSeries {
    /// Asks a server for its state as often as planned, or until `stop`; nothing is repeated.
    pub fn run(
        target: &QueryTarget,
        way: Approach,
        plan: SeriesPlan,
        recorder: &TrafficRecorder,
        (stop, out): (&AtomicBool, &mut Output),
    ) -> anyhow::Result<Self> {
        let mut series = Self::default();
        let TargetSubject::Server(query) = way.subject else {
            bail!("-c repeats questions to servers; --list asks a master");
        };
        let mut client = QueryClient::open(&target.target.with_port(way.at.port()), recorder)?;
        let begun = Instant::now();
        for n in 0..plan.count {
            while begun.elapsed() < plan.interval * n && !stop.load(Ordering::Relaxed) {
                thread::sleep((plan.interval * n).saturating_sub(begun.elapsed()).min(NAP));
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut interview = ServerInterview::new(query, &[], plan.limits);
            client.lead(&mut interview)?;
            let outcome = interview.into_outcome();
            if let Some(answer) = outcome.state() {
                series.add(answer, out)?;
                out.flush()?;
            }
        }
        Ok(series)
    }

    /// Adds an answer, and writes its line.
    fn add(&mut self, answer: &QuestionAnswer, out: &mut Output) -> anyhow::Result<()> {
        self.asked += 1;
        let n = self.asked;
        let end = answer.end.unwrap_or(AnswerEnd::Missing);
        let (Some(latency), true) = (answer.latency, end.is_answer()) else {
            writeln!(out, "{n}  {}", end.text())?;
            return Ok(());
        };
        self.latencies.push(latency);
        self.has_fault |= !answer.is_sound();
        let values = values(answer);
        let changes = self.last.as_ref().map(|last| changes(last, &values)).unwrap_or_default();
        let what =
            if end == AnswerEnd::Whole { String::new() } else { format!("  {}", end.text()) };
        writeln!(out, "{n}  {}{what}{changes}", latency_text(latency))?;
        self.last = Some(values);
        Ok(())
    }

    /// Writes the statistics of all answers.
    pub fn write_summary(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (asked, answered) = (self.asked, self.latencies.len());
        let lost = f64::from(asked) - answered as f64;
        let percent = if asked == 0 { 0.0 } else { 100.0 * lost / f64::from(asked) };
        writeln!(out, "\n{asked} asked, {answered} answered, {percent:.0} % lost")?;
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        if let [Some(min), Some(median), Some(most)] = [0, 50, 99].map(|p| percentile(&sorted, p)) {
            let [min, median, most] = [min, median, most].map(latency_text);
            writeln!(out, "latency: min {min}, median {median}, 99 % {most}")?;
        }
        Ok(())
    }

    pub fn is_answered(&self) -> bool {
        !self.latencies.is_empty()
    }

    /// Whether an answer was lost, or had a fault.
    pub fn has_fault(&self) -> bool {
        self.has_fault || self.latencies.len() < self.asked as usize
    }
}

/// The smallest of these sorted times that at least so many in a hundred do not exceed (nearest rank); of
/// 0 it is the smallest of all. `None` without times.
fn percentile(sorted: &[Duration], hundredths: usize) -> Option<Duration> {
    let rank = (sorted.len() * hundredths).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The values of an answer by their names, without those that each answer has anew.
fn values(answer: &QuestionAnswer) -> BTreeMap<String, String> {
    let mut reading = Reading::default();
    let mut values = BTreeMap::new();
    for message in &answer.messages {
        for item in field_values(&mut reading, message.entry, &message.bytes) {
            let is_new_each_time =
                matches!(item.field.role, FieldRole::Challenge | FieldRole::Secret) || item.secret;
            if item.field.is_data() && !item.listed && !is_new_each_time {
                values.insert(
                    shown(item.name().as_bytes()).into_owned(),
                    shown(&item.text).into_owned(),
                );
            }
        }
    }
    values
}

/// What changed, in words; empty if nothing did.
fn changes(last: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> String {
    let mut changed: Vec<_> = now
        .iter()
        .filter(|(name, value)| last.get(*name) != Some(value))
        .map(|(name, value)| match last.get(name) {
            Some(before) => format!("{name} {before} → {value}"),
            None => format!("{name} {value} is new"),
        })
        .collect();
    changed.extend(
        last.keys().filter(|name| !now.contains_key(*name)).map(|name| format!("{name} is gone")),
    );
    let more = changed.len().saturating_sub(CHANGES);
    changed.truncate(CHANGES);
    if more > 0 {
        changed.push(format!("{more} more"));
    }
    if changed.is_empty() { String::new() } else { format!("  {}", changed.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_nearest_ranks() {
        for (count, hundredths, expected) in [
            (0, 50, None),
            (1, 0, Some(1)),
            (1, 50, Some(1)),
            (1, 99, Some(1)),
            (2, 50, Some(1)),
            (2, 99, Some(2)),
            (3, 50, Some(2)),
            (4, 50, Some(2)),
            (10, 99, Some(10)),
            (99, 99, Some(99)),
            (100, 0, Some(1)),
            (100, 50, Some(50)),
            (100, 99, Some(99)),
            (101, 99, Some(100)),
            (200, 99, Some(198)),
            (1000, 99, Some(990)),
        ] {
            let sorted: Vec<_> = (1..=count).map(Duration::from_millis).collect();
            let expected = expected.map(Duration::from_millis);
            assert_eq!(percentile(&sorted, hundredths), expected, "{hundredths} % of {count}");
        }
    }

    #[test]
    fn the_summary_tells_loss_and_latencies() {
        for (asked, millis, expected) in [
            (0, &[][..], "\n0 asked, 0 answered, 0 % lost\n"),
            (3, &[], "\n3 asked, 0 answered, 100 % lost\n"),
            (
                4,
                &[30, 10, 20],
                "\n4 asked, 3 answered, 25 % lost\nlatency: min 10ms, median 20ms, 99 % 30ms\n",
            ),
        ] {
            let latencies = millis.iter().map(|ms| Duration::from_millis(*ms)).collect();
            let series = AnswerSeries { asked, latencies, ..AnswerSeries::default() };
            let mut out = Vec::new();
            series.write_summary(&mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn changes_are_listed_up_to_a_limit() {
        let map = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        let before = map(&[("map", "q3dm17"), ("players", "3"), ("x", "1")]);
        assert_eq!(changes(&before, &before), "");
        let now = map(&[("map", "q3dm6"), ("players", "3"), ("y", "2")]);
        assert_eq!(changes(&before, &now), "  map q3dm17 → q3dm6, y 2 is new, x is gone");
        let many = (0..20).map(|n| (n.to_string(), String::new())).collect();
        assert!(changes(&BTreeMap::new(), &many).ends_with("12 more"));
    }
}
