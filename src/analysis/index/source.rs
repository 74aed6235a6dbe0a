//! The messages of a session in batches, for the index.

use std::io;
use std::sync::Arc;

use crate::analysis::message::{CapturedMessage, MessageHeader};
use crate::analysis::message_batch::MessageBatch;
use crate::analysis::session::Session;
use crate::analysis::values::{MessageValues, ValueBatch, ValueReader};
use crate::capture::{PayloadStore, PayloadWindows};
use crate::flow::VerdictCache;

/// Reads the messages of a session again, in order.
pub struct IndexSource {
    payloads: PayloadWindows,
    /// Verdicts on flows that are final.
    verdicts: Option<VerdictCache>,
    /// The index of the next message, and the index at which to stop.
    next: usize,
    end: usize,
}

/// Consecutive messages of a session.
#[derive(Default)]
pub struct IndexBatch {
    headers: Vec<(usize, MessageHeader)>,
    /// The messages that can be read again, and their indices in the session.
    messages: MessageBatch,
    indices: Vec<usize>,
    values: ValueBatch,
    pub unreadable: u64,
    /// How many messages of the session have been processed after this batch.
    pub reach: usize,
}

impl IndexSource {
    /// The messages before `end`.
    pub fn until(end: usize, payloads: Arc<PayloadStore>) -> Self {
        Self { payloads: PayloadWindows::new(payloads), verdicts: None, next: 0, end }
    }

    /// From now on, the flows of the session do not change.
    pub fn keep_verdicts(&mut self) {
        self.verdicts.get_or_insert_default();
    }

    /// Begins a batch with the headers of up to `messages` messages; false when there are no more.
    pub fn begin(&mut self, session: &Session, messages: usize, batch: &mut IndexBatch) -> bool {
        batch.headers.clear();
        // In a long live capture the oldest messages keep their index but have no content.
        let begin = self.next.max(session.gone());
        let end = session.len().min(self.end);
        let until = begin.saturating_add(messages).min(end);
        let headers = (begin..until)
            .filter_map(|index| Some((index, session.header_with(self.verdicts.as_mut(), index)?)));
        batch.headers.extend(headers);
        self.next = begin.max(until);
        batch.reach = self.next;
        until < end
    }

    /// Adds the payloads to a batch.
    pub fn read(&mut self, batch: &mut IndexBatch) {
        let IndexBatch { headers, messages, indices, unreadable, .. } = batch;
        messages.clear();
        indices.clear();
        *unreadable = 0;
        for (index, header) in headers.drain(..) {
            let payload = match header.byte_range {
                Some(range) => self.payloads.bytes(range),
                None => Err(io::ErrorKind::NotFound.into()),
            };
            match payload {
                Ok(payload) => {
                    messages.add(header, payload);
                    indices.push(index);
                }
                Err(_) => *unreadable += 1,
            }
        }
    }
}

impl IndexBatch {
    /// Reads the values of the messages.
    pub fn read_values(&mut self, reader: &mut ValueReader) {
        let Self { messages, values, .. } = self;
        values.clear();
        messages.messages().for_each(|message| reader.read(&message, values));
    }

    /// The messages in order, with their indices in the session and their values.
    pub fn messages(
        &self,
    ) -> impl Iterator<Item = (usize, CapturedMessage<'_>, MessageValues<'_>)> {
        let messages = self.messages.messages().zip(self.values.iter());
        let indexed = self.indices.iter().zip(messages);
        indexed.map(|(index, (message, values))| (*index, message, values))
    }
}
