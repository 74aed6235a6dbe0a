//! Scratch buffers for evaluating filters, reused for each message.

use std::fmt::{Display, Write as _};

use super::datum::Datum;
use super::subject::Subject;
use protocol::Reading;
use render::Mask;
use text::Secrets;

/// Buffers for one message at a time. Its fields are decoded when a filter first needs them.
#[derive(Default)]
pub struct EvalScratch {
    secrets: Secrets,
    reading: Reading,
    mask: Mask,
    is_read: bool,
    text: String,
}

/// Buffers whose message has been decoded.
pub(super) struct Read<'r> {
    pub reading: &'r Reading,
    pub mask: Mask,
    pub text: &'r mut String,
}

impl EvalScratch {
    /// Buffers for filters that may compare secrets, or must not match them by value.
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    /// Whether values may show secrets.
    pub(super) fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// Discards the fields of the previous message.
    pub(super) fn begin(&mut self) {
        self.is_read = false;
    }

    /// Decodes the message, unless that was done.
    pub(super) fn reading_of(&mut self, subject: &Subject<'_>) -> &Reading {
        if !self.is_read {
            let header = subject.header;
            self.reading.read_part(header.entry, subject.payload, header.missing);
            self.mask = Mask::new(&self.reading, self.secrets);
            self.is_read = true;
        }
        &self.reading
    }

    /// The same, with the buffers that follow from it.
    pub(super) fn having_read(&mut self, subject: &Subject<'_>) -> Read<'_> {
        self.reading_of(subject);
        Read { reading: &self.reading, mask: self.mask, text: &mut self.text }
    }

    /// A value as text.
    pub(super) fn written(&mut self, value: impl Display) -> Datum<'_> {
        self.text.clear();
        // Writing to a string does not fail.
        _ = write!(self.text, "{value}");
        Datum::Text(&self.text)
    }
}
