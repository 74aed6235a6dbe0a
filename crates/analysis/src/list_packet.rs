//! Lists of servers in messages: which of their records are servers.

use std::net::{IpAddr, SocketAddr};

use codec::{FieldRole, Group, Node, Shape, Span, Value};
use protocol::{Entry, Reading};

/// One packet of a list: how to interpret its records.
#[derive(Debug, Clone, Copy)]
pub struct ListPacket {
    /// The capture has only its beginning, so its last record is unknown.
    cut: bool,
    /// The list is requested packet by packet. The last record says where to continue.
    in_pieces: bool,
    /// The client continues after the last server, so a last record with a port is a server.
    resumes_after_last: bool,
}

impl ListPacket {
    /// A packet that answers `request`, where that is known. `cut`: the capture has only a part of
    /// it.
    pub fn new(entry: &Entry, request: Option<&Entry>, cut: bool) -> Self {
        let in_pieces = entry.spec.has_end_mark && entry.spec.part.is_some();
        let resumes_after_last = request.is_some_and(|request| request.spec.resumes_list);
        Self { cut, in_pieces, resumes_after_last }
    }

    /// Removes the records that are not servers: 0.0.0.0:0, which ends lists of several protocols,
    /// never is one, nor is the cursor of a list that is requested in pieces. Returns how many of
    /// them were not the last record.
    pub fn keep_servers(self, records: &mut Vec<SocketAddr>) -> usize {
        let (others, ends_with_server) = remove_zeros(records, 0);
        if ends_with_server {
            records.pop_if(|last| self.is_cursor(*last));
        }
        others
    }

    /// Reads the servers of a packet, in order.
    pub fn read_servers(
        self,
        reading: &mut Reading,
        entry: &Entry,
        payload: &[u8],
    ) -> Vec<SocketAddr> {
        reading.walk(entry, payload);
        let mut rest = reading.spans().all.as_slice();
        let mut records = Vec::new();
        while let Some((span, inside)) = rest.split_first() {
            rest = inside;
            if span.node == Node::Group(Group::Endpoint) {
                let parts = inside.iter().take_while(|part| part.depth > span.depth).count();
                let (parts, behind) = inside.split_at_checked(parts).unwrap_or((inside, &[]));
                records.extend(address(reading, payload, parts, self.cut));
                rest = behind;
            }
        }
        self.keep_servers(&mut records);
        records
    }

    /// Whether the last record, which is not zero, says where the list continues.
    pub(super) fn is_cursor(self, last: SocketAddr) -> bool {
        !self.cut && self.in_pieces && (last.port() == 0 || !self.resumes_after_last)
    }
}

/// Removes the records of zeros that stand at `first` or later. Returns how many of them were not the
/// last record, and whether the last record is none of them.
pub(super) fn remove_zeros(records: &mut Vec<SocketAddr>, first: usize) -> (usize, bool) {
    let list = records.get(first..).unwrap_or_default();
    let Some(last) = list.last().copied() else {
        return (0, false);
    };
    let count = records.len();
    if list.iter().any(|record| is_nobody(*record)) {
        let list = records.split_off(first);
        records.extend(list.into_iter().filter(|record| !is_nobody(*record)));
    }
    let others = count - records.len() - usize::from(is_nobody(last));
    (others, !is_nobody(last))
}

/// The address in the parts of a record; nothing if it has none, or if the capture is `cut` within
/// it.
pub(super) fn address(
    reading: &Reading,
    payload: &[u8],
    parts: &[Span],
    cut: bool,
) -> Option<SocketAddr> {
    if cut && parts.last().is_some_and(|part| is_torn(reading, payload, part)) {
        return None;
    }
    let value = |role: FieldRole| {
        let part = parts.iter().find(|s| s.field.role == role && s.node == Node::Leaf)?;
        Some(part.shape.value_of(reading.bytes(payload, part)))
    };
    let ip: IpAddr = match value(FieldRole::Address)? {
        Value::Ip(ip) => ip,
        Value::Bytes(text) => std::str::from_utf8(text).ok()?.parse().ok()?,
        Value::Int(_) | Value::Float(_) => return None,
    };
    let Value::Int(port) = value(FieldRole::Port)? else {
        return None;
    };
    Some(SocketAddr::new(ip, u16::try_from(port).ok()?))
}

/// Whether an address is all zeros.
fn is_nobody(server: SocketAddr) -> bool {
    server.ip().is_unspecified() && server.port() == 0
}

/// Whether, in a message that was cut by the snap length, a value may continue after the captured
/// bytes: the rest of a number or text is unknown.
pub(super) fn is_torn(reading: &Reading, payload: &[u8], span: &Span) -> bool {
    let is_long = matches!(
        span.shape,
        Shape::Text | Shape::Decimal | Shape::DottedIpv4 | Shape::HexNumber | Shape::Raw
    );
    is_long && span.end as usize == reading.layer(payload, span.layer).len()
}
