//! The messages of a session in batches, with their values and exchanges, for the index.

use crate::exchange::{EndedRange, Exchanges};
use crate::message::CapturedMessage;
use crate::placed::{PlacedBatch, PlacedMessage};
use crate::scan::ScanBatch;
use crate::values::{MessageValues, ValueBatch, ValueReader};
use flow::Flows;

/// Consecutive messages of a session.
#[derive(Default)]
pub struct IndexBatch {
    pub scanned: ScanBatch,
    values: ValueBatch,
    placed: PlacedBatch,
}

impl IndexBatch {
    /// Reads the values of the messages.
    pub fn read_values(&mut self, reader: &mut ValueReader) {
        let Self { scanned, values, .. } = self;
        values.clear();
        scanned.readable().for_each(|(_, message)| reader.read_values(&message, values));
    }

    /// Finds the exchanges of the messages.
    pub(super) fn place(&mut self, exchanges: &mut Exchanges, flows: &Flows) {
        let Self { scanned, values, placed } = self;
        placed.clear(exchanges);
        exchanges.prefetch(scanned.end().unwrap_or(i64::MIN));
        for ((_, message), values) in scanned.readable().zip(values.iter()) {
            placed.place(exchanges, &message, values, flows);
        }
    }

    /// The messages in order, with their indices in the session, their values and their places.
    pub(super) fn messages(
        &self,
    ) -> impl Iterator<
        Item = ((usize, CapturedMessage<'_>), (MessageValues<'_>, PlacedMessage<EndedRange<'_>>)),
    > {
        self.scanned.readable().zip(self.values.iter().zip(self.placed.iter()))
    }
}
