//! Which side ended a TCP connection, and when.

use std::net::SocketAddr;

use super::{FlowId, Flows, PacketMeta};

/// How many ends are kept of one flow, which may have several connections, and of how many flows.
const ENDS: usize = 8;
const FLOWS: usize = 1 << 13;

/// A segment that ends its sender's side of a connection: FIN or RST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamClose {
    /// Who sent it.
    pub from: SocketAddr,
    /// Its frame.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
}

impl Flows {
    /// Keeps the end of a connection that has messages, if there is room.
    pub fn add_close(&mut self, flow: FlowId, sent: PacketMeta) {
        let has_messages = self.flow(flow).is_some_and(|flow| flow.state.is_some());
        let is_known = self.closes.contains_key(&flow);
        if !has_messages || !is_known && self.closes.len() >= FLOWS {
            return;
        }
        let closes = self.closes.entry(flow).or_default();
        if closes.len() < ENDS {
            let PacketMeta { source: from, number, time, .. } = sent;
            closes.push(StreamClose { from, number, time });
        }
    }

    /// The ends of the connections of a flow, in order; those of flows without messages are not
    /// kept.
    pub fn closes(&self, flow: FlowId) -> &[StreamClose] {
        self.closes.get(&flow).map_or(&[], Vec::as_slice)
    }
}
