//! What a round has found out, as lines of text and as a JSON document.

use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;

use super::alert::{AlertChange, AlertKey, AlertRule};
use super::presence::ListChange;
use super::watched_master::MasterRound;
use query::KindSource;
use query::ListFailure;
use text::{counted, duration_of, utc};

/// One round of all masters and servers.
#[derive(Debug, Clone, Serialize)]
pub struct RoundReport {
    /// When it began: RFC 3339, UTC.
    pub time: String,
    /// The masters, in the order of the command line.
    pub masters: Vec<MasterReport>,
    /// The named servers, in that order.
    pub servers: Vec<NamedServerReport>,
    /// Each pair of masters of one kind that both sent a list.
    pub differences: Vec<DifferenceReport>,
    /// The alerts that are active.
    pub alerts: Vec<AlertReport>,
    /// Those that began or ended with this round.
    #[serde(skip)]
    pub changes: Vec<AlertChange>,
}

/// One master.
#[derive(Debug, Clone, Serialize)]
pub struct MasterReport {
    /// The target, as the user wrote it.
    pub target: String,
    /// Where it was asked; `None` if its name was not found.
    pub address: Option<SocketAddr>,
    /// Its kind, by the name of the profile; `None` if it is not known yet.
    pub kind: Option<&'static str>,
    /// How the kind is known.
    pub kind_from: Option<KindSource>,
    /// Whether it answered the request for its list.
    pub answered: bool,
    /// The time to the first datagram or byte of the list, in milliseconds.
    pub latency_ms: Option<f64>,
    /// How many servers the list has; `None` without a whole list.
    pub servers: Option<usize>,
    /// The servers that were not in the list before; none in the first list of a history.
    pub came: Vec<SocketAddr>,
    /// The servers that are not in it any more.
    pub went: Vec<WentReport>,
    /// The probe, if there is one.
    pub probe: Option<ProbeReport>,
    /// The servers of the list that were asked.
    pub entries: Option<EntryReport>,
    /// The whole list.
    pub list: Option<Vec<SocketAddr>>,
    /// Why it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<ListFailure>,
    /// Why the master could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A server that has left a list.
#[derive(Debug, Clone, Serialize)]
pub struct WentReport {
    /// Its address.
    pub address: SocketAddr,
    /// Since when it was listed: RFC 3339, UTC.
    pub since: String,
}

/// The probe of a master.
#[derive(Debug, Clone, Serialize)]
pub struct ProbeReport {
    /// Its address.
    pub address: SocketAddr,
    /// Whether its heartbeat was answered; `None` for a kind of master that answers none.
    pub answered: Option<bool>,
    /// Whether it is in the list; `None` without a whole list.
    pub listed: Option<bool>,
}

/// The servers of a list that were asked.
#[derive(Debug, Clone, Serialize)]
pub struct EntryReport {
    /// How many.
    pub asked: usize,
    /// Those that did not answer.
    pub silent: Vec<SocketAddr>,
    /// How many may not be asked.
    pub not_permitted: usize,
}

/// A named server.
#[derive(Debug, Clone, Serialize)]
pub struct NamedServerReport {
    /// The server, as the user wrote it.
    pub server: String,
    /// Its address.
    pub address: SocketAddr,
    /// Whether it answered.
    pub answered: bool,
    /// The time that took, in milliseconds.
    pub latency_ms: Option<f64>,
    /// The masters in whose lists it is.
    pub listed_by: Vec<String>,
    /// The masters of its kind in whose lists it is not.
    pub missing_at: Vec<String>,
}

/// How much the lists of two masters differ.
#[derive(Debug, Clone, Serialize)]
pub struct DifferenceReport {
    /// One master.
    pub target: String,
    /// The other.
    pub other: String,
    /// The share of their servers that only one has, from 0 to 1.
    pub ratio: f64,
}

/// An active alert.
#[derive(Debug, Clone, Serialize)]
pub struct AlertReport {
    /// Which, and whom it is about.
    #[serde(flatten)]
    pub key: AlertKey,
    /// Since when: RFC 3339, UTC.
    pub since: String,
    /// What is wrong.
    pub says: &'static str,
}

impl MasterReport {
    /// Fills in what a round found out.
    pub(super) fn add_round(&mut self, round: MasterRound, change: ListChange) {
        self.answered = round.latency.is_some();
        self.latency_ms = round.latency.map(milliseconds);
        self.failure = round.failure;
        self.error = round.obstacle;
        self.servers = round.list.as_ref().map(std::collections::BTreeSet::len);
        self.list = round.list.map(|list| list.into_iter().collect());
        self.came = change.newcomers().to_vec();
        let went = change.went.into_iter();
        self.went =
            went.map(|(address, since)| WentReport { address, since: utc(since) }).collect();
        self.probe = round.probe.map(|probe| ProbeReport {
            address: probe.address,
            answered: probe.answered,
            listed: probe.listed,
        });
        self.entries = round.entries.map(|entries| EntryReport {
            asked: entries.asked,
            silent: entries.silent,
            not_permitted: entries.not_permitted,
        });
    }

    /// One line without the time: `127.0.0.1:27950 quake3: 12 servers in 0.4ms, +1 -0; …`.
    pub fn line(&self) -> String {
        let list = match (&self.error, self.servers, self.latency_ms) {
            (Some(error), ..) => error.clone(),
            (None, Some(servers), Some(latency)) => {
                let servers = counted(servers as u64, "server");
                let (came, went) = (self.came.len(), self.went.len());
                format!("{servers} in {}, +{came} -{went}", time_text(latency))
            }
            (None, None, Some(_)) => "the list did not come to its end".to_owned(),
            _ => self.failure.unwrap_or(ListFailure::NoAnswer).text().to_owned(),
        };
        let probe = self.probe.as_ref().and_then(ProbeReport::text);
        let entries = self.entries.as_ref().map(EntryReport::text);
        let parts = [Some(list), probe.map(str::to_owned), entries];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let kind = self.kind.map_or_else(String::new, |kind| format!(" {kind}"));
        format!("{}{kind}: {}", self.target, parts.join("; "))
    }
}

impl ProbeReport {
    /// What the list says of it, in words; `None` without a list.
    pub fn text(&self) -> Option<&'static str> {
        match (self.answered, self.listed) {
            (Some(false), _) => Some("the heartbeat of the probe is not answered"),
            (_, Some(true)) => Some("the probe is listed"),
            (_, Some(false)) => Some("the probe is not listed"),
            (_, None) => None,
        }
    }

    /// The same in one word, for a column.
    pub fn word(&self) -> Option<&'static str> {
        match (self.answered, self.listed) {
            (Some(false), _) => Some("silent"),
            (_, Some(true)) => Some("listed"),
            (_, Some(false)) => Some("missing"),
            (_, None) => None,
        }
    }
}

impl EntryReport {
    /// How many do not answer, in words.
    pub fn text(&self) -> String {
        let asked = counted(self.asked as u64, "server");
        let silent = format!("{asked} asked, {} did not answer", self.silent.len());
        match self.not_permitted {
            0 => silent,
            others => format!("{silent}, {others} may not be asked"),
        }
    }
}

impl NamedServerReport {
    /// One line without the time.
    pub fn line(&self) -> String {
        let answer = self.latency_ms.map(|latency| format!("answers in {}", time_text(latency)));
        let mut parts = vec![answer.unwrap_or_else(|| "no answer".to_owned())];
        for (masters, what) in [(&self.listed_by, "listed by"), (&self.missing_at, "not listed by")]
        {
            if !masters.is_empty() {
                parts.push(format!("{what} {}", masters.join(", ")));
            }
        }
        format!("{} server: {}", self.server, parts.join("; "))
    }
}

impl RoundReport {
    /// Whether each master and each named server answered.
    pub fn all_answered(&self) -> bool {
        let servers = self.servers.iter().all(|server| server.answered);
        servers && self.masters.iter().all(|master| master.answered)
    }

    /// A line for each master, each server, and each alert that began or ended.
    pub fn lines(&self) -> Vec<String> {
        let time = self.time.get(..19).unwrap_or(&self.time);
        let masters = self.masters.iter().map(MasterReport::line);
        let lines = masters.chain(self.servers.iter().map(NamedServerReport::line));
        lines.chain(self.change_lines()).map(|line| format!("{time}Z {line}")).collect()
    }

    /// A line without the time for each alert that began or ended.
    pub fn change_lines(&self) -> impl Iterator<Item = String> {
        self.changes.iter().map(change_line)
    }
}

impl AlertReport {
    /// An active alert.
    pub(super) fn new(key: &AlertKey, since: i64) -> Self {
        let says = AlertRule::named(key.name).map_or("", |rule| rule.says);
        Self { key: key.clone(), since: utc(since), says }
    }
}

/// `alert server-unlisted, 127.0.0.1:27950, probe: a server …`.
fn change_line(change: &AlertChange) -> String {
    let AlertKey { name, about } = &change.key;
    let says = AlertRule::named(name).map_or("", |rule| rule.says);
    let subject =
        if about.subject.is_empty() { String::new() } else { format!(", {}", about.subject) };
    let word = if change.until.is_some() { "alert ended" } else { "alert" };
    format!("{word} {name}, {}{subject}: {says}", about.target)
}

/// A number of milliseconds for people.
fn time_text(milliseconds: f64) -> String {
    duration_of(Duration::from_secs_f64(milliseconds / 1000.0))
}

/// A time in milliseconds.
pub(super) fn milliseconds(time: Duration) -> f64 {
    // One division of whole numbers: 29365 ns are 0.029365, and not 0.029365000000000002.
    time.as_nanos() as f64 / 1e6
}
