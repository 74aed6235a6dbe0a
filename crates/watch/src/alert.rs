//! Alerts: conditions on the last samples of a series, as data.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::series::{
    ANSWERED, DIFFERENCE, ENTRIES_SILENT, RecentSamples, SERVER_ANSWERED, Sample, SampleSubject,
    Series, UNLISTED,
};

/// When an alert is active.
#[derive(Debug)]
pub struct AlertRule {
    /// Its name in output, history and metrics.
    pub name: &'static str,
    /// What is wrong, in a few words, about one target.
    pub says: &'static str,
    /// The series that is looked at.
    pub series: &'static Series,
    /// How many of the last samples.
    pub rounds: usize,
    /// How many there have to be.
    pub needs: usize,
    /// What they have to be.
    pub condition: AlertCondition,
    /// The section of the how-to that says what to do.
    pub section: &'static str,
}

/// What samples have to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlertCondition {
    /// Each is below this.
    EachBelow(f64),
    /// Each is above this.
    EachAbove(f64),
    /// Their mean is below this, and the newest ones are no outage. Outages, which are three
    /// samples of 0 or more in a row, do not count, and neither do samples of 0 that may
    /// begin one.
    MeanBelowBetweenOutages(f64),
    /// Their mean is above this.
    MeanAbove(f64),
}

/// How many rounds in a row without an answer are an outage, which an alert of its own reports.
const OUTAGE: usize = 3;

/// All alerts.
pub static ALERTS: &[AlertRule] = &[
    AlertRule {
        name: "master-silent",
        says: "the master does not answer requests for its list",
        series: &ANSWERED,
        rounds: OUTAGE,
        needs: OUTAGE,
        condition: AlertCondition::EachBelow(0.5),
        section: "the-master-does-not-answer",
    },
    AlertRule {
        name: "answers-missing",
        says: "the master answers some requests for its list and not others",
        series: &ANSWERED,
        rounds: 10,
        needs: 6,
        condition: AlertCondition::MeanBelowBetweenOutages(0.8),
        section: "the-master-answers-some-requests",
    },
    AlertRule {
        name: "server-silent",
        says: "the server does not answer",
        series: &SERVER_ANSWERED,
        rounds: 3,
        needs: 3,
        condition: AlertCondition::EachBelow(0.5),
        section: "a-server-does-not-answer",
    },
    AlertRule {
        name: "server-unlisted",
        says: "a server that sends heartbeats or answers is not in the list",
        series: &UNLISTED,
        rounds: 3,
        needs: 3,
        condition: AlertCondition::EachAbove(0.5),
        section: "a-server-is-not-in-the-list",
    },
    AlertRule {
        name: "lists-differ",
        says: "the lists of two masters of one kind differ by more than a fifth of their servers",
        series: &DIFFERENCE,
        rounds: 3,
        needs: 3,
        condition: AlertCondition::EachAbove(0.2),
        section: "the-lists-of-two-masters-differ",
    },
    AlertRule {
        name: "entries-silent",
        says: "more than half of the asked servers of the list do not answer",
        series: &ENTRIES_SILENT,
        rounds: 5,
        needs: 3,
        condition: AlertCondition::MeanAbove(0.5),
        section: "servers-of-the-list-do-not-answer",
    },
];

impl AlertRule {
    /// The rule of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALERTS.iter().find(|rule| rule.name == name)
    }

    /// Whether it holds for these samples, the oldest first.
    pub fn holds(&self, samples: &VecDeque<Sample>) -> bool {
        let values = samples.iter().map(|sample| sample.value);
        let values = match self.condition {
            AlertCondition::MeanBelowBetweenOutages(_) => between_outages(values),
            _ => values.collect(),
        };
        let last = values.get(values.len().saturating_sub(self.rounds)..).unwrap_or_default();
        if last.len() < self.needs.max(1) {
            return false;
        }
        let mean = last.iter().sum::<f64>() / last.len() as f64;
        match self.condition {
            AlertCondition::EachBelow(bound) => last.iter().all(|value| *value < bound),
            AlertCondition::EachAbove(bound) => last.iter().all(|value| *value > bound),
            AlertCondition::MeanBelowBetweenOutages(bound) => mean < bound,
            AlertCondition::MeanAbove(bound) => mean > bound,
        }
    }

    /// The condition in words.
    pub fn condition_text(&self) -> String {
        let (rounds, name) = (self.rounds, self.series.name);
        let needs = if self.needs == rounds {
            String::new()
        } else {
            format!(", of which there are at least {}", self.needs)
        };
        match self.condition {
            AlertCondition::EachBelow(bound) => {
                format!("each of the last {rounds} samples of `{name}` is below {bound}{needs}")
            }
            AlertCondition::EachAbove(bound) => {
                format!("each of the last {rounds} samples of `{name}` is above {bound}{needs}")
            }
            AlertCondition::MeanBelowBetweenOutages(bound) => format!(
                "the mean of the last {rounds} samples of `{name}` is below {bound}{needs}; {OUTAGE} or more that are 0 in a row, and those that are 0 at the end, do not count"
            ),
            AlertCondition::MeanAbove(bound) => {
                format!("the mean of the last {rounds} samples of `{name}` is above {bound}{needs}")
            }
        }
    }
}

/// The values without outages, and without those at the end that may begin one; none in an outage.
fn between_outages(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let (mut kept, mut silent) = (Vec::new(), 0);
    for value in values {
        if value < 0.5 {
            silent += 1;
            continue;
        }
        if silent < OUTAGE {
            kept.extend(std::iter::repeat_n(0.0, silent));
        }
        silent = 0;
        kept.push(value);
    }
    if silent >= OUTAGE { Vec::new() } else { kept }
}

/// One alert: its rule, and whom it is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AlertKey {
    /// The name of the rule.
    #[serde(rename = "alert")]
    pub name: &'static str,
    /// Whom it is about.
    #[serde(flatten)]
    pub about: SampleSubject,
}

/// An alert that has begun or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertChange {
    /// Which.
    pub key: AlertKey,
    /// When it began, in nanoseconds since 1970.
    pub since: i64,
    /// When it ended; `None` if it began.
    pub until: Option<i64>,
}

/// The alerts that are active, and since when.
#[derive(Debug, Default)]
pub struct ActiveAlerts {
    since: BTreeMap<AlertKey, i64>,
}

impl ActiveAlerts {
    /// Those that were active at the end of an earlier run.
    pub fn restored(since: impl IntoIterator<Item = (AlertKey, i64)>) -> Self {
        Self { since: since.into_iter().collect() }
    }

    /// Judges all rules at a time; what has changed. A target that is not watched any more has no
    /// alert.
    pub fn judge(&mut self, recent: &RecentSamples, now: i64) -> Vec<AlertChange> {
        let mut holds = BTreeMap::new();
        for rule in ALERTS {
            for (about, samples) in
                recent.samples_of(rule.series).filter(|(_, all)| rule.holds(all))
            {
                let key = AlertKey { name: rule.name, about: about.clone() };
                let since = self.since.get(&key).copied();
                holds.insert(key, (since.unwrap_or(now), since.is_none()));
                debug_assert!(!samples.is_empty(), "a rule holds for samples");
            }
        }
        let ended = self.since.iter().filter(|(key, _)| !holds.contains_key(key));
        let ended = ended.map(|(key, since)| (key.clone(), *since, Some(now)));
        let begun = holds.iter().filter(|(_, (_, is_new))| *is_new);
        let begun = begun.map(|(key, (since, _))| (key.clone(), *since, None));
        let changes = ended
            .chain(begun)
            .map(|(key, since, until)| AlertChange { key, since, until })
            .collect();
        self.since = holds.into_iter().map(|(key, (since, _))| (key, since)).collect();
        changes
    }

    /// The active ones, and since when.
    pub fn iter(&self) -> impl Iterator<Item = (&AlertKey, i64)> {
        self.since.iter().map(|(key, since)| (key, *since))
    }

    /// Whether one is active.
    pub fn has(&self, key: &AlertKey) -> bool {
        self.since.contains_key(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(name: &str, values: &[f64]) -> bool {
        let rule = AlertRule::named(name).unwrap();
        let samples = values.iter().zip(0..).map(|(value, time)| Sample { time, value: *value });
        rule.holds(&samples.collect())
    }

    #[test]
    fn conditions_look_at_the_last_samples() {
        for (name, values, expected) in [
            ("master-silent", &[0.0, 0.0][..], false),
            ("master-silent", &[1.0, 0.0, 0.0, 0.0], true),
            ("master-silent", &[0.0, 0.0, 0.0, 1.0], false),
            ("answers-missing", &[1.0, 0.0, 1.0, 0.0], false),
            ("answers-missing", &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], false),
            ("answers-missing", &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0], true),
            ("answers-missing", &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0], false),
            ("answers-missing", &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0], false),
            ("answers-missing", &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], false),
            ("answers-missing", &[0.0; 10], false),
            ("answers-missing", &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0], false),
            ("server-unlisted", &[1.0, 1.0], false),
            ("server-unlisted", &[0.0, 1.0, 1.0, 1.0], true),
            ("lists-differ", &[0.2, 0.2, 0.2], false),
            ("lists-differ", &[0.21, 1.0, 0.5], true),
            ("entries-silent", &[0.0, 1.0, 1.0], true),
            ("entries-silent", &[0.5, 0.5, 0.5], false),
        ] {
            assert_eq!(active(name, values), expected, "{name} {values:?}");
        }
    }

    #[test]
    fn an_alert_begins_once_and_ends_once() {
        let (mut recent, mut alerts) = (RecentSamples::default(), ActiveAlerts::default());
        let mut seen = Vec::new();
        for (time, value) in [(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0), (5, 1.0), (6, 1.0)] {
            recent.push(&ANSWERED, SampleSubject::of_target("m"), Sample { time, value });
            let changes = alerts.judge(&recent, time);
            let silent = changes.into_iter().filter(|change| change.key.name == "master-silent");
            seen.extend(silent.map(|change| (change.since, change.until)));
        }
        assert_eq!(seen, [(3, None), (3, Some(5))]);
        assert_eq!(alerts.iter().count(), 0, "the outage alone was wrong");
    }
}
