//! The recorded request that a live one is the same as.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::net::SocketAddr;

use super::played::PlayedRequest;
use super::values::{LiveRequest, RequestValue};
use protocol::{Carrier, Direction, Entry, Protocol, Role};
use render::quoted;

/// How many recorded requests are compared with one that was not recorded.
const COMPARED: usize = 256;
/// How many requests with the same answer are told apart by their other values.
const ALIKE: usize = 4096;
/// The maximum number of shown values, and of bytes of each.
const VALUES: usize = 12;
const SHOWN: usize = 40;

/// All recorded requests over one transport, found by what decides their answers.
pub(super) struct PlayedRequests {
    carrier: Carrier,
    all: Vec<PlayedRequest>,
    /// Whether each was answered live.
    served: Vec<bool>,
    /// Where each one's connection has come with it.
    places: Vec<StreamPlace>,
    alike: HashMap<MatchKey, AlikeRequests>,
    /// The indices of those of each message.
    by_message: HashMap<(SocketAddr, MessageName), Vec<usize>>,
    /// The protocols that each master speaks.
    protocols: HashMap<SocketAddr, Vec<&'static Protocol>>,
}

/// A message by its protocol, its id, and its name, which may depend on its content.
type MessageName = (&'static str, &'static str, &'static str);

/// What decides the answer of a request: what was asked on its connection before, the master, the
/// message, and values in the order of their names.
type MatchKey = (StreamPlace, SocketAddr, MessageName, Vec<(String, Vec<u8>)>);

/// What was asked on a connection so far. Two connections to a master are at the same place if they
/// have asked the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StreamPlace(usize);

impl StreamPlace {
    /// Nothing was asked.
    pub const START: Self = Self(0);
    /// Whatever was asked: the place of datagrams, and of all requests once more.
    const ANY: Self = Self(1);
}

/// The requests with the same key.
struct AlikeRequests {
    /// Where a connection comes with one of them.
    place: StreamPlace,
    /// The indices of those of which something came, in order; without any, of all.
    indices: Vec<usize>,
}

/// What a client asked for before, on the same connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamHistory {
    pub place: StreamPlace,
    /// The recorded connection that it is answered from, by its index.
    pub connection: Option<usize>,
}

impl StreamHistory {
    /// That of a datagram.
    pub const NONE: Self = Self { place: StreamPlace::ANY, connection: None };
}

/// What the recording has for a live request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MatchOutcome {
    /// The recording has something behind the request with this index: an answer, or on a connection
    /// the next request or the end.
    Answered(usize),
    /// It is there, and nothing came of it.
    Unanswered { number: u64 },
    /// The message is there with other values.
    Differs(RequestDifference),
    /// The message is not there; these are.
    NotRecorded { known: Vec<&'static str> },
}

impl fmt::Display for MatchOutcome {
    /// Why there is no answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(_) => f.write_str("it was answered"),
            Self::Unanswered { number } => {
                write!(f, "the recorded master did not answer it either (frame {number})")
            }
            Self::Differs(difference) => difference.fmt(f),
            Self::NotRecorded { known } => {
                write!(f, "it was not recorded; recorded are {}", known.join(", "))
            }
        }
    }
}

/// How a live request differs from the nearest recorded one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestDifference {
    /// The frame of the recorded one.
    number: u64,
    /// The names and values of the recorded one that the live one does not have.
    recorded: String,
    /// The reverse.
    live: String,
}

impl fmt::Display for RequestDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, recorded, live } = self;
        write!(f, "the nearest recorded one, frame {number}, ")?;
        match (recorded.as_str(), live.as_str()) {
            ("", live) => write!(f, "does not have {live}"),
            (recorded, "") => write!(f, "also has {recorded}"),
            (recorded, live) => write!(f, "has {recorded}, and this one has {live}"),
        }
    }
}

impl PlayedRequests {
    /// Requests over one transport, in the order of the recording.
    pub fn new(carrier: Carrier, all: Vec<PlayedRequest>) -> Self {
        let served = vec![false; all.len()];
        let mut requests = Self {
            carrier,
            all,
            served,
            places: Vec::new(),
            alike: HashMap::new(),
            by_message: HashMap::new(),
            protocols: HashMap::new(),
        };
        let mut connections: HashMap<usize, StreamPlace> = HashMap::new();
        for (index, request) in requests.all.iter().enumerate() {
            let id = message_id(request.entry, &request.bytes);
            let protocols = requests.protocols.entry(request.to).or_default();
            if !protocols.contains(&request.entry.protocol) {
                protocols.push(request.entry.protocol);
            }
            requests.by_message.entry((request.to, id)).or_default().push(index);
            let before = request.connection.map(|connection| {
                connections.get(&connection).copied().unwrap_or(StreamPlace::START)
            });
            let mut place = StreamPlace::ANY;
            for before in std::iter::once(StreamPlace::ANY).chain(before) {
                let key = (before, request.to, id, deciding(&request.values));
                let next = StreamPlace(requests.alike.len() + 2);
                let new = || AlikeRequests { place: next, indices: Vec::new() };
                let alike = requests.alike.entry(key).or_insert_with(new);
                alike.indices.push(index);
                place = alike.place;
            }
            requests.places.push(place);
            if let Some(connection) = request.connection {
                connections.insert(connection, place);
            }
        }
        let has_outcome =
            |index: &usize| requests.all.get(*index).is_some_and(PlayedRequest::has_outcome);
        for alike in requests.alike.values_mut() {
            if alike.indices.iter().any(has_outcome) {
                alike.indices.retain(has_outcome);
            }
        }
        requests
    }

    /// The protocols that a master speaks.
    pub fn protocols(&self, master: SocketAddr) -> &[&'static Protocol] {
        self.protocols.get(&master).map(Vec::as_slice).unwrap_or_default()
    }

    /// The message to a master in these bytes: one that was recorded, else any that its protocols
    /// have.
    pub fn recognise(&self, master: SocketAddr, payload: &[u8]) -> Option<&'static Entry> {
        let to_master = Direction { from: None, to: Some(Role::Master) };
        let in_protocol = |protocol: &&'static Protocol| {
            [to_master, Direction::default()]
                .into_iter()
                .find_map(|way| protocols::recognise(protocol, self.carrier, payload, way))
        };
        let found: Vec<_> = self.protocols(master).iter().filter_map(in_protocol).collect();
        let is_recorded = |entry: &&&'static Entry| {
            self.by_message.contains_key(&(master, message_id(entry, payload)))
        };
        found.iter().find(is_recorded).or_else(|| found.first()).copied()
    }

    /// Finds the recorded request for a live one: one with the same deciding values, on a connection
    /// behind the same requests if there is one. Of several it is the one that has most other values
    /// in common; of several such one of the same connection, then the first that was not answered
    /// yet, and when all were, the last.
    pub fn find(
        &self,
        master: SocketAddr,
        live: &LiveRequest,
        history: StreamHistory,
    ) -> MatchOutcome {
        let id = message_id(live.entry, &live.bytes);
        let deciding = deciding(&live.values);
        let mut places = [history.place, StreamPlace::ANY].into_iter();
        let alike = places.find_map(|place| self.alike.get(&(place, master, id, deciding.clone())));
        let Some(alike) = alike else {
            return self.nearest(master, id, live);
        };
        let mut best: Option<((usize, bool, bool), usize)> = None;
        for index in alike.indices.iter().take(ALIKE) {
            let Some(request) = self.all.get(*index) else { continue };
            let common = live.values.iter().filter(|value| request.values.contains(value)).count();
            let common = common + usize::from(request.bytes == live.bytes);
            let is_same = history.connection.is_some() && request.connection == history.connection;
            let is_served = self.served.get(*index).copied().unwrap_or_default();
            let rank = (common, is_same, !is_served);
            if best.is_none_or(|(most, _)| rank > most || rank == most && is_served) {
                best = Some((rank, *index));
            }
        }
        match best.and_then(|(_, index)| Some((index, self.all.get(index)?))) {
            Some((index, request)) if request.has_outcome() => MatchOutcome::Answered(index),
            Some((_, request)) => MatchOutcome::Unanswered { number: request.number },
            None => MatchOutcome::NotRecorded { known: Vec::new() },
        }
    }

    /// What was asked on a connection with the recorded request of this index.
    pub fn history(&self, index: usize) -> StreamHistory {
        let place = self.places.get(index).copied().unwrap_or(StreamPlace::START);
        let connection = self.all.get(index).and_then(|request| request.connection);
        StreamHistory { place, connection }
    }

    /// The frame of the recorded request with this index.
    pub fn number(&self, index: usize) -> u64 {
        self.all.get(index).map_or(0, |request| request.number)
    }

    /// The recorded request with this index, which is answered now.
    pub fn serve(&mut self, index: usize) -> Option<&PlayedRequest> {
        if let Some(served) = self.served.get_mut(index) {
            *served = true;
        }
        self.all.get(index)
    }

    /// How a request that was not recorded differs from the nearest one.
    fn nearest(&self, master: SocketAddr, id: MessageName, live: &LiveRequest) -> MatchOutcome {
        let Some(alike) = self.by_message.get(&(master, id)) else {
            let of_master = self.by_message.keys().filter(|(to, _)| *to == master);
            let known: BTreeSet<_> = of_master.map(|(_, (.., name))| *name).collect();
            return MatchOutcome::NotRecorded { known: known.into_iter().collect() };
        };
        let compared = alike.iter().take(COMPARED).filter_map(|index| self.all.get(*index));
        let differences = compared.map(|request| {
            let only = |of: &[RequestValue], other: &[RequestValue]| {
                let deciding = of.iter().filter(|value| value.decides);
                let only = deciding.filter(|value| !other.contains(value)).cloned();
                only.collect::<Vec<_>>()
            };
            let recorded = only(&request.values, &live.values);
            (request, recorded, only(&live.values, &request.values))
        });
        let nearest = differences.min_by_key(|(_, recorded, live)| recorded.len() + live.len());
        match nearest {
            Some((request, recorded, live)) => MatchOutcome::Differs(RequestDifference {
                number: request.number,
                recorded: listed(&recorded),
                live: listed(&live),
            }),
            None => MatchOutcome::NotRecorded { known: Vec::new() },
        }
    }
}

fn message_id(entry: &Entry, bytes: &[u8]) -> MessageName {
    (entry.protocol.id, entry.spec.id, entry.spec.name_of(bytes, None))
}

fn deciding(values: &[RequestValue]) -> Vec<(String, Vec<u8>)> {
    let deciding = values.iter().filter(|value| value.decides);
    let mut deciding: Vec<_> = deciding.map(|v| (v.name.clone(), v.text.clone())).collect();
    // The order of keys and words is the program's.
    deciding.sort();
    deciding
}

/// Values by name: `keyword empty full, protocol 68`.
fn listed(values: &[RequestValue]) -> String {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for value in values.iter().take(VALUES) {
        by_name.entry(&value.name).or_default().push(value.shown(SHOWN));
    }
    let shown = |(name, texts): (&str, Vec<String>)| {
        format!("{} {}", quoted(name.as_bytes(), SHOWN), texts.join(" "))
    };
    let mut listed: Vec<_> = by_name.into_iter().map(shown).collect();
    listed.extend((values.len() > VALUES).then(|| "…".to_owned()));
    listed.join(", ")
}
