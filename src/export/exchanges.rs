//! Builds the rows of exchanges.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use super::exchange_messages::{ExchangeMessage, ExchangeTexts, ValueWriter, is_reply};
use super::json::Quotes;
use super::redact::Redactor;
use super::session_row::SessionRow;
use crate::analysis::{CapturedMessage, Exchange, MessageTurn, MessageValues, TextValue};
use crate::capture::PayloadStore;
use crate::protocol::{ExchangeKind, Role};
use crate::render::uncoloured;
use crate::text::{Secrets, shown};

/// The maximum bytes of payloads kept for open exchanges, of input that cannot be read again.
const KEPT: usize = 16 << 20;
/// The maximum number of messages kept per exchange, and in all beyond the first few of each.
const MESSAGES: usize = 4096;
const MORE: usize = 1 << 16;
const FEW: usize = 4;

/// Builds the rows of exchanges, and stores the positions of their messages until they end.
pub(super) struct ExchangeRows {
    secrets: Secrets,
    payloads: Arc<PayloadStore>,
    open: HashMap<u64, Box<ExchangeTexts>, foldhash::fast::RandomState>,
    /// Bytes of payloads, and messages beyond the first few, that are kept.
    kept: usize,
    more: usize,
    left_out: u64,
    requests: ValueWriter,
    replies: ValueWriter,
}

impl ExchangeRows {
    /// The JSON of fields is written with these quotes.
    pub fn new(secrets: Secrets, payloads: Arc<PayloadStore>, quotes: Quotes) -> Self {
        Self {
            secrets,
            payloads,
            open: HashMap::default(),
            kept: 0,
            more: 0,
            left_out: 0,
            requests: ValueWriter::new(quotes),
            replies: ValueWriter::new(quotes),
        }
    }

    /// Adds a message to an open exchange: stores its values, and its position if its fields are
    /// needed.
    pub fn keep(
        &mut self,
        message: &CapturedMessage<'_>,
        (id, turn): (u64, MessageTurn),
        values: &MessageValues,
    ) {
        let entry = message.header.entry;
        let is_reply = is_reply(entry, turn);
        let open = self.open.entry(id).or_default();
        open.values.add(values, is_reply);
        let is_more = open.messages.len() >= FEW;
        if open.messages.len() >= MESSAGES || is_more && self.more >= MORE {
            self.left_out += u64::from(is_reply && entry.exchange() == ExchangeKind::List);
            return;
        }
        let is_part =
            is_reply && (entry.exchange() == ExchangeKind::List || message.header.part.is_some());
        let known = if is_reply { open.reply() } else { open.request() };
        let wanted = turn != MessageTurn::Query && (is_part || known.is_none());
        let stored = ExchangeMessage::new(message, turn, wanted, KEPT.saturating_sub(self.kept));
        self.kept += stored.copied();
        self.more += usize::from(is_more);
        self.left_out += u64::from(wanted && stored.is_gone());
        open.messages.push(stored);
    }

    /// Drops an ended exchange without a row.
    pub fn forget(&mut self, id: u64) -> Box<ExchangeTexts> {
        let open = self.open.remove(&id).unwrap_or_default();
        self.kept -= open.messages.iter().map(ExchangeMessage::copied).sum::<usize>();
        self.more -= open.messages.len().saturating_sub(FEW);
        open
    }

    /// How many messages were dropped because too much was kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The row of an ended exchange.
    pub fn row(
        &mut self,
        exchange: &Exchange,
        mut redactor: Option<&mut Redactor>,
    ) -> io::Result<SessionRow<'_>> {
        let open = self.forget(exchange.id);
        let Self { payloads, secrets, requests, replies, .. } = self;
        let (request, answer) = (open.request(), open.answer(exchange.kind));
        let from = (payloads.as_ref(), *secrets);
        let request_messages: Vec<_> = request.into_iter().collect();
        let request_fields = requests.write(&request_messages, from, &mut redactor)?;
        let reply_fields = replies.write(&answer, from, &mut redactor)?;
        let values = &open.values;
        let text = |value: &Option<TextValue>| {
            value.as_ref().map(|value| shown(value).into()).unwrap_or_default()
        };
        let id = |of: Option<&ExchangeMessage>| of.map(|of| of.id().into()).unwrap_or_default();
        let colours = open.reply().or(request).map(|stored| stored.entry.protocol.colours);
        let plain = values.host.as_ref().zip(colours).map(|(host, of)| uncoloured(host, of));
        let listing = exchange.listing();
        let [source, destination] = [exchange.requester, exchange.responder];
        let [source_role, destination_role] =
            exchange.roles.map(|role| role.map_or("", Role::name));
        let [bytes, bytes_back] = exchange.bytes;
        Ok(SessionRow {
            exchange: exchange.id,
            kind: exchange.kind.name(),
            state: exchange.state.name(),
            game: exchange.verdict.game.id,
            transport: exchange.transport.name(),
            flow: exchange.flow.0.into(),
            source: source.ip(),
            source_port: source.port(),
            source_role,
            destination: destination.ip(),
            destination_port: destination.port(),
            destination_role,
            server: exchange.server.map(|server| server.to_string().into()).unwrap_or_default(),
            start_time: exchange.first,
            end_time: exchange.last,
            latency_ms: exchange.latency().map(milliseconds),
            duration_ms: exchange.duration().map(milliseconds),
            hostname: text(&values.host),
            hostname_plain: plain.unwrap_or_default().into(),
            map_name: text(&values.map),
            gamename: text(&values.game),
            protocol: text(&values.protocol),
            players: values.players,
            max_players: values.max_players,
            servers_listed: listing.map(|listing| listing.count.into()),
            list_packets: listing.map(|listing| listing.packets.len() as u64),
            challenge: text(&values.challenge),
            challenge_state: exchange.proof.name(),
            retries: exchange.retries.into(),
            messages: exchange.messages.into(),
            frames: open.messages.iter().map(|stored| stored.number).collect(),
            steps: steps(&open.messages).into(),
            bytes,
            bytes_back,
            request_number: request.map(|stored| stored.number),
            request: id(request),
            request_fields,
            reply_number: open.reply().map(|stored| stored.number),
            reply: id(open.reply()),
            reply_fields,
            icmp_errors: exchange.errors.iter().map(|error| error.what.as_str()).collect(),
        })
    }
}

/// The turns of messages, as JSON.
fn steps(messages: &[ExchangeMessage]) -> String {
    let mut steps = "[".to_owned();
    for stored in messages {
        let gap = if steps.len() > 1 { "," } else { "" };
        let (number, turn, id) = (stored.number, stored.turn, stored.id());
        _ = write!(steps, r#"{gap}{{"number":{number},"turn":"{turn}","message":"{id}"}}"#);
    }
    steps + "]"
}

/// Nanoseconds as milliseconds.
fn milliseconds(nanos: i64) -> f64 {
    nanos as f64 / 1e6
}
