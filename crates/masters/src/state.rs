//! The part that all game families share: challenge servers, list them, find servers for a request,
//! and send replies.

mod answers;
mod details;
mod exchange;
mod faults;
mod find;

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::challenge::ChallengeForm;
use super::defect::{Defect, Defects};
use super::flood::Flood;
use super::list_limit::ListLimit;
use super::registry::{AddressCount, ListBucket, ListKey, ServerKey, ServerRegistry};
use super::service::Service;
use super::table::TimedTable;
use super::{MasterCounts, MasterEvent, Reply};
use faults::is_same;
use random::Random;
use simulate::Settings;

/// Bytes of all records in one datagram: the UDP maximum over IPv4, less any header of a list.
const LONGEST: usize = 65_507 - 16;
/// Bytes of an address and a port.
const RECORD: usize = 6;
/// The server timeout of the defect `forgets-after-5s`.
const FIVE_SECONDS: i64 = 5_000_000_000;
/// The most heartbeats of challenged servers that the defect `crashes-in-flood` survives.
const FLOOD: u32 = 300;

/// The maximum number of clients whose last list is stored, for the defect `list-varies`.
const MOST_CLIENTS: usize = 4096;

/// The receiver of replies.
pub type ReplySink<'o> = &'o mut dyn FnMut(Reply<'_>);

/// A received message: from whom, on which service, and when.
#[derive(Debug, Clone, Copy)]
pub struct IncomingRequest<'a> {
    /// Nanoseconds of a monotonic clock.
    pub now: i64,
    /// The service that it came to.
    pub service: &'static Service,
    /// The sender.
    pub from: SocketAddr,
    /// The payload.
    pub payload: &'a [u8],
}

/// A pending challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingChallenge {
    /// The challenge.
    pub challenge: Vec<u8>,
    /// What the server has said of itself.
    pub claim: ClaimedServer,
    /// Whether it counts as a server of its address: it was not listed at the challenge.
    counted: bool,
}

/// What a server's heartbeat said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClaimedServer {
    /// The game of its tag or name; empty if the response has to name it.
    pub game: Vec<u8>,
    /// Whether it is also listed by its protocol number alone.
    pub numbered: bool,
    /// Whether an unanswered challenge means that it has shut down.
    pub may_be_shutdown: bool,
    /// Whether it has answered the challenge, and only other parts of its reply are awaited.
    pub proven: bool,
}

/// The state of a master.
#[allow(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct MasterState {
    /// Limits and timeouts.
    pub settings: Settings,
    /// Whether servers on loopback addresses are listed.
    pub allow_loopback: bool,
    /// Intentional faults.
    pub defects: Defects,
    pub(crate) registry: ServerRegistry,
    pending: TimedTable<ServerKey, PendingChallenge>,
    pending_per_address: AddressCount,
    /// Expired challenges of listed servers; only a defect keeps any.
    expired: TimedTable<ServerKey, PendingChallenge>,
    /// What servers have said of themselves, where lists tell it.
    details: TimedTable<ServerKey, Box<[u8]>>,
    /// Addresses whose players have sent a key.
    pub(crate) keys_sent: TimedTable<IpAddr, ()>,
    pub(crate) flood: Flood,
    pub(crate) list_limit: ListLimit,
    /// Whether the reply being sent is a list.
    pub lists: bool,
    /// The source of challenges.
    pub random: Random,
    /// What has happened since they were read last.
    pub events: Vec<MasterEvent>,
    /// Whether events are collected.
    pub verbose: bool,
    /// What it has counted.
    pub counts: MasterCounts,
    /// Whether a defect has ended this master.
    pub crashed: bool,
    /// Heartbeats of servers with a pending challenge; only a defect uses it.
    repeated: u32,
    /// Lists and challenges so far; only defects use them.
    lists_so_far: u32,
    challenges_so_far: u32,
    /// Nanoseconds of a monotonic clock.
    pub now: i64,
    /// The last challenge of a master whose challenges count up, which is a defect.
    pub guessable: u32,
    /// The current client over UDP. All TCP clients count as one, because each asks once.
    pub client: IpAddr,
    /// Clients whose last list was complete; only a defect uses it.
    had_complete: HashSet<IpAddr>,
    packet: Vec<u8>,
    found: Vec<SocketAddr>,
}

impl MasterState {
    /// The state of a master without servers.
    pub fn new(settings: Settings, random: Random) -> Self {
        Self {
            flood: Flood::new(&settings),
            list_limit: ListLimit::new(&settings),
            lists: false,
            settings,
            allow_loopback: false,
            defects: Defects::default(),
            registry: ServerRegistry::new(),
            pending: TimedTable::new(),
            pending_per_address: AddressCount::default(),
            expired: TimedTable::new(),
            details: TimedTable::new(),
            keys_sent: TimedTable::new(),
            random,
            events: Vec::new(),
            verbose: false,
            counts: MasterCounts::default(),
            crashed: false,
            repeated: 0,
            lists_so_far: 0,
            challenges_so_far: 0,
            now: 0,
            guessable: 0,
            client: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            had_complete: HashSet::new(),
            packet: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Whether it has a defect.
    pub fn has(&self, defect: Defect) -> bool {
        self.defects.has(defect)
    }

    /// Adds an event, if events are collected.
    pub fn note(&mut self, service: &'static Service, address: SocketAddr, what: &'static str) {
        if self.verbose {
            self.events.push(MasterEvent { service: service.name, address, what });
        }
    }

    /// The challenge for a server: a new one, or the pending one, whose timeout no heartbeat
    /// extends (document 004, BEHAVIOUR). `None` if the server cannot be listed.
    pub fn challenge_for(
        &mut self,
        incoming: &IncomingRequest<'_>,
        server: ServerKey,
        form: ChallengeForm,
        claim: ClaimedServer,
    ) -> Option<Vec<u8>> {
        if let Err(why) = self.admits(&server) {
            self.counts.refused += 1;
            self.note(incoming.service, server.address, why);
            return None;
        }
        let is_listed = self.registry.contains(&server);
        if is_listed && (self.has(Defect::AnswersOnce) || self.loses_challenge()) {
            return None;
        }
        if self.has(Defect::ChangesTooSoon) {
            self.registry.drop(&server);
        }
        if let Some(pending) = self.pending.get_mut(&server) {
            pending.claim.may_be_shutdown |= claim.may_be_shutdown;
            let challenge = pending.challenge.clone();
            self.repeated += 1;
            self.crashed |= self.repeated > FLOOD && self.has(Defect::CrashesInFlood);
            return Some(challenge);
        }
        let challenge = self.challenge(form)?;
        if self.pending.len() >= self.settings.max_waiting
            && let Some((oldest, pending)) = self.pending.pop_first()
        {
            self.counts.forgotten_challenges += 1;
            self.uncount(&oldest, &pending);
        }
        let due = incoming.now.saturating_add(self.challenge_time());
        let counted = !is_listed;
        self.pending.insert(
            server,
            PendingChallenge { challenge: challenge.clone(), claim, counted },
            due,
        );
        if counted {
            self.pending_per_address.add_address(server.address.ip());
        }
        Some(challenge)
    }

    /// Whether a challenge or proof is the expected one.
    pub fn is_right(&self, expected: &[u8], given: &[u8]) -> bool {
        is_same(self.defects, expected, given)
    }

    /// The pending challenge of a server.
    pub fn open(&self, server: &ServerKey) -> Option<&PendingChallenge> {
        let expired = || self.expired.get(server).filter(|_| self.registry.contains(server));
        self.pending.get(server).or_else(expired)
    }

    /// Keeps the challenge of a server that sends further parts of its reply.
    pub fn keep_open(&mut self, server: &ServerKey) {
        if let Some(open) = self.pending.get_mut(server) {
            open.claim.proven = true;
            open.claim.may_be_shutdown = false;
        }
    }

    /// Removes the pending challenge of a server.
    pub fn close_challenge(&mut self, server: &ServerKey) {
        if let Some(pending) = self.pending.remove(server) {
            self.uncount(server, &pending);
        }
    }

    fn uncount(&mut self, server: &ServerKey, pending: &PendingChallenge) {
        if pending.counted {
            self.pending_per_address.remove(server.address.ip());
        }
    }

    /// Lists a server, or updates its entry.
    pub fn list(
        &mut self,
        incoming: &IncomingRequest<'_>,
        server: ServerKey,
        buckets: &[ListBucket],
    ) {
        if let Err(why) = self.admits(&server) {
            self.counts.refused += 1;
            return self.note(incoming.service, server.address, why);
        }
        let timeout = (server.namespace.timeout)(&self.settings);
        let timeout = if self.has(Defect::ForgetsEarly) { timeout / 10 } else { timeout };
        let timeout =
            if self.has(Defect::ForgetsAfter5s) { timeout.min(FIVE_SECONDS) } else { timeout };
        let due = incoming.now.saturating_add(timeout);
        if self.has(Defect::KeepsOldState) && self.registry.contains(&server) {
            return self.registry.renew(&server, due);
        }
        let buckets = self.broken_buckets(&server, buckets);
        if self.registry.list(server, &buckets, due) {
            self.note(incoming.service, server.address, "listed");
        }
    }

    /// Lists a server of which only the address is known.
    pub fn list_plain(&mut self, incoming: &IncomingRequest<'_>, server: ServerKey) {
        let kind = ListKey::from_address(server.address);
        let bucket =
            ListBucket { namespace: server.namespace, protocol: 0, game: Box::default(), kind };
        self.list(incoming, server, &[bucket]);
    }

    /// Handles a server's shutdown message.
    pub fn unregister(&mut self, incoming: &IncomingRequest<'_>, server: &ServerKey) {
        if self.has(Defect::IgnoresShutdown) {
            return;
        }
        self.crashed |= self.has(Defect::CrashesOnShutdown);
        self.close_challenge(server);
        if self.registry.drop(server) {
            self.note(incoming.service, server.address, "gone: it shut down");
        }
    }

    /// Whether a server may be listed, or why not. Others get no challenge either: their response
    /// would be of no use.
    fn admits(&self, server: &ServerKey) -> Result<(), &'static str> {
        let ip = server.address.ip();
        let multicast = ip.is_multicast() || ip == IpAddr::from([255; 4]);
        if server.address.port() == 0 || ip.is_unspecified() || multicast {
            return Err("refused: no server can have this address");
        }
        let loopback = self.allow_loopback || self.has(Defect::AcceptsLoopback);
        if ip.is_loopback() && !loopback {
            return Err("refused: a loopback address");
        }
        if ip.is_ipv6() && !server.namespace.lists_ipv6 {
            return Err("refused: lists of its game have no IPv6 addresses");
        }
        if self.registry.contains(server) {
            return Ok(());
        }
        if self.registry.len() >= self.settings.max_servers {
            return Err("refused: max-servers is reached");
        }
        let itself = self.pending.get(server).is_some_and(|pending| pending.counted);
        let others = self.pending_per_address.count(ip).saturating_sub(itself.into());
        let count = self.registry.count(ip) + others;
        if count >= self.settings.max_per_address && !self.has(Defect::NoLimitAnAddress) {
            return Err("refused: max-per-address is reached");
        }
        Ok(())
    }

    /// Removes expired challenges and servers.
    pub fn tick(&mut self, now: i64) {
        self.now = now;
        while let Some((server, pending)) = self.pending.pop_due(now) {
            self.uncount(&server, &pending);
            let stays = self.settings.keep_silent || self.has(Defect::NeverForgets);
            if pending.claim.may_be_shutdown && !stays && self.registry.drop(&server) {
                self.report_removed(server, "gone: it did not answer a challenge");
            } else if self.has(Defect::LateRenewal) && self.registry.contains(&server) {
                self.expired.insert(
                    server,
                    pending,
                    now.saturating_add(self.settings.server_timeout),
                );
            }
        }
        while self.expired.pop_due(now).is_some() {}
        while self.keys_sent.pop_due(now).is_some() {}
        while self.details.pop_due(now).is_some() {}
        if self.has(Defect::NeverForgets) {
            return;
        }
        while let Some(server) = self.registry.drop_due(now) {
            self.report_removed(server, "gone: no heartbeat for too long");
        }
    }

    fn report_removed(&mut self, server: ServerKey, what: &'static str) {
        if self.verbose {
            let service = server.namespace.name;
            self.events.push(MasterEvent { service, address: server.address, what });
        }
    }

    /// Whether a list may be sent: all lists share a limit. The next reply counts as a list.
    pub fn may_list(&mut self, incoming: &IncomingRequest<'_>) -> bool {
        let bounded = !self.has(Defect::NoFloodProtection);
        self.lists = true;
        if !bounded || self.list_limit.allows(incoming.now, incoming.from.ip()) {
            return true;
        }
        self.counts.lists_withheld += 1;
        self.note(incoming.service, incoming.from, "not answered: list-rate is reached");
        false
    }
}
