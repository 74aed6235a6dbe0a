//! What a flow has in which messages were recognised, or may yet be; noise rarely gets one.

use smallvec::{Array, SmallVec};

use super::evidence::Evidence;
use super::recognise::Protocols;
use super::requests::Requests;
use crate::protocol::{entries, is_same, place_of};

/// How many kinds of messages of one flow are counted.
const KINDS: usize = 64;

/// Messages of one kind in a flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageKind {
    /// Of their entry in `protocol::entries`.
    pub place: u16,
    pub name: &'static str,
    pub count: u64,
    /// In which ways one more of them tells nothing of its flow and ends: a bit a [`Learnt`].
    learnt: u8,
}

/// A way in which a kind of message is learnt from: its direction, and whether no other protocol
/// could have said it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Learnt {
    pub forward: bool,
    pub alone: bool,
}

impl Learnt {
    fn bit(self) -> u8 {
        1 << (2 * u8::from(self.forward) + u8::from(self.alone))
    }
}

impl MessageKind {
    fn new(place: u16, name: &'static str) -> Self {
        Self { place, name, count: 0, learnt: 0 }
    }

    /// Whether one more tells nothing.
    pub fn is_learnt(&self, how: Learnt) -> bool {
        self.learnt & how.bit() != 0
    }
}

/// The speaking part of a flow.
#[derive(Debug, Default)]
pub(super) struct FlowState {
    /// Protocols of messages that no other could have said.
    pub spoken: Protocols,
    /// Protocols whose weak magic counts here, for an exchange was seen.
    pub confirmed: Protocols,
    pub evidence: Evidence,
    /// The challenge that was seen last.
    pub challenge: Option<Box<[u8]>>,
    /// Of the answer in several datagrams that was seen last: its number, and what it is called.
    pub parts: Option<(u32, &'static str)>,
    /// How many datagrams of a list that goes on have come.
    pub chain: u16,
    pub requests: Requests,
    /// Protocols under which words were taken that others share.
    pub shared: Protocols,
    /// How many messages of each kind. The first few are near, for every message looks here.
    seen: SmallVec<[MessageKind; 2]>,
    /// The same, counted anew while everything is heard once more.
    again: SmallVec<[MessageKind; 0]>,
    /// The same of those that weak magic suggests and nothing confirms yet.
    suspected: SmallVec<[MessageKind; 0]>,
    /// How many bytes of memory it took when it was last weighed.
    weight: u32,
}

impl FlowState {
    /// Looks at each line of its memory; the sum says nothing.
    pub fn look(&self) -> u64 {
        let Self { seen, suspected, requests, chain, evidence, .. } = self;
        let kinds = seen.iter().fold(0, |sum, kind| sum ^ kind.count);
        let rest = suspected.len() as u64 ^ u64::from(*chain) ^ u64::from(evidence.is_open());
        kinds ^ requests.look() ^ rest
    }

    /// Weighs it anew; by how many bytes that is more than it was, or less. Where there is no more
    /// room for flows, it grows no more.
    pub fn weigh(&mut self, tight: bool) -> isize {
        self.requests.tight = tight;
        let kinds = |spilled: bool, capacity: usize| usize::from(spilled) * capacity;
        let kinds = kinds(self.seen.spilled(), self.seen.capacity())
            + kinds(self.suspected.spilled(), self.suspected.capacity())
            + self.again.capacity();
        let weight = size_of::<Self>()
            + size_of::<MessageKind>() * kinds
            + self.requests.weigh()
            + self.evidence.weigh()
            + self.challenge.as_ref().map_or(0, |challenge| challenge.len());
        let before = std::mem::replace(&mut self.weight, weight as u32);
        weight.cast_signed() - (before as usize).cast_signed()
    }

    /// How many kinds may be counted.
    fn kinds(&self) -> usize {
        if self.requests.tight { self.seen.inline_size() } else { KINDS }
    }

    /// Counts a message; its kind, unless there are too many.
    pub fn count(&mut self, place: u16, name: &'static str) -> Option<&mut MessageKind> {
        let most = self.kinds();
        add(&mut self.seen, MessageKind { count: 1, ..MessageKind::new(place, name) }, most)
    }

    /// One more of a kind tells nothing from now on.
    pub fn know(&mut self, place: u16, name: &'static str, how: Learnt) {
        let most = self.kinds();
        if let Some(kind) = add(&mut self.seen, MessageKind::new(place, name), most) {
            kind.learnt |= how.bit();
        }
    }

    /// Counts a message that is heard once more.
    pub fn recount(&mut self, place: u16, name: &'static str) {
        let most = self.kinds();
        add(&mut self.again, MessageKind { count: 1, ..MessageKind::new(place, name) }, most);
    }

    /// All will be heard once more: what waits is forgotten, and messages are counted anew.
    pub fn rewind(&mut self) {
        self.requests.clear();
        self.again.clear();
        self.challenge = None;
        self.parts = None;
        self.chain = 0;
    }

    /// All has been heard once more: the new counts replace the old ones.
    pub fn end_recount(&mut self) {
        self.seen = self.again.drain(..).collect();
    }

    pub fn suspect(&mut self, place: u16, name: &'static str) {
        let most = self.kinds();
        add(&mut self.suspected, MessageKind { count: 1, ..MessageKind::new(place, name) }, most);
    }

    /// The weak magic of a protocol counts from now on; how many suspected messages it makes
    /// messages.
    pub fn confirm(&mut self, protocol: usize) -> u64 {
        self.confirmed = self.confirmed.with(protocol);
        let mut confirmed = 0;
        for kind in std::mem::take(&mut self.suspected) {
            let known = entries().get(usize::from(kind.place));
            if known.and_then(|e| place_of(e)).is_some_and(|(of, _)| of == protocol) {
                add(&mut self.seen, kind, KINDS);
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

    /// The protocol that most of its messages are of, by its id.
    pub fn protocol(&self) -> Option<&'static str> {
        let of = |kind: &MessageKind| entries().get(usize::from(kind.place)).map(|e| e.protocol);
        let weight = |id: &str| -> u64 {
            self.seen().iter().filter(|kind| of(kind) == Some(id)).map(|kind| kind.count).sum()
        };
        let ids = self.seen().iter().rev().filter_map(of);
        ids.max_by_key(|id| weight(id))
    }
}

/// Adds to the kind of that place and name; `None` where it is one too many.
fn add<A: Array<Item = MessageKind>>(
    kinds: &mut SmallVec<A>,
    kind: MessageKind,
    most: usize,
) -> Option<&mut MessageKind> {
    let is_it = |k: &MessageKind| k.place == kind.place && is_same(k.name, kind.name);
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
