//! What is measured: each series by its name, and the last samples of each subject.
//!
//! Alerts are judged from these samples, metrics are the newest of them, and the history keeps all.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

/// How many samples of a subject are kept in memory.
pub const WINDOW: usize = 60;

/// One measured quantity.
#[derive(Debug, PartialEq, Eq)]
pub struct Series {
    /// Its name in the history.
    pub name: &'static str,
    /// The name of its metric, with its unit.
    pub metric: &'static str,
    /// What a sample says.
    pub means: &'static str,
    /// What the subject of a sample is; empty if it is about the master itself.
    pub subject: &'static str,
}

/// Whether a list request was answered.
pub static ANSWERED: Series = Series {
    name: "answered",
    metric: "fragshark_master_answered",
    means: "whether the master answered the request for its list: 1 or 0",
    subject: "",
};
/// The time to the first datagram of a list.
pub static LATENCY: Series = Series {
    name: "latency",
    metric: "fragshark_master_latency_seconds",
    means: "the time from the request to the first datagram or byte of the list",
    subject: "",
};
/// The size of a list.
pub static SERVERS: Series = Series {
    name: "servers",
    metric: "fragshark_master_servers",
    means: "how many servers the list has",
    subject: "",
};
/// How many servers are new in a list.
pub static CAME: Series = Series {
    name: "came",
    metric: "fragshark_master_servers_came",
    means: "how many servers are in the list that were not in the one before",
    subject: "",
};
/// How many servers are missing in a list.
pub static WENT: Series = Series {
    name: "went",
    metric: "fragshark_master_servers_went",
    means: "how many servers of the list before are not in it any more",
    subject: "",
};
/// Whether the heartbeat of the probe was answered.
pub static PROBE_ANSWERED: Series = Series {
    name: "probe-answered",
    metric: "fragshark_probe_answered",
    means: "whether the master answered the heartbeat of the probe: 1 or 0",
    subject: "",
};
/// Whether a server that ought to be in a list is missing.
pub static UNLISTED: Series = Series {
    name: "unlisted",
    metric: "fragshark_server_unlisted",
    means: "whether a server that sends heartbeats or answers is missing in the list: 1 or 0",
    subject: "the server; `probe` for the probe",
};
/// Whether a named server answered.
pub static SERVER_ANSWERED: Series = Series {
    name: "server-answered",
    metric: "fragshark_server_answered",
    means: "whether the server of --server answered: 1 or 0",
    subject: "",
};
/// The time to the answer of a named server.
pub static SERVER_LATENCY: Series = Series {
    name: "server-latency",
    metric: "fragshark_server_latency_seconds",
    means: "the time from the question to the answer of the server of --server",
    subject: "",
};
/// How many entries of a list were asked.
pub static ENTRIES_ASKED: Series = Series {
    name: "entries-asked",
    metric: "fragshark_entries_asked",
    means: "how many servers of the list were asked whether they answer",
    subject: "",
};
/// Which share of them did not answer.
pub static ENTRIES_SILENT: Series = Series {
    name: "entries-silent",
    metric: "fragshark_entries_silent_ratio",
    means: "the share of the asked servers of the list that did not answer, from 0 to 1",
    subject: "",
};
/// How much the lists of two masters differ.
pub static DIFFERENCE: Series = Series {
    name: "difference",
    metric: "fragshark_lists_difference_ratio",
    means: "the share of the servers in the lists of two masters that only one of them has, from 0 to 1",
    subject: "the other master",
};

/// All series, in the order in which they are printed.
pub static ALL_SERIES: &[&Series] = &[
    &ANSWERED,
    &LATENCY,
    &SERVERS,
    &CAME,
    &WENT,
    &PROBE_ANSWERED,
    &UNLISTED,
    &SERVER_ANSWERED,
    &SERVER_LATENCY,
    &ENTRIES_ASKED,
    &ENTRIES_SILENT,
    &DIFFERENCE,
];

impl Series {
    /// The series of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL_SERIES.iter().copied().find(|series| series.name == name)
    }
}

/// Whom a sample is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SampleSubject {
    /// The master or the named server, as the user wrote it.
    pub target: String,
    /// Who else; empty for the target itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
}

impl SampleSubject {
    /// A target itself.
    pub fn of_target(target: &str) -> Self {
        Self { target: target.to_owned(), subject: String::new() }
    }

    /// A target and somebody else.
    pub fn and(target: &str, subject: &str) -> Self {
        Self { target: target.to_owned(), subject: subject.to_owned() }
    }
}

/// One measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When, in nanoseconds since 1970.
    pub time: i64,
    /// The value; a flag is 1 or 0.
    pub value: f64,
}

/// The last samples of all subjects, at most 60 of each.
#[derive(Debug, Clone, Default)]
pub struct RecentSamples {
    windows: BTreeMap<(&'static str, SampleSubject), VecDeque<Sample>>,
}

impl RecentSamples {
    /// Adds a sample, and drops the oldest one if there are too many.
    pub fn push(&mut self, series: &'static Series, subject: SampleSubject, sample: Sample) {
        let window = self.windows.entry((series.name, subject)).or_default();
        if window.len() >= WINDOW {
            window.pop_front();
        }
        window.push_back(sample);
    }

    /// Every subject of a series with its samples, the oldest first.
    pub fn samples_of(
        &self,
        series: &Series,
    ) -> impl Iterator<Item = (&SampleSubject, &VecDeque<Sample>)> {
        let all = self.windows.iter().filter(move |((name, _), _)| *name == series.name);
        all.map(|((_, subject), samples)| (subject, samples))
    }

    /// The samples of one subject.
    pub fn window(
        &self,
        series: &'static Series,
        subject: &SampleSubject,
    ) -> Option<&VecDeque<Sample>> {
        self.windows.get(&(series.name, subject.clone()))
    }
}

/// The flag as a value.
pub fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_has_names_of_its_own_and_keeps_the_newest_samples() {
        for (n, series) in ALL_SERIES.iter().enumerate() {
            assert!(series.metric.starts_with("fragshark_"), "{}", series.metric);
            let others = ALL_SERIES.iter().skip(n + 1);
            assert!(others.clone().all(|other| other.name != series.name), "{}", series.name);
            assert!(others.clone().all(|other| other.metric != series.metric));
            assert_eq!(Series::named(series.name), Some(*series));
        }
        let mut recent = RecentSamples::default();
        let newest = 2 * i64::try_from(WINDOW).unwrap() - 1;
        for time in 0..=newest {
            recent.push(&SERVERS, SampleSubject::of_target("a"), Sample { time, value: 1.0 });
        }
        let (subject, window) = recent.samples_of(&SERVERS).next().unwrap();
        assert_eq!((subject.target.as_str(), window.len()), ("a", WINDOW));
        assert_eq!(window.back().unwrap().time, newest);
        assert_eq!(recent.samples_of(&LATENCY).count(), 0);
    }
}
