//! The state of a flow with recognised or suspected messages; flows of other traffic rarely have
//! one.

use smallvec::{Array, SmallVec};

use super::evidence::Evidence;
use super::requests::Requests;
use super::room::allocated;
use super::unread::Unread;
use protocol::{Carrier, Protocol, ProtocolSet, RegisteredMessage};

/// How many kinds of messages are counted per flow.
const KINDS: usize = 64;

/// The messages of one kind in a flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageKind {
    pub message: &'static RegisteredMessage,
    pub name: &'static str,
    pub count: u64,
    /// In which cases another one adds no evidence: a bit per [`Learnt`].
    learnt: u8,
}

/// A case in which a kind of message adds evidence: its direction, and whether it is unambiguous.
#[derive(Debug, Clone, Copy)]
pub(super) struct Learnt {
    pub forward: bool,
    pub unambiguous: bool,
}

impl Learnt {
    fn bit(self) -> u8 {
        1 << (2 * u8::from(self.forward) + u8::from(self.unambiguous))
    }
}

impl MessageKind {
    fn new(message: &'static RegisteredMessage, name: &'static str) -> Self {
        Self { message, name, count: 0, learnt: 0 }
    }

    /// Whether another one adds no evidence.
    pub fn is_learnt(&self, how: Learnt) -> bool {
        self.learnt & how.bit() != 0
    }
}

/// The message state of a flow.
#[derive(Debug, Default, Clone)]
pub(super) struct FlowState {
    /// Protocols of unambiguous messages.
    pub spoken: ProtocolSet,
    /// Protocols whose weak magic counts here, because an exchange was seen.
    pub confirmed: ProtocolSet,
    pub evidence: Evidence,
    /// The latest challenge.
    pub challenge: Option<Box<[u8]>>,
    /// The latest answer in several datagrams: its number and its name.
    pub parts: Option<(u32, &'static str)>,
    /// Number of datagrams of a continued list so far.
    pub chain: u16,
    pub requests: Requests,
    /// Its datagrams that no protocol reads.
    pub unread: Unread,
    /// Protocols chosen for messages that several protocols share.
    pub shared: ProtocolSet,
    /// Number of messages of each kind. The first few are inline, because every message reads this.
    seen: SmallVec<[MessageKind; 2]>,
    /// The same, counted again in the second pass.
    recounted: SmallVec<[MessageKind; 0]>,
    /// The same for suspected messages: weak magic without confirmation.
    suspected: SmallVec<[MessageKind; 0]>,
    /// Its size in memory when it was last computed, in bytes.
    weight: u32,
}

impl FlowState {
    /// Reads each line of its memory for prefetching; the sum has no meaning.
    pub fn touch(&self) -> u64 {
        let Self { seen, suspected, requests, chain, evidence, .. } = self;
        let kinds = seen.iter().fold(0, |sum, kind| sum ^ kind.count);
        let rest = suspected.len() as u64 ^ u64::from(*chain) ^ u64::from(evidence.is_open());
        kinds ^ requests.touch() ^ rest
    }

    /// Updates its size; returns the difference in bytes. If the memory limit is reached (`tight`),
    /// it stops growing.
    pub fn weigh(&mut self, tight: bool) -> isize {
        self.requests.tight = tight;
        let kinds = |spilled: bool, capacity: usize| {
            allocated(usize::from(spilled) * capacity * size_of::<MessageKind>())
        };
        let weight = allocated(size_of::<Self>())
            + kinds(self.seen.spilled(), self.seen.capacity())
            + kinds(self.suspected.spilled(), self.suspected.capacity())
            + kinds(self.recounted.spilled(), self.recounted.capacity())
            + self.requests.weigh()
            + self.evidence.weigh()
            + self.challenge.as_ref().map_or(0, |challenge| allocated(challenge.len()));
        let before = std::mem::replace(&mut self.weight, weight as u32);
        weight.cast_signed() - (before as usize).cast_signed()
    }

    /// Whether a message with weak magic counts here: an exchange of its protocol was seen or, in a
    /// stream, a message that only its protocol has.
    pub fn speaks(&self, message: &RegisteredMessage) -> bool {
        let is_stream = message.entry.spec.carrier == Carrier::Stream;
        self.confirmed.meets(message.protocol) || is_stream && self.spoken.meets(message.protocol)
    }

    /// How many kinds may be counted.
    fn kinds(&self) -> usize {
        if self.requests.tight { self.seen.inline_size() } else { KINDS }
    }

    /// Counts a message; returns its kind, unless there are too many.
    pub fn count(
        &mut self,
        message: &'static RegisteredMessage,
        name: &'static str,
    ) -> Option<&mut MessageKind> {
        let most = self.kinds();
        add_kind(&mut self.seen, MessageKind { count: 1, ..MessageKind::new(message, name) }, most)
    }

    /// Records that another message of a kind adds no evidence.
    pub fn know(&mut self, message: &'static RegisteredMessage, name: &'static str, how: Learnt) {
        let most = self.kinds();
        if let Some(kind) = add_kind(&mut self.seen, MessageKind::new(message, name), most) {
            kind.learnt |= how.bit();
        }
    }

    /// Counts a message in the second pass.
    pub fn recount(&mut self, message: &'static RegisteredMessage, name: &'static str) {
        let most = self.kinds();
        add_kind(
            &mut self.recounted,
            MessageKind { count: 1, ..MessageKind::new(message, name) },
            most,
        );
    }

    /// Prepares the second pass: forgets pending requests, and resets the new counts.
    pub fn rewind(&mut self) {
        self.requests.clear();
        self.recounted.clear();
        self.challenge = None;
        self.parts = None;
        self.chain = 0;
    }

    /// Frees what only further messages need.
    pub fn compact(&mut self) {
        self.requests.release();
        self.challenge = None;
        self.seen.shrink_to_fit();
        self.suspected.shrink_to_fit();
        self.recounted = SmallVec::new();
        self.evidence.compact();
    }

    /// Ends the second pass: the new counts replace the old ones.
    pub fn end_recount(&mut self) {
        self.seen = self.recounted.drain(..).collect();
    }

    pub fn suspect(&mut self, message: &'static RegisteredMessage, name: &'static str) {
        let most = self.kinds();
        add_kind(
            &mut self.suspected,
            MessageKind { count: 1, ..MessageKind::new(message, name) },
            most,
        );
    }

    /// Accepts the weak magic of a protocol from now on; returns how many suspected messages become
    /// messages.
    pub fn confirm(&mut self, protocol: ProtocolSet) -> u64 {
        self.confirmed = self.confirmed.and(protocol);
        let mut confirmed = 0;
        for kind in std::mem::take(&mut self.suspected) {
            if kind.message.protocol == protocol {
                add_kind(&mut self.seen, kind, KINDS);
                confirmed += kind.count;
            } else {
                self.suspected.push(kind);
            }
        }
        confirmed
    }

    pub fn seen(&self) -> &[MessageKind] {
        &self.seen
    }

    /// The protocol of most of its messages.
    pub fn protocol(&self) -> Option<&'static Protocol> {
        let of = |kind: &MessageKind| kind.message.entry.protocol;
        let weight = |protocol: &Protocol| -> u64 {
            self.seen().iter().filter(|kind| of(kind) == protocol).map(|kind| kind.count).sum()
        };
        self.seen().iter().rev().map(of).max_by_key(|protocol| weight(protocol))
    }
}

/// Increments the kind of that message and name; `None` if there are too many kinds.
fn add_kind<A: Array<Item = MessageKind>>(
    kinds: &mut SmallVec<A>,
    kind: MessageKind,
    most: usize,
) -> Option<&mut MessageKind> {
    let is_it = |k: &MessageKind| k.message.id == kind.message.id && is_same(k.name, kind.name);
    let known = kinds.iter().position(is_it);
    let at = known.unwrap_or(kinds.len());
    if known.is_none() {
        if kinds.len() >= most {
            return None;
        }
        kinds.push(MessageKind { count: 0, ..kind });
    }
    let found = kinds.get_mut(at)?;
    found.count += kind.count;
    Some(found)
}

/// Whether two names are equal; those of the same message usually have the same address, so their
/// bytes need not be compared.
fn is_same(one: &'static str, other: &'static str) -> bool {
    std::ptr::eq(one, other) || one == other
}
