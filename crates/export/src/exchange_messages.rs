//! The messages of an open exchange: their values, or their positions, until it ends.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use smallvec::SmallVec;

use super::fields::Fields;
use super::join::joined;
use super::json::{JsonWriter, Quotes};
use super::redact::Redactor;
use analysis::{CapturedMessage, MessageTurn, MessageValues, PlainValues, TextOf};
use capture::{ByteRange, PayloadStore};
use protocol::{Entry, ExchangeKind, Part, Reading};
use render::Mask;
use text::Secrets;

/// A message and its values, or its position.
pub(super) struct ExchangeMessage {
    pub number: u64,
    pub entry: &'static Entry,
    pub turn: MessageTurn,
    pub is_reply: bool,
    part: Option<Part>,
    values: ValuesAt,
}

/// Where the values of a message are.
enum ValuesAt {
    /// Written as JSON, in [`ExchangeTexts::bytes`].
    Written(TextRange),
    /// In its payload, which can be read again.
    Stored(ByteRange),
    /// In this copy of its payload.
    Copied(Box<[u8]>),
    /// They are not needed, or exceeded the memory limit.
    Missing,
}

/// A part of [`ExchangeTexts::bytes`].
type TextRange = Range<u32>;

/// The messages of an exchange, and values taken from them.
#[derive(Default)]
pub(super) struct ExchangeTexts {
    pub messages: SmallVec<[ExchangeMessage; 2]>,
    /// The texts of columns, and the values of messages.
    bytes: Vec<u8>,
    columns: [Option<ColumnText>; COLUMNS],
    pub players: Option<i64>,
    pub max_players: Option<i64>,
    /// Whether game and protocol come from the response.
    is_answered: bool,
}

/// The text of a column, in [`ExchangeTexts::bytes`], and how many bytes it may have there: the texts
/// of later messages take its place.
#[derive(Clone, Copy)]
struct ColumnText {
    start: u32,
    length: u16,
    room: u16,
}

/// The texts with columns of their own, for spreadsheets that cannot parse JSON.
const TEXT_COLUMNS: [TextOf; COLUMNS] =
    [TextOf::Challenge, TextOf::Game, TextOf::Protocol, TextOf::Host, TextOf::Map];
const COLUMNS: usize = 5;
/// The longest of them; what the analysis keeps of a text is shorter.
const LONGEST: usize = 1 << 14;

impl ExchangeMessage {
    /// A message whose values are not needed.
    pub fn new(message: &CapturedMessage<'_>, turn: MessageTurn) -> Self {
        let CapturedMessage { header, .. } = message;
        let (entry, values) = (header.entry, ValuesAt::Missing);
        let is_reply = is_reply(entry, turn);
        Self { number: header.number, entry, turn, is_reply, part: header.part, values }
    }

    /// Stores its position, or copies its bytes if there is `space` for them.
    pub fn keep(&mut self, message: &CapturedMessage<'_>, space: usize) {
        self.values = match message.header.byte_range {
            Some(at) => ValuesAt::Stored(at),
            None if message.payload.len() <= space => ValuesAt::Copied(message.payload.into()),
            None => ValuesAt::Missing,
        };
    }

    /// How many bytes of it are kept.
    pub fn kept(&self) -> usize {
        match &self.values {
            ValuesAt::Written(range) => range.len(),
            ValuesAt::Copied(bytes) => bytes.len(),
            ValuesAt::Stored(_) | ValuesAt::Missing => 0,
        }
    }

    /// Whether its values are not available.
    pub fn is_gone(&self) -> bool {
        matches!(self.values, ValuesAt::Missing)
    }

    /// `quake3.getinfo`, in two parts.
    pub fn id(&self) -> [&'static str; 2] {
        [self.entry.protocol.id, self.entry.spec.id]
    }
}

/// Whether a message is a response, even if its request was not captured.
pub(super) fn is_reply(entry: &'static Entry, turn: MessageTurn) -> bool {
    matches!(turn, MessageTurn::Answer | MessageTurn::Refusal)
        || !entry.spec.answers.is_empty() && !entry.is_request()
}

impl ExchangeTexts {
    /// Takes values from a message: for game and protocol a response takes precedence, for the
    /// server the last message. Only the texts that rows show are taken.
    pub fn add_values(
        &mut self,
        values: &MessageValues<'_>,
        is_reply: bool,
        shows: impl Fn(TextOf) -> bool,
    ) {
        let is_first_reply = is_reply && !self.is_answered;
        self.is_answered |= is_reply;
        for (at, of) in TEXT_COLUMNS.into_iter().enumerate() {
            let replaces = match of {
                TextOf::Game | TextOf::Protocol => is_first_reply,
                TextOf::Host | TextOf::Map => is_reply,
                _ => false,
            };
            let is_new = |column: &Option<ColumnText>| replaces || column.is_none();
            if !shows(of) || !self.columns.get(at).is_some_and(is_new) {
                continue;
            }
            let text = match of {
                TextOf::Host => values.text(of).map(Cow::Borrowed),
                _ => values.harmless(of),
            };
            let Some(text) = text else { continue };
            self.set_column(at, &text);
        }
        let PlainValues { players, max_players, named_players, .. } = values.plain;
        let people = (named_players > 0).then_some(i64::from(named_players));
        self.players = players.or(people).or(self.players);
        self.max_players = max_players.or(self.max_players);
    }

    /// Adds a message with its values as JSON.
    pub fn add_written(&mut self, mut message: ExchangeMessage, json: &[u8]) {
        message.values = ValuesAt::Written(self.push(json));
        self.messages.push(message);
    }

    /// Makes room for as many bytes more.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve_exact(bytes);
    }

    /// The text of a column.
    pub fn column(&self, of: TextOf) -> Option<&[u8]> {
        let at = TEXT_COLUMNS.iter().position(|column| *column == of)?;
        let ColumnText { start, length, .. } = (*self.columns.get(at)?)?;
        Some(self.range(&(start..start + u32::from(length))))
    }

    /// Sets the text of a column, in the place of the text before, or in a larger one.
    fn set_column(&mut self, at: usize, text: &[u8]) {
        let Some(column) = self.columns.get_mut(at) else { return };
        let text = text.get(..LONGEST).unwrap_or(text);
        let length = text.len() as u16;
        let place = column.filter(|before| length <= before.room).unwrap_or_else(|| {
            let (start, has_grown) = (self.bytes.len() as u32, column.is_some());
            // Texts that grow with every message take at most twice the space of the longest.
            let room = if has_grown { length.next_power_of_two() } else { length };
            self.bytes.reserve_exact(room.into());
            self.bytes.resize(start as usize + usize::from(room), 0);
            ColumnText { start, length, room }
        });
        *column = Some(ColumnText { length, ..place });
        let at = place.start as usize;
        if let Some(bytes) = self.bytes.get_mut(at..at + text.len()) {
            bytes.copy_from_slice(text);
        }
    }

    fn push(&mut self, bytes: &[u8]) -> TextRange {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len() as u32
    }

    fn range(&self, range: &TextRange) -> &[u8] {
        self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

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

/// Writes the values of messages.
#[derive(Default)]
pub(super) struct ValueWriter {
    /// Whether nothing is written.
    is_none: bool,
    payload: Vec<u8>,
    reading: Reading,
    quotes: Quotes,
    fields: Fields,
    joined: String,
    /// How many messages were not joined with others.
    left_out: u64,
}

/// How many bytes of JSON are joined; further messages are left out.
const JOINED: usize = 4 << 20;

impl ValueWriter {
    pub fn new(quotes: Quotes) -> Self {
        let (reading, fields) = (Reading::of_values(), Fields::new(quotes));
        Self { reading, quotes, fields, ..Self::default() }
    }

    /// Writes nothing.
    pub fn none() -> Self {
        Self { is_none: true, ..Self::default() }
    }

    /// The decoded values of a message, or of several as one; nothing if one is not available.
    pub fn write<'a>(
        &'a mut self,
        (texts, messages): (&'a ExchangeTexts, &[&ExchangeMessage]),
        (payloads, secrets): (&PayloadStore, Secrets),
        redactor: &mut Option<&mut Redactor>,
    ) -> io::Result<Option<JsonWriter<'a>>> {
        if self.is_none || messages.is_empty() || messages.iter().any(|message| message.is_gone()) {
            return Ok(None);
        }
        if let [message] = messages {
            return self.one(texts, message, (payloads, secrets), redactor).map(Some);
        }
        let mut objects = Vec::with_capacity(messages.len());
        let mut space = JOINED;
        for message in messages {
            let object = self.one(texts, message, (payloads, secrets), redactor)?;
            let object = object.text().into_owned();
            let rest = space.checked_sub(object.len());
            if rest.is_none() && !objects.is_empty() {
                self.left_out += (messages.len() - objects.len()) as u64;
                break;
            }
            space = rest.unwrap_or(0);
            objects.push(object);
        }
        let objects: Vec<_> = objects.iter().map(String::as_str).collect();
        self.joined = joined(&objects);
        Ok(Some(self.joined.as_str().into()))
    }

    /// How many messages are missing where several were written as one, because they were too long
    /// together.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    fn one<'a>(
        &'a mut self,
        texts: &'a ExchangeTexts,
        message: &ExchangeMessage,
        (payloads, secrets): (&PayloadStore, Secrets),
        redactor: &mut Option<&mut Redactor>,
    ) -> io::Result<JsonWriter<'a>> {
        match &message.values {
            ValuesAt::Written(range) => {
                return Ok(JsonWriter::new(texts.range(range), self.quotes));
            }
            ValuesAt::Stored(range) => payloads.read_range(*range, &mut self.payload)?,
            ValuesAt::Copied(bytes) => bytes.as_ref().clone_into(&mut self.payload),
            ValuesAt::Missing => self.payload.clear(),
        }
        if let Some(redactor) = redactor {
            self.payload = redactor.redacted(message.entry, &self.payload).to_vec();
        }
        self.reading.read_message(message.entry, &self.payload);
        let mask = Mask::new(&self.reading, secrets);
        Ok(self.fields.write(&self.reading, &self.payload, mask))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_later_messages_take_the_place_of_earlier_ones() {
        let at = TEXT_COLUMNS.iter().position(|column| *column == TextOf::Host).unwrap();
        let mut texts = ExchangeTexts::default();
        for n in 0..10_000 {
            texts.set_column(at, format!("name {n:04}").as_bytes());
        }
        assert_eq!(texts.column(TextOf::Host), Some(&b"name 9999"[..]));
        assert_eq!(texts.bytes.len(), 9);
        // Longer and longer ones, then a short one.
        for n in 0..=256 {
            texts.set_column(at, &vec![b'x'; n]);
            assert_eq!(texts.column(TextOf::Host).map(<[u8]>::len), Some(n));
        }
        texts.set_column(at, b"y");
        assert_eq!(texts.column(TextOf::Host), Some(&b"y"[..]));
        assert!(texts.bytes.len() < 3 * 256, "{}", texts.bytes.len());
    }
}
