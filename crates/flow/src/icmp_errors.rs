//! ICMP errors about the packets of flows.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::FlowId;
use super::room::allocated;
use super::table::{Flow, Flows};

/// How many ICMP errors a flow keeps with their text (of a dead master those of a day), and how
/// many all flows.
const ERRORS: usize = 288;
const ALL_ERRORS: usize = 1 << 16;

/// An ICMP error about a packet of the flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IcmpNotice {
    /// The frame of the error.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// The sender of the error.
    pub from: IpAddr,
    /// The error: `port unreachable`.
    pub what: String,
    /// Whether the packet went in the direction of the flow's first one.
    pub forward: bool,
    /// The index of the input of the error.
    pub input: u16,
    /// The link type (LINKTYPE) of its frame, and the first [`Self::KEPT`] bytes of that.
    pub frame: (u16, Arc<[u8]>),
}

impl IcmpNotice {
    /// How many bytes of the frame of an error are kept: it quotes the beginning of the packet that
    /// failed.
    pub const KEPT: usize = 192;

    /// Whether the destination is unreachable; not an error about a single packet that was too
    /// large or incomplete.
    pub fn is_unreachable(&self) -> bool {
        let of_the_packet = ["packet too big", "fragments", "a header field"];
        !of_the_packet.iter().any(|what| self.what.starts_with(what))
    }
}

impl Flow {
    /// ICMP errors about its packets: the first few, in order.
    pub fn errors(&self) -> &[IcmpNotice] {
        self.errors.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Flows {
    /// Whether any flow has ICMP errors.
    pub fn have_errors(&self) -> bool {
        self.errors > 0
    }

    /// The ICMP errors about packets that were sent to an endpoint.
    pub fn errors_to(&self, end: SocketAddr) -> impl Iterator<Item = &IcmpNotice> {
        let flows = self.iter().take_while(|_| self.have_errors());
        flows.flat_map(move |(id, flow)| {
            let ends = self.ends(id).map(|(_, ends)| ends);
            let is_to = move |error: &&IcmpNotice| {
                ends.is_some_and(|[a, b]| end == if error.forward { b } else { a })
            };
            flow.errors().iter().filter(is_to)
        })
    }

    /// ICMP errors that were dropped because the table was full; those beyond the limit of one flow
    /// are not counted.
    pub fn errors_left_out(&self) -> u64 {
        self.errors_left_out
    }

    /// Keeps an ICMP error with its flow, if there is room.
    pub(super) fn keep_error(&mut self, id: FlowId, error: IcmpNotice) {
        let full = self.errors >= ALL_ERRORS || !self.has_room();
        let Some(flow) = self.flow_mut(id).filter(|flow| flow.errors().len() < ERRORS) else {
            return;
        };
        if full {
            self.errors_left_out += 1;
            return;
        }
        let all = flow.errors.get_or_insert_default();
        let before = all.capacity();
        all.push(error);
        let more = all.capacity() - before;
        let texts = all.last().map(|error| [error.what.len(), error.frame.1.len()].map(allocated));
        let texts: usize = texts.into_iter().flatten().sum();
        self.weight += more * size_of::<IcmpNotice>() + texts;
        self.errors += 1;
    }
}
