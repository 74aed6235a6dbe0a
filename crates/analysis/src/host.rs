//! The data of one server, and of one master.

use std::net::SocketAddr;

use super::input_indices::InputIndices;
use super::registration_stats::{Moment, RegistrationStats};
use super::sent_times::SentTimes;
use super::values::TextValue;
use flow::Verdict;

/// A server, by the address that queries go to.
#[derive(Debug, Clone)]
pub struct ServerHost {
    /// Its address and port.
    pub address: SocketAddr,
    /// The inputs with messages in which it was seen.
    pub inputs: InputIndices,
    /// The game, from its messages and queries to it; nothing if it was only listed.
    pub verdict: Option<Verdict>,
    /// The latest value of each detail that it reported.
    pub name: Option<TextValue>,
    /// The map that it said last.
    pub map: Option<TextValue>,
    /// The protocol number that it said last.
    pub protocol: Option<TextValue>,
    /// The game name that it sent to a master: `Quake3Arena`, `Xonotic`.
    pub gamename: Option<TextValue>,
    /// What it told a master last by which lists are filtered: keys and values, as an infostring.
    pub filtered: Option<TextValue>,
    /// Players by its last answer.
    pub players: Option<i64>,
    /// Places for players by its last answer.
    pub max_players: Option<i64>,
    /// When it sent them.
    pub detail_times: DetailTimes,
    /// When its address first occurred in any message.
    pub seen: Moment,
    /// When it first answered.
    pub answered: Option<Moment>,
    /// When it last sent a heartbeat, an answer or one of its details, in nanoseconds since the Unix
    /// epoch.
    pub last_sent: Option<i64>,
    /// When it sent them, as far as shutdowns are judged by that.
    pub sent: SentTimes,
    /// Its registrations with masters, the first 16; two masters at one address are two.
    pub registrations: Vec<RegistrationStats>,
    /// When it sent a shutdown message.
    pub shutdown: Option<Moment>,
    /// Its size in memory when it was last computed, in bytes.
    pub(super) weight: u32,
    /// The memory limit is reached: nothing more is added.
    pub(super) full: bool,
    /// What it told a master last by which lists are filtered is not kept, for lack of memory.
    pub(super) has_forgotten: bool,
}

/// When a server last sent each detail, in nanoseconds since the Unix epoch; 0 if it never did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DetailTimes {
    pub name: i64,
    pub map: i64,
    pub protocol: i64,
    pub players: i64,
    pub max_players: i64,
}

/// A master, by the address that requests go to.
#[derive(Debug, Clone)]
pub struct MasterHost {
    /// Its address and port.
    pub address: SocketAddr,
    /// The inputs with messages in which it was seen.
    pub inputs: InputIndices,
    /// The game that its messages indicate.
    pub verdict: Verdict,
    /// The first and the last message.
    pub seen: Moment,
    /// Heartbeats that it received.
    pub heartbeats: u64,
    /// Number of list requests to it, and number of lists from it.
    pub list_requests: u64,
    /// Lists that it sent.
    pub lists: u64,
    /// Of its lists: servers, packets, bytes; and bytes of the requests.
    pub servers: Range,
    /// Packets in one list.
    pub packets: Range,
    /// Payload bytes of one list.
    pub bytes: Range,
    /// Payload bytes of the requests for lists.
    pub request_bytes: u64,
    /// How its packets end: with an end mark, with a part of one, without one.
    pub ends: [u64; 3],
}

/// The minimum, the maximum and the sum of a series of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
    /// Their sum.
    pub sum: u64,
}

impl ServerHost {
    /// A server of which only the address is known.
    pub(super) fn new(address: SocketAddr, seen: Moment) -> Self {
        Self {
            address,
            inputs: InputIndices::from_input(seen.input()),
            verdict: None,
            name: None,
            map: None,
            protocol: None,
            gamename: None,
            filtered: None,
            players: None,
            max_players: None,
            detail_times: DetailTimes::default(),
            seen,
            answered: None,
            last_sent: None,
            sent: SentTimes::default(),
            registrations: Vec::new(),
            shutdown: None,
            weight: 0,
            full: false,
            has_forgotten: false,
        }
    }

    /// Whether it sent anything itself: a heartbeat, an answer, its details. Otherwise it was only
    /// listed or queried.
    pub fn has_sent(&self) -> bool {
        self.last_sent.is_some()
    }

    /// The id of its game; empty if it was only listed.
    pub fn game_id(&self) -> &'static str {
        self.verdict.map_or("", |verdict| verdict.game.id)
    }

    /// Records that it sent something, a heartbeat or another message; messages come in order.
    pub(super) fn sends(&mut self, verdict: Verdict, time: i64, is_heartbeat: bool) {
        self.verdict = Some(verdict);
        self.last_sent = self.last_sent.max(Some(time));
        self.sent.add_time(time, is_heartbeat);
    }

    /// Its size in memory, in bytes.
    pub(super) fn weigh(&self) -> u32 {
        let Self { name, map, protocol, gamename, filtered, .. } = self;
        let texts = [name, map, protocol, gamename, filtered].into_iter().flatten();
        let texts: usize = texts.map(|text| text.len()).sum();
        let stats = size_of::<RegistrationStats>() * self.registrations.capacity();
        let own: usize = self.registrations.iter().map(RegistrationStats::weigh).sum();
        (size_of::<Self>() + stats + own + texts + self.inputs.weigh() + self.sent.weigh()) as u32
    }

    /// The moments that tell of it, beside those of its exchanges: when it was first seen, and what
    /// masters listed.
    pub fn moments(&self) -> impl Iterator<Item = Moment> {
        self.registrations.iter().flat_map(RegistrationStats::moments).chain([self.seen])
    }

    /// Heartbeats to all masters.
    pub fn heartbeats(&self) -> u64 {
        self.registrations.iter().map(|d| u64::from(d.heartbeats())).sum()
    }
}

impl Range {
    pub(super) fn add_number(&mut self, number: u64, first: bool) {
        self.min = if first { number } else { self.min.min(number) };
        self.max = self.max.max(number);
        self.sum += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_ref::FrameRef;
    use flow::FlowId;

    #[test]
    fn every_text_of_a_server_counts() {
        let frame = FrameRef { number: 1, flow: FlowId(1), input: 0 };
        let mut server = ServerHost::new(([192, 0, 2, 1], 27960).into(), Moment::new(frame, 0));
        let mut before = server.weigh();
        let texts: [fn(&mut ServerHost) -> &mut Option<TextValue>; 5] = [
            |server| &mut server.name,
            |server| &mut server.map,
            |server| &mut server.protocol,
            |server| &mut server.gamename,
            |server| &mut server.filtered,
        ];
        for text in texts {
            *text(&mut server) = Some(vec![b'x'; 200].into());
            assert_eq!(server.weigh(), before + 200);
            before = server.weigh();
        }
    }
}
