//! Which message a payload is, in the context of its flow.
//!
//! Several protocols share commands: Quake 2 and QuakeWorld both have `status`. A message that only
//! one protocol can parse determines the protocol of its flow and its sender; the other messages
//! follow. Weak magic, a letter or two that random data would have too, counts only on a documented
//! port, as the answer to a request, or if such an answer has confirmed the flow.

use super::endpoint::Endpoint;
use super::evidence::Reason;
use super::manner::MessageTraits;
use super::requests::Places;
use super::talk::FlowState;
use super::weigh::weigh;
use crate::protocol::{
    Candidate, Carrier, Direction, Entry, Game, Magic, Reading, Role, Soundness, candidates_at,
};
use crate::protocols::PROTOCOLS;

/// A set of protocols by their indices in [`PROTOCOLS`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Protocols(u32);

impl Protocols {
    pub fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether there is another one beside this.
    pub fn without(self, place: usize) -> bool {
        self.0 & !(1 << place) != 0
    }

    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets intersect.
    pub fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// The protocols with these ids.
    pub fn of(ids: &[&str]) -> Self {
        let places = (0..).zip(PROTOCOLS).filter(|(_, p)| ids.contains(&p.id));
        places.fold(Self::default(), |all, (place, _)| all.with(place))
    }
}

/// The context of a payload before it is parsed.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub carrier: Carrier,
    /// The sender's and the receiver's.
    pub ports: [u16; 2],
    /// The endpoints of sender and receiver, if known; used only if several messages are possible,
    /// because most payloads are unambiguous.
    pub ends: [Option<&'a Endpoint>; 2],
    pub talk: Option<&'a FlowState>,
    /// The game that the user has chosen.
    pub told: Option<&'static Game>,
    /// The traits of each message, by their indices.
    pub manners: &'static [MessageTraits],
    /// The time of the packet, for pending requests.
    pub time: i64,
    pub forward: bool,
    /// Whether the capture has only a part of the payload.
    pub cut: bool,
}

/// Buffers that are reused for the next payload.
pub(super) struct RecogniseBuffers {
    pub reading: Reading,
    pub reasons: Vec<Reason>,
}

impl Default for RecogniseBuffers {
    fn default() -> Self {
        Self { reading: Reading::of_values(), reasons: Vec::new() }
    }
}

/// A message, whether it is unambiguous, and the roles that it proves.
#[derive(Clone, Copy)]
pub(super) struct Recognised {
    pub entry: &'static Entry,
    /// Its index in `protocol::entries`.
    pub place: usize,
    /// The index of its protocol in [`PROTOCOLS`].
    pub protocol: usize,
    pub alone: bool,
    /// The proven roles; of a command that several protocols share, only those that all of them
    /// prove.
    pub proves: Direction,
    /// The indices of all messages that it may be.
    pub places: Places,
}

/// The result of recognising a payload.
#[derive(Clone, Copy)]
pub(super) enum Recognition {
    Message(Recognised),
    /// Weak magic suggests this message; with its index in `protocol::entries`.
    Suspect(&'static Entry, usize),
    Nothing,
}

impl Recognition {
    pub fn message(self) -> Option<Recognised> {
        match self {
            Self::Message(recognised) => Some(recognised),
            Self::Suspect(..) | Self::Nothing => None,
        }
    }
}

/// The most likely message for `payload`: the only candidate, or the best one.
pub(super) fn recognise(
    payload: &[u8],
    context: &Context<'_>,
    room: &mut RecogniseBuffers,
) -> Recognition {
    if context.cut && is_within_word(payload) {
        return Recognition::Nothing;
    }
    let mut suspect = Recognition::Nothing;
    let mut found = candidates_at(context.carrier, payload).filter(|candidate| {
        let Candidate { entry, place, .. } = *candidate;
        let allowed = context.allows(*candidate, payload, &mut room.reading);
        let may_be = entry.spec.magic == Magic::Weak && matches!(suspect, Recognition::Nothing);
        if !allowed && may_be && room.reading.takes_all(entry, payload) {
            suspect = Recognition::Suspect(entry, place);
        }
        allowed && !context.is_foreign(*candidate)
    });
    let Some(first) = found.next() else {
        drop(found);
        return suspect;
    };
    let Some(second) = found.next() else {
        return Recognition::Message(context.certain(first));
    };
    let mut all = vec![first, second];
    all.extend(found);
    weigh(all, payload, context, room).map_or(Recognition::Nothing, Recognition::Message)
}

/// Whether there is only a command, and the rest of it may be missing from the capture.
fn is_within_word(payload: &[u8]) -> bool {
    let word = payload.iter().skip_while(|byte| **byte == 0xff);
    word.into_iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

impl Context<'_> {
    fn allows(&self, candidate: Candidate, payload: &[u8], reading: &mut Reading) -> bool {
        let Candidate { entry, place, protocol } = candidate;
        match entry.spec.magic {
            Magic::Strong => return true,
            Magic::Exact if self.is_documented(entry, protocol) => return true,
            Magic::Exact if self.soundness(entry, payload, reading) != Soundness::Broken => {
                return true;
            }
            Magic::Exact | Magic::Weak | Magic::Half => {}
        }
        if self.is_awaited(place) {
            return true;
        }
        entry.spec.magic != Magic::Half
            && (self.is_documented(entry, protocol)
                || self.is_decode_as(protocol)
                || self.talk.is_some_and(|talk| talk.confirmed.has(protocol)))
    }

    /// An unambiguous message.
    pub fn certain(&self, candidate: Candidate) -> Recognised {
        Recognised { alone: true, ..self.chosen(candidate) }
    }

    /// A message that was chosen among several by the context.
    pub fn chosen(&self, Candidate { entry, place, protocol }: Candidate) -> Recognised {
        let (proves, places) = (self.proves(place), Places::of([place]));
        Recognised { entry, place, protocol, alone: false, proves, places }
    }

    /// The roles that the message of that index proves.
    pub fn proves(&self, place: usize) -> Direction {
        self.manners.get(place).map_or(Direction::default(), |manner| manner.proves)
    }

    /// How well `payload` parses as `entry`'s message. Missing bytes of the capture are no anomaly.
    pub fn soundness(&self, entry: &Entry, payload: &[u8], reading: &mut Reading) -> Soundness {
        if self.cut {
            reading.soundness_of_part(entry, payload)
        } else {
            reading.soundness(entry, payload)
        }
    }

    /// Whether the message would answer a pending request of the flow.
    pub fn is_awaited(&self, place: usize) -> bool {
        let Some(manner) = self.manners.get(place) else {
            return false;
        };
        let waits =
            |talk: &FlowState| talk.requests.wait_for(&manner.answers, self.time, self.forward);
        self.talk.is_some_and(waits)
    }

    /// The known protocols of the serving endpoint of a message of `entry`: of the endpoint that is
    /// no client, else of both. They come from its messages as a server or master.
    pub fn known(&self, entry: &Entry) -> Protocols {
        self.of_serving(entry, |end| end.spoken)
    }

    fn of_serving(&self, entry: &Entry, of: impl Fn(&Endpoint) -> Protocols) -> Protocols {
        let ends = self.ends.map(|end| end.map_or_else(Protocols::default, &of));
        match (serving(entry), ends) {
            (Some(0), [sender, _]) => sender,
            (Some(_), [_, receiver]) => receiver,
            (None, [sender, receiver]) => sender.and(receiver),
        }
    }

    /// The protocols that were chosen before for shared commands of the serving endpoint.
    pub fn taken(&self, entry: &Entry) -> Protocols {
        self.of_serving(entry, |end| end.shared)
    }

    /// Whether a message matches only by its command, and the serving endpoint is known to use
    /// another protocol that shares the command.
    fn is_foreign(&self, Candidate { entry, place, protocol }: Candidate) -> bool {
        let shared = self.manners.get(place).map_or_else(Protocols::default, |m| m.shared_with);
        if shared.is_empty() || self.is_decode_as(protocol) {
            return false;
        }
        let known = self.known(entry);
        known.meets(shared) && !known.has(protocol)
    }

    fn games(protocol: usize) -> impl Iterator<Item = &'static Game> {
        PROTOCOLS.get(protocol).into_iter().flat_map(|p| p.games).copied()
    }

    /// Whether the message is documented for one of the ports, on the side for which it is
    /// documented.
    fn is_documented(&self, entry: &Entry, protocol: usize) -> bool {
        let [from, to] = self.ports;
        Self::games(protocol).any(|game| {
            let mut ways = entry.spec.ways.iter();
            ways.any(|(f, t)| game.listens(from) == Some(*f) || game.listens(to) == Some(*t))
        })
    }

    /// The proven roles of the endpoints.
    pub fn proven(&self) -> Direction {
        let [from, to] = self.ends.map(|end| end.and_then(Endpoint::proven));
        Direction { from, to }
    }

    pub fn is_decode_as(&self, protocol: usize) -> bool {
        self.told.is_some_and(|told| Self::games(protocol).any(|game| game == told))
    }

    /// Whether the serving endpoint of a message of `entry` uses a port that a game of the protocol
    /// documents for its role.
    pub fn serves_on_port(&self, entry: &Entry, protocol: usize) -> bool {
        let [from, to] = self.ports;
        let listens = |port: u16, party: Role| {
            party != Role::Client && Self::games(protocol).any(|g| g.listens(port) == Some(party))
        };
        let mut ways = entry.spec.all_ways();
        ways.any(|(sender, receiver)| listens(from, *sender) || listens(to, *receiver))
    }

    /// Whether either port is documented for a game of the protocol, in any role.
    pub fn is_on_port(&self, protocol: usize) -> bool {
        let [from, to] = self.ports;
        Self::games(protocol).any(|g| g.listens(from).is_some() || g.listens(to).is_some())
    }
}

/// Which endpoint of a message is no client, by its directions: 0 the sender, 1 the receiver;
/// `None` if either may be, or neither is.
fn serving(entry: &Entry) -> Option<usize> {
    let by_client = entry.spec.all_ways().all(|(from, _)| *from == Role::Client);
    let to_client = entry.spec.all_ways().all(|(_, to)| *to == Role::Client);
    match (by_client, to_client) {
        (true, false) => Some(1),
        (false, true) => Some(0),
        _ => None,
    }
}
