//! One watched master: its sockets, and one round of questions.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use super::registered_probe::RegisteredProbe;
use query::ConnectionLimits;
use query::KindSource;
use query::ListFailure;
use query::MasterClient;
use query::{AskedServer, entry_target, is_unreachable};
use simulate::families::{ListSelection, MasterMessages};
use simulate::{Consent, Pacer, Target};

/// What a round may do.
#[derive(Debug, Clone, Copy)]
pub struct RoundLimits {
    /// How long an answer may take.
    pub timeout: Duration,
    /// How many servers of a list are asked in a round; 0 asks none.
    pub entries: usize,
    /// What the user permits.
    pub consent: Consent,
}

/// A master, and our endpoints that reach it alone.
#[derive(Debug)]
pub struct WatchedMaster {
    /// The target.
    pub target: Target,
    /// Its kind.
    pub kind: &'static MasterMessages,
    /// How the kind is known.
    pub source: KindSource,
    client: MasterClient,
    probe: Option<RegisteredProbe>,
    pacer: Option<Pacer>,
    /// The last entry that was asked.
    cursor: Option<SocketAddr>,
}

/// What one round has found out about a master.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MasterRound {
    /// The time to the first datagram or byte of the list; `None` if there was no answer.
    pub latency: Option<Duration>,
    /// Why there was none.
    pub failure: Option<ListFailure>,
    /// Why it could not be asked at all.
    pub obstacle: Option<String>,
    /// The servers of the list; `None` if it was not answered, or not to its end.
    pub list: Option<BTreeSet<SocketAddr>>,
    /// The probe, if there is one.
    pub probe: Option<ProbeRound>,
    /// The servers of the list that were asked.
    pub entries: Option<EntryRound>,
}

/// What one round has found out about the probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeRound {
    /// Its address.
    pub address: SocketAddr,
    /// Whether its heartbeat was answered; `None` for a kind of master that does not answer any.
    pub answered: Option<bool>,
    /// Whether it is in the list; `None` without a whole list.
    pub listed: Option<bool>,
}

/// Which servers of a list answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryRound {
    /// How many were asked.
    pub asked: usize,
    /// Those that did not answer.
    pub silent: Vec<SocketAddr>,
    /// How many may not be asked.
    pub not_permitted: usize,
}

impl WatchedMaster {
    /// A master of this kind, and its probe, if it has one.
    ///
    /// # Errors
    /// If it cannot be reached from here.
    pub fn open(
        target: Target,
        (kind, source): (&'static MasterMessages, KindSource),
        selection: ListSelection,
        probe: Option<RegisteredProbe>,
    ) -> io::Result<Self> {
        let client = MasterClient::open(&target, kind, selection)?;
        let pacer = target.limit().map(Pacer::new);
        Ok(Self { target, kind, source, client, probe, pacer, cursor: None })
    }

    /// The address of the probe, if there is one.
    pub fn probe_address(&self) -> Option<SocketAddr> {
        self.probe.as_ref().map(RegisteredProbe::address)
    }

    /// One round: the probe sends a heartbeat, the client requests the list, and some of its
    /// servers are asked.
    ///
    /// # Errors
    /// If the system cannot send or receive.
    pub fn round(&mut self, limits: &RoundLimits) -> io::Result<MasterRound> {
        let pacer = self.pacer.as_ref();
        let of_round = ConnectionLimits { timeout: limits.timeout, pacer, recorder: None };
        let heartbeat = match &mut self.probe {
            Some(probe) => Some(probe.register(of_round)?),
            None => None,
        };
        let answer = self.client.request(limits.timeout, pacer, None)?;
        let (latency, failure, list) = match answer {
            Ok(answer) => {
                let list = Some(answer.servers).filter(|_| answer.is_whole);
                (Some(answer.latency), None, list)
            }
            Err(failure) => (None, Some(failure), None),
        };
        let is_far = !self.target.is_local();
        let probe = match (&self.probe, heartbeat) {
            (Some(probe), Some(answered)) => {
                // Some masters ask twice.
                probe.answer(pacer)?;
                let is_there =
                    |list: &BTreeSet<_>| list.iter().any(|entry| probe.is(*entry, is_far));
                let listed = list.as_ref().map(is_there);
                Some(ProbeRound { address: probe.address(), answered, listed })
            }
            _ => None,
        };
        let entries = match &list {
            Some(list) if limits.entries > 0 => Some(self.ask_entries(list, limits)?),
            _ => None,
        };
        Ok(MasterRound { latency, failure, list, probe, entries, obstacle: None })
    }

    /// Asks the next servers of the list, in the order of their addresses, the probe left out.
    fn ask_entries(
        &mut self,
        list: &BTreeSet<SocketAddr>,
        limits: &RoundLimits,
    ) -> io::Result<EntryRound> {
        let own = self.probe_address();
        let after = list.iter().filter(|entry| self.cursor.is_none_or(|last| **entry > last));
        let before = list.iter().filter(|entry| self.cursor.is_some_and(|last| **entry <= last));
        let next: Vec<_> =
            after.chain(before).filter(|entry| Some(**entry) != own).take(limits.entries).collect();
        self.cursor = next.last().copied().copied();
        let (mut round, mut asked, mut addresses) = (EntryRound::default(), Vec::new(), Vec::new());
        // They do not answer, and nothing else of the round depends on them.
        let mut unreachable = Vec::new();
        for entry in next {
            let above = self.kind.servers.port_above;
            match entry_target(*entry, &self.target, limits.consent, above) {
                Some(target) => match AskedServer::new(target) {
                    Ok(server) => {
                        asked.push(server);
                        addresses.push(*entry);
                    }
                    Err(why) if is_unreachable(&why) => unreachable.push(*entry),
                    Err(why) => return Err(why),
                },
                None => round.not_permitted += 1,
            }
        }
        let mut all: Vec<_> = asked.iter_mut().collect();
        let answers = AskedServer::ask_all(&mut all, &self.kind.servers.state(), limits.timeout)?;
        round.asked = answers.len() + unreachable.len();
        let silent = addresses.into_iter().zip(answers).filter(|(_, answer)| answer.is_none());
        round.silent = silent.map(|(entry, _)| entry).chain(unreachable).collect();
        round.silent.sort();
        Ok(round)
    }

    /// The probe leaves the master.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn leave(&self) -> io::Result<()> {
        self.probe.as_ref().map_or(Ok(()), |probe| probe.leave(self.pacer.as_ref()))
    }
}
