//! What flows make of each packet: which message it is, what it proves, what it answers.

use std::net::IpAddr;

use super::evidence;
use super::manner::MessageTraits;
use super::recognise::{Context, Protocols, RecogniseBuffers, Recognised, Recognition, recognise};
use super::requests::Places;
use super::table::{Flow, Flows, IcmpNotice};
use super::talk::Learnt;
use super::{Classified, FlowId, PacketMeta, RecognisedMessage, Transport};
use crate::protocol::{self, Carrier, Confidence, Entry, Magic, Role};

/// How much of a challenge is kept; the games' are far shorter.
const CHALLENGE: usize = 128;

impl Flows {
    /// A datagram went by.
    pub fn observe(&mut self, sent: PacketMeta, payload: &[u8]) -> Classified {
        match self.count(sent, payload.len()) {
            Some((flow, forward)) => {
                Classified { flow, forward, message: self.classify(flow, sent, forward, payload) }
            }
            None => self.untracked(sent, payload),
        }
    }

    /// So many bytes went by: a datagram's, or a segment's, for what a stream says comes by
    /// `hear_said`. Their flow, and whether they go forward in it; `None` where the table is full.
    pub fn count(&mut self, sent: PacketMeta, length: usize) -> Option<(FlowId, bool)> {
        let Some((id, forward)) = self.place(sent) else {
            self.left_out += 1;
            return None;
        };
        if let Some(flow) = self.flow_mut(id) {
            let [there, back] = &mut flow.traffic;
            let traffic = if forward { there } else { back };
            traffic.packets += 1;
            traffic.bytes += length as u64;
            flow.last = flow.last.max(sent.time);
            flow.first = flow.first.min(sent.time);
        }
        Some((id, forward))
    }

    /// A stream, whose segments were heard, said a message; the last of them is `sent`.
    pub fn observe_stream(&mut self, sent: PacketMeta, payload: &[u8]) -> Classified {
        let Some((id, forward)) = self.find(sent) else {
            return self.untracked(sent, payload);
        };
        Classified { flow: id, forward, message: self.classify(id, sent, forward, payload) }
    }

    /// The same datagram, or the same message of a stream, once more, when all has been heard:
    /// names and ends as known by now. Nothing is counted again, only requests and replies are
    /// paired anew.
    pub fn reclassify(&mut self, sent: PacketMeta, payload: &[u8]) -> Classified {
        let Some((id, forward)) = self.find(sent) else {
            return self.untracked(sent, payload);
        };
        let known = self.name(id, sent, forward, payload).message();
        let message = known.map(|known| self.pair(id, sent, forward, known, payload));
        if let (true, Some(known), Some(named)) = (self.revised, known, &message)
            && let Some(talk) = self.flow_mut(id).and_then(|flow| flow.talk.as_mut())
        {
            talk.recount(known.place as u16, named.name);
        }
        self.measure(id);
        Classified { flow: id, forward, message }
    }

    /// Everything has been heard once more. Where that gave messages other names, they are counted
    /// by these from now on, so that a flow is judged by the messages that it has in the end.
    pub fn end_recall(&mut self) {
        if self.revised {
            let talks = self.all.iter_mut().filter_map(|flow| flow.talk.as_mut());
            talks.for_each(|talk| talk.end_recount());
        }
    }

    /// Whether something that was heard late gives earlier messages another name: then only
    /// hearing everything once more, with `recall`, tells all of them.
    pub fn revised(&self) -> bool {
        self.revised
    }

    /// Forgets which requests wait, before the packets are heard once more.
    pub fn rewind(&mut self) {
        let talks = self.all.iter_mut().filter_map(|f| f.talk.as_mut());
        talks.for_each(|talk| talk.rewind());
    }

    /// Word came that a packet did not arrive; kept with its flow.
    pub fn fail(&mut self, sent: PacketMeta, from: IpAddr, what: String) {
        let Some((id, forward)) = self.place(sent) else {
            self.left_out += 1;
            return;
        };
        let (number, time) = (sent.number, sent.time);
        self.keep_error(id, IcmpNotice { number, time, from, what, forward });
    }

    /// Which message a payload that went this way in a flow is, as known by now.
    fn name(&mut self, id: FlowId, sent: PacketMeta, forward: bool, payload: &[u8]) -> Recognition {
        let mut room = self.room.take().unwrap_or_default();
        let context = self.flow(id).map(|flow| self.context(id, flow, sent, forward));
        let known = context.map(|context| recognise(payload, &context, &mut room));
        self.room = Some(room);
        known.unwrap_or(Recognition::Nothing)
    }

    fn context<'a>(
        &'a self,
        id: FlowId,
        flow: &'a Flow,
        sent: PacketMeta,
        forward: bool,
    ) -> Context<'a> {
        let [a, b] = flow.ends.map(|end| self.endpoint(end));
        Context {
            carrier: carrier(sent.transport),
            ports: [sent.source.port(), sent.destination.port()],
            ends: if forward { [a, b] } else { [b, a] },
            talk: flow.talk.as_deref(),
            told: self.decode_as(id, flow).map(|told| told.game),
            manners: self.manners,
            time: sent.time,
            forward,
            cut: sent.cut,
        }
    }

    /// A message of a flow that is not kept: named by itself and its ports alone.
    fn untracked(&self, sent: PacketMeta, payload: &[u8]) -> Classified {
        let context = Context {
            carrier: carrier(sent.transport),
            ports: [sent.source.port(), sent.destination.port()],
            ends: [None; 2],
            talk: None,
            told: None,
            manners: self.manners,
            time: sent.time,
            forward: true,
            cut: sent.cut,
        };
        let mut room = RecogniseBuffers::default();
        let known = recognise(payload, &context, &mut room).message();
        let message = known.map(|known| RecognisedMessage::alone(known.entry, payload));
        Classified { flow: FlowId(0), forward: true, message }
    }

    /// Recognises a datagram, and learns from it.
    fn classify(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        payload: &[u8],
    ) -> Option<RecognisedMessage> {
        let known = match self.name(id, sent, forward, payload) {
            Recognition::Message(known) => known,
            Recognition::Suspect(entry, place) => {
                self.suspect(id, sent, forward, (entry, place as u16), payload);
                self.measure(id);
                return None;
            }
            Recognition::Nothing => {
                self.flow_mut(id)?.others += 1;
                return None;
            }
        };
        let named = self.pair(id, sent, forward, known, payload);
        self.learn(id, forward, known, named, (payload, sent.cut));
        self.measure(id);
        Some(named)
    }

    /// A datagram is no message for all that is known; by weak magic it may be one, which an answer
    /// would confirm.
    fn suspect(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        (entry, place): (&'static Entry, u16),
        payload: &[u8],
    ) {
        let Some(flow) = self.flow_mut(id) else {
            return;
        };
        flow.others += 1;
        let name = entry.spec.name_of(payload, None);
        let talk = flow.talk.get_or_insert_default();
        talk.suspect(place, name);
        let places = Places::of([place.into()]);
        talk.requests.wait(places, name, sent.number, sent.time, forward);
    }

    fn learn(
        &mut self,
        id: FlowId,
        forward: bool,
        known: Recognised,
        RecognisedMessage { name, answers, .. }: RecognisedMessage,
        (payload, cut): (&[u8], bool),
    ) {
        let answers = answers.is_some();
        let Recognised { entry, place, protocol, alone, proves, .. } = known;
        let has_room = self.has_room();
        let Some(MessageTraits { mostly, telling, shared_with, .. }) = self.manners.get(place)
        else {
            return;
        };
        let Some(flow) = id.0.checked_sub(1).and_then(|i| self.all.get_mut(i as usize)) else {
            return;
        };
        let talk = flow.talk.get_or_insert_default();
        let how = Learnt { forward, alone };
        // Its like was heard before, and all that it tells is known.
        if talk.count(place as u16, name).is_some_and(|kind| kind.is_learnt(how)) {
            return;
        }
        let [a, b] = flow.ends;
        let (from, to) = if forward { (a, b) } else { (b, a) };
        // A word that games of other protocols have too proves nothing of whoever says it; what
        // stands behind it may, and that it answers what was asked tells of this conversation.
        let is_own = alone
            && (shared_with.is_empty() || {
                let room = self.room.get_or_insert_default();
                evidence::gather(entry, (payload, cut), &mut room.reading, &mut room.reasons);
                room.reasons.iter().any(|reason| reason.sure >= Confidence::Number)
            });
        let alone = is_own || alone && answers;
        if alone {
            self.revised |= talk.shared.without(protocol) && !talk.spoken.has(protocol);
            talk.spoken = talk.spoken.with(protocol);
        } else if answers {
            // Of the two, an answer tells more.
            self.revised |= talk.shared.without(protocol);
            talk.shared = Protocols::default().with(protocol);
        } else {
            talk.shared = talk.shared.with(protocol);
        }
        for (end, party, likely) in [(to, proves.to, mostly.to), (from, proves.from, mostly.from)] {
            match (self.endpoints.get_mut(end as usize), party, likely) {
                (Some(end), Some(party), _) => end.prove(party),
                (Some(end), None, Some(party)) => end.suppose(party),
                _ => {}
            }
        }
        let Some(sender) = self.endpoints.get_mut(from as usize) else {
            return;
        };
        // A server says what it is; a client says so of itself, and of this conversation.
        let of_server = proves.from == Some(Role::Server);
        if is_own && (of_server || proves.from == Some(Role::Master)) {
            self.revised |= sender.shared.without(protocol) && !sender.spoken.has(protocol);
            sender.spoken = sender.spoken.with(protocol);
        }
        let open = *telling
            && has_room
            && (sender.evidence.is_open() || !of_server && talk.evidence.is_open());
        if open {
            let room = self.room.get_or_insert_default();
            evidence::gather(entry, (payload, cut), &mut room.reading, &mut room.reasons);
            if sender.evidence.is_open() && proves.from != Some(Role::Master) {
                let before = sender.evidence.weigh();
                sender.evidence.add(&room.reasons);
                self.weight += sender.evidence.weigh() - before;
            }
            if !of_server && talk.evidence.is_open() {
                talk.evidence.add(&room.reasons);
            }
        } else {
            talk.know(place as u16, name, how);
        }
        if !alone {
            for end in [from, to] {
                if let Some(end) = self.endpoints.get_mut(end as usize) {
                    end.shared = end.shared.with(protocol);
                }
            }
        }
    }

    /// What a message is called, what it answers, and what that says of it. The answer to a
    /// suspected message confirms it, and its like in this flow.
    fn pair(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        known: Recognised,
        payload: &[u8],
    ) -> RecognisedMessage {
        let Recognised { entry, place, protocol, .. } = known;
        let (Some(manner), Some(flow)) = (self.manners.get(place), self.flow_mut(id)) else {
            return RecognisedMessage::alone(entry, payload);
        };
        let talk = flow.talk.get_or_insert_default();
        // By the part of an answer that was captured nobody knows which of its like it is.
        let is_part = sent.cut && entry.spec.named.is_some();
        let alone = if is_part { "" } else { entry.spec.name_of(payload, None) };
        let answered =
            talk.requests.answered_by((place as u16, &manner.answers), alone, sent.time, forward);
        let spec = &entry.spec;
        let mut part = spec.part.and_then(|part| part(payload));
        // A list that its client goes on to ask for is counted here.
        if let Some(part) = part.as_mut().filter(|part| part.index == 0) {
            part.index = talk.chain.saturating_add(1);
            talk.chain = if part.last { 0 } else { part.index };
        }
        // What is named by content in part is named as the first part that was seen.
        let same = talk.parts.filter(|(reply, _)| part.is_some_and(|p| p.reply == *reply));
        let name = match (answered, same) {
            (None, Some((_, name))) => name,
            (answered, _) => spec.name_of(payload, answered.map(|a| a.name)),
        };
        talk.parts = part.map(|p| (p.reply, name)).or(talk.parts);
        let validation = spec.validation.zip(talk.challenge.as_deref());
        let validation =
            validation.and_then(|(validates, challenge)| validates(payload, challenge));
        if let Some(challenge) = spec.challenge.and_then(|challenge| challenge(payload)) {
            talk.challenge = Some(challenge.get(..CHALLENGE).unwrap_or(challenge).into());
        }
        // An answer may be a question too: Half-Life's challenge is.
        if manner.asked {
            talk.requests.wait(known.places, name, sent.number, sent.time, forward);
        }
        let Some(answered) = answered else {
            return RecognisedMessage { entry, name, answers: None, part, validation };
        };
        let asked = protocol::entries().get(usize::from(answered.place));
        let was_weak = asked.is_some_and(|asked| asked.spec.magic == Magic::Weak);
        if was_weak && !talk.confirmed.has(protocol) {
            let confirmed = talk.confirm(protocol);
            flow.others = flow.others.saturating_sub(confirmed);
            self.revised |= confirmed > 0;
        }
        RecognisedMessage {
            entry,
            name,
            answers: Some(answered.number),
            part: part.or(answered.part()),
            validation,
        }
    }
}

impl RecognisedMessage {
    /// A message of which nothing is known but itself.
    fn alone(entry: &'static Entry, payload: &[u8]) -> Self {
        let name = entry.spec.name_of(payload, None);
        Self { entry, name, answers: None, part: None, validation: None }
    }
}

fn carrier(transport: Transport) -> Carrier {
    match transport {
        Transport::Udp => Carrier::Datagram,
        Transport::Tcp => Carrier::Stream,
    }
}
