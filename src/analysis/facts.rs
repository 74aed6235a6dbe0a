//! What one message says that others are compared with: read once from its spans, by role.

use std::net::SocketAddr;

use super::listed::{ListPacket, address};
use super::message::{CapturedMessage, MessageHeader};
use super::spans::{bytes, is_torn};
use crate::codec::{Anomaly, FieldRole, Group, Kind, Node, Shape, Span, Value};
use crate::protocol::{Entry, Reading, harmless_len, names_secret};
use crate::text::{MASK, Secrets};

/// How many servers of one list are kept; the longest datagram holds fewer.
const LISTED: usize = 16_384;
/// How much of a text is kept.
const TEXT: usize = 256;

/// The facts of one message, in room that is used again for the next one.
#[derive(Default)]
pub struct MessageValues {
    /// Whether values may be secrets.
    pub(super) secrets: Secrets,
    reading: Reading,
    /// The challenge, as text.
    pub challenge: Option<TextValue>,
    /// Whether the challenge stands there as the four bytes of a number.
    pub challenge_in_bits: bool,
    /// What was decided about somebody.
    pub verdict: Option<TextValue>,
    /// The game, as its own programs call it.
    pub game: Option<TextValue>,
    /// The same where it is called `gamename`, by which masters sort servers.
    pub gamename: Option<TextValue>,
    /// The protocol's number, as text.
    pub protocol: Option<TextValue>,
    /// What the server is called.
    pub host: Option<TextValue>,
    pub map: Option<TextValue>,
    /// How many play, as the server says.
    pub players: Option<i64>,
    /// How many may.
    pub places: Option<i64>,
    /// How many people are named.
    pub people: u32,
    /// The first port outside of a list.
    pub port: Option<u16>,
    /// The servers of a list, in order.
    pub servers: Vec<SocketAddr>,
    /// Where the records of those servers lie in the payload.
    pub records: Vec<(u32, u32)>,
    /// Records of the list that are cut short.
    pub short: u32,
    /// Records of zeros before the last one: they are no servers, and end nothing.
    pub zeros: u32,
    /// The list says that it is complete, and behind it nothing follows.
    pub end: Option<ListEnd>,
    /// Where reading stopped, if it did.
    pub faulty: bool,
    /// The capture has only its beginning.
    pub cut: bool,
    /// Names of keys that are there, of those that the message owes.
    owed: u32,
}

/// A value as text, its bytes not escaped; of a long one the beginning.
pub type TextValue = Box<[u8]>;

/// How a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListEnd {
    /// It says that it is complete.
    Marked,
    /// Half of a mark, from which nobody can tell.
    Bare,
    /// It does not say.
    Open,
}

impl MessageValues {
    /// Facts whose names show secrets, or mask them.
    pub fn showing(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    /// Reads a message.
    pub fn read(&mut self, message: &CapturedMessage<'_>) {
        self.read_answer(message, None);
    }

    /// Reads a message that answers `request`, where that was seen: it tells what the last record of
    /// a list in pieces is.
    pub fn read_answer(&mut self, message: &CapturedMessage<'_>, request: Option<&Entry>) {
        let CapturedMessage { header, payload } = *message;
        let mut reading = std::mem::take(&mut self.reading);
        let (mut servers, mut records) =
            (std::mem::take(&mut self.servers), std::mem::take(&mut self.records));
        servers.clear();
        records.clear();
        reading.walk(header.entry, payload);
        *self = Self { secrets: self.secrets, servers, records, ..Self::default() };
        self.cut = header.missing > 0;
        self.gather(message, &reading);
        self.keep_servers(&header, request);
        if self.host.is_some() || self.map.is_some() {
            reading.read(header.entry, payload);
            self.keep_secrets(&reading);
        }
        self.reading = reading;
    }

    /// Where a message is torn so that any of its values may be a secret, none is told. Game and
    /// protocol are compared with others: they are the same whether secrets are shown or not.
    fn keep_secrets(&mut self, reading: &Reading) {
        let mut spans = reading.spans().all.iter();
        if !reading.spills() && !spans.any(|s| s.secret && s.field.role == FieldRole::Host) {
            return;
        }
        (self.game, self.protocol) = (None, None);
        if self.secrets == Secrets::Masked {
            (self.host, self.map) = (None, None);
        }
    }

    /// A value as it may be told: stars stand from where a secret may begin, unless secrets are
    /// shown.
    pub fn quotable(&self, value: Option<&TextValue>) -> Option<TextValue> {
        let value = value?;
        let len = harmless_len(value);
        match value.get(..len) {
            Some(shown) if len < value.len() && self.secrets == Secrets::Masked => {
                Some([shown, MASK.as_bytes()].concat().into())
            }
            _ => Some(value.clone()),
        }
    }

    /// How the message was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The keys that a message of a server owes to its master and lacks, by name.
    pub fn missing(&self, header: &MessageHeader) -> impl Iterator<Item = &'static str> {
        let owed = self.owed;
        let lacks = move |(at, _): &(usize, &str)| owed >> at & 1 == 0;
        required_keys(header).enumerate().filter(lacks).map(|(_, key)| key)
    }

    fn gather(&mut self, message: &CapturedMessage<'_>, reading: &Reading) {
        let CapturedMessage { header, payload } = *message;
        let dealing = &header.entry.spec.dealing;
        let owes: Vec<_> = required_keys(&header).collect();
        let spans = reading.spans();
        let all = spans.all.as_slice();
        let mut at = 0;
        while let Some(span) = all.get(at) {
            at += 1;
            let inside = all.get(at..).unwrap_or_default();
            match span.node {
                Node::Group(Group::Endpoint) => {
                    let parts = inside.iter().take_while(|s| s.depth > span.depth).count();
                    let parts = inside.get(..parts).unwrap_or_default();
                    self.endpoint(reading, payload, span, parts);
                    at += parts.len();
                }
                Node::Group(_) => {}
                Node::Leaf => self.leaf(reading, payload, span, &owes),
            }
        }
        self.short = spans.notes.iter().filter(|n| n.odd == Anomaly::ShortRecord).count() as u32;
        self.faulty = reading.fault().is_some();
        if dealing.marks_end {
            let piece = header.entry.spec.part.and(header.part);
            // A list that is asked for in pieces goes on where the client asks for more.
            self.end = match piece {
                Some(part) if part.last => Some(ListEnd::Marked),
                Some(_) => self.servers.is_empty().then_some(ListEnd::Open),
                None => Some(self.end.unwrap_or(ListEnd::Open)),
            };
        }
        if self.cut {
            // What the capture left out is nobody's fault.
            (self.short, self.end) = (0, self.end.filter(|end| *end == ListEnd::Marked));
        }
    }

    /// Leaves out records that are no servers.
    fn keep_servers(&mut self, header: &MessageHeader, request: Option<&Entry>) {
        let packet = ListPacket::new(header.entry, request, self.cut);
        let keep = packet.servers(&self.servers);
        let Some((_, before)) = keep.split_last() else {
            return;
        };
        // Where the capture ends within a list, nobody knows what came behind the zeros.
        let zeros = before.iter().filter(|is_server| !**is_server).count();
        self.zeros = if self.cut { 0 } else { zeros as u32 };
        let mut kept = keep.iter().copied();
        self.servers.retain(|_| kept.next().unwrap_or(true));
        let mut kept = keep.iter().copied();
        self.records.retain(|_| kept.next().unwrap_or(true));
    }

    fn endpoint(&mut self, reading: &Reading, payload: &[u8], span: &Span, parts: &[Span]) {
        if self.servers.len() < LISTED
            && let Some(server) = address(reading, payload, parts, self.cut)
        {
            self.servers.push(server);
            self.records.push((span.start, span.end));
        }
    }

    fn leaf(&mut self, reading: &Reading, payload: &[u8], span: &Span, owes: &[&str]) {
        let bytes = bytes(reading, payload, span);
        if span.field.kind == Kind::Key || self.cut && is_torn(reading, payload, span) {
            return;
        }
        if let Some(at) = owes.iter().position(|key| span.field.name == *key) {
            self.owed |= 1 << at;
        }
        let number = || match span.shape.read(bytes) {
            Value::Int(number) => Some(number),
            Value::Bytes(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
            _ => None,
        };
        let text = || {
            let text = span.shape.text(bytes);
            let is_name = matches!(span.field.role, FieldRole::Host | FieldRole::Map);
            let text = match self.secrets {
                Secrets::Shown if is_name => &text,
                _ => without_padding(&text),
            };
            let text = beginning(text);
            (!text.is_empty()).then(|| TextValue::from(text))
        };
        if span.field.name == "gamename" {
            keep(&mut self.gamename, text);
        }
        match span.field.role {
            FieldRole::Challenge => {
                self.challenge_in_bits |= self.challenge.is_none() && is_number(span);
                keep(&mut self.challenge, text);
            }
            FieldRole::Verdict => keep(&mut self.verdict, text),
            FieldRole::Game => keep(&mut self.game, text),
            FieldRole::Protocol => keep(&mut self.protocol, text),
            FieldRole::Host => keep(&mut self.host, text),
            FieldRole::Map => keep(&mut self.map, text),
            FieldRole::Players => keep(&mut self.players, number),
            FieldRole::Places => keep(&mut self.places, number),
            FieldRole::Port => {
                keep(&mut self.port, || number().and_then(|n| u16::try_from(n).ok()));
            }
            FieldRole::Person if span.depth > 1 && !bytes.is_empty() => self.people += 1,
            FieldRole::End => self.end = Some(mark(span, bytes)),
            _ => {}
        }
    }
}

/// What is kept of a text: of UTF-8 no part of a character.
fn beginning(text: &[u8]) -> &[u8] {
    let Some(kept) = text.get(..TEXT) else {
        return text;
    };
    match str::from_utf8(kept) {
        Err(cut) if cut.error_len().is_none() => kept.get(..cut.valid_up_to()).unwrap_or(kept),
        _ => kept,
    }
}

/// What servers of the message's game owe to a master.
fn required_keys(header: &MessageHeader) -> impl Iterator<Item = &'static str> {
    let of_message = header.entry.spec.dealing.owes;
    let of_game = if of_message.is_empty() { &[][..] } else { header.verdict.game.owes };
    of_message.iter().chain(of_game).copied()
}

/// Whether a value is a number of 32 bits, written as its bytes.
fn is_number(span: &Span) -> bool {
    let is_integer = matches!(span.shape, Shape::Unsigned(_) | Shape::Signed(_));
    is_integer && span.end - span.start == 4
}

/// What may be told of a text: where it has swallowed a NUL and a secret behind it, its beginning.
fn without_padding(text: &[u8]) -> &[u8] {
    match memchr::memchr(0, text) {
        Some(nul) if names_secret(text) => text.get(..nul).unwrap_or_default(),
        _ => text,
    }
}

/// The first that is said counts.
fn keep<T>(kept: &mut Option<T>, said: impl FnOnce() -> Option<T>) {
    if kept.is_none() {
        *kept = said();
    }
}

/// A separator may be there in part, or have no bytes; a key says it by being there.
fn mark(span: &Span, bytes: &[u8]) -> ListEnd {
    match bytes {
        _ if span.field.kind != Kind::Separator => ListEnd::Marked,
        b"" => ListEnd::Open,
        [_] => ListEnd::Bare,
        _ => ListEnd::Marked,
    }
}
