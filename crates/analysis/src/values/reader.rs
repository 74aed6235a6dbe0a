//! Reads the values of messages from their spans.

use std::net::SocketAddr;

use super::batch::{ValueBatch, ValueRecord};
use super::texts::{TextOf, TextRanges};
use super::{ListEnd, PlainValues, required_keys};
use crate::analyzer::AnalysisNeeds;
use crate::list_packet::{address, is_torn, remove_zeros};
use crate::message::{CapturedMessage, MessageHeader};
use codec::{Anomaly, FieldRole, Group, Kind, Node, Notice, Shape, Span, Value};
use protocol::{Entry, Reading, names_secret};
use text::Secrets;

/// How many servers of one list are kept; the longest datagram holds fewer.
const LISTED: usize = 16_384;

/// Anomalies that no document has in its own examples, and no rule of lists is about.
const DEPARTURES: [Anomaly; 4] =
    [Anomaly::ShortLine, Anomaly::Missing, Anomaly::Size, Anomaly::NotCanonical];

/// Reads the values of messages, with reused buffers.
pub struct ValueReader {
    /// Whether values may show secrets.
    secrets: Secrets,
    /// Whether the fields of messages are to be shown.
    shows_fields: bool,
    /// Whether to look for missing keys.
    seeks_missing: bool,
    reading: Reading,
}

impl ValueReader {
    /// Values that show or mask secrets, for an analysis that needs so much.
    pub fn new(secrets: Secrets, needs: AnalysisNeeds) -> Self {
        let (shows_fields, seeks_missing) = (false, needs >= AnalysisNeeds::Findings);
        Self { secrets, shows_fields, seeks_missing, reading: Reading::of_values() }
    }

    /// The same, for views that show the fields of messages: each is read for display, once.
    #[must_use]
    pub fn showing_fields(self, shows: bool) -> Self {
        Self { shows_fields: shows, ..self }
    }

    /// Sets whether values may show secrets.
    pub(crate) fn show(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// Reads a message and adds its values to a batch.
    pub fn read_values(&mut self, message: &CapturedMessage<'_>, batch: &mut ValueBatch) {
        let CapturedMessage { header, payload } = message;
        self.reading.walk(header.entry, payload);
        let first_server = batch.servers.len();
        let mut gathering = Gathering {
            reading: &self.reading,
            payload,
            secrets: self.secrets,
            texts: TextRanges::default(),
            plain: PlainValues { cut: header.missing > 0, ..PlainValues::default() },
            bytes: &mut batch.bytes,
            servers: &mut batch.servers,
            first_server,
        };
        gathering.gather(header);
        let Gathering { mut texts, mut plain, .. } = gathering;
        let (zeros, ends_with_server) = remove_zeros(&mut batch.servers, first_server);
        // If the capture ends within a list, what follows the zeros is not known.
        plain.zeros = if plain.cut { 0 } else { zeros as u32 };
        self.keep_secrets(header, payload, &mut texts);
        batch.secrets = self.secrets;
        batch.records.push(ValueRecord {
            plain,
            texts,
            servers: first_server..batch.servers.len(),
            ends_with_server,
            fault: self.reading.fault(),
            missing: if self.seeks_missing { self.missing(header) } else { 0 },
        });
    }

    /// The result of reading the last message, if its fields are to be shown: its secrets are
    /// marked.
    pub fn shown_reading(&self) -> Option<&Reading> {
        self.shows_fields.then_some(&self.reading)
    }

    /// Drops every value of a message that is incomplete in such a way that any of them may be a
    /// secret. Game and protocol are kept for comparison: they do not depend on whether secrets
    /// show.
    fn keep_secrets(&mut self, header: &MessageHeader, payload: &[u8], texts: &mut TextRanges) {
        let has_names = texts.has(TextOf::Host) || texts.has(TextOf::Map);
        // Where no secret's name occurs, no other value is secret.
        if self.shows_fields || has_names && self.reading.may_name_secret(payload) {
            self.reading.mark(header.entry, payload);
        }
        if !has_names || !self.reading.is_marked() {
            return;
        }
        let mut spans = self.reading.spans().all.iter();
        if !self.reading.has_misplaced_secret()
            && !spans.any(|s| s.secret && s.field.role == FieldRole::Host)
        {
            return;
        }
        texts.remove(TextOf::Game);
        texts.remove(TextOf::Protocol);
        if self.secrets == Secrets::Masked {
            texts.remove(TextOf::Host);
            texts.remove(TextOf::Map);
        }
    }

    /// The required keys that are missing, a bit for each.
    fn missing(&self, header: &MessageHeader) -> u32 {
        let is_in = |key: &str| {
            let is_it = |s: &Span| s.field.kind != Kind::Key && s.field.name == key;
            self.reading.spans().all.iter().any(|s| s.node == Node::Leaf && is_it(s))
        };
        let keys = (0..u32::BITS).zip(required_keys(header));
        keys.filter(|(_, key)| !is_in(key)).fold(0, |bits, (bit, _)| bits | 1 << bit)
    }
}

/// Takes the values from the spans of a message.
struct Gathering<'a> {
    reading: &'a Reading,
    payload: &'a [u8],
    secrets: Secrets,
    texts: TextRanges,
    plain: PlainValues,
    bytes: &'a mut Vec<u8>,
    servers: &'a mut Vec<SocketAddr>,
    /// Where the servers of this message begin.
    first_server: usize,
}

impl Gathering<'_> {
    fn gather(&mut self, header: &MessageHeader) {
        let spans = self.reading.spans();
        let mut rest = spans.all.as_slice();
        while let Some((span, inside)) = rest.split_first() {
            rest = inside;
            match span.node {
                Node::Leaf => self.leaf(span),
                Node::Group(Group::Endpoint) => {
                    let parts = inside.iter().take_while(|s| s.depth > span.depth).count();
                    let (parts, behind) = inside.split_at_checked(parts).unwrap_or((inside, &[]));
                    self.endpoint(parts);
                    rest = behind;
                }
                Node::Group(_) => self.endpoints(span),
            }
        }
        self.filtered(header.entry);
        let plain = &mut self.plain;
        plain.short = spans.notes.iter().filter(|n| n.odd == Anomaly::ShortRecord).count() as u32;
        let departs = |notice: &&Notice| DEPARTURES.contains(&notice.odd);
        plain.anomaly = spans.notes.iter().find(departs).copied();
        plain.faulty = self.reading.fault().is_some();
        let spec = &header.entry.spec;
        if spec.has_end_mark {
            // A list that is requested in pieces continues if the client requests more.
            plain.end = match spec.part.and(header.part) {
                Some(part) if part.last => Some(ListEnd::Marked),
                Some(_) => (self.servers.len() == self.first_server).then_some(ListEnd::Open),
                None => Some(plain.end.unwrap_or(ListEnd::Open)),
            };
        }
        if plain.cut {
            // What the capture left out is not the sender's fault.
            (plain.short, plain.end) = (0, plain.end.filter(|end| *end == ListEnd::Marked));
        }
    }

    /// What a server tells its master by which lists are filtered.
    fn filtered(&mut self, entry: &Entry) {
        if entry.spec.filtered_keys.is_empty() {
            return;
        }
        let is_filtered = |span: &&Span| {
            span.node == Node::Leaf
                && span.field.kind != Kind::Key
                && entry.spec.filtered_keys.contains(&span.field.name)
        };
        let mut pairs = Vec::new();
        for span in self.reading.spans().all.iter().filter(is_filtered) {
            let value = span.shape.text(self.reading.bytes(self.payload, span));
            pairs.extend([b"\\", span.field.name.as_bytes(), b"\\", &value].concat());
        }
        self.texts.keep(TextOf::Filtered, &pairs, self.bytes);
    }

    /// A list whose records are one span.
    fn endpoints(&mut self, span: &Span) {
        let free = self.room();
        let records = span.shape.endpoints(self.reading.bytes(self.payload, span));
        self.servers.extend(records.take(free).map(SocketAddr::V4));
    }

    /// How many more servers are kept.
    fn room(&self) -> usize {
        LISTED.saturating_sub(self.servers.len() - self.first_server)
    }

    /// A record of its own.
    fn endpoint(&mut self, parts: &[Span]) {
        if self.room() > 0 {
            self.servers.extend(address(self.reading, self.payload, parts, self.plain.cut));
        }
    }

    fn leaf(&mut self, span: &Span) {
        let (role, is_gamename) = (span.field.role, span.field.name == "gamename");
        if role == FieldRole::None && !is_gamename
            || span.field.kind == Kind::Key
            || self.plain.cut && is_torn(self.reading, self.payload, span)
        {
            return;
        }
        let bytes = self.reading.bytes(self.payload, span);
        let number = || match span.shape.value_of(bytes) {
            Value::Int(number) => Some(number),
            Value::Bytes(text) => str::from_utf8(text).ok()?.trim().parse().ok(),
            _ => None,
        };
        if is_gamename {
            self.text(TextOf::Gamename, span, bytes);
        }
        let plain = &mut self.plain;
        match role {
            FieldRole::Challenge => {
                let is_first = !self.texts.has(TextOf::Challenge);
                plain.challenge_in_bits |= is_first && is_number(span);
                self.text(TextOf::Challenge, span, bytes);
            }
            FieldRole::Verdict => self.text(TextOf::Verdict, span, bytes),
            FieldRole::Game => self.text(TextOf::Game, span, bytes),
            FieldRole::Protocol => self.text(TextOf::Protocol, span, bytes),
            FieldRole::Host => self.text(TextOf::Host, span, bytes),
            FieldRole::Map => self.text(TextOf::Map, span, bytes),
            FieldRole::Players => plain.players = plain.players.or_else(number),
            FieldRole::MaxPlayers => plain.max_players = plain.max_players.or_else(number),
            FieldRole::Port => {
                let port = || number().and_then(|number| u16::try_from(number).ok());
                plain.port = plain.port.or_else(port);
            }
            FieldRole::Person if span.depth > 1 && !bytes.is_empty() => plain.named_players += 1,
            FieldRole::End => plain.end = Some(mark(span, bytes)),
            _ => {}
        }
    }

    fn text(&mut self, of: TextOf, span: &Span, bytes: &[u8]) {
        if self.texts.has(of) {
            return;
        }
        let text = span.shape.text(bytes);
        let is_name = matches!(of, TextOf::Host | TextOf::Map);
        let is_shown = is_name && self.secrets == Secrets::Shown;
        let text = if is_shown { &text } else { without_padding(&text) };
        self.texts.keep(of, text, self.bytes);
    }
}

/// Whether a value is a 32-bit number, stored as bytes.
fn is_number(span: &Span) -> bool {
    let is_integer = matches!(span.shape, Shape::Unsigned(_) | Shape::Signed(_));
    is_integer && span.end - span.start == 4
}

/// The printable part of a text: if it contains a NUL and a secret after it, the part before.
fn without_padding(text: &[u8]) -> &[u8] {
    match memchr::memchr(0, text) {
        Some(nul) if names_secret(text) => text.get(..nul).unwrap_or_default(),
        _ => text,
    }
}

/// A separator may be incomplete or empty; a key is a mark by being present.
fn mark(span: &Span, bytes: &[u8]) -> ListEnd {
    match bytes {
        _ if span.field.kind != Kind::Separator => ListEnd::Marked,
        b"" => ListEnd::Open,
        [_] => ListEnd::Bare,
        _ => ListEnd::Marked,
    }
}
