//! A datagram that a case received.

use std::net::SocketAddr;
use std::ops::Range;

use codec::Node;
use protocol::{Entry, Reading};
use protocols::registry;

/// A received datagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedDatagram {
    /// Its index in the case's log.
    pub index: usize,
    /// The sender.
    pub from: SocketAddr,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl ReceivedDatagram {
    /// The message that its first bytes identify, of any protocol.
    pub fn entry(&self) -> Option<&'static Entry> {
        registry().recognise(&self.bytes)
    }

    /// Its name and length, within a sentence: `a getserversResponse of 29 bytes`.
    pub fn named(&self) -> String {
        let length = self.bytes.len();
        if let Some(entry) = self.entry() {
            return format!("{} of {length} bytes", entry.spec.name);
        }
        format!("{length} bytes, {:?}", render::quoted(&self.bytes, 16))
    }

    /// The position of the first field, or value, of that name.
    pub fn field(&self, name: &str) -> Option<Range<usize>> {
        let mut reading = Reading::default();
        reading.read_message(self.entry()?, &self.bytes);
        let spans = &reading.spans().all;
        let mut spans = spans.iter().filter(|s| s.node == Node::Leaf && s.layer == 0);
        let span = spans.find(|span| span.field.name == name)?;
        Some(span.start as usize..span.end as usize)
    }
}
