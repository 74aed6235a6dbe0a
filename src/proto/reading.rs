//! A message read with all its spans, in room that is used again for the next one.

use super::Entry;
use crate::wire::{Fault, Kind, Scratch, Spans};

/// What reading one payload with spans gave; reuse it, and reading allocates nothing.
#[derive(Default)]
pub struct Reading {
    spans: Spans,
    scratch: Scratch,
    fault: Option<Fault>,
}

/// How well bytes read as a message, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soundness {
    /// Its grammar does not claim every byte.
    Broken,
    /// It does, and there are notes.
    Odd,
    Regular,
}

impl Reading {
    /// Reads `payload` as `entry`'s message.
    pub fn read(&mut self, entry: &Entry, payload: &[u8]) {
        self.fault = (entry.annotate)(payload, &mut self.scratch, &mut self.spans);
    }

    /// Whether the message's grammar claims every byte of `payload`; it is read for that.
    pub fn takes_all(&mut self, entry: &Entry, payload: &[u8]) -> bool {
        self.read(entry, payload);
        self.fault.is_none() && self.spans.all.iter().all(|s| s.field.kind != Kind::Stray)
    }

    /// How well `payload` reads as `entry`'s message; it is read for that.
    pub fn soundness(&mut self, entry: &Entry, payload: &[u8]) -> Soundness {
        match (self.takes_all(entry, payload), self.spans.notes.is_empty()) {
            (false, _) => Soundness::Broken,
            (true, false) => Soundness::Odd,
            (true, true) => Soundness::Regular,
        }
    }

    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Why the walk stopped, where it did.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The bytes that a layer's offsets count in: the payload, or the decoded text.
    pub fn layer<'a>(&'a self, payload: &'a [u8], layer: u8) -> &'a [u8] {
        match layer {
            0 => payload,
            _ => self.scratch.plain().unwrap_or_default(),
        }
    }

    /// The decoded text of a coded layer, if the message has one.
    pub fn plain(&self) -> Option<&[u8]> {
        self.scratch.plain()
    }
}
