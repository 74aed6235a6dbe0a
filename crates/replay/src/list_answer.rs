//! The response to a list request, as a set of servers.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use super::recorded_messages::RecordedReply;
use analysis::ListPacket;
use codec::{FieldRole, Kind};
use protocol::{Entry, Reading};
use render::{FieldValue, field_values};

/// Nanoseconds after which a registration in the recording may have expired, while it cannot expire
/// in the run, which is faster.
pub(super) const LONG_AGO: i64 = 600_000_000_000;

/// The response to one list request, all its packets together.
#[derive(Debug, Default)]
pub(super) struct ListAnswer {
    /// Every server, and how often it is listed.
    pub servers: BTreeMap<SocketAddr, u32>,
    /// The end mark; `None` if its last packet has none.
    pub end: Option<Vec<u8>>,
    /// Whether its message has an end mark by declaration.
    pub ends: bool,
    /// Whether the capture has only a part of one of its packets.
    pub cut: bool,
}

impl ListAnswer {
    /// The list in these packets, which answer `request`; `name` maps a listed server to its
    /// recorded address.
    pub fn from_packets<'r>(
        reading: &mut Reading,
        request: &Entry,
        packets: impl Iterator<Item = &'r RecordedReply>,
        name: impl Fn(SocketAddr) -> SocketAddr,
    ) -> Self {
        let mut list = Self::default();
        for packet in packets {
            list.cut |= packet.cut;
            let values = field_values(reading, packet.entry, &packet.bytes);
            list.ends |= packet.entry.spec.has_end_mark;
            // The last packet counts; one with an end mark stays complete whatever follows.
            list.end = end(&values).or(list.end.take());
            let records = ListPacket::new(packet.entry, Some(request), packet.cut);
            for server in records.read_servers(reading, packet.entry, &packet.bytes) {
                *list.servers.entry(name(server)).or_insert(0) += 1;
            }
        }
        list
    }

    pub fn servers(&self) -> impl Iterator<Item = SocketAddr> + '_ {
        self.servers.keys().copied()
    }

    pub fn len(&self) -> usize {
        self.servers.len()
    }
}

/// The bytes of an end mark; half a mark counts as none.
fn end(items: &[FieldValue]) -> Option<Vec<u8>> {
    let mark = items.iter().find(|i| i.field.role == FieldRole::End)?;
    let is_key = mark.field.kind != Kind::Separator;
    (is_key || mark.bytes.len() > 1).then(|| mark.bytes.clone())
}
