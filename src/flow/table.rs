//! The table of flows: what every packet goes by.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};

use super::endpoint::Endpoint;
use super::evidence::{self, Reason};
use super::judge::{Told, first_of};
use super::talk::Talk;
use super::{FlowId, Heard, Named, Sent, Transport, Verdict};
use crate::proto::{
    self, Entry, Game, Magic, PROTOCOLS, Party, Protocol, Reading, Way, candidates,
};

/// How many flows are kept; packets of later ones are only counted.
const FLOWS: usize = 1 << 20;
/// How many errors a flow keeps word for word.
const ERRORS: usize = 16;

/// All conversations of a capture.
pub struct Flows {
    endpoints: Vec<Endpoint>,
    by_address: HashMap<(Transport, SocketAddr), u32>,
    all: Vec<Flow>,
    by_ends: HashMap<[u32; 2], u32>,
    pub(super) told: Vec<Told>,
    pub(super) limit: usize,
    left_out: u64,
    telling: Vec<bool>,
    reading: Reading,
    reasons: Vec<Reason>,
}

/// One conversation: two ends, and what went each way.
#[derive(Debug)]
pub struct Flow {
    pub(super) ends: [u32; 2],
    /// Forward (the way of the first packet) and back.
    pub traffic: [Traffic; 2],
    /// When the first and the last packet came, in nanoseconds since the Unix epoch.
    pub first: i64,
    pub last: i64,
    /// ICMP errors about its packets, the first few.
    errors: Vec<Error>,
    pub(super) talk: Option<Box<Talk>>,
}

/// What went one way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    pub packets: u64,
    /// Of payload.
    pub bytes: u64,
}

/// Word from the network that a packet of the flow did not arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub number: u64,
    pub time: i64,
    /// Who says so.
    pub from: IpAddr,
    /// What: `port unreachable`.
    pub what: String,
    /// Whether the packet went the way of the flow's first one.
    pub forward: bool,
}

impl Flow {
    /// ICMP errors about its packets: the first few, in order.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// How many messages of each kind were recognised in it.
    pub fn messages(&self) -> impl Iterator<Item = (&'static Entry, u64)> {
        let seen = self.talk.iter().flat_map(|t| t.seen());
        seen.filter_map(|(entry, n)| Some((*proto::entries().get(usize::from(*entry))?, *n)))
    }
}

impl Default for Flows {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Flows {
    /// An empty table, and what the user tells of flows to come.
    pub fn new(told: Vec<Told>) -> Self {
        Self {
            endpoints: Vec::new(),
            by_address: HashMap::new(),
            all: Vec::new(),
            by_ends: HashMap::new(),
            told,
            limit: FLOWS,
            left_out: 0,
            telling: evidence::telling(),
            reading: Reading::default(),
            reasons: Vec::new(),
        }
    }

    /// How many flows there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Every flow with its number.
    pub fn iter(&self) -> impl Iterator<Item = (FlowId, &Flow)> {
        (1..).map(FlowId).zip(&self.all)
    }

    pub fn flow(&self, id: FlowId) -> Option<&Flow> {
        self.all.get(id.0.checked_sub(1)? as usize)
    }

    /// Packets of flows that the full table had no room for.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn endpoint(&self, index: u32) -> Option<&Endpoint> {
        self.endpoints.get(index as usize)
    }

    /// The two ends of a flow, the first sender first.
    pub fn endpoints(&self, id: FlowId) -> Option<[&Endpoint; 2]> {
        let [a, b] = self.flow(id)?.ends;
        Some([self.endpoint(a)?, self.endpoint(b)?])
    }

    /// A packet went by. `payload` is a whole datagram; a stream's segments carry no message yet.
    pub fn hear(&mut self, sent: Sent, payload: &[u8]) -> Heard {
        let Some((id, forward)) = self.place(sent) else {
            self.left_out += 1;
            let message = match sent.transport {
                Transport::Udp => stranger(sent, payload),
                Transport::Tcp => None,
            };
            return Heard { flow: FlowId(0), forward: true, message };
        };
        if let Some(flow) = self.flow_mut(id) {
            let [there, back] = &mut flow.traffic;
            let traffic = if forward { there } else { back };
            traffic.packets += 1;
            traffic.bytes += payload.len() as u64;
            flow.last = flow.last.max(sent.time);
            flow.first = flow.first.min(sent.time);
        }
        let message = match sent.transport {
            Transport::Udp => self.listen(id, sent, forward, payload),
            Transport::Tcp => None,
        };
        Heard { flow: id, forward, message }
    }

    /// The same packet once more, when all has been heard: names and ends as known by now. Nothing
    /// is counted again, only requests and replies are paired anew.
    pub fn recall(&mut self, sent: Sent, payload: &[u8]) -> Heard {
        let ends = self.ends_of(sent);
        let found = ends.and_then(|[a, b]| {
            let there = self.by_ends.get(&[a, b]).map(|id| (FlowId(*id), true));
            there.or_else(|| self.by_ends.get(&[b, a]).map(|id| (FlowId(*id), false)))
        });
        let Some((id, forward)) = found else {
            let message = stranger(sent, payload);
            return Heard { flow: FlowId(0), forward: true, message };
        };
        let message = self.name(id, forward, payload).map(|entry| {
            let answers = self.pair(id, sent, forward, entry);
            Named { entry, answers }
        });
        Heard { flow: id, forward, message }
    }

    /// Forgets which requests wait, before the packets are heard once more.
    pub fn rewind(&mut self) {
        let talks = self.all.iter_mut().filter_map(|f| f.talk.as_mut());
        talks.for_each(|talk| talk.requests.clear());
    }

    /// Word came that a packet did not arrive; kept with its flow.
    pub fn fail(&mut self, sent: Sent, from: IpAddr, what: String) {
        let Some((id, forward)) = self.place(sent) else {
            self.left_out += 1;
            return;
        };
        if let Some(flow) = self.flow_mut(id).filter(|f| f.errors.len() < ERRORS) {
            let (number, time) = (sent.number, sent.time);
            flow.errors.push(Error { number, time, from, what, forward });
        }
    }

    /// Which message a payload that went this way in a flow is.
    pub fn name(&self, id: FlowId, forward: bool, payload: &[u8]) -> Option<&'static Entry> {
        let [a, b] = self.endpoints(id)?.map(|e| e.address.port());
        recognise(payload, if forward { [a, b] } else { [b, a] })
    }

    /// Which game a message is of, and who sent it to whom: as known by now.
    pub fn place_message(&self, heard: Heard, entry: &'static Entry) -> Option<(Verdict, Way)> {
        let Some([a, b]) = self.endpoints(heard.flow) else {
            let protocol = PROTOCOLS.iter().find(|p| p.id == entry.protocol)?;
            return Some((first_of(protocol)?, entry.spec.proves(Way::default())));
        };
        let verdict = self.verdict(heard.flow)?;
        let (from, to) = if heard.forward { (a, b) } else { (b, a) };
        Some((verdict, way(entry, from, to, verdict.game)))
    }

    fn flow_mut(&mut self, id: FlowId) -> Option<&mut Flow> {
        self.all.get_mut(id.0.checked_sub(1)? as usize)
    }

    fn ends_of(&self, sent: Sent) -> Option<[u32; 2]> {
        let end = |address| self.by_address.get(&(sent.transport, address)).copied();
        Some([end(sent.source)?, end(sent.destination)?])
    }

    /// The packet's flow, made where it is the first, and whether it goes forward in it; `None`
    /// where the table is full.
    fn place(&mut self, sent: Sent) -> Option<(FlowId, bool)> {
        if let Some([a, b]) = self.ends_of(sent) {
            if let Some(id) = self.by_ends.get(&[a, b]) {
                return Some((FlowId(*id), true));
            }
            if let Some(id) = self.by_ends.get(&[b, a]) {
                return Some((FlowId(*id), false));
            }
        }
        if self.all.len() >= self.limit {
            return None;
        }
        let ends = [self.settle(sent, sent.source), self.settle(sent, sent.destination)];
        let (first, last, traffic) = (sent.time, sent.time, Default::default());
        self.all.push(Flow { ends, traffic, first, last, errors: Vec::new(), talk: None });
        let id = self.all.len() as u32;
        self.by_ends.insert(ends, id);
        Some((FlowId(id), true))
    }

    fn settle(&mut self, sent: Sent, address: SocketAddr) -> u32 {
        let next = self.endpoints.len() as u32;
        let index = *self.by_address.entry((sent.transport, address)).or_insert(next);
        if index == next {
            self.endpoints.push(Endpoint::new(address, sent.transport));
        }
        index
    }

    /// Recognises a datagram, and learns from it.
    fn listen(&mut self, id: FlowId, sent: Sent, forward: bool, payload: &[u8]) -> Option<Named> {
        let entry = recognise(payload, [sent.source.port(), sent.destination.port()])?;
        let protocol = PROTOCOLS.iter().copied().find(|p| p.id == entry.protocol)?;
        let place = proto::entries().iter().position(|e| *e == entry)?;
        self.learn(id, forward, entry, protocol, place, payload);
        let answers = self.pair(id, sent, forward, entry);
        Some(Named { entry, answers })
    }

    fn learn(
        &mut self,
        id: FlowId,
        forward: bool,
        entry: &'static Entry,
        protocol: &'static Protocol,
        place: usize,
        payload: &[u8],
    ) {
        let proves = entry.spec.proves(Way::default());
        let Some(flow) = id.0.checked_sub(1).and_then(|i| self.all.get_mut(i as usize)) else {
            return;
        };
        let talk = flow.talk.get_or_insert_with(|| Box::new(Talk::new(protocol)));
        talk.count(place as u16);
        let [a, b] = flow.ends;
        let (from, to) = if forward { (a, b) } else { (b, a) };
        for (end, party) in [(to, proves.to), (from, proves.from)] {
            if let (Some(end), Some(party)) = (self.endpoints.get_mut(end as usize), party) {
                end.prove(party);
            }
        }
        let Some(sender) = self.endpoints.get_mut(from as usize) else {
            return;
        };
        // A server says what it is; a client says so of itself, and of this conversation.
        let of_server = proves.from == Some(Party::Server);
        let open = sender.evidence.is_open() || !of_server && talk.evidence.is_open();
        if !open || !self.telling.get(place).is_some_and(|t| *t) {
            return;
        }
        evidence::gather(entry, payload, &mut self.reading, &mut self.reasons);
        if sender.evidence.is_open() && proves.from != Some(Party::Master) {
            sender.evidence.hear(&self.reasons);
        }
        if !of_server && talk.evidence.is_open() {
            talk.evidence.hear(&self.reasons);
        }
    }

    fn pair(
        &mut self,
        id: FlowId,
        sent: Sent,
        forward: bool,
        entry: &'static Entry,
    ) -> Option<u64> {
        let requests = &mut self.flow_mut(id)?.talk.as_mut()?.requests;
        let answers = requests.answered_by(entry, sent.time, forward);
        if answers.is_none() {
            requests.wait(entry, sent.number, sent.time, forward);
        }
        answers
    }

    /// How many messages of each game and name were recognised, by the verdicts as of now.
    pub fn messages(&self) -> BTreeMap<(&'static str, &'static str), u64> {
        let mut messages = BTreeMap::new();
        for (id, flow) in self.iter() {
            let Some(verdict) = self.verdict(id) else {
                continue;
            };
            for (entry, n) in flow.messages() {
                *messages.entry((verdict.game.id, entry.spec.name)).or_insert(0) += n;
            }
        }
        messages
    }
}

/// The likeliest message between two ports: weak magic counts only on a documented port of its
/// protocol, at the end that it is documented for.
fn recognise(payload: &[u8], [from, to]: [u16; 2]) -> Option<&'static Entry> {
    candidates(payload, Way::default()).find(|entry| {
        let mut protocols = PROTOCOLS.iter().filter(|p| p.id == entry.protocol);
        entry.spec.magic == Magic::Strong
            || protocols.any(|p| p.games.iter().any(|game| is_documented(entry, game, from, to)))
    })
}

fn is_documented(entry: &Entry, game: &Game, from: u16, to: u16) -> bool {
    let mut ways = entry.spec.ways.iter();
    ways.any(|(f, t)| game.listens(from) == Some(*f) || game.listens(to) == Some(*t))
}

/// Who sends to whom: of the ways that the message may go, those that fit what the ends proved,
/// then those that fit their documented ports.
fn way(entry: &Entry, from: &Endpoint, to: &Endpoint, game: &Game) -> Way {
    let mut way = Way::default();
    for known in [
        Way { from: from.proven(), to: to.proven() },
        Way { from: game.listens(from.address.port()), to: game.listens(to.address.port()) },
    ] {
        for one in [Way { to: None, ..known }, Way { from: None, ..known }] {
            let both = Way { from: way.from.or(one.from), to: way.to.or(one.to) };
            if entry.spec.goes(both) {
                way = both;
            }
        }
    }
    entry.spec.proves(way)
}

/// A message of a flow that is not kept: named by itself and its ports alone.
fn stranger(sent: Sent, payload: &[u8]) -> Option<Named> {
    let entry = recognise(payload, [sent.source.port(), sent.destination.port()])?;
    Some(Named { entry, answers: None })
}
