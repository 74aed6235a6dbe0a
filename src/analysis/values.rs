//! The values of a message that the analysis compares: read once from its spans, by field role.

mod texts;

use std::borrow::Cow;
use std::net::SocketAddr;

use super::list_packet::{ListPacket, address, is_torn};
use super::message::{CapturedMessage, MessageHeader};
use crate::codec::{Anomaly, FieldRole, Group, Kind, Node, Shape, Span, Value};
use crate::protocol::{Entry, Reading, harmless_len, names_secret};
use crate::text::{MASK, Secrets};
use texts::MessageTexts;

pub use texts::{TextOf, TextValue};

/// How many servers of one list are kept; the longest datagram holds fewer.
const LISTED: usize = 16_384;

/// The values of one message; the buffers are reused for the next one.
pub struct MessageValues {
    /// Whether values may show secrets.
    pub(super) secrets: Secrets,
    /// Whether the fields of messages are to be shown.
    pub(super) shows_fields: bool,
    reading: Reading,
    texts: MessageTexts,
    /// All values but texts and servers.
    pub plain: PlainValues,
    /// The servers of a list, in order.
    pub servers: Vec<SocketAddr>,
}

/// The values of one message that are neither texts nor servers.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for alone")]
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainValues {
    /// Whether the challenge is a four-byte binary number.
    pub challenge_in_bits: bool,
    /// Number of players, as the server reports it.
    pub players: Option<i64>,
    /// Maximum number of players.
    pub max_players: Option<i64>,
    /// Number of players with a name.
    pub named_players: u32,
    /// The first port outside of a list.
    pub port: Option<u16>,
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
}

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

impl Default for MessageValues {
    fn default() -> Self {
        Self {
            secrets: Secrets::default(),
            shows_fields: false,
            reading: Reading::of_values(),
            texts: MessageTexts::default(),
            plain: PlainValues::default(),
            servers: Vec::new(),
        }
    }
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
        self.reading.walk(header.entry, payload);
        self.texts.clear();
        self.servers.clear();
        self.plain = PlainValues { cut: header.missing > 0, ..PlainValues::default() };
        let mut gathering = Gathering {
            reading: &self.reading,
            payload,
            secrets: self.secrets,
            texts: &mut self.texts,
            plain: &mut self.plain,
            servers: &mut self.servers,
        };
        gathering.gather(&header);
        let packet = ListPacket::new(header.entry, request, self.plain.cut);
        let zeros = packet.keep_servers(&mut self.servers);
        // If the capture ends within a list, what follows the zeros is not known.
        self.plain.zeros = if self.plain.cut { 0 } else { zeros as u32 };
        let has_names = self.texts.has(TextOf::Host) || self.texts.has(TextOf::Map);
        if has_names || self.shows_fields {
            self.reading.mark(header.entry, payload);
        }
        if has_names {
            self.keep_secrets();
        }
    }

    /// Drops every value of a message that is incomplete in such a way that any of them may be a
    /// secret. Game and protocol are kept for comparison: they do not depend on whether secrets
    /// show.
    fn keep_secrets(&mut self) {
        let mut spans = self.reading.spans().all.iter();
        if !self.reading.has_misplaced_secret()
            && !spans.any(|s| s.secret && s.field.role == FieldRole::Host)
        {
            return;
        }
        self.texts.remove(TextOf::Game);
        self.texts.remove(TextOf::Protocol);
        if self.secrets == Secrets::Masked {
            self.texts.remove(TextOf::Host);
            self.texts.remove(TextOf::Map);
        }
    }

    /// A text, if the message has it.
    pub fn text(&self, of: TextOf) -> Option<&[u8]> {
        self.texts.get(of)
    }

    /// Whether the message has a text.
    pub fn has(&self, of: TextOf) -> bool {
        self.texts.has(of)
    }

    /// A text for display: masked from where a secret may begin, unless secrets are shown.
    pub fn harmless(&self, of: TextOf) -> Option<Cow<'_, [u8]>> {
        let value = self.text(of)?;
        if self.secrets != Secrets::Masked {
            return Some(value.into());
        }
        let len = harmless_len(value);
        match value.get(..len) {
            Some(shown) if len < value.len() => Some([shown, MASK.as_bytes()].concat().into()),
            _ => Some(value.into()),
        }
    }

    /// The result of reading the message, if its fields are to be shown: its secrets are marked.
    pub fn shown_reading(&self) -> Option<&Reading> {
        self.shows_fields.then_some(&self.reading)
    }

    /// The result of reading the message.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The keys that a server must send to its master and that are missing in the message that was
    /// read last, by name.
    pub fn missing(&self, header: &MessageHeader) -> impl Iterator<Item = &'static str> {
        let of_message = header.entry.spec.required_keys;
        let of_game =
            if of_message.is_empty() { &[][..] } else { header.verdict.game.required_keys };
        let spans = self.reading.spans().all.as_slice();
        let is_in = |key: &str| {
            let is_it = |s: &Span| s.field.kind != Kind::Key && s.field.name == key;
            spans.iter().any(|s| s.node == Node::Leaf && is_it(s))
        };
        of_message.iter().chain(of_game).copied().filter(move |key| !is_in(key))
    }
}

/// Takes the values from the spans of a message.
struct Gathering<'a> {
    reading: &'a Reading,
    payload: &'a [u8],
    secrets: Secrets,
    texts: &'a mut MessageTexts,
    plain: &'a mut PlainValues,
    servers: &'a mut Vec<SocketAddr>,
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
        let plain = &mut *self.plain;
        plain.short = spans.notes.iter().filter(|n| n.odd == Anomaly::ShortRecord).count() as u32;
        plain.faulty = self.reading.fault().is_some();
        let spec = &header.entry.spec;
        if spec.has_end_mark {
            // A list that is requested in pieces continues if the client requests more.
            plain.end = match spec.part.and(header.part) {
                Some(part) if part.last => Some(ListEnd::Marked),
                Some(_) => self.servers.is_empty().then_some(ListEnd::Open),
                None => Some(plain.end.unwrap_or(ListEnd::Open)),
            };
        }
        if plain.cut {
            // What the capture left out is not the sender's fault.
            (plain.short, plain.end) = (0, plain.end.filter(|end| *end == ListEnd::Marked));
        }
    }

    /// A list whose records are one span.
    fn endpoints(&mut self, span: &Span) {
        let free = LISTED.saturating_sub(self.servers.len());
        let records = span.shape.endpoints(self.reading.bytes(self.payload, span));
        self.servers.extend(records.take(free).map(SocketAddr::V4));
    }

    /// A record of its own.
    fn endpoint(&mut self, parts: &[Span]) {
        if self.servers.len() < LISTED {
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
        let number = || match span.shape.read(bytes) {
            Value::Int(number) => Some(number),
            Value::Bytes(text) => str::from_utf8(text).ok()?.trim().parse().ok(),
            _ => None,
        };
        if is_gamename {
            self.text(TextOf::Gamename, span, bytes);
        }
        let plain = &mut *self.plain;
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
        self.texts.keep(of, if is_shown { &text } else { without_padding(&text) });
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
