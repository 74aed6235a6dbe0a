//! What the analysis and the rows of exchanges need of messages, read on any thread.

use std::ops::Range;

use super::fields::Fields;
use super::json::Quotes;
use super::message_blocks::MessageBlocks;
use analysis::{
    AnalysisNeeds, CapturedMessage, MessageBatch, MessageValues, ReadBatch, ValueBatch, ValueReader,
};
use render::Mask;
use text::Secrets;

/// Reads messages, with reused buffers.
pub(super) struct AnalysisReader {
    values: ValueReader,
    fields: Option<Fields>,
    secrets: Secrets,
}

/// What messages are read for.
#[derive(Clone, Copy)]
pub(super) struct ReadingFor {
    pub secrets: Secrets,
    pub needs: AnalysisNeeds,
    /// Around the JSON of fields, if that is shown.
    pub quotes: Option<Quotes>,
}

/// The values of messages, and their fields as JSON.
#[derive(Default)]
pub(super) struct ReadMessages {
    values: ValueBatch,
    fields: Vec<u8>,
    /// Where the fields of each message are.
    ranges: Vec<Option<Range<usize>>>,
    /// Their rows in tables that are made of messages, if they are formatted with them.
    pub blocks: MessageBlocks,
}

/// What was read of one message.
#[derive(Clone, Copy)]
pub(super) struct ReadMessage<'a> {
    pub values: MessageValues<'a>,
    /// Its fields as JSON, in the quotes of the table; nothing unless they are shown.
    pub fields: Option<&'a [u8]>,
}

impl AnalysisReader {
    /// A reader for one thread.
    pub fn new(reading: ReadingFor) -> Self {
        let ReadingFor { secrets, needs, quotes } = reading;
        let values = ValueReader::new(secrets, needs).showing_fields(quotes.is_some());
        Self { values, fields: quotes.map(Fields::new), secrets }
    }

    /// Reads a batch of messages.
    pub fn read_all(&mut self, batch: &MessageBatch, out: &mut ReadMessages) {
        out.clear();
        batch.messages().for_each(|message| self.read_message(&message, out));
    }

    /// Reads a message after those before it.
    pub fn read_message(&mut self, message: &CapturedMessage<'_>, out: &mut ReadMessages) {
        self.values.read_values(message, &mut out.values);
        let shown = self.fields.as_mut().zip(self.values.shown_reading());
        let range = shown.map(|(fields, reading)| {
            let begin = out.fields.len();
            let json = fields.write(reading, message.payload, Mask::new(reading, self.secrets));
            out.fields.extend_from_slice(json.quoted());
            begin..out.fields.len()
        });
        out.ranges.push(range);
    }
}

impl ReadBatch for ReadMessages {
    fn values(&self) -> &ValueBatch {
        &self.values
    }
}

impl ReadMessages {
    /// Removes all.
    pub fn clear(&mut self) {
        self.values.clear();
        self.fields.clear();
        self.ranges.clear();
    }

    /// What was read of the message at a position.
    pub fn get(&self, at: usize) -> ReadMessage<'_> {
        let range = self.ranges.get(at).cloned().flatten();
        let fields = range.and_then(|range| self.fields.get(range));
        ReadMessage { values: self.values.get(at), fields }
    }
}
