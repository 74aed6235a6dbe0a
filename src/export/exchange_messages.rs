//! The messages of an open exchange: their positions, and their values, until it ends.

use std::io;

use super::fields::Fields;
use super::join::joined;
use super::json::{JsonWriter, Quotes};
use super::redact::Redactor;
use crate::analysis::{CapturedMessage, MessageTurn, MessageValues, TextOf, TextValue};
use crate::capture::{ByteRange, PayloadStore};
use crate::protocol::{Entry, ExchangeKind, Part, Reading};
use crate::render::Mask;
use crate::text::Secrets;

/// A message and its position.
pub(super) struct ExchangeMessage {
    pub number: u64,
    pub entry: &'static Entry,
    pub turn: MessageTurn,
    pub is_reply: bool,
    part: Option<Part>,
    at: PayloadAt,
}

enum PayloadAt {
    Stored(ByteRange),
    Copied(Box<[u8]>),
    /// Its fields are not needed, or it exceeded the memory limit.
    Missing,
}

/// The messages of an exchange, and values taken from them.
#[derive(Default)]
pub(super) struct ExchangeTexts {
    pub messages: Vec<ExchangeMessage>,
    pub values: PlainColumns,
}

/// Values with columns of their own, for spreadsheets that cannot parse JSON.
#[derive(Default)]
pub(super) struct PlainColumns {
    pub host: Option<TextValue>,
    pub map: Option<TextValue>,
    pub game: Option<TextValue>,
    pub protocol: Option<TextValue>,
    pub challenge: Option<TextValue>,
    pub players: Option<i64>,
    pub max_players: Option<i64>,
    /// Whether game and protocol come from the response.
    is_answered: bool,
}

impl ExchangeMessage {
    /// A message; if its fields are `wanted`, its position is stored, or its bytes are copied if
    /// there is `space` for them.
    pub fn new(
        message: &CapturedMessage<'_>,
        turn: MessageTurn,
        wanted: bool,
        space: usize,
    ) -> Self {
        let header = &message.header;
        let at = match header.byte_range {
            _ if !wanted => PayloadAt::Missing,
            Some(at) => PayloadAt::Stored(at),
            None if message.payload.len() <= space => PayloadAt::Copied(message.payload.into()),
            None => PayloadAt::Missing,
        };
        let entry = header.entry;
        let is_reply = is_reply(entry, turn);
        Self { number: header.number, entry, turn, is_reply, part: header.part, at }
    }

    /// How many bytes of it are kept.
    pub fn copied(&self) -> usize {
        match &self.at {
            PayloadAt::Copied(bytes) => bytes.len(),
            PayloadAt::Stored(_) | PayloadAt::Missing => 0,
        }
    }

    /// Whether its bytes are not available.
    pub fn is_gone(&self) -> bool {
        matches!(self.at, PayloadAt::Missing)
    }

    /// `quake3.getinfo`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.entry.protocol.id, self.entry.spec.id)
    }
}

/// Whether a message is a response, even if its request was not captured.
pub(super) fn is_reply(entry: &'static Entry, turn: MessageTurn) -> bool {
    matches!(turn, MessageTurn::Answer | MessageTurn::Refusal)
        || !entry.spec.answers.is_empty() && !entry.is_request()
}

impl ExchangeTexts {
    pub fn request(&self) -> Option<&ExchangeMessage> {
        self.messages.iter().find(|stored| !stored.is_reply && stored.turn != MessageTurn::Query)
    }

    pub fn reply(&self) -> Option<&ExchangeMessage> {
        self.messages.iter().find(|stored| stored.is_reply && stored.turn != MessageTurn::Query)
    }

    /// Every message of the response: the packets of a list, or the parts of a reply in order.
    pub fn answer(&self, kind: ExchangeKind) -> Vec<&ExchangeMessage> {
        let Some(first) = self.reply() else {
            return Vec::new();
        };
        let replies =
            self.messages.iter().filter(|stored| stored.is_reply && stored.entry == first.entry);
        match first.part {
            Some(part) if part.index > 0 => {
                let number = |stored: &&ExchangeMessage| stored.part.map(|part| part.index);
                let of_it =
                    |stored: &&ExchangeMessage| stored.part.is_some_and(|p| p.reply == part.reply);
                let mut parts: Vec<_> = replies.filter(of_it).collect();
                parts.sort_by_key(number);
                parts.dedup_by_key(|stored| number(stored));
                parts
            }
            _ if kind == ExchangeKind::List => replies.collect(),
            _ => vec![first],
        }
    }
}

impl PlainColumns {
    /// Takes values from a message: for game and protocol a response takes precedence, for the
    /// server the last message.
    pub fn add(&mut self, values: &MessageValues, is_reply: bool) {
        let keep = |current: &mut Option<TextValue>, of: TextOf, replaces: bool| {
            if values.has(of) && (current.is_none() || replaces) {
                *current = values.harmless(of).map(|text| text.as_ref().into());
            }
        };
        keep(&mut self.challenge, TextOf::Challenge, false);
        let replaces = is_reply && !self.is_answered;
        keep(&mut self.game, TextOf::Game, replaces);
        keep(&mut self.protocol, TextOf::Protocol, replaces);
        self.is_answered |= is_reply;
        if values.has(TextOf::Host) && (self.host.is_none() || is_reply) {
            self.host = values.text(TextOf::Host).map(TextValue::from);
        }
        keep(&mut self.map, TextOf::Map, is_reply);
        let people =
            (values.plain.named_players > 0).then_some(i64::from(values.plain.named_players));
        self.players = values.plain.players.or(people).or(self.players);
        self.max_players = values.plain.max_players.or(self.max_players);
    }
}

/// Writes the values of messages.
#[derive(Default)]
pub(super) struct ValueWriter {
    payload: Vec<u8>,
    reading: Reading,
    fields: Fields,
    joined: String,
}

impl ValueWriter {
    pub fn new(quotes: Quotes) -> Self {
        Self { reading: Reading::of_values(), fields: Fields::new(quotes), ..Self::default() }
    }

    /// The decoded values of a message, or of several as one; nothing if one is not available.
    pub fn write(
        &mut self,
        messages: &[&ExchangeMessage],
        (payloads, secrets): (&PayloadStore, Secrets),
        redactor: &mut Option<&mut Redactor>,
    ) -> io::Result<Option<JsonWriter<'_>>> {
        if messages.is_empty() || messages.iter().any(|stored| stored.is_gone()) {
            return Ok(None);
        }
        if let [stored] = messages {
            self.read(stored, payloads, redactor)?;
            let mask = Mask::of(&self.reading, secrets);
            return Ok(Some(self.fields.write(&self.reading, &self.payload, mask)));
        }
        let mut objects = Vec::with_capacity(messages.len());
        for stored in messages {
            self.read(stored, payloads, redactor)?;
            let mask = Mask::of(&self.reading, secrets);
            objects.push(self.fields.write(&self.reading, &self.payload, mask).text().into_owned());
        }
        let objects: Vec<_> = objects.iter().map(String::as_str).collect();
        self.joined = joined(&objects);
        Ok(Some(self.joined.as_str().into()))
    }

    fn read(
        &mut self,
        stored: &ExchangeMessage,
        payloads: &PayloadStore,
        redactor: &mut Option<&mut Redactor>,
    ) -> io::Result<()> {
        match &stored.at {
            PayloadAt::Stored(range) => payloads.read(*range, &mut self.payload)?,
            PayloadAt::Copied(bytes) => bytes.as_ref().clone_into(&mut self.payload),
            PayloadAt::Missing => self.payload.clear(),
        }
        if let Some(redactor) = redactor {
            self.payload = redactor.redacted(stored.entry, &self.payload).to_vec();
        }
        self.reading.read(stored.entry, &self.payload);
        Ok(())
    }
}
