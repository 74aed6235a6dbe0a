//! The part that all game families share: challenge servers, list them, find servers for a request,
//! and send replies.

mod find;

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::flood::Flood;
use super::list_limit::ListLimit;
use super::registry::{AddressCount, ListBucket, ListKey, Namespace, Registry, ServerKey};
use super::service::Service;
use super::setting::Settings;
use super::table::TimedTable;
use super::{MasterCounts, MasterEvent, Reply};
use crate::codec::{Body, encode};
use crate::random::Random;

/// Bytes of all records in one datagram: the UDP maximum over IPv4, less any header of a list.
const LONGEST: usize = 65_507 - 16;
/// Bytes of an address and a port.
const RECORD: usize = 6;
/// The server timeout of the defect `forgets-after-5s`.
const FIVE_SECONDS: i64 = 5_000_000_000;

/// The maximum number of clients whose last list is stored, for the defect `list-varies`.
const MOST_ASKERS: usize = 4096;

/// The receiver of replies.
pub(super) type ReplySink<'o> = &'o mut dyn FnMut(Reply<'_>);

/// A received message: from whom, on which service, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct IncomingRequest<'a> {
    /// Nanoseconds of a monotonic clock.
    pub now: i64,
    pub service: &'static Service,
    pub from: SocketAddr,
    pub payload: &'a [u8],
}

/// A pending challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingChallenge {
    pub challenge: Vec<u8>,
    pub claim: ClaimedServer,
    /// Whether it counts as a server of its address: it was not listed at the challenge.
    counted: bool,
}

/// What a server's heartbeat said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ClaimedServer {
    /// The game of its tag or name; empty if the response has to name it.
    pub game: Vec<u8>,
    /// Whether it is also listed by its protocol number alone.
    pub numbered: bool,
    /// Whether an unanswered challenge means that it has shut down.
    pub last_words: bool,
    /// Whether it has answered the challenge, and only other parts of its reply are awaited.
    pub proven: bool,
}

/// The state of a master.
pub(super) struct MasterState {
    pub settings: Settings,
    pub registry: Registry,
    waiting: TimedTable<ServerKey, PendingChallenge>,
    waiting_of: AddressCount,
    /// Expired challenges of listed servers; only a defect keeps any.
    late: TimedTable<ServerKey, PendingChallenge>,
    /// Addresses whose players have sent a key.
    pub shown: TimedTable<IpAddr, ()>,
    pub flood: Flood,
    pub list_limit: ListLimit,
    /// Whether the reply being sent is a list.
    pub lists: bool,
    pub random: Random,
    pub events: Vec<MasterEvent>,
    /// Whether events are collected.
    pub verbose: bool,
    pub counts: MasterCounts,
    /// Whether a defect has ended this master.
    pub crashed: bool,
    /// Nanoseconds of a monotonic clock.
    pub now: i64,
    pub guessable: u32,
    /// The current client over UDP. All TCP clients count as one, because each asks once.
    pub asker: IpAddr,
    /// Clients whose last list was complete; only a defect uses it.
    had_whole: HashSet<IpAddr>,
    packet: Vec<u8>,
    found: Vec<SocketAddr>,
}

impl MasterState {
    pub fn new(settings: Settings, random: Random) -> Self {
        Self {
            flood: Flood::new(&settings),
            list_limit: ListLimit::new(&settings),
            lists: false,
            settings,
            registry: Registry::new(),
            waiting: TimedTable::new(),
            waiting_of: AddressCount::default(),
            late: TimedTable::new(),
            shown: TimedTable::new(),
            random,
            events: Vec::new(),
            verbose: false,
            counts: MasterCounts::default(),
            crashed: false,
            now: 0,
            guessable: 0,
            asker: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            had_whole: HashSet::new(),
            packet: Vec::new(),
            found: Vec::new(),
        }
    }

    pub fn has(&self, defect: Defect) -> bool {
        self.settings.defects.has(defect)
    }

    pub fn note(&mut self, service: &'static Service, address: SocketAddr, what: &'static str) {
        if self.verbose {
            self.events.push(MasterEvent { service: service.name(), address, what });
        }
    }

    /// The challenge for a server: a new one, or the pending one, whose timeout no heartbeat
    /// extends (document 004, BEHAVIOUR). `None` if the server cannot be listed.
    pub fn ask(
        &mut self,
        heard: &IncomingRequest<'_>,
        seat: ServerKey,
        form: ChallengeForm,
        claim: ClaimedServer,
    ) -> Option<Vec<u8>> {
        if let Err(why) = self.admits(&seat) {
            self.counts.refused += 1;
            self.note(heard.service, seat.address, why);
            return None;
        }
        if let Some(ask) = self.waiting.get_mut(&seat) {
            ask.claim.last_words |= claim.last_words;
            return Some(ask.challenge.clone());
        }
        let challenge = self.challenge(form)?;
        if self.waiting.len() >= self.settings.max_waiting
            && let Some((oldest, ask)) = self.waiting.pop_first()
        {
            self.counts.forgotten_challenges += 1;
            self.uncount(&oldest, &ask);
        }
        let times = if self.has(Defect::StaleChallenge) { 30 } else { 1 };
        let due = heard.now.saturating_add(self.settings.challenge_timeout.saturating_mul(times));
        let counted = !self.registry.contains(&seat);
        self.waiting.insert(
            seat,
            PendingChallenge { challenge: challenge.clone(), claim, counted },
            due,
        );
        if counted {
            self.waiting_of.add(seat.address.ip());
        }
        Some(challenge)
    }

    /// The pending challenge that a response answers; it is then removed, and no second response
    /// counts.
    pub fn answered(
        &mut self,
        heard: &IncomingRequest<'_>,
        seat: ServerKey,
        challenge: &[u8],
    ) -> Option<PendingChallenge> {
        let any_case = self.has(Defect::ChallengeAnyCase);
        let right = |ask: &&PendingChallenge| is_same(any_case, &ask.challenge, challenge);
        let mut ask = self.waiting.get(&seat).filter(right).cloned();
        if ask.is_none() && self.has(Defect::ForeignChallenge) {
            let mut others = self.waiting.iter().filter(|(other, _)| other.realm == seat.realm);
            ask = others.find(|(_, ask)| right(ask)).map(|(_, ask)| ask.clone());
        }
        if ask.is_none() && self.has(Defect::AnyChallenge) {
            ask = self.waiting.get(&seat).cloned();
        }
        if ask.is_none() && self.registry.contains(&seat) {
            ask = self.late.get(&seat).filter(right).cloned();
        }
        if ask.is_none() {
            self.counts.refused += 1;
            self.note(heard.service, seat.address, "refused: not the challenge that it was sent");
        } else if !self.has(Defect::ReplayedChallenge) {
            self.close_challenge(&seat);
        } else if let Some(open) = self.waiting.get_mut(&seat) {
            open.claim.last_words = false;
        }
        ask
    }

    /// Whether a challenge or proof is the expected one.
    pub fn is_right(&self, expected: &[u8], given: &[u8]) -> bool {
        is_same(self.has(Defect::ChallengeAnyCase), expected, given)
    }

    /// The pending challenge of a server.
    pub fn open(&self, seat: &ServerKey) -> Option<&PendingChallenge> {
        let late = || self.late.get(seat).filter(|_| self.registry.contains(seat));
        self.waiting.get(seat).or_else(late)
    }

    /// Keeps the challenge of a server that sends further parts of its reply.
    pub fn keep_open(&mut self, seat: &ServerKey) {
        if let Some(open) = self.waiting.get_mut(seat) {
            open.claim.proven = true;
            open.claim.last_words = false;
        }
    }

    /// Removes the pending challenge of a server.
    pub fn close_challenge(&mut self, seat: &ServerKey) {
        if let Some(ask) = self.waiting.remove(seat) {
            self.uncount(seat, &ask);
        }
    }

    fn uncount(&mut self, seat: &ServerKey, ask: &PendingChallenge) {
        if ask.counted {
            self.waiting_of.remove(seat.address.ip());
        }
    }

    /// Lists a server, or updates its entry.
    pub fn list(&mut self, heard: &IncomingRequest<'_>, seat: ServerKey, pieces: &[ListBucket]) {
        if let Err(why) = self.admits(&seat) {
            self.counts.refused += 1;
            return self.note(heard.service, seat.address, why);
        }
        let timeout = match seat.realm {
            Namespace::GameSpy => self.settings.gamespy_timeout,
            _ => self.settings.server_timeout,
        };
        let timeout = if self.has(Defect::ForgetsEarly) { timeout / 10 } else { timeout };
        let timeout =
            if self.has(Defect::ForgetsAfter5s) { timeout.min(FIVE_SECONDS) } else { timeout };
        let due = heard.now.saturating_add(timeout);
        if self.has(Defect::KeepsOldState) && self.registry.contains(&seat) {
            return self.registry.renew(&seat, due);
        }
        if self.registry.list(seat, pieces, due) {
            self.note(heard.service, seat.address, "listed");
        }
    }

    /// Lists a server of which only the address is known.
    pub fn list_plain(&mut self, heard: &IncomingRequest<'_>, seat: ServerKey) {
        let kind = ListKey::of(seat.address);
        let piece = ListBucket { realm: seat.realm, protocol: 0, game: Box::default(), kind };
        self.list(heard, seat, &[piece]);
    }

    /// Handles a server's shutdown message.
    pub fn unregister(&mut self, heard: &IncomingRequest<'_>, seat: &ServerKey) {
        if self.has(Defect::IgnoresShutdown) {
            return;
        }
        self.close_challenge(seat);
        if self.registry.drop(seat) {
            self.note(heard.service, seat.address, "gone: it said so");
        }
    }

    /// Whether a server may be listed, or why not. Others get no challenge either: their response
    /// would be of no use.
    fn admits(&self, seat: &ServerKey) -> Result<(), &'static str> {
        let ip = seat.address.ip();
        let multicast = ip.is_multicast() || ip == IpAddr::from([255; 4]);
        if seat.address.port() == 0 || ip.is_unspecified() || multicast {
            return Err("refused: nobody can be asked there");
        }
        let loopback = self.settings.allow_loopback || self.has(Defect::AcceptsLoopback);
        if ip.is_loopback() && !loopback {
            return Err("refused: a loopback address");
        }
        if ip.is_ipv6() && !seat.realm.lists_ipv6() {
            return Err("refused: its game's lists hold no addresses of IPv6");
        }
        if self.registry.contains(seat) {
            return Ok(());
        }
        if self.registry.len() >= self.settings.max_servers {
            return Err("refused: there are servers enough");
        }
        let itself = self.waiting.get(seat).is_some_and(|ask| ask.counted);
        let others = self.waiting_of.count(ip).saturating_sub(itself.into());
        let count = self.registry.count(ip) + others;
        if count >= self.settings.max_per_address && !self.has(Defect::NoLimitAnAddress) {
            return Err("refused: the address has servers enough");
        }
        Ok(())
    }

    /// Removes expired challenges and servers.
    pub fn tick(&mut self, now: i64) {
        self.now = now;
        while let Some((seat, ask)) = self.waiting.pop_due(now) {
            self.uncount(&seat, &ask);
            let stays = self.settings.keep_silent || self.has(Defect::NeverForgets);
            if ask.claim.last_words && !stays && self.registry.drop(&seat) {
                self.gone(seat, "gone: it left a challenge unanswered");
            } else if self.has(Defect::LateRenewal) && self.registry.contains(&seat) {
                self.late.insert(seat, ask, now.saturating_add(self.settings.server_timeout));
            }
        }
        while self.late.pop_due(now).is_some() {}
        while self.shown.pop_due(now).is_some() {}
        if self.has(Defect::NeverForgets) {
            return;
        }
        while let Some(seat) = self.registry.drop_due(now) {
            self.gone(seat, "gone: it was not heard of for long enough");
        }
    }

    fn gone(&mut self, seat: ServerKey, what: &'static str) {
        if self.verbose {
            let service = Service::of(seat.realm);
            self.events.push(MasterEvent { service, address: seat.address, what });
        }
    }

    /// Whether a list may be sent: all lists share a limit. The next reply counts as a list.
    pub fn may_list(&mut self, heard: &IncomingRequest<'_>) -> bool {
        let bounded = !self.has(Defect::NoFloodProtection);
        self.lists = true;
        if !bounded || self.list_limit.allows(heard.now, heard.from.ip()) {
            return true;
        }
        self.counts.lists_withheld += 1;
        self.note(heard.service, heard.from, "not answered: all lists together take too much");
        false
    }

    /// Sends one message.
    pub fn send<'a>(&mut self, to: SocketAddr, message: impl Body<'a>, out: ReplySink<'_>) {
        let mut packet = std::mem::take(&mut self.packet);
        packet.clear();
        if encode(message, &mut packet).is_ok() {
            let elsewhere = self.has(Defect::OtherPort);
            out(Reply { to, elsewhere, bytes: &packet });
        }
        self.packet = packet;
    }
}

/// Whether two challenges are equal; only a defect ignores case.
fn is_same(any_case: bool, one: &[u8], other: &[u8]) -> bool {
    if any_case { one.eq_ignore_ascii_case(other) } else { one == other }
}
