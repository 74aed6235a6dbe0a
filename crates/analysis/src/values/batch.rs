//! The values of several messages, in buffers that are reused.

use std::net::SocketAddr;
use std::ops::Range;

use super::texts::TextRanges;
use super::{MessageValues, PlainValues};
use codec::Fault;
use text::Secrets;

/// The values of several messages, in order.
#[derive(Default)]
pub struct ValueBatch {
    pub(super) records: Vec<ValueRecord>,
    pub(super) bytes: Vec<u8>,
    pub(super) servers: Vec<SocketAddr>,
    pub(super) secrets: Secrets,
}

/// Where the values of one message are in the buffers of a batch.
#[derive(Default)]
pub(super) struct ValueRecord {
    pub plain: PlainValues,
    pub texts: TextRanges,
    pub servers: Range<usize>,
    pub ends_with_server: bool,
    pub fault: Option<Fault>,
    pub missing: u32,
}

impl ValueBatch {
    /// Removes all.
    pub fn clear(&mut self) {
        self.records.clear();
        self.bytes.clear();
        self.servers.clear();
    }

    /// The values of each message, in order.
    pub fn iter(&self) -> impl Iterator<Item = MessageValues<'_>> {
        self.records.iter().map(|record| self.values_of(record))
    }

    /// The values of the message at a position; empty ones if there is none.
    pub fn get(&self, at: usize) -> MessageValues<'_> {
        self.records.get(at).map_or_else(
            || self.values_of(&ValueRecord::default()),
            |record| self.values_of(record),
        )
    }

    /// The values of the message that was added last; empty ones if there is none.
    pub fn last(&self) -> MessageValues<'_> {
        self.get(self.records.len().saturating_sub(1))
    }

    fn values_of(&self, record: &ValueRecord) -> MessageValues<'_> {
        MessageValues {
            plain: record.plain,
            servers: self.servers.get(record.servers.clone()).unwrap_or_default(),
            ends_with_server: record.ends_with_server,
            fault: record.fault,
            texts: record.texts,
            bytes: &self.bytes,
            secrets: self.secrets,
            missing: record.missing,
        }
    }
}
