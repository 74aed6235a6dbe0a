//! Which message a payload is, in the light of its flow.
//!
//! Several protocols share words: `status` is asked of Quake 2 and of QuakeWorld. A message that
//! only one protocol can read tells which one its flow speaks, and its sender; the others follow.
//! Weak magic, a letter or two that chance would bring too, counts only on a documented port, as
//! the answer to a request, or where such an answer has confirmed the flow.

use super::endpoint::Endpoint;
use super::evidence::Reason;
use super::manner::MessageTraits;
use super::requests::Places;
use super::talk::FlowState;
use super::weigh::weigh;
use crate::protocol::{
    Candidate, Carrier, Direction, Entry, Game, Magic, PROTOCOLS, Reading, Role, Soundness,
    candidates_at,
};

/// Protocols by their places in [`PROTOCOLS`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Protocols(u32);

impl Protocols {
    pub fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether there is one beside this.
    pub fn without(self, place: usize) -> bool {
        self.0 & !(1 << place) != 0
    }

    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two have one in common.
    pub fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Those of these ids.
    pub fn of(ids: &[&str]) -> Self {
        let places = (0..).zip(PROTOCOLS).filter(|(_, p)| ids.contains(&p.id));
        places.fold(Self::default(), |all, (place, _)| all.with(place))
    }
}

/// What is known of a payload before it is read.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub carrier: Carrier,
    /// Sender's and receiver's.
    pub ports: [u16; 2],
    /// Who sends, and to whom, as far as they are known; looked at only where more than one
    /// message may be meant, for most payloads tell by themselves.
    pub ends: [Option<&'a Endpoint>; 2],
    pub talk: Option<&'a FlowState>,
    /// The game that the user says it is.
    pub told: Option<&'static Game>,
    /// What each message declares, by their places.
    pub manners: &'static [MessageTraits],
    /// When it came, for the requests that wait.
    pub time: i64,
    pub forward: bool,
    /// Whether the capture has only a part of the payload.
    pub cut: bool,
}

/// Room that is used again for the next payload.
pub(super) struct RecogniseBuffers {
    pub reading: Reading,
    pub reasons: Vec<Reason>,
}

impl Default for RecogniseBuffers {
    fn default() -> Self {
        Self { reading: Reading::of_values(), reasons: Vec::new() }
    }
}

/// A message, whether no other protocol could have said it, and what it proves of its ends.
#[derive(Clone, Copy)]
pub(super) struct Recognised {
    pub entry: &'static Entry,
    /// Its place in `protocol::entries`.
    pub place: usize,
    /// The place of its protocol in [`PROTOCOLS`].
    pub protocol: usize,
    pub alone: bool,
    /// Whoever they are; of a word that several protocols have, only what all of them say.
    pub proves: Direction,
    /// The places of all messages that it may be.
    pub places: Places,
}

/// What is known of a payload when it has been looked at.
#[derive(Clone, Copy)]
pub(super) enum Recognition {
    Message(Recognised),
    /// Weak magic suggests this message, and its place in `protocol::entries`.
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

/// The message that `payload` most likely is: the one candidate, or the one that weighs most.
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

/// Whether there is nothing but a word, of which more may follow what the capture has.
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

    /// A message that no other protocol could have said.
    pub fn certain(&self, candidate: Candidate) -> Recognised {
        Recognised { alone: true, ..self.chosen(candidate) }
    }

    /// A message that others might be, were not so much known.
    pub fn chosen(&self, Candidate { entry, place, protocol }: Candidate) -> Recognised {
        let (proves, places) = (self.proves(place), Places::of([place]));
        Recognised { entry, place, protocol, alone: false, proves, places }
    }

    /// What the message of that place proves of its ends.
    pub fn proves(&self, place: usize) -> Direction {
        self.manners.get(place).map_or(Direction::default(), |manner| manner.proves)
    }

    /// How well `payload` reads as `entry`'s message. What the capture lacks is nobody's oddity.
    pub fn soundness(&self, entry: &Entry, payload: &[u8], reading: &mut Reading) -> Soundness {
        if self.cut {
            reading.soundness_of_part(entry, payload)
        } else {
            reading.soundness(entry, payload)
        }
    }

    /// Whether the message would answer a request that waits in the flow.
    pub fn is_awaited(&self, place: usize) -> bool {
        let Some(manner) = self.manners.get(place) else {
            return false;
        };
        let waits =
            |talk: &FlowState| talk.requests.wait_for(&manner.answers, self.time, self.forward);
        self.talk.is_some_and(waits)
    }

    /// The protocols that are known of whoever serves in a message of `entry`: of the end that is no
    /// client, else of both. They are those of what that end has said as a server or master.
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

    /// The same of words that several protocols have, and under which they were taken.
    pub fn taken(&self, entry: &Entry) -> Protocols {
        self.of_serving(entry, |end| end.shared)
    }

    /// Whether it is only by its word that a message is this one, and whoever serves is known to
    /// speak another protocol that has the word too.
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

    /// Whether the message is documented for one of the ports, at the end that it is documented
    /// for.
    fn is_documented(&self, entry: &Entry, protocol: usize) -> bool {
        let [from, to] = self.ports;
        Self::games(protocol).any(|game| {
            let mut ways = entry.spec.ways.iter();
            ways.any(|(f, t)| game.listens(from) == Some(*f) || game.listens(to) == Some(*t))
        })
    }

    /// What the ends have proved to be.
    pub fn proven(&self) -> Direction {
        let [from, to] = self.ends.map(|end| end.and_then(Endpoint::proven));
        Direction { from, to }
    }

    pub fn is_decode_as(&self, protocol: usize) -> bool {
        self.told.is_some_and(|told| Self::games(protocol).any(|game| game == told))
    }

    /// Whether whoever serves in a message of `entry` does so on a port that a game of the protocol
    /// documents for such.
    pub fn serves_on_port(&self, entry: &Entry, protocol: usize) -> bool {
        let [from, to] = self.ports;
        let listens = |port: u16, party: Role| {
            party != Role::Client && Self::games(protocol).any(|g| g.listens(port) == Some(party))
        };
        let mut ways = entry.spec.all_ways();
        ways.any(|(sender, receiver)| listens(from, *sender) || listens(to, *receiver))
    }

    /// Whether either port is documented for a game of the protocol, whoever listens there.
    pub fn is_on_port(&self, protocol: usize) -> bool {
        let [from, to] = self.ports;
        Self::games(protocol).any(|g| g.listens(from).is_some() || g.listens(to).is_some())
    }
}

/// Which end of a message is no client, by its ways: 0 the sender, 1 the receiver; `None` where either
/// may be, or neither is.
fn serving(entry: &Entry) -> Option<usize> {
    let by_client = entry.spec.all_ways().all(|(from, _)| *from == Role::Client);
    let to_client = entry.spec.all_ways().all(|(_, to)| *to == Role::Client);
    match (by_client, to_client) {
        (true, false) => Some(1),
        (false, true) => Some(0),
        _ => None,
    }
}
