//! What every family of games does alike: asking servers to prove themselves, listing those that
//! did, finding who is wanted, and saying it.

mod find;

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::flood::Flood;
use super::list_limit::ListLimit;
use super::random::Random;
use super::registry::{AddressCount, ListBucket, ListKey, Namespace, Registry, ServerKey};
use super::service::Service;
use super::setting::Settings;
use super::table::TimedTable;
use super::{MasterCounts, MasterEvent, Reply};
use crate::codec::{Body, encode};

/// Bytes of all records in one datagram: what UDP takes over IPv4, less any header of a list.
const LONGEST: usize = 65_507 - 16;
/// Bytes of an address and a port.
const RECORD: usize = 6;
/// How long servers stay that the defect `forgets-after-5s` forgets.
const FIVE_SECONDS: i64 = 5_000_000_000;

/// Whose last list is known at most, for the defect `list-varies`.
const MOST_ASKERS: usize = 4096;

/// Where replies go.
pub(super) type ReplySink<'o> = &'o mut dyn FnMut(Reply<'_>);

/// What was heard, of whom, on which service, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct IncomingRequest<'a> {
    /// Nanoseconds of a clock that does not go back.
    pub now: i64,
    pub service: &'static Service,
    pub from: SocketAddr,
    pub payload: &'a [u8],
}

/// A challenge that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingChallenge {
    pub challenge: Vec<u8>,
    pub claim: ClaimedServer,
    /// Whether it counts as a server of its address: it was not listed when it was asked.
    counted: bool,
}

/// What a server's heartbeat said of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ClaimedServer {
    /// The game that its tag or name stands for; empty: it has to say so itself.
    pub game: Vec<u8>,
    /// Whether it is listed by its protocol's number alone too.
    pub numbered: bool,
    /// Whether its silence means that it has gone.
    pub last_words: bool,
    /// Whether it has proved itself, and only the other parts of its answer are waited for.
    pub proven: bool,
}

/// All that a master knows.
pub(super) struct MasterState {
    pub settings: Settings,
    pub registry: Registry,
    waiting: TimedTable<ServerKey, PendingChallenge>,
    waiting_of: AddressCount,
    /// Challenges of listed servers whose time is over; only a defect keeps any.
    late: TimedTable<ServerKey, PendingChallenge>,
    /// Whose players have shown a key.
    pub shown: TimedTable<IpAddr, ()>,
    pub flood: Flood,
    pub list_limit: ListLimit,
    /// Whether what is said now is a list.
    pub lists: bool,
    pub random: Random,
    pub events: Vec<MasterEvent>,
    /// Whether events are kept.
    pub verbose: bool,
    pub counts: MasterCounts,
    /// A defect has ended this master.
    pub crashed: bool,
    /// Nanoseconds of a clock that does not go back.
    pub now: i64,
    pub guessable: u32,
    /// Who asks over UDP at the moment. All who ask over TCP count as one, for each asks once.
    pub asker: IpAddr,
    /// Whose last list was whole; only a defect asks.
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

    /// The challenge that a server is to answer: a new one, or the one that waits already, whose
    /// time no heartbeat prolongs (document 004, BEHAVIOUR). Nothing where the server cannot be
    /// listed.
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

    /// The open question that a challenge answers; with that it is answered, and no second answer
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

    /// Whether a challenge or proof is the one that is expected.
    pub fn is_right(&self, expected: &[u8], given: &[u8]) -> bool {
        is_same(self.has(Defect::ChallengeAnyCase), expected, given)
    }

    /// What a server is asked at the moment.
    pub fn open(&self, seat: &ServerKey) -> Option<&PendingChallenge> {
        let late = || self.late.get(seat).filter(|_| self.registry.contains(seat));
        self.waiting.get(seat).or_else(late)
    }

    /// A server has proved itself, but has more to say of what it was asked.
    pub fn keep_open(&mut self, seat: &ServerKey) {
        if let Some(open) = self.waiting.get_mut(seat) {
            open.claim.proven = true;
            open.claim.last_words = false;
        }
    }

    /// Forgets what a server was asked.
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

    /// Lists a server, or what has changed of it.
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

    /// Lists a server of which nothing is known but that it is there.
    pub fn list_plain(&mut self, heard: &IncomingRequest<'_>, seat: ServerKey) {
        let kind = ListKey::of(seat.address);
        let piece = ListBucket { realm: seat.realm, protocol: 0, game: Box::default(), kind };
        self.list(heard, seat, &[piece]);
    }

    /// A server says that it goes.
    pub fn unregister(&mut self, heard: &IncomingRequest<'_>, seat: &ServerKey) {
        if self.has(Defect::IgnoresShutdown) {
            return;
        }
        self.close_challenge(seat);
        if self.registry.drop(seat) {
            self.note(heard.service, seat.address, "gone: it said so");
        }
    }

    /// Whether a server may be listed, or why not. Who may not is asked nothing either: its answer
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

    /// Takes away whatever is over: challenges that nobody answered, servers that fell silent.
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

    /// Whether a list may be sent: all lists together are bounded. What is said next counts as one.
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

/// Whether two challenges are the same; only to a defect case does not count.
fn is_same(any_case: bool, one: &[u8], other: &[u8]) -> bool {
    if any_case { one.eq_ignore_ascii_case(other) } else { one == other }
}
