//! A set of protocols, and what follows from all of them together: the numbers of their messages,
//! which message a payload may be, and which protocol divides a stream.

use std::num::NonZeroU16;

use super::game::text_bit;
use super::recognise::{CandidateIds, Candidates, PrefixTable};
use super::signatures::{SignatureField, Signatures};
use super::{
    Carrier, Direction, Entry, FrameBoundary, Game, IndicatedGames, Protocol, SplitForms,
    StreamStart,
};
use codec::key_fits;
use codec::swar::is_like;

/// Protocols, in the order of their priority for ambiguous messages; at most 32.
#[derive(Debug)]
pub struct Registry {
    protocols: Vec<&'static Protocol>,
    entries: Vec<&'static Entry>,
    messages: Vec<RegisteredMessage>,
    datagrams: PrefixTable,
    streams: PrefixTable,
    splits: Vec<&'static SplitForms>,
}

/// The number of a message in its registry; two bytes, also as an `Option`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(NonZeroU16);

impl MessageId {
    /// The position in [`Registry::entries`], from 0.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// What is known of a message from its declaration and those of the others.
#[derive(Debug)]
pub struct RegisteredMessage {
    /// Its declaration and functions.
    pub entry: &'static Entry,
    /// Its number.
    pub id: MessageId,
    /// Its protocol alone.
    pub protocol: ProtocolSet,
    /// The other protocols that share its command.
    pub shared_with: ProtocolSet,
    /// The messages that it answers.
    pub answers: Vec<MessageId>,
    /// Of those, the ones whose own answer it may replace.
    pub replaces: Vec<MessageId>,
    /// The roles of its endpoints that it proves.
    pub proves: Direction,
    /// The roles of its endpoints that it makes likely.
    pub likely: Direction,
    /// Its fields that may be evidence for a game.
    pub signature_fields: Vec<SignatureField>,
    /// A bit for each of their names: most other names have none of these bits.
    signature_names: u64,
    /// The games that it is evidence for by its type.
    pub of_type: IndicatedGames,
}

/// A set of protocols of one registry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProtocolSet(u32);

impl ProtocolSet {
    /// The protocols of either set.
    #[must_use]
    #[inline]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether the two sets intersect.
    #[inline]
    pub fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Whether there are others in this set.
    #[inline]
    pub fn has_others_than(self, others: Self) -> bool {
        self.0 & !others.0 != 0
    }

    /// Whether no protocol is in it.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Registry {
    /// A registry of these protocols.
    pub fn new(protocols: &[&'static Protocol]) -> Self {
        let entries: Vec<_> = protocols.iter().flat_map(|protocol| protocol.messages).collect();
        let mut ids = (1..=u16::MAX).filter_map(NonZeroU16::new).map(MessageId);
        let mut messages = Vec::with_capacity(entries.len());
        for protocol in protocols {
            let signatures = Signatures::from_protocol(protocol);
            let of = |(entry, id)| RegisteredMessage::new(protocols, entry, id, &signatures);
            messages.extend(protocol.messages.iter().zip(&mut ids).map(of));
        }
        let known: Vec<_> = messages.iter().map(|message| (message.entry, message.id)).collect();
        for message in &mut messages {
            let Entry { protocol, spec, .. } = message.entry;
            let is_answered = |(request, _): &&(&Entry, MessageId)| {
                request.protocol == *protocol && spec.answers.contains(&request.spec.id)
            };
            let answered = known.iter().filter(is_answered);
            message.answers = answered.clone().map(|(_, id)| *id).collect();
            let replaced = answered.filter(|(e, _)| spec.replaces_answer_to.contains(&e.spec.id));
            message.replaces = replaced.map(|(_, id)| *id).collect();
        }
        Self {
            protocols: protocols.to_vec(),
            entries,
            datagrams: PrefixTable::new(&messages, Carrier::Datagram),
            streams: PrefixTable::new(&messages, Carrier::Stream),
            splits: protocols.iter().filter_map(|protocol| protocol.splits.as_ref()).collect(),
            messages,
        }
    }

    /// The protocols, in the order of their priority.
    pub fn protocols(&self) -> &[&'static Protocol] {
        &self.protocols
    }

    /// The protocol with this id.
    pub fn protocol(&self, id: &str) -> Option<&'static Protocol> {
        self.protocols.iter().copied().find(|protocol| protocol.id == id)
    }

    /// The ids of the protocols of a set, in order.
    pub fn names_of(&self, set: ProtocolSet) -> impl Iterator<Item = &'static str> {
        let all = (0..u32::BITS).zip(&self.protocols);
        all.filter(move |(at, _)| set.0 >> at & 1 == 1).map(|(_, protocol)| protocol.id)
    }

    /// The set of the one protocol with this id.
    pub fn set_of(&self, id: &str) -> Option<ProtocolSet> {
        let mut all = (0..u32::BITS).zip(&self.protocols);
        all.find(|(_, protocol)| protocol.id == id).map(|(at, _)| ProtocolSet(1 << at))
    }

    /// What is known of a message by its declaration.
    #[inline]
    pub fn message_of(&self, entry: &Entry) -> Option<&RegisteredMessage> {
        self.message(self.id_of(entry)?)
    }

    /// Every game of every protocol, each once.
    pub fn games(&self) -> impl Iterator<Item = &'static Game> {
        let all = || self.protocols.iter().flat_map(|p| p.games.iter().copied());
        let is_first = move |(at, game): &(usize, &Game)| !all().take(*at).any(|g| g == *game);
        all().enumerate().filter(is_first).map(|(_, game)| game)
    }

    /// The game with this id.
    pub fn game(&self, id: &str) -> Option<&'static Game> {
        self.games().find(|game| game.id == id)
    }

    /// Every message of every protocol.
    pub fn entries(&self) -> &[&'static Entry] {
        &self.entries
    }

    /// What is known of a message of this registry.
    #[inline]
    pub fn message(&self, id: MessageId) -> Option<&RegisteredMessage> {
        self.messages.get(id.index())
    }

    /// The number of a message; `None` if its protocol is not registered.
    #[inline]
    pub fn id_of(&self, entry: &Entry) -> Option<MessageId> {
        let before = self.protocols.iter().take_while(|p| **p != entry.protocol);
        let at = before.map(|p| p.messages.len()).sum::<usize>() + usize::from(entry.index);
        self.messages.get(at).filter(|message| message.entry == entry).map(|message| message.id)
    }

    /// The messages that `bytes` may be, the likeliest first: those whose further literals match,
    /// then those without any after the word; only if there are none, those that will fault. Then
    /// in the order of the protocols.
    ///
    /// Several protocols may share commands, so this returns all; flows choose among them.
    #[inline]
    pub fn candidates<'a, 'b>(&'a self, carrier: Carrier, bytes: &'b [u8]) -> Candidates<'a, 'b> {
        let table = match carrier {
            Carrier::Datagram => &self.datagrams,
            Carrier::Stream => &self.streams,
        };
        table.candidates(&self.messages, bytes)
    }

    /// The numbers of the same messages.
    #[inline]
    pub fn candidate_ids(&self, carrier: Carrier, bytes: &[u8]) -> CandidateIds {
        let mut ids = CandidateIds::new();
        self.candidates(carrier, bytes).for_each(|message| ids.push(message.id));
        ids
    }

    /// The same for messages that may have this direction.
    #[inline]
    pub fn recognise_all(
        &self,
        carrier: Carrier,
        bytes: &[u8],
        direction: Direction,
    ) -> impl Iterator<Item = &'static Entry> {
        self.candidates(carrier, bytes).map(|c| c.entry).filter(move |e| e.spec.allows(direction))
    }

    /// The likeliest of the messages that a datagram may be.
    pub fn recognise(&self, bytes: &[u8]) -> Option<&'static Entry> {
        self.candidates(Carrier::Datagram, bytes).next().map(|message| message.entry)
    }

    /// The protocol that recognises these bytes of a connection, and the end of the first message; the
    /// place has the port of their sender first. The
    /// last protocol has priority: HTTP recognises its own beginning, while GameSpy's lists begin with
    /// anything, and the name of their end may occur in a request.
    ///
    /// A protocol that says how its connections begin ([`Protocol::opens`]) recognises others only if
    /// their beginning was not captured, only on the documented ports of its games, and only by messages
    /// that others have not ([`Protocol::resumes`]).
    pub fn frame(
        &self,
        bytes: &[u8],
        place: StreamStart,
    ) -> Option<(&'static Protocol, FrameBoundary)> {
        let goes_on = |protocol: &Protocol| match place {
            StreamStart::Beginning => false,
            StreamStart::Middle(ports @ [sender, _]) => {
                let listens = |port| protocol.games.iter().any(|game| game.listens(port).is_some());
                ports.into_iter().any(listens) && (protocol.resumes)(bytes, sender)
            }
        };
        let may_be = |p: &Protocol| p.opens.is_none_or(|opens| opens(bytes)) || goes_on(p);
        let protocols = self.protocols.iter().rev().copied();
        let mut cuts = protocols.map(|p| (p, (p.cut)(bytes, 0)));
        cuts.find(|(protocol, cut)| *cut != FrameBoundary::Foreign && may_be(protocol))
    }
}

impl Registry {
    /// The forms in which a datagram may be a part of a split message.
    #[inline]
    pub fn splits(&self, bytes: &[u8]) -> Option<&'static SplitForms> {
        self.splits
            .iter()
            .copied()
            .filter(|splits| bytes.first() == splits.mark.first())
            .find(|splits| bytes.starts_with(splits.mark) && (splits.is_part)(bytes))
    }
}

impl RegisteredMessage {
    /// Whether it may have evidence for a game, in a field or by its type.
    #[inline]
    pub fn has_signature(&self) -> bool {
        !self.of_type.is_empty() || !self.signature_fields.is_empty()
    }

    /// The field with this name, if it may be evidence for a game.
    #[inline]
    pub fn signature_field(&self, name: &str) -> Option<&SignatureField> {
        let may_be = self.signature_names & text_bit(name.as_bytes()) != 0;
        self.signature_fields.iter().filter(|_| may_be).find(|field| field.name == name)
    }

    /// Whether a field with this name, in any case of its letters, may be evidence for a game.
    #[inline]
    pub fn has_signature_field(&self, name: &[u8]) -> bool {
        let may_be = self.signature_names & text_bit(name) != 0;
        let is_it = |field: &SignatureField| {
            may_be && is_like(field.name.as_bytes(), name)
                || field.is_pattern && key_fits(field.name, name)
        };
        self.signature_fields.iter().any(is_it)
    }

    /// A message without what it answers.
    fn new(
        protocols: &[&'static Protocol],
        entry: &'static Entry,
        id: MessageId,
        signatures: &Signatures,
    ) -> Self {
        let set = |is_in: &dyn Fn(&Protocol) -> bool| {
            let positions = (0..u32::BITS).zip(protocols).filter(|(_, p)| is_in(p));
            ProtocolSet(positions.fold(0, |set, (position, _)| set | 1 << position))
        };
        let spec = &entry.spec;
        let (signature_fields, of_type) = signatures.of_message(entry);
        let names = signature_fields.iter().map(|field| text_bit(field.name.as_bytes()));
        Self {
            entry,
            id,
            protocol: set(&|p| p == entry.protocol),
            shared_with: set(&|p| spec.shared_with.contains(&p.id)),
            answers: Vec::new(),
            replaces: Vec::new(),
            proves: spec.proves(Direction::default()),
            likely: spec.likely(Direction::default()),
            signature_names: names.fold(0, |all, bit| all | bit),
            signature_fields,
            of_type,
        }
    }
}
