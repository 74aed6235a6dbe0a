//! Builds the rows of exchanges.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use smallvec::SmallVec;

use super::exchange_messages::{ExchangeMessage, ExchangeTexts, ValueWriter};
use super::json::{JsonWriter, Quotes};
use super::message_reader::ReadMessage;
use super::redact::Redactor;
use super::row_ids::{RowIds, RowSubject};
use super::session_row::SessionRow;
use analysis::{CapturedMessage, Exchange, InputSet, MessageTurn, TextOf};
use capture::PayloadStore;
use protocol::{ExchangeKind, Role};
use render::uncoloured;
use text::digits::{push_endpoint, push_number};
use text::{Secrets, shown};

/// The maximum bytes of payloads kept for open exchanges, of input that cannot be read again.
const KEPT: usize = 16 << 20;
/// How many bytes of fields are written before their exchanges have ended; further messages are
/// read again.
const WRITTEN: usize = 4 << 20;
/// How many bytes the texts of a message take that have columns of their own, mostly.
const TEXTS: usize = 64;
/// The maximum number of messages kept per exchange, and in all beyond the first few of each.
const MESSAGES: usize = 4096;
const MORE: usize = 1 << 16;
const FEW: usize = 4;

/// Builds the rows of exchanges, and keeps what their messages say until they end.
pub(super) struct ExchangeRows {
    secrets: Secrets,
    payloads: Arc<PayloadStore>,
    quotes: Quotes,
    ids: RowIds,
    open: HashMap<u64, Box<ExchangeTexts>, foldhash::fast::RandomState>,
    /// Bytes that are kept, and messages beyond the first few.
    kept: usize,
    more: usize,
    left_out: u64,
    requests: ValueWriter,
    replies: ValueWriter,
    /// Of the last row.
    texts: Box<ExchangeTexts>,
    columns: RowColumns,
    /// Whether rows show texts other than names.
    has_texts: bool,
}

/// Texts that a row borrows.
#[derive(Default)]
struct RowColumns {
    server: Vec<u8>,
    request: String,
    reply: String,
    steps: Vec<u8>,
}

impl ExchangeRows {
    /// Rows of exchanges of these inputs; the JSON of fields is written with these quotes.
    pub fn new(
        secrets: Secrets,
        (inputs, payloads): (InputSet, Arc<PayloadStore>),
        quotes: Quotes,
    ) -> Self {
        Self {
            secrets,
            payloads,
            quotes,
            ids: RowIds::new(inputs),
            open: HashMap::default(),
            kept: 0,
            more: 0,
            left_out: 0,
            requests: ValueWriter::new(quotes),
            replies: ValueWriter::new(quotes),
            texts: Box::default(),
            columns: RowColumns::default(),
            has_texts: true,
        }
    }

    /// The same; of the texts of messages, rows show names alone.
    pub fn with_names_alone(self) -> Self {
        Self { has_texts: false, ..self }
    }

    /// The same without the values of messages.
    pub fn without_fields(self) -> Self {
        let [requests, replies] = [ValueWriter::none(), ValueWriter::none()];
        Self { requests, replies, ..self }
    }

    /// Adds a message to an open exchange, with the values that its row needs. Without its fields it
    /// is read again when the exchange has ended.
    pub fn keep(
        &mut self,
        message: &CapturedMessage<'_>,
        (id, turn): (u64, MessageTurn),
        ReadMessage { values, fields }: &ReadMessage<'_>,
    ) {
        let entry = message.header.entry;
        let mut kept = ExchangeMessage::new(message, turn);
        let is_reply = kept.is_reply;
        let has_texts = self.has_texts;
        let shows = |text| has_texts || text == TextOf::Host;
        let open = self.open.entry(id).or_default();
        let is_more = open.messages.len() >= FEW;
        if open.messages.len() >= MESSAGES || is_more && self.more >= MORE {
            open.add_values(values, is_reply, shows);
            self.left_out += u64::from(is_reply && entry.exchange() == ExchangeKind::List);
            return;
        }
        self.more += usize::from(is_more);
        let is_part =
            is_reply && (entry.exchange() == ExchangeKind::List || message.header.part.is_some());
        let known = if is_reply { open.reply() } else { open.request() };
        let is_wanted = turn != MessageTurn::Query && (is_part || known.is_none());
        if is_wanted
            && let Some(json) = *fields
            && self.kept + json.len() <= WRITTEN
        {
            open.reserve(json.len() + TEXTS);
            open.add_values(values, is_reply, shows);
            open.add_written(kept, json);
            self.kept += json.len();
            return;
        }
        open.add_values(values, is_reply, shows);
        if is_wanted {
            kept.keep(message, KEPT.saturating_sub(self.kept));
            self.kept += kept.kept();
            self.left_out += u64::from(kept.is_gone());
        }
        open.messages.push(kept);
    }

    /// Drops an ended exchange without a row.
    pub fn forget(&mut self, id: u64) -> Box<ExchangeTexts> {
        let open = self.open.remove(&id).unwrap_or_default();
        self.kept -= open.messages.iter().map(ExchangeMessage::kept).sum::<usize>();
        self.more -= open.messages.len().saturating_sub(FEW);
        open
    }

    /// How many messages were dropped because too much was kept.
    pub fn left_out(&self) -> u64 {
        self.left_out + self.requests.left_out() + self.replies.left_out()
    }

    /// The row of an ended exchange.
    pub fn row(
        &mut self,
        exchange: &Exchange,
        mut redactor: Option<&mut Redactor>,
    ) -> io::Result<SessionRow<'_>> {
        self.texts = self.forget(exchange.id);
        let Self { payloads, secrets, requests, replies, texts, columns, quotes, ids, .. } = self;
        let (request, reply, answer) =
            (texts.request(), texts.reply(), texts.answer(exchange.kind));
        columns.set(exchange.server, [request, reply], &texts.messages, *quotes);
        let from = (payloads.as_ref(), *secrets);
        let request_messages: SmallVec<[_; 1]> = request.into_iter().collect();
        let request_fields = requests.write((texts, &request_messages), from, &mut redactor)?;
        let reply_fields = replies.write((texts, &answer), from, &mut redactor)?;
        let text = |of: TextOf| texts.column(of).map(shown).unwrap_or_default();
        let colours = reply.or(request).map(|of| exchange.verdict.colours_of(of.entry));
        let host = texts.column(TextOf::Host);
        let plain = host.zip(colours).map(|(host, of)| uncoloured(host, of));
        let listing = exchange.listing();
        let [source, destination] = [exchange.requester, exchange.responder];
        let [source_role, destination_role] =
            exchange.roles.map(|role| role.map_or("", Role::name));
        let [bytes, bytes_back] = exchange.bytes;
        let ids = ids.ids_of(RowSubject {
            input: exchange.input(),
            flow: exchange.flow,
            ends: Some((exchange.transport, [source, destination])),
            exchange: Some(exchange.id),
        });
        Ok(SessionRow {
            file: ids.file.into(),
            exchange: exchange.id,
            exchange_id: ids.exchange_id,
            kind: exchange.kind.name(),
            state: exchange.state.name(),
            game: exchange.verdict.game.id,
            transport: exchange.transport.name(),
            flow: exchange.flow.0.into(),
            flow_id: ids.flow_id,
            community_id: ids.community_id,
            source: source.ip(),
            source_port: source.port(),
            source_role,
            destination: destination.ip(),
            destination_port: destination.port(),
            destination_role,
            server: str::from_utf8(&columns.server).unwrap_or_default().into(),
            start_time: exchange.first,
            end_time: exchange.last,
            latency_ms: exchange.latency().map(milliseconds),
            duration_ms: exchange.duration().map(milliseconds),
            hostname: text(TextOf::Host),
            hostname_plain: plain.unwrap_or_default().into(),
            map_name: text(TextOf::Map),
            gamename: text(TextOf::Game),
            protocol: text(TextOf::Protocol),
            players: texts.players,
            max_players: texts.max_players,
            servers_listed: listing.map(|listing| listing.count.into()),
            list_packets: listing.map(|listing| listing.packet_count.into()),
            challenge: text(TextOf::Challenge),
            challenge_state: exchange.proof.name(),
            retries: exchange.retries.into(),
            messages: exchange.messages.into(),
            frames: texts.messages.iter().map(|message| message.number).collect(),
            steps: JsonWriter::new(&columns.steps, *quotes),
            bytes,
            bytes_back,
            request_number: request.map(|message| message.number),
            request: columns.request.as_str().into(),
            request_fields,
            reply_number: reply.map(|message| message.number),
            reply: columns.reply.as_str().into(),
            reply_fields,
            icmp_errors: exchange.errors.iter().map(|error| error.what.as_str()).collect(),
        })
    }
}

impl RowColumns {
    fn set(
        &mut self,
        server: Option<SocketAddr>,
        ends: [Option<&ExchangeMessage>; 2],
        messages: &[ExchangeMessage],
        quotes: Quotes,
    ) {
        self.server.clear();
        if let Some(server) = server {
            push_endpoint(&mut self.server, server);
        }
        for (id, message) in [&mut self.request, &mut self.reply].into_iter().zip(ends) {
            id.clear();
            if let Some([protocol, message]) = message.map(ExchangeMessage::id) {
                id.extend([protocol, ".", message]);
            }
        }
        self.list(messages, quotes);
    }

    /// The turns of messages, as JSON.
    fn list(&mut self, messages: &[ExchangeMessage], quotes: Quotes) {
        let steps = &mut self.steps;
        steps.clear();
        for message in messages {
            steps.extend([if steps.is_empty() { b'[' } else { b',' }, b'{']);
            push_name(steps, "number", quotes);
            push_number(steps, message.number);
            steps.push(b',');
            push_name(steps, "turn", quotes);
            push_words(steps, &[message.turn.name()], quotes);
            steps.push(b',');
            push_name(steps, "message", quotes);
            let [protocol, id] = message.id();
            push_words(steps, &[protocol, ".", id], quotes);
            steps.push(b'}');
        }
        steps.extend_from_slice(if steps.is_empty() { b"[]" } else { b"]" });
    }
}

/// Appends the name of a member.
fn push_name(out: &mut Vec<u8>, name: &str, quotes: Quotes) {
    push_words(out, &[name], quotes);
    out.push(b':');
}

/// Appends words that need no escapes, as one string.
fn push_words(out: &mut Vec<u8>, words: &[&str], quotes: Quotes) {
    quotes.push(out);
    for word in words {
        out.extend_from_slice(word.as_bytes());
    }
    quotes.push(out);
}

/// Nanoseconds as milliseconds.
fn milliseconds(nanos: i64) -> f64 {
    nanos as f64 / 1e6
}
