//! What a pipeline says of its inputs, while it reads and afterwards.

use std::sync::Arc;

use super::super::SessionCounts;
use super::super::message::CapturedMessage;
use super::super::reader::Meter;
use super::Pipeline;
use capture::{InputDigest, InputTotals, OpenError, PayloadStore, Warning};

impl Pipeline {
    /// The progress of reading, for another thread.
    pub fn meter(&self) -> Meter {
        self.reader.meter()
    }

    /// Adds warnings to those of the pipeline.
    pub fn add_warnings(&mut self, warnings: impl IntoIterator<Item = String>) {
        self.warnings.extend(warnings);
    }

    /// Frames read so far.
    pub fn frames_read(&self) -> u64 {
        self.reader.counts().packets
    }

    /// What was damaged or left out so far, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Number of places where the input is damaged, so far.
    pub fn damage(&self) -> u64 {
        self.damage
    }

    /// The digest of all inputs, which are read for it; nothing if one can be read only once.
    ///
    /// # Errors
    /// If an input cannot be read again.
    pub fn digest(&self) -> Result<Option<InputDigest>, OpenError> {
        self.reader.digest()
    }

    /// Where inputs are damaged, so far.
    pub fn damaged(&self) -> &[Warning] {
        self.reader.damaged()
    }

    /// What each input that was opened has given, in their order.
    pub fn input_totals(&self) -> &[InputTotals] {
        self.reader.totals()
    }

    /// Why inputs were left out that could not be opened.
    pub fn unread(&self) -> &[OpenError] {
        &self.unread
    }

    /// The store from which payloads are read again.
    pub fn payloads(&self) -> Arc<PayloadStore> {
        self.reader.payloads()
    }
}

impl SessionCounts {
    /// Counts a message.
    pub(super) fn count_message(&mut self, message: &CapturedMessage<'_>) {
        let (verdict, name) = (message.header.verdict, message.header.name);
        *self.messages.entry((verdict.game.id, name)).or_insert(0) += 1;
    }
}
