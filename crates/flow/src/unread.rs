//! Datagrams of a flow that no protocol reads, and which of them are shown: those of a known game
//! that are not its running traffic, and if the user wants that, those of which nothing is known.

use super::table::Flows;
use super::{FlowId, PacketMeta, RecognisedMessage, Transport, Unrecognised, Verdict};
use protocol::{Entry, ExchangeKind, Role};
use protocols::unknown;

/// How many NULs may stand before the mark of a message outside of any connection.
const NULS: usize = 8;
/// That mark, in the protocols that have one.
const MARK: &[u8] = b"\xff\xff\xff\xff";

/// Counts of the datagrams of a flow that no protocol reads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unread {
    /// Those with the mark of a message.
    marked: u64,
    /// The others, forward and back.
    plain: [u64; 2],
    /// Whether the flow's endpoints have sent requests, forward and back.
    asked: [bool; 2],
    /// Whether a player asked to be let in.
    has_player: bool,
    /// Whether the capture has a part of a datagram that was perhaps the request for another one.
    has_cut: bool,
    /// How many were shown in the first pass.
    shown: u64,
}

impl Unread {
    /// A request was sent in this direction.
    pub fn add_request(&mut self, forward: bool, request: &Entry) {
        let [there, back] = &mut self.asked;
        *if forward { there } else { back } = true;
        self.has_player |= request.spec.exchange == ExchangeKind::Connection;
    }

    /// Whether a datagram without mark in this direction may be an answer: there was a request in the
    /// other one, and no running game, which begins with a player's request and sends both ways.
    fn may_answer(&self, forward: bool) -> bool {
        if self.has_player || self.has_cut {
            return false;
        }
        let [there, back] = self.asked;
        let [plain_there, plain_back] = self.plain;
        if forward { back && plain_back == 0 } else { there && plain_there == 0 }
    }

    /// How many are no running traffic of a known game.
    fn odd(&self) -> u64 {
        let [there, back] = self.plain;
        let answers = |forward: bool, count: u64| if self.may_answer(forward) { count } else { 0 };
        self.marked + answers(true, there) + answers(false, back)
    }
}

/// Whether a datagram that no protocol reads is one that was captured whole: of another one the
/// bytes that are missing may be the reason.
fn is_judged(sent: PacketMeta, payload: Unrecognised<'_>) -> bool {
    sent.transport == Transport::Udp && !sent.cut && !payload.is_assembled
}

/// Whether bytes begin as a message outside of any connection does, perhaps after NULs.
fn is_marked(bytes: &[u8]) -> bool {
    let nuls = bytes.iter().take(NULS).take_while(|byte| **byte == 0).count();
    bytes.get(nuls..).is_some_and(|rest| rest.starts_with(MARK))
}

impl Flows {
    /// The same; whether datagrams of flows of which nothing is known are messages too.
    #[must_use]
    pub fn showing_unknown(mut self, shows: bool) -> Self {
        self.shows_unknown = shows;
        self
    }

    /// Whether datagrams of flows of which nothing is known are messages too.
    pub fn shows_unknown(&self) -> bool {
        self.shows_unknown
    }

    /// Counts a datagram that no protocol reads. Returns what it is shown as, by the evidence so far.
    pub(super) fn add_unread(
        &mut self,
        (id, forward): (FlowId, bool),
        sent: PacketMeta,
        payload: Unrecognised<'_>,
    ) -> Option<RecognisedMessage> {
        let flow = self.flow_mut(id)?;
        flow.others += 1;
        if let Some(state) = flow.state.as_mut().filter(|_| sent.cut) {
            state.unread.has_cut = true;
        }
        if is_judged(sent, payload) {
            if is_marked(payload.bytes) {
                flow.state.get_or_insert_default().unread.marked += 1;
                self.measure(id);
            } else if let Some(state) = &mut flow.state {
                let [there, back] = &mut state.unread.plain;
                *if forward { there } else { back } += 1;
            }
        }
        let shown = self.unread_message((id, forward), sent, payload)?;
        if let Some(state) = self.flow_mut(id).and_then(|flow| flow.state.as_mut()) {
            state.unread.shown += 1;
        }
        Some(shown)
    }

    /// What a datagram that no protocol reads is shown as; `None` for traffic of a running game.
    pub(super) fn unread_message(
        &self,
        (id, forward): (FlowId, bool),
        sent: PacketMeta,
        payload: Unrecognised<'_>,
    ) -> Option<RecognisedMessage> {
        let is_shown = if self.is_known(id) {
            let unread = self.flow(id)?.state.as_ref().map(|state| state.unread);
            let may_answer = || unread.is_some_and(|unread| unread.may_answer(forward));
            is_judged(sent, payload) && (is_marked(payload.bytes) || may_answer())
        } else {
            self.shows_unknown && sent.transport == Transport::Udp && !payload.is_assembled
        };
        is_shown.then(|| RecognisedMessage::alone(unknown::DATAGRAM, payload.bytes))
    }

    /// Whether the game of a flow is known: by its messages, its server, or the user.
    fn is_known(&self, id: FlowId) -> bool {
        let Some(flow) = self.flow(id) else { return false };
        let has_messages = || flow.state.as_ref().is_some_and(|state| !state.seen().is_empty());
        let mut ends = flow.ends.iter().filter_map(|end| self.endpoint(*end));
        has_messages()
            || ends.any(|end| end.is_proven(Role::Server))
            || self.decode_as(id, flow).is_some()
    }

    /// The game of a flow with datagrams that no protocol reads.
    pub(super) fn game_of_unread(&self, id: FlowId) -> Option<Verdict> {
        self.verdict(id)
            .or_else(|| self.in_game_of(id))
            .or_else(|| self.chosen(id))
            .or_else(|| super::judge::first_of(&unknown::PROTOCOL))
    }

    /// How many datagrams of a flow are shown as unknown, by the evidence so far.
    pub(super) fn unknown_of(&self, id: FlowId) -> u64 {
        let Some(flow) = self.flow(id) else { return 0 };
        let (Transport::Udp, _) = flow.key.ends() else { return 0 };
        if self.is_known(id) {
            flow.state.as_ref().map_or(0, |state| state.unread.odd())
        } else if self.shows_unknown {
            flow.others
        } else {
            0
        }
    }

    /// Ends the first pass. Where later evidence shows other datagrams than were shown, messages are
    /// revised.
    pub fn end_first_pass(&mut self) {
        let differs = |(id, flow): (FlowId, &super::Flow)| {
            let shown = flow.state.as_ref().map_or(0, |state| state.unread.shown);
            self.unknown_of(id) != shown
        };
        self.revised |= self.shows_unknown || self.iter().any(differs);
    }
}
