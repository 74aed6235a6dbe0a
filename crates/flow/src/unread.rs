//! Datagrams of a flow that no protocol reads, and which of them are shown: those of a known game
//! that are not its running traffic, and if the user wants that, those of which nothing is known.

use super::table::Flows;
use super::{FlowId, PacketMeta, RecognisedMessage, Transport, Verdict};
use protocol::Role;
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
    /// How many were shown in the first pass.
    shown: u64,
}

impl Unread {
    /// A request was sent in this direction.
    pub fn add_request(&mut self, forward: bool) {
        self.asked[usize::from(!forward)] = true;
    }

    /// Whether a datagram without mark in this direction may be an answer: there was a request in the
    /// other one. A running game sends both ways.
    fn may_answer(&self, forward: bool) -> bool {
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
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        bytes: &[u8],
    ) -> Option<RecognisedMessage> {
        let flow = self.flow_mut(id)?;
        flow.others += 1;
        let is_marked = is_marked(bytes);
        if sent.transport == Transport::Udp && (is_marked || flow.state.is_some()) {
            let unread = &mut flow.state.get_or_insert_default().unread;
            if is_marked {
                unread.marked += 1;
            } else if let Some(plain) = unread.plain.get_mut(usize::from(!forward)) {
                *plain += 1;
            }
            if is_marked {
                self.measure(id);
            }
        }
        let shown = self.unread_message(id, sent, forward, bytes)?;
        if let Some(state) = self.flow_mut(id).and_then(|flow| flow.state.as_mut()) {
            state.unread.shown += 1;
        }
        Some(shown)
    }

    /// What a datagram that no protocol reads is shown as; `None` for traffic of a running game.
    pub(super) fn unread_message(
        &self,
        id: FlowId,
        sent: PacketMeta,
        forward: bool,
        bytes: &[u8],
    ) -> Option<RecognisedMessage> {
        if sent.transport != Transport::Udp {
            return None;
        }
        let unread = self.flow(id)?.state.as_ref().map(|state| state.unread).unwrap_or_default();
        let is_shown = if self.is_known(id) {
            is_marked(bytes) || unread.may_answer(forward)
        } else {
            self.shows_unknown
        };
        is_shown.then(|| RecognisedMessage::alone(unknown::DATAGRAM, bytes))
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
    pub fn unknown_of(&self, id: FlowId) -> u64 {
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
