//! A message read with all its spans, into buffers that are reused for the next one.

use super::secrets::{self, SecretPlaces};
use super::{Colours, Entry};
use codec::{Anomaly, Fault, Kind, Scratch, Sink, Span, Spans};

/// The result of reading a payload with spans; reused, reading does not allocate.
#[derive(Default)]
pub struct Reading {
    spans: Spans,
    scratch: Scratch,
    fault: Option<Fault>,
    marked: bool,
    secrets: SecretPlaces,
    colours: Colours,
}

/// How well bytes match a message, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soundness {
    /// Its grammar does not cover every byte.
    Broken,
    /// It does, with anomalies.
    Odd,
    /// It does, without anomalies.
    Regular,
}

impl Reading {
    /// For values only: see [`Spans::of_values`].
    pub fn of_values() -> Self {
        Self { spans: Spans::of_values(), ..Self::default() }
    }

    /// Reads `payload` as `entry`'s message, for display: secrets are marked ([`Span::secret`]).
    ///
    /// [`Span::secret`]: codec::Span::secret
    pub fn read_message(&mut self, entry: &Entry, payload: &[u8]) {
        self.walk(entry, payload);
        self.mark(entry, payload);
    }

    /// Marks the secrets of a message that was read without; once.
    pub fn mark(&mut self, entry: &Entry, payload: &[u8]) {
        if std::mem::replace(&mut self.marked, true) {
            return;
        }
        let layers = [payload, self.scratch.plain().unwrap_or_default()];
        self.secrets = secrets::mark(entry, layers, &mut self.spans);
    }

    /// Whether the name of a secret, or a part of it, occurs in a message that was read: if not, no
    /// value is secret but those of fields that are secrets.
    pub fn may_name_secret(&self, payload: &[u8]) -> bool {
        let layers = [payload, self.scratch.plain().unwrap_or_default()];
        secrets::may_be_named(layers, &self.spans)
    }

    /// The same for code that only needs the fields: secrets are not marked.
    #[inline]
    pub fn walk(&mut self, entry: &Entry, payload: &[u8]) {
        self.colours = entry.protocol.colours;
        self.fault = (entry.annotate)(payload, &mut self.scratch, &mut self.spans);
        self.secrets = SecretPlaces { misplaced: true, keys: true };
        self.marked = false;
    }

    /// Reads `payload` as `entry`'s message for a sink alone: there are no spans afterwards.
    pub fn report(&mut self, entry: &Entry, payload: &[u8], sink: &mut dyn Sink) {
        self.spans.clear();
        self.fault = (entry.report)(payload, &mut self.scratch, sink);
    }

    /// Reads `payload`, and returns whether the message's grammar covers every byte.
    pub fn takes_all(&mut self, entry: &Entry, payload: &[u8]) -> bool {
        self.walk(entry, payload);
        self.fault.is_none() && self.spans.all.iter().all(|s| s.field.kind != Kind::Unparsed)
    }

    /// Reads `payload` as `entry`'s message, and returns how well it matches.
    pub fn soundness(&mut self, entry: &Entry, payload: &[u8]) -> Soundness {
        match (self.takes_all(entry, payload), self.spans.notes.is_empty()) {
            (false, _) => Soundness::Broken,
            (true, false) => Soundness::Odd,
            (true, true) => Soundness::Regular,
        }
    }

    /// The same for a payload of which the capture has only the beginning: problems at its cut end
    /// are not counted.
    pub fn soundness_of_part(&mut self, entry: &Entry, payload: &[u8]) -> Soundness {
        self.walk(entry, payload);
        self.cut_off(payload);
        match (self.fault, self.spans.notes.is_empty()) {
            (Some(_), _) => Soundness::Broken,
            (None, false) => Soundness::Odd,
            (None, true) => Soundness::Regular,
        }
    }

    /// Reads `payload` for display, of which the capture lacks `missing` bytes: problems caused by
    /// that are left out, and the unparsed bytes are marked as `cut`.
    pub fn read_part(&mut self, entry: &Entry, payload: &[u8], missing: u32) {
        self.read_message(entry, payload);
        if missing > 0 {
            self.cut_off(payload);
        }
    }

    fn cut_off(&mut self, payload: &[u8]) {
        let end = payload.len();
        if let Some(fault) = self.fault
            && (fault.layer > 0 || fault.may_lack(payload.get(fault.at..).unwrap_or_default()))
        {
            self.fault = None;
            self.spans.cut_off(end);
        }
        self.spans.notes.retain(|note| {
            let of_rest = matches!(note.odd, Anomaly::Size | Anomaly::NotCanonical);
            note.layer == 0 && !of_rest && (note.end as usize) < end
        });
    }

    /// Whether secrets are marked.
    pub fn is_marked(&self) -> bool {
        self.marked
    }

    /// Whether the name of a secret occurs outside of keys: in unparsed bytes, in an incomplete
    /// line, or as a value, so that the next key is the secret.
    pub fn has_misplaced_secret(&self) -> bool {
        self.secrets.misplaced
    }

    /// Whether a key of the message is secret, or may be because secrets are not marked.
    pub fn has_secret_key(&self) -> bool {
        self.secrets.keys
    }

    /// How the message's texts encode colours.
    pub fn colours(&self) -> Colours {
        self.colours
    }

    /// Every span and anomaly of the message.
    #[inline]
    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Why the walk stopped, if it did.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The bytes to which a layer's offsets refer: the payload, or the decoded text.
    #[inline]
    pub fn layer<'a>(&'a self, payload: &'a [u8], layer: u8) -> &'a [u8] {
        match layer {
            0 => payload,
            _ => self.scratch.plain().unwrap_or_default(),
        }
    }

    /// The bytes of a span, those of its layer.
    #[inline]
    pub fn bytes<'a>(&'a self, payload: &'a [u8], span: &Span) -> &'a [u8] {
        let layer = self.layer(payload, span.layer);
        layer.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The decoded text of a coded layer, if the message has one.
    pub fn plain(&self) -> Option<&[u8]> {
        self.scratch.plain()
    }
}
