//! Findings of a capture that still goes on, each reported once when it comes.
//!
//! Most rules are on single messages. What is not answered is concluded from all exchanges, for a
//! file at its end. Here it is concluded every ten seconds, of the exchanges that have ended; an
//! answer that comes later does not take a finding back.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::analyzer::Analyzer;
use super::finding::Rule;
use super::findings::{FindingOccurrence, OccurrenceKey};
use super::message::CapturedMessage;
use flow::Flows;

/// How often it is concluded what was not answered, in nanoseconds of the capture.
const CONCLUDED_EVERY: i64 = 10_000_000_000;
/// How many findings are remembered, so that they are not reported again.
const REMEMBERED: usize = 1 << 14;

/// Reports the findings of some rules when they come.
pub struct FindingWatcher {
    analyzer: Analyzer,
    /// For how long the same finding is not reported again, in nanoseconds.
    quiet: i64,
    /// When each finding was last reported.
    reported: HashMap<OccurrenceKey, i64, RandomState>,
    /// What the last conclusion had.
    concluded: HashSet<OccurrenceKey, RandomState>,
    /// Whether an exchange has ended since.
    has_ended: bool,
    concluded_at: Option<i64>,
    /// What has come and was not reported yet.
    coming: Vec<FindingOccurrence>,
}

impl FindingWatcher {
    /// Waits for findings of these rules. The same finding (rule, endpoint and what it is about) is
    /// reported again only if it occurs after `quiet`, in nanoseconds.
    pub fn new(rules: Vec<&'static Rule>, quiet: i64) -> Self {
        Self {
            analyzer: Analyzer::watching(rules),
            quiet,
            reported: HashMap::default(),
            concluded: HashSet::default(),
            has_ended: false,
            concluded_at: None,
            coming: Vec::new(),
        }
    }

    /// Processes the next message.
    pub fn watch_message(&mut self, message: &CapturedMessage<'_>, flows: &Flows) {
        self.analyzer.analyze(message, flows);
        self.has_ended |= self.analyzer.ended().next().is_some();
        let coming = self.analyzer.take_occurrences();
        self.coming.extend(coming);
    }

    /// The findings of the messages up to a frame of this time, in nanoseconds since the Unix epoch.
    pub fn findings(&mut self, time: i64, flows: &Flows) -> Vec<FindingOccurrence> {
        let since = time.saturating_sub(*self.concluded_at.get_or_insert(time));
        if self.has_ended && since >= CONCLUDED_EVERY {
            self.conclude(time, flows);
        }
        if self.coming.is_empty() { Vec::new() } else { self.report(time) }
    }

    /// The last findings, at the end of the capture at this time.
    pub fn finish(&mut self, time: i64, flows: &Flows) -> Vec<FindingOccurrence> {
        self.analyzer.end_exchanges(flows, |_| {});
        let coming = self.analyzer.take_occurrences();
        self.coming.extend(coming);
        self.conclude(time, flows);
        self.report(time)
    }

    /// What was left out because a table was full, in words.
    pub fn warnings(&self) -> Vec<String> {
        self.analyzer.warnings()
    }

    fn conclude(&mut self, time: i64, flows: &Flows) {
        (self.has_ended, self.concluded_at) = (false, Some(time));
        let found = self.analyzer.conclude_so_far(flows);
        let keys = found.iter().map(FindingOccurrence::key).collect();
        let before = std::mem::replace(&mut self.concluded, keys);
        self.coming.extend(found.into_iter().filter(|found| !before.contains(&found.key())));
    }

    fn report(&mut self, time: i64) -> Vec<FindingOccurrence> {
        let Self { reported, quiet, .. } = self;
        if reported.len() >= REMEMBERED {
            reported.retain(|_, last| time.saturating_sub(*last) < *quiet);
        }
        let mut coming = std::mem::take(&mut self.coming);
        coming.retain(|found| {
            let last = reported.get(&found.key()).copied();
            let is_news = last.is_none_or(|last| time.saturating_sub(last) >= *quiet)
                && (reported.len() < REMEMBERED || last.is_some());
            if is_news {
                reported.insert(found.key(), time);
            }
            is_news
        });
        coming
    }
}
