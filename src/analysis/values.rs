//! The values of a message that the analysis compares: read once from its spans, by field role.

use std::net::SocketAddr;

use super::list_packet::{ListPacket, address, is_torn};
use super::message::{CapturedMessage, MessageHeader};
use crate::codec::{Anomaly, FieldRole, Group, Kind, Node, Shape, Span, Value};
use crate::protocol::{Entry, Reading, harmless_len, names_secret};
use crate::text::{MASK, Secrets};

/// How many servers of one list are kept; the longest datagram holds fewer.
const LISTED: usize = 16_384;
/// How many bytes of a text are kept.
const TEXT: usize = 256;

/// The values of one message; the buffers are reused for the next one.
#[derive(Default)]
pub struct MessageValues {
    /// Whether values may show secrets.
    pub(super) secrets: Secrets,
    reading: Reading,
    /// The challenge, as text.
    pub challenge: Option<TextValue>,
    /// Whether the challenge is a four-byte binary number.
    pub challenge_in_bits: bool,
    /// The decision in an authorisation message.
    pub verdict: Option<TextValue>,
    /// The game, by the name that its own programs use.
    pub game: Option<TextValue>,
    /// The same from the key `gamename`, by which masters sort servers.
    pub gamename: Option<TextValue>,
    /// The protocol number, as text.
    pub protocol: Option<TextValue>,
    /// The server name.
    pub host: Option<TextValue>,
    pub map: Option<TextValue>,
    /// Number of players, as the server reports it.
    pub players: Option<i64>,
    /// Maximum number of players.
    pub max_players: Option<i64>,
    /// Number of players with a name.
    pub named_players: u32,
    /// The first port outside of a list.
    pub port: Option<u16>,
    /// The servers of a list, in order.
    pub servers: Vec<SocketAddr>,
    /// Byte ranges of those servers' records in the payload.
    pub records: Vec<(u32, u32)>,
    /// Number of list records that are cut short.
    pub short: u32,
    /// Number of all-zero records before the last one: they are neither servers nor an end mark.
    pub zeros: u32,
    /// How the list marks its end, if nothing follows the mark.
    pub end: Option<ListEnd>,
    /// Whether reading stopped before the end.
    pub faulty: bool,
    /// The capture has only its beginning.
    pub cut: bool,
    /// Which of the required keys are present, as a bit mask.
    present_keys: u32,
}

/// A value as text, its bytes not escaped; long values are truncated.
pub type TextValue = Box<[u8]>;

/// How a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListEnd {
    /// It has the end mark.
    Marked,
    /// It has a part of an end mark, which is ambiguous.
    Bare,
    /// It has no end mark.
    Open,
}

impl MessageValues {
    /// Empty values that show or mask secrets.
    pub fn showing(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    /// Reads a message.
    pub fn read(&mut self, message: &CapturedMessage<'_>) {
        self.read_answer(message, None);
    }

    /// Reads a message that answers `request`, if that was captured: the request determines what
    /// the last record of a list in pieces means.
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

    /// Drops every value of a message that is incomplete in such a way that any of them may be a
    /// secret. Game and protocol are kept for comparison: they do not depend on whether secrets
    /// show.
    fn keep_secrets(&mut self, reading: &Reading) {
        let mut spans = reading.spans().all.iter();
        if !reading.has_misplaced_secret()
            && !spans.any(|s| s.secret && s.field.role == FieldRole::Host)
        {
            return;
        }
        (self.game, self.protocol) = (None, None);
        if self.secrets == Secrets::Masked {
            (self.host, self.map) = (None, None);
        }
    }

    /// A value for display: masked from where a secret may begin, unless secrets are shown.
    pub fn harmless(&self, value: Option<&TextValue>) -> Option<TextValue> {
        let value = value?;
        let len = harmless_len(value);
        match value.get(..len) {
            Some(shown) if len < value.len() && self.secrets == Secrets::Masked => {
                Some([shown, MASK.as_bytes()].concat().into())
            }
            _ => Some(value.clone()),
        }
    }

    /// The result of reading the message.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The keys that a server must send to its master and that are missing, by name.
    pub fn missing(&self, header: &MessageHeader) -> impl Iterator<Item = &'static str> {
        let present = self.present_keys;
        let is_missing = move |(at, _): &(usize, &str)| present >> at & 1 == 0;
        required_keys(header).enumerate().filter(is_missing).map(|(_, key)| key)
    }

    fn gather(&mut self, message: &CapturedMessage<'_>, reading: &Reading) {
        let CapturedMessage { header, payload } = *message;
        let spec = &header.entry.spec;
        let required: Vec<_> = required_keys(&header).collect();
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
                Node::Leaf => self.leaf(reading, payload, span, &required),
            }
        }
        self.short = spans.notes.iter().filter(|n| n.odd == Anomaly::ShortRecord).count() as u32;
        self.faulty = reading.fault().is_some();
        if spec.has_end_mark {
            let piece = header.entry.spec.part.and(header.part);
            // A list that is requested in pieces continues if the client requests more.
            self.end = match piece {
                Some(part) if part.last => Some(ListEnd::Marked),
                Some(_) => self.servers.is_empty().then_some(ListEnd::Open),
                None => Some(self.end.unwrap_or(ListEnd::Open)),
            };
        }
        if self.cut {
            // What the capture left out is not the sender's fault.
            (self.short, self.end) = (0, self.end.filter(|end| *end == ListEnd::Marked));
        }
    }

    /// Removes records that are not servers.
    fn keep_servers(&mut self, header: &MessageHeader, request: Option<&Entry>) {
        let packet = ListPacket::new(header.entry, request, self.cut);
        let keep = packet.servers(&self.servers);
        let Some((_, before)) = keep.split_last() else {
            return;
        };
        // If the capture ends within a list, what follows the zeros is not known.
        let zeros = before.iter().filter(|is_server| !**is_server).count();
        self.zeros = if self.cut { 0 } else { zeros as u32 };
        let mut is_server = keep.iter().copied();
        self.servers.retain(|_| is_server.next().unwrap_or(true));
        let mut is_server = keep.iter().copied();
        self.records.retain(|_| is_server.next().unwrap_or(true));
    }

    fn endpoint(&mut self, reading: &Reading, payload: &[u8], span: &Span, parts: &[Span]) {
        if self.servers.len() < LISTED
            && let Some(server) = address(reading, payload, parts, self.cut)
        {
            self.servers.push(server);
            self.records.push((span.start, span.end));
        }
    }

    fn leaf(&mut self, reading: &Reading, payload: &[u8], span: &Span, required: &[&str]) {
        let bytes = reading.bytes(payload, span);
        if span.field.kind == Kind::Key || self.cut && is_torn(reading, payload, span) {
            return;
        }
        if let Some(at) = required.iter().position(|key| span.field.name == *key) {
            self.present_keys |= 1 << at;
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
            FieldRole::MaxPlayers => keep(&mut self.max_players, number),
            FieldRole::Port => {
                keep(&mut self.port, || number().and_then(|n| u16::try_from(n).ok()));
            }
            FieldRole::Person if span.depth > 1 && !bytes.is_empty() => self.named_players += 1,
            FieldRole::End => self.end = Some(mark(span, bytes)),
            _ => {}
        }
    }
}

/// The part of a text that is kept; a UTF-8 character is never split.
fn beginning(text: &[u8]) -> &[u8] {
    let Some(is_server) = text.get(..TEXT) else {
        return text;
    };
    match str::from_utf8(is_server) {
        Err(cut) if cut.error_len().is_none() => {
            is_server.get(..cut.valid_up_to()).unwrap_or(is_server)
        }
        _ => is_server,
    }
}

/// The keys that servers of the message's game must send to a master.
fn required_keys(header: &MessageHeader) -> impl Iterator<Item = &'static str> {
    let of_message = header.entry.spec.required_keys;
    let of_game = if of_message.is_empty() { &[][..] } else { header.verdict.game.required_keys };
    of_message.iter().chain(of_game).copied()
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

/// Sets a value unless it is set: the first occurrence counts.
fn keep<T>(is_server: &mut Option<T>, value: impl FnOnce() -> Option<T>) {
    if is_server.is_none() {
        *is_server = value();
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
