//! Which message a payload is, in the light of its flow.
//!
//! Several protocols share words: `status` is asked of Quake 2 and of QuakeWorld. A message that
//! only one protocol can read tells which one its flow speaks, and its sender; the others follow.
//! Weak magic, a letter or two that chance would bring too, counts only on a documented port, as
//! the answer to a request, or where such an answer has confirmed the flow.

use super::endpoint::Endpoint;
use super::evidence::{Reason, gather};
use super::manner::Manner;
use super::talk::Talk;
use crate::proto::{
    Candidate, Carrier, Entry, Game, Magic, PROTOCOLS, Reading, Way, candidates_at,
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
    pub talk: Option<&'a Talk>,
    /// The game that the user says it is.
    pub told: Option<&'static Game>,
    /// What each message declares, by their places.
    pub manners: &'static [Manner],
    /// When it came, for the requests that wait.
    pub time: i64,
    pub forward: bool,
}

/// Room that is used again for the next payload.
pub(super) struct Room {
    pub reading: Reading,
    pub reasons: Vec<Reason>,
}

impl Default for Room {
    fn default() -> Self {
        Self { reading: Reading::of_values(), reasons: Vec::new() }
    }
}

/// A message, and whether no other protocol could have said it.
#[derive(Clone, Copy)]
pub(super) struct Recognised {
    pub entry: &'static Entry,
    /// Its place in `proto::entries`.
    pub place: usize,
    /// The place of its protocol in [`PROTOCOLS`].
    pub protocol: usize,
    pub alone: bool,
}

impl Recognised {
    fn of(Candidate { entry, place, protocol }: Candidate, alone: bool) -> Self {
        Self { entry, place, protocol, alone }
    }
}

/// What is known of a payload when it has been looked at.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Message(Recognised),
    /// Weak magic suggests this message, and its place in `proto::entries`.
    Suspect(&'static Entry, usize),
    Nothing,
}

impl Known {
    pub fn message(self) -> Option<Recognised> {
        match self {
            Self::Message(recognised) => Some(recognised),
            Self::Suspect(..) | Self::Nothing => None,
        }
    }
}

/// The message that `payload` most likely is.
///
/// Of several: those that go the way that is known; what the user says; that of the protocol that
/// the flow has settled on; those that take every byte; those in which nothing is odd; then by what
/// the message itself says of its game, by what else was said in the flow, by what its ends said
/// elsewhere, by the ports; at last the first.
pub(super) fn recognise(payload: &[u8], context: &Context<'_>, room: &mut Room) -> Known {
    let mut suspect = Known::Nothing;
    let mut found = candidates_at(context.carrier, payload).filter(|candidate| {
        let Candidate { entry, place, .. } = *candidate;
        let allowed = context.allows(*candidate, payload, &mut room.reading);
        let may_be = entry.spec.magic == Magic::Weak && matches!(suspect, Known::Nothing);
        if !allowed && may_be && room.reading.takes_all(entry, payload) {
            suspect = Known::Suspect(entry, place);
        }
        allowed
    });
    let Some(first) = found.next() else {
        drop(found);
        return suspect;
    };
    let Some(second) = found.next() else {
        return Known::Message(Recognised::of(first, true));
    };
    let mut all = vec![first, second];
    all.extend(found);
    keep(&mut all, |c| c.entry.spec.goes(context.way(c.protocol)));
    // Of one protocol the first is the likeliest.
    let mut seen = Protocols::default();
    all.retain(|c| {
        let first = !seen.has(c.protocol);
        seen = seen.with(c.protocol);
        first
    });
    keep(&mut all, |c| context.is_told(c.protocol));
    if let Some(settled) = context.settled(&all) {
        return Known::Message(Recognised::of(settled, false));
    }
    keep_soundest(&mut all, payload, &mut room.reading);
    let alone = all.len() == 1;
    keep(&mut all, |c| {
        gather(c.entry, payload, &mut room.reading, &mut room.reasons);
        !room.reasons.is_empty()
    });
    keep(&mut all, |c| context.talk.is_some_and(|talk| talk.spoken.has(c.protocol)));
    let spoken = context.spoken();
    keep(&mut all, |c| spoken.has(c.protocol));
    keep(&mut all, |c| context.is_on_port(c.protocol));
    all.first().map_or(Known::Nothing, |c| Known::Message(Recognised::of(*c, alone)))
}

/// Keeps those that take every byte and are regular, else those that take every byte, else all.
fn keep_soundest(all: &mut Vec<Candidate>, payload: &[u8], reading: &mut Reading) {
    if all.len() < 2 {
        return;
    }
    let soundness: Vec<_> = all.iter().map(|c| reading.soundness(c.entry, payload)).collect();
    let best = soundness.iter().max();
    let mut each = soundness.iter();
    all.retain(|_| each.next() == best);
}

/// Keeps what fits, unless nothing does.
fn keep(all: &mut Vec<Candidate>, mut fits: impl FnMut(&Candidate) -> bool) {
    if all.len() < 2 {
        return;
    }
    let fitting: Vec<_> = all.iter().copied().filter(|c| fits(c)).collect();
    if !fitting.is_empty() {
        *all = fitting;
    }
}

impl Context<'_> {
    fn allows(&self, candidate: Candidate, payload: &[u8], reading: &mut Reading) -> bool {
        let Candidate { entry, place, protocol } = candidate;
        match entry.spec.magic {
            Magic::Strong => return true,
            Magic::Exact if self.is_documented(entry, protocol) => return true,
            Magic::Exact if reading.takes_all(entry, payload) => return true,
            Magic::Exact | Magic::Weak | Magic::Half => {}
        }
        let answers = |talk: &Talk| {
            let manner = self.manners.get(place);
            manner.is_some_and(|m| talk.requests.wait_for(&m.answers, self.time, self.forward))
        };
        if self.talk.is_some_and(answers) {
            return true;
        }
        entry.spec.magic != Magic::Half
            && (self.is_documented(entry, protocol)
                || self.is_told(protocol)
                || self.talk.is_some_and(|talk| talk.confirmed.has(protocol)))
    }

    /// The candidate of the protocol that the flow is known to speak, or is held to speak.
    fn settled(&self, all: &[Candidate]) -> Option<Candidate> {
        let talk = self.talk?;
        let only = |known: Protocols| {
            let mut of_known = all.iter().filter(|c| known.has(c.protocol));
            of_known.next().filter(|_| of_known.next().is_none()).copied()
        };
        only(talk.spoken).or_else(|| only(talk.shared))
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

    /// What is known of the ends: what they proved, else whom their ports are documented for.
    fn way(&self, protocol: usize) -> Way {
        let listens = |port| Self::games(protocol).find_map(|game| game.listens(port));
        let [from, to] = self.ports;
        let [sender, receiver] = self.ends.map(|end| end.and_then(Endpoint::proven));
        Way { from: sender.or_else(|| listens(from)), to: receiver.or_else(|| listens(to)) }
    }

    /// What the ends have said that only one protocol can say.
    fn spoken(&self) -> Protocols {
        let ends = self.ends.into_iter().flatten();
        ends.fold(Protocols::default(), |all, end| all.and(end.spoken))
    }

    fn is_told(&self, protocol: usize) -> bool {
        self.told.is_some_and(|told| Self::games(protocol).any(|game| game == told))
    }

    fn is_on_port(&self, protocol: usize) -> bool {
        let [from, to] = self.ports;
        Self::games(protocol).any(|g| g.listens(from).is_some() || g.listens(to).is_some())
    }
}
