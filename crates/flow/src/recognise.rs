//! Which message a payload is, in the context of its flow.
//!
//! Several protocols share commands: Quake 2 and QuakeWorld both have `status`. A message that only
//! one protocol can parse determines the protocol of its flow and its sender; the other messages
//! follow. Weak magic, a letter or two that random data would have too, counts only on a documented
//! port if all that follows parses, as the answer to a request, or if such an answer has confirmed the
//! flow.

use parking_lot::Mutex;

use super::endpoint::Endpoint;
use super::evidence::FoundReason;
use super::flow_state::FlowState;
use super::requests::PossibleRequests;
use super::weigh::weigh;
use super::{PacketMeta, Unrecognised};
use protocol::{
    Carrier, Direction, Entry, Game, Magic, ProtocolSet, Reading, RegisteredMessage, Registry,
    Role, Soundness,
};

/// The context of a payload before it is parsed.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The sender's and the receiver's.
    pub ports: [u16; 2],
    /// The endpoints of sender and receiver, if known; used only if several messages are possible,
    /// because most payloads are unambiguous.
    pub ends: [Option<&'a Endpoint>; 2],
    pub state: Option<&'a FlowState>,
    /// The game that the user has chosen.
    pub decode_as: Option<&'static Game>,
    pub registry: &'static Registry,
    /// The time of the packet, for pending requests.
    pub time: i64,
    pub forward: bool,
    /// Whether the capture has only a part of the payload.
    pub cut: bool,
}

/// Buffers that are reused for the next payload.
pub(super) struct RecogniseBuffers {
    pub reading: Reading,
    pub reasons: Vec<FoundReason>,
}

impl Default for RecogniseBuffers {
    fn default() -> Self {
        Self { reading: Reading::of_values(), reasons: Vec::new() }
    }
}

/// The buffers of flows: taken out while a payload is parsed, and never locked, since threads that
/// share the flows only read. A copy of the flows has its own.
#[derive(Default)]
pub(super) struct BufferStore(Mutex<Option<Box<RecogniseBuffers>>>);

impl BufferStore {
    pub fn get_mut(&mut self) -> &mut Option<Box<RecogniseBuffers>> {
        self.0.get_mut()
    }
}

impl Clone for BufferStore {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A message, whether it is unambiguous, and the roles that it proves.
#[derive(Clone, Copy)]
pub(super) struct Recognised {
    pub message: &'static RegisteredMessage,
    pub unambiguous: bool,
    /// The proven roles; of a command that several protocols share, only those that all of them
    /// prove.
    pub proves: Direction,
    /// All messages that it may be.
    pub possible: PossibleRequests,
}

impl Recognised {
    /// A message that was chosen among several by the context.
    pub fn chosen(message: &'static RegisteredMessage) -> Self {
        let possible = PossibleRequests::from_messages([message.id]);
        Self { message, unambiguous: false, proves: message.proves, possible }
    }

    /// An unambiguous message.
    pub fn certain(message: &'static RegisteredMessage) -> Self {
        Self { unambiguous: true, ..Self::chosen(message) }
    }
}

/// The result of recognising a payload.
#[derive(Clone, Copy)]
pub(super) enum Recognition {
    Message(Recognised),
    /// Weak magic suggests this message.
    Suspect(&'static RegisteredMessage),
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

/// The most likely message for a payload: the only candidate, or the best one.
pub(super) fn recognise(
    Unrecognised { bytes: payload, candidates, .. }: Unrecognised<'_>,
    context: &Context<'_>,
    buffers: &mut RecogniseBuffers,
) -> Recognition {
    if context.cut && is_within_word(payload) {
        return Recognition::Nothing;
    }
    let mut suspect = Recognition::Nothing;
    let candidates = candidates.iter().filter_map(|id| context.registry.message(*id));
    let mut found = candidates.filter(|message| {
        let allowed = context.allows(message, payload, &mut buffers.reading);
        let is_weak = message.entry.spec.magic == Magic::Weak;
        let may_be = is_weak && matches!(suspect, Recognition::Nothing);
        if !allowed && may_be && buffers.reading.takes_all(message.entry, payload) {
            suspect = Recognition::Suspect(message);
        }
        allowed && !context.is_foreign(message)
    });
    let Some(first) = found.next() else {
        drop(found);
        return suspect;
    };
    let Some(second) = found.next() else {
        return Recognition::Message(Recognised::certain(first));
    };
    let all = [first, second].into_iter().chain(found).collect();
    weigh(all, payload, context, buffers).map_or(Recognition::Nothing, Recognition::Message)
}

/// Whether there is only a command, and the rest of it may be missing from the capture.
fn is_within_word(payload: &[u8]) -> bool {
    let word = payload.iter().skip_while(|byte| **byte == 0xff);
    word.into_iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

impl Context<'_> {
    /// The context of a packet whose flow is not known.
    pub fn from_packet(sent: PacketMeta, registry: &'static Registry) -> Self {
        Self {
            ports: [sent.source.port(), sent.destination.port()],
            ends: [None; 2],
            state: None,
            decode_as: None,
            registry,
            time: sent.time,
            forward: true,
            cut: sent.cut,
        }
    }

    fn allows(&self, message: &RegisteredMessage, payload: &[u8], reading: &mut Reading) -> bool {
        let entry = message.entry;
        let mut parses = || self.soundness(entry, payload, reading) != Soundness::Broken;
        // What costs least is asked first.
        let is_known = || {
            self.is_awaited(message)
                || entry.spec.magic != Magic::AnswerOnly
                    && (self.is_decode_as(entry)
                        || self.state.is_some_and(|state| state.speaks(message)))
        };
        let is_on_port = || {
            self.is_documented(entry)
                || entry.spec.carrier == Carrier::Stream && self.is_on_port(entry)
        };
        match entry.spec.magic {
            Magic::Strong => !entry.spec.whole || parses(),
            Magic::Exact => (is_on_port() || is_known()) && !entry.spec.whole || parses(),
            // A port alone is no proof: everything behind the letter has to fit too.
            Magic::Weak if is_known() => !entry.spec.whole || parses(),
            Magic::Weak => is_on_port() && parses(),
            Magic::AnswerOnly => is_known() && (!entry.spec.whole || parses()),
        }
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
    pub fn is_awaited(&self, message: &RegisteredMessage) -> bool {
        let waits = |state: &FlowState| {
            state.requests.are_answered_by(&message.answers, self.time, self.forward)
        };
        self.state.is_some_and(waits)
    }

    /// The known protocols of the serving endpoint of a message of `entry`: of the endpoint that is
    /// no client, else of both. They come from its messages as a server or master.
    pub fn known(&self, entry: &Entry) -> ProtocolSet {
        self.of_serving(entry, |end| end.spoken)
    }

    fn of_serving(&self, entry: &Entry, of: impl Fn(&Endpoint) -> ProtocolSet) -> ProtocolSet {
        let ends = self.ends.map(|end| end.map_or_else(ProtocolSet::default, &of));
        match (serving(entry), ends) {
            (Some(0), [sender, _]) => sender,
            (Some(_), [_, receiver]) => receiver,
            (None, [sender, receiver]) => sender.and(receiver),
        }
    }

    /// The protocols that were chosen before for shared commands of the serving endpoint.
    pub fn assigned(&self, entry: &Entry) -> ProtocolSet {
        self.of_serving(entry, |end| end.shared)
    }

    /// Whether a message matches only by its command, and the serving endpoint is known to use
    /// another protocol that shares the command.
    fn is_foreign(&self, message: &RegisteredMessage) -> bool {
        if message.shared_with.is_empty() || self.is_decode_as(message.entry) {
            return false;
        }
        let known = self.known(message.entry);
        known.meets(message.shared_with) && !known.meets(message.protocol)
    }

    /// Whether the message is documented for one of the ports, on the side for which it is
    /// documented.
    fn is_documented(&self, entry: &Entry) -> bool {
        let [from, to] = self.ports;
        entry.protocol.games.iter().any(|game| {
            let mut directions = entry.spec.directions.iter();
            directions.any(|(f, t)| game.listens(from) == Some(*f) || game.listens(to) == Some(*t))
        })
    }

    /// The proven roles of the endpoints.
    pub fn proven(&self) -> Direction {
        let [from, to] = self.ends.map(|end| end.and_then(Endpoint::proven));
        Direction { from, to }
    }

    /// Whether the user has chosen a game with the protocol of `entry`.
    pub fn is_decode_as(&self, entry: &Entry) -> bool {
        self.decode_as.is_some_and(|game| entry.protocol.games.contains(&game))
    }

    /// Whether the serving endpoint of a message of `entry` uses a port that a game of the protocol
    /// documents for its role.
    pub fn serves_on_port(&self, entry: &Entry) -> bool {
        let [from, to] = self.ports;
        let listens = |port: u16, role: Role| {
            role != Role::Client
                && entry.protocol.games.iter().any(|g| g.listens(port) == Some(role))
        };
        let mut directions = entry.spec.all_directions();
        directions.any(|(sender, receiver)| listens(from, *sender) || listens(to, *receiver))
    }

    /// Whether either port is documented for a game of the message's protocol, in any role.
    pub fn is_on_port(&self, entry: &Entry) -> bool {
        let [from, to] = self.ports;
        let mut games = entry.protocol.games.iter();
        games.any(|g| g.listens(from).is_some() || g.listens(to).is_some())
    }
}

/// Which endpoint of a message is no client, by its directions: 0 the sender, 1 the receiver;
/// `None` if either may be, or neither is.
fn serving(entry: &Entry) -> Option<usize> {
    let by_client = entry.spec.all_directions().all(|(from, _)| *from == Role::Client);
    let to_client = entry.spec.all_directions().all(|(_, to)| *to == Role::Client);
    match (by_client, to_client) {
        (true, false) => Some(1),
        (false, true) => Some(0),
        _ => None,
    }
}
