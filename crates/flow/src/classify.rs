//! Classifies each packet: which message it is, what it proves, which request it answers.

use std::net::IpAddr;
use std::sync::Arc;

use super::evidence::{self, FoundReason};
use super::flow_state::Learnt;
use super::icmp_errors::IcmpNotice;
use super::lookup::FlowHint;
use super::recognise::{Context, RecogniseBuffers, Recognised, Recognition, recognise};
use super::requests::{NewRequest, PossibleAnswer, PossibleRequests};
use super::table::{Flow, Flows};
use super::{Classified, FlowId, PacketMeta, RecognisedMessage, Unrecognised};
use protocol::{Confidence, Entry, Magic, RegisteredMessage, Role};

/// How many bytes of a challenge are kept; real ones are far shorter.
const CHALLENGE: usize = 128;

impl Flows {
    /// Classifies a datagram.
    pub fn observe(&mut self, sent: PacketMeta, payload: &[u8]) -> Classified {
        let candidates = self.registry.candidate_ids(crate::carrier(sent.transport), payload);
        let payload = Unrecognised { bytes: payload, candidates: &candidates, is_assembled: false };
        self.observe_at(self.hint(sent), sent, payload)
    }

    /// The same for a datagram that was prefetched.
    pub fn observe_at(
        &mut self,
        hint: FlowHint,
        sent: PacketMeta,
        payload: Unrecognised<'_>,
    ) -> Classified {
        match self.count(hint, sent, payload.bytes.len()) {
            Some((flow, forward)) => {
                Classified { flow, forward, message: self.classify(flow, sent, forward, payload) }
            }
            None => self.untracked(sent, payload),
        }
    }

    /// Counts the payload of a datagram or a segment that was prefetched; the messages of a stream
    /// come by `observe_stream`. Returns the flow, and whether the direction is forward; `None` if
    /// the table is full.
    pub fn count(
        &mut self,
        hint: FlowHint,
        sent: PacketMeta,
        length: usize,
    ) -> Option<(FlowId, bool)> {
        let Some((id, forward)) = self.find_or_insert(hint, sent) else {
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

    /// Classifies a message of a stream whose segments were counted; the last of them is `sent`.
    pub fn observe_stream(&mut self, sent: PacketMeta, payload: Unrecognised<'_>) -> Classified {
        let Some((id, forward)) = self.find(sent) else {
            return self.untracked(sent, payload);
        };
        Classified { flow: id, forward, message: self.classify(id, sent, forward, payload) }
    }

    /// Classifies the same datagram or stream message in the second pass, with all evidence.
    /// Nothing is counted again; only requests and replies are paired again.
    pub fn reclassify(&mut self, sent: PacketMeta, payload: &[u8]) -> Classified {
        let candidates = self.registry.candidate_ids(crate::carrier(sent.transport), payload);
        let payload = Unrecognised { bytes: payload, candidates: &candidates, is_assembled: false };
        self.observe_again(sent, payload)
    }

    /// The same for a payload whose candidates are known.
    pub fn observe_again(&mut self, sent: PacketMeta, payload: Unrecognised<'_>) -> Classified {
        let Some((id, forward)) = self.find(sent) else {
            return self.untracked(sent, payload);
        };
        let known = match self.recognise(id, sent, forward, payload) {
            Recognition::Message(known) => Some(known),
            Recognition::Suspect(_) => None,
            Recognition::Nothing => {
                let message = self.unread_message((id, forward), sent, payload);
                return Classified { flow: id, forward, message };
            }
        };
        let message = known.map(|known| self.pair(id, sent, forward, known, payload.bytes));
        if let (true, Some(known), Some(recognised)) = (self.revised, known, &message)
            && let Some(state) = self.flow_mut(id).and_then(|flow| flow.state.as_mut())
        {
            state.recount(known.message, recognised.name);
        }
        self.measure(id);
        Classified { flow: id, forward, message }
    }

    /// Ends the second pass. Where it gave messages other names, the counts by these names replace
    /// the old ones, so that a flow is judged by the final messages.
    pub fn end_second_pass(&mut self) {
        if self.revised {
            let states = self.all.iter_mut().filter_map(|flow| flow.state.as_mut());
            states.for_each(|state| state.end_recount());
        }
    }

    /// Whether late evidence gives earlier messages another name: then a second pass, with
    /// `reclassify`, is needed.
    pub fn revised(&self) -> bool {
        self.revised
    }

    /// Forgets pending requests before the second pass.
    pub fn rewind(&mut self) {
        let states = self.all.iter_mut().filter_map(|f| f.state.as_mut());
        states.for_each(|state| state.rewind());
    }

    /// Adds an ICMP error about a packet to its flow; `frame` is the link type (LINKTYPE) of its frame,
    /// and the beginning of that.
    pub fn add_icmp_error(
        &mut self,
        sent: PacketMeta,
        from: IpAddr,
        what: String,
        frame: (u16, Arc<[u8]>),
    ) {
        let Some((id, forward)) = self.find_or_insert(self.hint(sent), sent) else {
            self.left_out += 1;
            return;
        };
        let PacketMeta { number, time, input, .. } = sent;
        self.keep_error(id, IcmpNotice { number, time, from, what, forward, input, frame });
    }

    /// Which message a payload in this direction of a flow is, by the evidence so far.
    fn recognise(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        payload: Unrecognised<'_>,
    ) -> Recognition {
        let mut buffers = self.buffers.get_mut().take().unwrap_or_default();
        let context = self.flow(id).map(|flow| self.context(id, flow, sent, forward));
        let known = context.map(|context| recognise(payload, &context, &mut buffers));
        *self.buffers.get_mut() = Some(buffers);
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
            ends: if forward { [a, b] } else { [b, a] },
            state: flow.state.as_deref(),
            decode_as: self.decode_as(id, flow).map(|choice| choice.game),
            forward,
            ..Context::from_packet(sent, self.registry)
        }
    }

    /// A message of an untracked flow: classified by its content and ports alone.
    fn untracked(&self, sent: PacketMeta, payload: Unrecognised<'_>) -> Classified {
        let mut buffers = RecogniseBuffers::default();
        let known =
            recognise(payload, &Context::from_packet(sent, self.registry), &mut buffers).message();
        let alone =
            |known: Recognised| RecognisedMessage::alone(known.message.entry, payload.bytes);
        let message = known.map(alone);
        Classified { flow: FlowId(0), forward: true, message }
    }

    /// Recognises a datagram, and adds its evidence.
    fn classify(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        payload: Unrecognised<'_>,
    ) -> Option<RecognisedMessage> {
        let known = match self.recognise(id, sent, forward, payload) {
            Recognition::Message(known) => known,
            Recognition::Suspect(message) => {
                self.suspect(id, sent, forward, message, payload.bytes);
                self.measure(id);
                return None;
            }
            Recognition::Nothing => return self.add_unread((id, forward), sent, payload),
        };
        let recognised = self.pair(id, sent, forward, known, payload.bytes);
        self.learn((id, forward), known, recognised, sent, payload.bytes);
        self.measure(id);
        Some(recognised)
    }

    /// A datagram that is no recognised message; by weak magic it may be one, which an answer would
    /// confirm.
    fn suspect(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        message: &'static RegisteredMessage,
        payload: &[u8],
    ) {
        let Some(flow) = self.flow_mut(id) else {
            return;
        };
        flow.others += 1;
        let name = message.entry.spec.name_of(payload, None);
        let state = flow.state.get_or_insert_default();
        state.suspect(message, name);
        let possible = PossibleRequests::from_messages([message.id]);
        let request = NewRequest::new(possible, message.entry, name, sent, payload);
        state.requests.add_request(request, sent.time, forward);
    }

    fn learn(
        &mut self,
        (id, forward): (FlowId, bool),
        known: Recognised,
        RecognisedMessage { name, answers, .. }: RecognisedMessage,
        PacketMeta { time, cut, .. }: PacketMeta,
        payload: &[u8],
    ) {
        let answers = answers.is_some();
        let Recognised { message, unambiguous: alone, proves, .. } = known;
        let &RegisteredMessage { protocol, likely, shared_with, .. } = message;
        let has_room = self.has_room();
        let Some(flow) = id.0.checked_sub(1).and_then(|i| self.all.get_mut(i as usize)) else {
            return;
        };
        let state = flow.state.get_or_insert_default();
        let how = Learnt { forward, unambiguous: alone };
        // A message of this kind was seen before, and adds no evidence.
        if state.count(message, name).is_some_and(|kind| kind.is_learnt(how)) {
            return;
        }
        let [a, b] = flow.ends;
        let (from, to) = if forward { (a, b) } else { (b, a) };
        // A command that several games share proves no role of its sender; the content after it
        // may, and as an answer to a request it is evidence for this flow.
        let is_shared = alone && !shared_with.is_empty();
        let buffers = self.buffers.get_mut().get_or_insert_default();
        let RecogniseBuffers { reading, reasons } = &mut **buffers;
        if is_shared {
            evidence::gather(message, (payload, cut), reading, reasons);
        }
        let is_strong = |reason: &FoundReason| reason.confidence >= Confidence::Number;
        let is_own = alone && (!is_shared || reasons.iter().any(is_strong));
        let alone = is_own || alone && answers;
        if alone {
            self.revised |= state.shared.has_others_than(protocol) && !state.spoken.meets(protocol);
            state.spoken = state.spoken.and(protocol);
        } else if answers {
            // Of the two, an answer is stronger evidence.
            self.revised |= state.shared.has_others_than(protocol);
            state.shared = protocol;
        } else {
            state.shared = state.shared.and(protocol);
        }
        for (end, proven, likely, is_sender) in
            [(to, proves.to, likely.to, false), (from, proves.from, likely.from, true)]
        {
            match (self.endpoints.get_mut(end as usize), proven, likely) {
                (Some(end), Some(role), _) => end.prove(role, message.entry, is_sender),
                (Some(end), None, Some(role)) => end.make_likely(role),
                _ => {}
            }
        }
        let Some(sender) = self.endpoints.get_mut(from as usize) else {
            return;
        };
        // Evidence about a server counts for the server; about a client, for the client and this
        // flow.
        let of_server = proves.from == Some(Role::Server);
        if is_own && (of_server || proves.from == Some(Role::Master)) {
            self.revised |=
                sender.shared.has_others_than(protocol) && !sender.spoken.meets(protocol);
            sender.spoken = sender.spoken.and(protocol);
        }
        let is_open = |of: &evidence::Evidence| of.is_open() && !of.has_kind(message, time);
        let of_sender = is_open(&sender.evidence) && proves.from != Some(Role::Master);
        let of_flow = !of_server && is_open(&state.evidence);
        if message.has_signature() && has_room && (of_sender || of_flow) {
            if !is_shared {
                evidence::gather(message, (payload, cut), reading, reasons);
            }
            if of_sender {
                let before = sender.evidence.weigh();
                sender.evidence.add_reasons(message, time, reasons, 0);
                self.weight += sender.evidence.weigh() - before;
            }
            if of_flow {
                state.evidence.add_reasons(message, time, reasons, 0);
            }
        } else {
            state.know(message, name, how);
        }
        if !alone {
            for end in [from, to] {
                if let Some(end) = self.endpoints.get_mut(end as usize) {
                    end.shared = end.shared.and(protocol);
                }
            }
        }
    }

    /// The name of a message, the request that it answers, and what that proves. The answer to a
    /// suspected message confirms it, and others of its kind in this flow.
    fn pair(
        &mut self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        known: Recognised,
        payload: &[u8],
    ) -> RecognisedMessage {
        let &RegisteredMessage { entry, id: kind, protocol, ref answers, ref replaces, .. } =
            known.message;
        let registry = self.registry;
        let Some(flow) = self.flow_mut(id) else {
            return RecognisedMessage::alone(entry, payload);
        };
        let state = flow.state.get_or_insert_default();
        // If the answer is cut, its kind cannot be determined among those with the same beginning.
        let is_part = sent.cut && entry.spec.named.is_some();
        let spec = &entry.spec;
        let name = || if is_part { "" } else { spec.name_of(payload, None) };
        let identifier = || spec.returns.filter(|_| !sent.cut).and_then(|returns| returns(payload));
        let answer = PossibleAnswer { kind, answers, replaces, name, identifier };
        let answered = state.requests.answered_by(answer, sent.time, forward);
        let mut part = spec.part.and_then(|part| part(payload));
        // The packets of a list that the client requests one by one are counted here.
        if let Some(part) = part.as_mut().filter(|part| part.index == 0) {
            part.index = state.chain.saturating_add(1);
            state.chain = if part.last { 0 } else { part.index };
        }
        // A part whose name depends on the content of another part gets the name of the first part
        // seen.
        let same = state.parts.filter(|(reply, _)| part.is_some_and(|p| p.reply == *reply));
        let name = match (answered, same) {
            (None, Some((_, name))) => name,
            (answered, _) => spec.name_of(payload, answered.map(|a| a.name)),
        };
        state.parts = part.map(|p| (p.reply, name)).or(state.parts);
        let validation = spec.validation.zip(state.challenge.as_deref());
        let validation =
            validation.and_then(|(validates, challenge)| validates(payload, challenge));
        if let Some(challenge) = spec.challenge.and_then(|challenge| challenge(payload)) {
            state.challenge = Some(challenge.get(..CHALLENGE).unwrap_or(challenge).into());
        }
        // An answer may be a request too: Half-Life's challenge is.
        if entry.is_request() {
            state.unread.add_request(forward, entry);
            let request = NewRequest::new(known.possible, entry, name, sent, payload);
            state.requests.add_request(request, sent.time, forward);
        }
        let Some(answered) = answered else {
            return RecognisedMessage { entry, name, answers: None, part, validation };
        };
        let request = registry.message(answered.id);
        let was_weak = request.is_some_and(|request| request.entry.spec.magic == Magic::Weak);
        if was_weak && !state.confirmed.meets(protocol) {
            let confirmed = state.confirm(protocol);
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
    /// A message that is classified by its content alone.
    pub(super) fn alone(entry: &'static Entry, payload: &[u8]) -> Self {
        let name = entry.spec.name_of(payload, None);
        Self { entry, name, answers: None, part: None, validation: None }
    }
}
