//! Detects where a recorded master lost its state: it was restarted, or dropped a server. What
//! depends on that state cannot be compared with another master.
//!
//! A capture does not show restarts directly. It shows that a port was closed for a while (ICMP),
//! or that a list has none of the servers of the previous list for the same request, though they
//! had registered, had not shut down, and were not silent for long.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::SocketAddr;

use super::list_answer::{LONG_AGO, ListAnswer};
use super::recorded_messages::RecordedRequest;
use super::registration::RegistrationState;
use super::transcript::Transcript;
use codec::FieldRole;
use flow::Transport;
use protocol::{ExchangeKind, Reading};
use render::field_values;

/// The maximum number of restarts of one master.
const RESTARTS: usize = 64;
/// How many responses to one request are searched for a server.
const LISTS: usize = 1024;

/// The state losses of the recorded masters, with times.
pub(super) struct Restarts<'a> {
    transcript: &'a Transcript,
    lists: HashMap<ListRequestKey<'a>, Vec<CompleteList>>,
    of: BTreeMap<SocketAddr, Vec<Restart>>,
    /// Endpoints that are separate masters: servers send them heartbeats, or clients send them list
    /// requests, over UDP.
    masters: HashSet<SocketAddr>,
    /// The frames of first messages of servers and players after a restart: a master that was not
    /// restarted knows the senders already.
    first: HashSet<u64>,
}

/// A list request: its destination, the protocol, and its bytes.
type ListRequestKey<'a> = ((SocketAddr, Transport), &'static str, &'a [u8]);

/// A complete list, its time, and the frame of its request.
struct CompleteList {
    time: i64,
    number: u64,
    servers: BTreeSet<SocketAddr>,
}

/// A time range, in nanoseconds since the Unix epoch.
#[derive(Clone, Copy)]
struct Restart {
    from: i64,
    until: i64,
    /// The frames that show it; twice the same if one is enough.
    frames: [u64; 2],
}

impl<'a> Restarts<'a> {
    /// Finds the restarts in a transcript.
    pub fn from_transcript(transcript: &'a Transcript, reading: &mut Reading) -> Self {
        let (lists, of) = (HashMap::new(), BTreeMap::new());
        let is_master = |request: &&RecordedRequest| {
            request.transport == Transport::Udp
                && matches!(
                    request.entry.exchange(),
                    ExchangeKind::Registration | ExchangeKind::List
                )
        };
        let masters =
            transcript.requests.iter().filter(is_master).map(|request| request.to).collect();
        let mut restarts = Self { transcript, lists, of, masters, first: HashSet::new() };
        restarts.read_lists(reading);
        let answering: BTreeSet<SocketAddr> =
            transcript.requests.iter().filter(|a| !a.replies.is_empty()).map(|a| a.to).collect();
        for (master, time, number) in transcript.unreachable.iter().copied() {
            if answering.iter().any(|end| restarts.is_same(*end, master)) {
                restarts
                    .add_restart(master, Restart { from: time, until: time, frames: [number; 2] });
            }
        }
        let mut found = Vec::new();
        for ((lister, ..), lists) in &restarts.lists {
            for (before, after) in lists.iter().zip(lists.iter().skip(1)) {
                if restarts.is_emptied(*lister, before, after, reading) {
                    let frames = [before.number, after.number];
                    let restart = Restart { from: before.time, until: after.time, frames };
                    found.push((lister.0, restart));
                }
            }
        }
        found.sort_by_key(|(_, restart)| restart.until);
        for (master, restart) in found {
            restarts.add_restart(master, restart);
        }
        restarts.first = restarts.first_after_restart();
        restarts
    }

    fn read_lists(&mut self, reading: &mut Reading) {
        for request in &self.transcript.requests {
            let packets: Vec<_> = request.replies.iter().filter(|reply| reply.is_list()).collect();
            let Some(last) = packets.last() else {
                continue;
            };
            if packets.iter().any(|packet| packet.cut) {
                continue;
            }
            let key = ((request.to, request.transport), request.entry.protocol.id, &*request.bytes);
            let list = ListAnswer::from_packets(
                reading,
                request.entry,
                packets.iter().copied(),
                |server| server,
            );
            let listed = CompleteList {
                time: last.time,
                number: request.number,
                servers: list.servers().collect(),
            };
            self.lists.entry(key).or_default().push(listed);
        }
    }

    /// Whether two endpoints are one master: same address, and not both separate masters.
    fn is_same(&self, one: SocketAddr, other: SocketAddr) -> bool {
        let is_master = |end| self.masters.contains(end);
        one == other || one.ip() == other.ip() && !(is_master(&one) && is_master(&other))
    }

    fn add_restart(&mut self, master: SocketAddr, restart: Restart) {
        let known = self.of.keys().copied().find(|known| self.is_same(*known, master));
        let all = self.of.entry(known.unwrap_or(master)).or_default();
        let span = |restart: &Restart| restart.until - restart.from;
        // Two requests may show the same one; the closer they are, the more precise the time.
        let same =
            |known: &&mut Restart| restart.from <= known.until && known.from <= restart.until;
        match all.iter_mut().find(same) {
            Some(known) if span(known) > span(&restart) => *known = restart,
            Some(_) => {}
            None => all.push(restart),
        }
        all.truncate(RESTARTS);
    }

    /// Whether a list has none of the previous one's servers, though one should be in both.
    fn is_emptied(
        &self,
        lister: (SocketAddr, Transport),
        before: &CompleteList,
        after: &CompleteList,
        reading: &mut Reading,
    ) -> bool {
        let stayed = |server: &SocketAddr| {
            !matches!(self.transcript.registrations.at(*server, lister, after.time),
                RegistrationState::Registered(at) if at > before.time)
        };
        if after.servers.iter().any(stayed) {
            return false;
        }
        before.servers.difference(&after.servers).any(|server| {
            self.is_registered(*server, lister, after.time)
                && self.state(*server, before.time, reading)
                    == self.state(*server, after.time, reading)
        })
    }

    /// Whether a server was registered by then, had not shut down and was not silent for long.
    fn is_registered(
        &self,
        server: SocketAddr,
        lister: (SocketAddr, Transport),
        time: i64,
    ) -> bool {
        matches!(self.transcript.registrations.at(server, lister, time),
            RegistrationState::Registered(at) if time - at <= LONG_AGO)
    }

    /// A server's last values before that time, without the proof of a challenge.
    fn state(
        &self,
        server: SocketAddr,
        time: i64,
        reading: &mut Reading,
    ) -> Option<Vec<(String, Vec<u8>)>> {
        let answers = &self.transcript.recorded_replies.end(server)?.answers;
        let last = answers.iter().rfind(|a| a.to_master && a.time <= time)?;
        let values = field_values(reading, last.entry, &last.bytes).into_iter();
        let values =
            values.filter(|i| !matches!(i.field.role, FieldRole::Challenge | FieldRole::Secret));
        Some(values.map(|item| (item.name().into_owned(), item.text)).collect())
    }

    fn first_after_restart(&self) -> HashSet<u64> {
        let mut first = HashSet::new();
        for (master, restarts) in &self.of {
            for restart in restarts {
                let mut senders = HashSet::new();
                let depends = |request: &&RecordedRequest| {
                    let kind = request.entry.exchange();
                    self.is_same(request.to, *master)
                        && request.time >= restart.from
                        && matches!(kind, ExchangeKind::Registration | ExchangeKind::Authorization)
                };
                for request in self.transcript.requests.iter().filter(depends) {
                    let is_first = request.time <= restart.until
                        || senders.insert((request.from, request.entry.spec.id));
                    first.extend(is_first.then_some(request.number));
                }
            }
        }
        first
    }

    /// Why the response to a message cannot be compared: the recorded master had lost state that
    /// another one has.
    pub fn reason(&self, request: &RecordedRequest) -> Option<&'static str> {
        self.first.contains(&request.number).then_some("the recorded master was restarted")
    }

    /// Why a server that is missing in a list of that time is no difference.
    pub fn reason_missing(
        &self,
        request: &RecordedRequest,
        server: SocketAddr,
        time: i64,
        reading: &mut Reading,
    ) -> Option<&'static str> {
        let lister = (request.to, request.transport);
        let RegistrationState::Registered(at) =
            self.transcript.registrations.at(server, lister, time)
        else {
            return None;
        };
        let here = self.of.iter().filter(|(master, _)| self.is_same(request.to, **master));
        if here.flat_map(|(_, all)| all).any(|restart| at <= restart.until && restart.from <= time)
        {
            return Some("the recorded master was restarted");
        }
        // It answers the same request, and its state has not changed.
        let request = (lister, request.entry.protocol.id, &*request.bytes);
        let state = self.state(server, time, reading);
        let mut lists = self.lists.get(&request).into_iter().flatten().take(LISTS);
        let is_listed = lists.any(|list| {
            list.servers.contains(&server) && self.state(server, list.time, reading) == state
        });
        (is_listed && self.is_registered(server, lister, time))
            .then_some("the recorded master had dropped it")
    }

    /// A sentence for each restart.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.of.iter().flat_map(|(master, restarts)| {
            restarts.iter().map(move |restart| match restart.frames {
                [one, other] if one == other => format!(
                    "{master} was unreachable (frame {one}): it was restarted, and its earlier \
                     state is not compared"
                ),
                [before, after] => format!(
                    "{master} had lost its servers between frames {before} and {after}: it \
                     was restarted, and its earlier state is not compared"
                ),
            })
        })
    }
}
