//! All watched masters and servers: one round after the other, its samples, alerts and history.
//!
//! It has no clock: the caller says when a round is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use super::alert::ActiveAlerts;
use super::awaited_master::{AwaitedMaster, MasterOptions, MasterPlace, open_all};
use super::history::{RoundRecord, WatchHistory};
use super::plan::{WatchError, WatchPlan};
use super::presence::{ListChange, ListPresence, difference};
use super::report::{
    AlertReport, DifferenceReport, MasterReport, NamedServerReport, RoundReport, milliseconds,
};
use super::series::{
    ANSWERED, CAME, DIFFERENCE, ENTRIES_ASKED, ENTRIES_SILENT, LATENCY, PROBE_ANSWERED,
    RecentSamples, SERVER_ANSWERED, SERVER_LATENCY, SERVERS, Sample, SampleSubject, UNLISTED, WENT,
    flag,
};
use super::watched_master::{MasterRound, RoundLimits, WatchedMaster};
use super::watched_server::WatchedServer;
use simulate::families::{MasterMessages, master_kinds};
use text::utc;

/// The subject of the probe's samples.
const PROBE: &str = "probe";

/// Keeps what a later run needs in order to go on with a master.
fn keep(history: &WatchHistory, master: &WatchedMaster) -> Result<(), WatchError> {
    let name = master.target.to_string();
    history.keep_kind(&name, master.kind.profile)?;
    if let Some(address) = master.probe_address() {
        history.keep_probe(&name, address)?;
    }
    Ok(())
}

/// Counters of one master since the start of the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// Requests for the list.
    pub requests: u64,
    /// Those that were answered.
    pub answers: u64,
}

/// Everything that is watched, and what is known of it.
pub struct Watcher {
    masters: Vec<MasterPlace>,
    /// The kind of the first master, whose servers the named ones are.
    server_kind: &'static MasterMessages,
    servers: Vec<WatchedServer>,
    limits: RoundLimits,
    history: WatchHistory,
    presence: BTreeMap<String, ListPresence>,
    recent: RecentSamples,
    alerts: ActiveAlerts,
    counts: BTreeMap<String, RequestCounts>,
}

impl Watcher {
    /// Opens the sockets, and goes on where the history ends. Masters whose kind is not known are
    /// asked, all at once.
    ///
    /// # Errors
    /// If no target can be used, or one if all have to be, or the history cannot be read.
    pub fn new(plan: WatchPlan, history: WatchHistory, now: i64) -> Result<Self, WatchError> {
        let mut presence = BTreeMap::new();
        let mut recent = RecentSamples::default();
        // Whether there was a list.
        let mut restore = |target: &str| -> Result<bool, WatchError> {
            let mut has_list = false;
            for (series, about, sample) in history.recent(target)? {
                has_list |= *series == SERVERS;
                recent.push(series, about, sample);
            }
            Ok(has_list)
        };
        let (needs_all, mut masters) = (plan.needs_all, Vec::new());
        for planned in plan.masters {
            let name = &planned.name;
            let is_known = restore(name)?;
            let listed = ListPresence::restored(history.listed(name)?, is_known);
            presence.insert(name.clone(), listed);
            let earlier = history.kind(name)?;
            let options = MasterOptions {
                selection: plan.selection.clone(),
                probe: plan.probe,
                heartbeat_port: plan.heartbeat_port,
                earlier_probe: history.probe(name)?,
                earlier_kind: master_kinds().find(|kind| earlier.as_deref() == Some(kind.profile)),
                limits: plan.limits,
            };
            let awaited = AwaitedMaster::new(planned, options);
            masters.push(MasterPlace::Awaited(Box::new(awaited)));
        }
        let server_kind = open_all(&mut masters, needs_all)?;
        for master in masters.iter().filter_map(MasterPlace::watched) {
            keep(&history, master)?;
        }
        let mut servers = Vec::new();
        for target in plan.servers {
            restore(&target.to_string())?;
            servers.push(WatchedServer::new(&target, server_kind)?);
        }
        let names = servers.iter().map(|server: &WatchedServer| server.target.to_string());
        let names: Vec<_> = masters.iter().map(MasterPlace::name).chain(names).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let alerts = ActiveAlerts::restored(history.active_alerts(&names, now)?);
        let counts = BTreeMap::new();
        let limits = plan.limits;
        Ok(Self {
            masters,
            server_kind,
            servers,
            limits,
            history,
            presence,
            recent,
            alerts,
            counts,
        })
    }

    /// One round at a time, in nanoseconds since 1970: asks all masters at once, then the named
    /// servers, judges the alerts, and adds everything to the history.
    ///
    /// # Errors
    /// If the history cannot be written. A master that cannot be asked is no error: its report says
    /// why.
    pub fn round(&mut self, now: i64) -> Result<RoundReport, WatchError> {
        let limits = self.limits;
        let was_awaited: Vec<_> = self.masters.iter().map(|one| one.watched().is_none()).collect();
        let rounds: Vec<_> = thread::scope(|scope| {
            let asked = self.masters.iter_mut();
            let asked = asked.map(|master| scope.spawn(move || master.round(&limits)));
            let asked: Vec<_> = asked.collect();
            let joined = asked.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(io::Error::other("its thread has ended badly")))
            });
            joined.collect()
        });
        for (master, was_awaited) in self.masters.iter().zip(was_awaited) {
            if let Some(master) = master.watched().filter(|_| was_awaited) {
                keep(&self.history, master)?;
            }
        }
        let (answers, server_error) =
            match WatchedServer::ask_all(&mut self.servers, self.server_kind, limits.timeout) {
                Ok(answers) => (answers, None),
                Err(why) => (vec![None; self.servers.len()], Some(why)),
            };
        let mut record = RoundRecord { time: now, ..RoundRecord::default() };
        let lists: Vec<_> = rounds.iter().map(|round| round.as_ref().ok()?.list.clone()).collect();
        let servers = self.server_reports(&answers, server_error.is_some(), &lists, &mut record);
        let differences = self.differences(&rounds, &mut record);
        let mut masters = Vec::new();
        for (at, round) in rounds.into_iter().enumerate() {
            masters.extend(self.master_report(at, round, &mut record));
        }
        for (series, about, value) in &record.samples {
            let sample = Sample { time: now, value: *value };
            self.recent.push(series, about.clone(), sample);
        }
        record.alerts = self.alerts.judge(&self.recent, now);
        self.history.add_round(&record)?;
        let alerts = self.alerts.iter().map(|(key, since)| AlertReport::new(key, since)).collect();
        let changes = record.alerts;
        Ok(RoundReport { time: utc(now), masters, servers, differences, alerts, changes })
    }

    fn server_reports(
        &self,
        answers: &[Option<Duration>],
        is_unknown: bool,
        lists: &[Option<BTreeSet<SocketAddr>>],
        record: &mut RoundRecord,
    ) -> Vec<NamedServerReport> {
        let mut reports = Vec::new();
        for (server, answer) in self.servers.iter().zip(answers) {
            let name = server.target.to_string();
            let about = SampleSubject::of_target(&name);
            if !is_unknown {
                record.samples.push((&SERVER_ANSWERED, about.clone(), flag(answer.is_some())));
            }
            if let Some(latency) = answer {
                record.samples.push((&SERVER_LATENCY, about, latency.as_secs_f64()));
            }
            let (mut listed_by, mut missing_at) = (Vec::new(), Vec::new());
            for (master, list) in self.masters.iter().zip(lists) {
                let of_kind =
                    |master: &&WatchedMaster| master.kind.profile == self.server_kind.profile;
                let Some(master) = master.watched().filter(of_kind) else { continue };
                let target = master.target.to_string();
                let is_listed = list.as_ref().map(|list| list.contains(&server.address));
                // One that does not answer need not be listed, whatever the list is.
                let is_unlisted = match (answer, is_listed) {
                    (Some(_), is_listed) => is_listed.map(|is_listed| !is_listed),
                    (None, _) => Some(false).filter(|_| !is_unknown),
                };
                if let Some(is_unlisted) = is_unlisted {
                    let about = SampleSubject::and(&target, &name);
                    record.samples.push((&UNLISTED, about, flag(is_unlisted)));
                }
                let Some(is_listed) = is_listed else { continue };
                if is_listed { &mut listed_by } else { &mut missing_at }.push(target);
            }
            reports.push(NamedServerReport {
                server: name,
                address: server.address,
                answered: answer.is_some(),
                latency_ms: answer.map(milliseconds),
                listed_by,
                missing_at,
            });
        }
        reports
    }

    /// How much the lists of masters of one kind differ, without their probes.
    fn differences(
        &self,
        rounds: &[io::Result<MasterRound>],
        record: &mut RoundRecord,
    ) -> Vec<DifferenceReport> {
        let probes: BTreeSet<_> = self.watched().filter_map(WatchedMaster::probe_address).collect();
        let lists: Vec<_> = self
            .masters
            .iter()
            .zip(rounds)
            .filter_map(|(master, round)| {
                let list = round.as_ref().ok()?.list.as_ref()?;
                Some((
                    master.watched()?,
                    list.difference(&probes).copied().collect::<BTreeSet<_>>(),
                ))
            })
            .collect();
        let mut reports = Vec::new();
        for (n, (one, list)) in lists.iter().enumerate() {
            let others = lists.iter().skip(n + 1);
            for (other, others) in
                others.filter(|(other, _)| other.kind.profile == one.kind.profile)
            {
                let ratio = difference(list, others);
                let [target, other] = [one, other].map(|master| master.target.to_string());
                let about = SampleSubject::and(&target, &other);
                record.samples.push((&DIFFERENCE, about, ratio));
                reports.push(DifferenceReport { target, other, ratio });
            }
        }
        reports
    }

    /// The report on the n-th master, and its samples.
    fn master_report(
        &mut self,
        at: usize,
        round: io::Result<MasterRound>,
        record: &mut RoundRecord,
    ) -> Option<MasterReport> {
        let master = self.masters.get(at)?;
        let target = master.name();
        let watched = master.watched();
        let mut report = MasterReport {
            target: target.clone(),
            address: watched.map(|master| master.target.at(master.kind.port)),
            kind: watched.map(|master| master.kind.profile),
            kind_from: watched.map(|master| master.source),
            answered: false,
            latency_ms: None,
            servers: None,
            came: Vec::new(),
            went: Vec::new(),
            probe: None,
            entries: None,
            list: None,
            failure: None,
            error: None,
        };
        let round = match round {
            Ok(round) => round,
            // What this machine could not do says nothing about the master.
            Err(why) => {
                report.error = Some(why.to_string());
                return Some(report);
            }
        };
        let counts = self.counts.entry(target.clone()).or_default();
        counts.requests += 1;
        counts.answers += u64::from(round.latency.is_some());
        let about = || SampleSubject::of_target(&target);
        record.samples.push((&ANSWERED, about(), flag(round.latency.is_some())));
        if let Some(latency) = round.latency {
            record.samples.push((&LATENCY, about(), latency.as_secs_f64()));
        }
        let mut change = ListChange::default();
        if let Some(list) = &round.list {
            let presence = self.presence.entry(target.clone()).or_default();
            change = presence.update(list, record.time);
            record.samples.push((&SERVERS, about(), list.len() as f64));
            record.samples.push((&CAME, about(), change.newcomers().len() as f64));
            record.samples.push((&WENT, about(), change.went.len() as f64));
        }
        if let Some(probe) = &round.probe {
            if let Some(answered) = probe.answered {
                record.samples.push((&PROBE_ANSWERED, about(), flag(answered)));
            }
            if let Some(listed) = probe.listed {
                let about = SampleSubject::and(&target, PROBE);
                record.samples.push((&UNLISTED, about, flag(!listed)));
            }
        }
        if let Some(entries) = &round.entries {
            record.samples.push((&ENTRIES_ASKED, about(), entries.asked as f64));
            if entries.asked > 0 {
                let silent = entries.silent.len() as f64 / entries.asked as f64;
                record.samples.push((&ENTRIES_SILENT, about(), silent));
            }
        }
        if !change.came.is_empty() || !change.went.is_empty() {
            record.lists.push((target, change.clone()));
        }
        report.add_round(round, change);
        Some(report)
    }

    /// The probes leave their masters, all at once.
    pub fn leave(&self) {
        thread::scope(|scope| {
            for master in self.watched() {
                // The master forgets a server that it does not reach, too.
                scope.spawn(|| _ = master.leave());
            }
        });
    }

    /// The masters that can be asked.
    pub fn watched(&self) -> impl Iterator<Item = &WatchedMaster> {
        self.masters.iter().filter_map(MasterPlace::watched)
    }

    /// The masters that cannot be asked yet, and why not.
    pub fn obstacles(&self) -> impl Iterator<Item = (String, &str)> {
        self.masters.iter().filter_map(|master| Some((master.name(), master.obstacle()?)))
    }

    /// The last samples.
    pub fn recent(&self) -> &RecentSamples {
        &self.recent
    }

    /// The alerts.
    pub fn alerts(&self) -> &ActiveAlerts {
        &self.alerts
    }

    /// Requests and answers of each master since the start.
    pub fn counts(&self) -> impl Iterator<Item = (&str, RequestCounts)> {
        self.counts.iter().map(|(target, counts)| (target.as_str(), *counts))
    }

    /// The history.
    pub fn history(&self) -> &WatchHistory {
        &self.history
    }
}
