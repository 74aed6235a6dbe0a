//! The rows of exchanges: with what was said in them (sessions), and without.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::fields::Fields;
use super::json;
use super::json::{Json, Quotes};
use super::redact::Redactor;
use super::row::row;
use crate::capture::{Place, Shelf};
use crate::dump::{Mask, Secrets};
use crate::net::Transport;
use crate::proto::{Entry, Party, Reading};
use crate::session::{Exchange, Message, Proof, Turn};

row! {
    /// A request, what answered it, and what came of both.
    SessionRow {
        exchange: Number in "", "the exchange's number, from 1 in the order of the first messages; rows come in the order in which exchanges end";
        kind: Word in "", "what it is about: `registration`, `shutdown`, `list`, `query`, `connection`, `authorization`, `motd`, `version`, `validation` or `command`";
        state: Word in "", "what came of it: `answered`, `refused`, `unanswered`, `half` (it stopped on the way), `unsolicited` (an answer to nothing that was seen) or `told` (nothing has to come back)";
        game: Word in "", "the game that the conversation speaks";
        source: Address in "", "the address of whoever asked";
        source_port: Number in "", "the port of that end";
        source_role: Word in "", "`client`, `server`, `master`, or empty where nothing tells";
        destination: Address in "", "the address of whoever was asked";
        destination_port: Number in "", "the port of that end";
        destination_role: Word in "", "the same as `source_role`, of that end";
        first: Time in "UTC", "when its first message was captured";
        latency: Duration or none in "nanoseconds", "from the first message to the first answer";
        lasted: Duration or none in "nanoseconds", "from the first message to the last answer";
        retries: Number in "", "how often the same was asked again";
        messages: Number in "", "how many messages it has";
        request_number: Number or none in "", "the frame of the request";
        request: Word in "", "the request's own name among all messages; empty where none was seen";
        request_fields: Json or none in "", "the decoded values of the request";
        reply_number: Number or none in "", "the frame of the first answer";
        reply: Word in "", "the first answer's own name among all messages; empty where none came";
        reply_fields: Json or none in "", "the decoded values of the first answer";
    }
}

row! {
    /// An exchange as a whole.
    ExchangeRow {
        exchange: Number in "", "the exchange's number, from 1 in the order of the first messages; rows come in the order in which exchanges end";
        kind: Word in "", "what it is about, as in `sessions`";
        state: Word in "", "what came of it, as in `sessions`";
        game: Word in "", "the game that the conversation speaks";
        transport: Word in "", "`udp` or `tcp`";
        flow: Number in "", "the conversation of its first message";
        source: Address in "", "the address of whoever asked";
        source_port: Number in "", "the port of that end";
        destination: Address in "", "the address of whoever was asked";
        destination_port: Number in "", "the port of that end";
        server: Text in "", "the server that it is about, as `address:port`; empty where there is none";
        first: Time in "UTC", "when its first message was captured";
        last: Time in "UTC", "when its last message was captured";
        latency: Duration or none in "nanoseconds", "from the first message to the first answer";
        lasted: Duration or none in "nanoseconds", "from the first message to the last answer";
        retries: Number in "", "how often the same was asked again";
        messages: Number in "", "how many messages it has";
        frames: Json in "", "the frames of its messages, an array of numbers; of long exchanges the first 64";
        bytes: Number in "bytes", "payload from `source`";
        bytes_back: Number in "bytes", "payload the other way";
        challenge: Text in "", "whether the challenge came back: `right`, `wrong`, `missing`, `awaited`, `unknown` where nobody can tell; empty where none was sent";
        servers: Number or none in "", "how many servers were listed";
        packets: Number or none in "", "how many packets the list took";
        icmp_errors: Json in "", "what the network said of its messages, an array of texts";
    }
}

/// How much of payloads that cannot be read again is kept for the exchanges that are open.
const KEPT: usize = 16 << 20;

/// Makes the rows of exchanges, and keeps where their messages lie until they end.
pub(super) struct ExchangeRows {
    secrets: Secrets,
    shelf: Arc<Shelf>,
    said: HashMap<u64, Pair, foldhash::fast::RandomState>,
    kept: usize,
    server: String,
    frames: String,
    errors: String,
    asks: Teller,
    answers: Teller,
}

/// The request and the first answer of an exchange that is open.
#[derive(Default)]
struct Pair {
    request: Option<Said>,
    reply: Option<Said>,
}

/// Where a message lies.
pub(super) struct Said {
    number: u64,
    entry: &'static Entry,
    at: At,
}

enum At {
    Place(Place),
    Here(Box<[u8]>),
    /// It was too much to keep.
    Nowhere,
}

/// Tells what one message says.
#[derive(Default)]
struct Teller {
    payload: Vec<u8>,
    reading: Reading,
    fields: Fields,
    id: String,
}

impl ExchangeRows {
    pub fn new(secrets: Secrets, shelf: Arc<Shelf>) -> Self {
        Self {
            secrets,
            shelf,
            said: HashMap::default(),
            kept: 0,
            server: String::new(),
            frames: String::new(),
            errors: String::new(),
            asks: Teller::default(),
            answers: Teller::default(),
        }
    }

    /// The same, the JSON of fields written with such quotes.
    #[must_use]
    pub fn with_quotes(self, quotes: Quotes) -> Self {
        let teller = || Teller {
            reading: Reading::of_values(),
            fields: Fields::new(quotes),
            ..Teller::default()
        };
        Self { asks: teller(), answers: teller(), ..self }
    }

    /// A message has its place in an exchange: where it lies is remembered, if its fields may be
    /// asked for.
    pub fn keep(&mut self, message: &Message<'_>, (id, turn): (u64, Turn)) {
        let pair = self.said.entry(id).or_default();
        let is_reply = matches!(turn, Turn::Answer | Turn::Refuse)
            || !message.header.entry.spec.answers.is_empty() && !message.header.entry.is_asked();
        let place = if is_reply { &mut pair.reply } else { &mut pair.request };
        if place.is_some() || turn == Turn::Query {
            return;
        }
        let at = match message.header.place {
            Some(at) => At::Place(at),
            None if self.kept + message.payload.len() <= KEPT => {
                self.kept += message.payload.len();
                At::Here(message.payload.into())
            }
            None => At::Nowhere,
        };
        let (number, entry) = (message.header.number, message.header.entry);
        *place = Some(Said { number, entry, at });
    }

    /// An exchange is over, and nobody asks for it.
    pub fn forget(&mut self, id: u64) -> [Option<Said>; 2] {
        let Pair { request, reply } = self.said.remove(&id).unwrap_or_default();
        for said in [&request, &reply].into_iter().flatten() {
            if let At::Here(bytes) = &said.at {
                self.kept = self.kept.saturating_sub(bytes.len());
            }
        }
        [request, reply]
    }

    /// An exchange is over: its row with what was said.
    pub fn session(
        &mut self,
        exchange: &Exchange,
        mut redactor: Option<&mut Redactor>,
    ) -> io::Result<SessionRow<'_>> {
        let [request, reply] = self.forget(exchange.id);
        let Self { shelf, secrets, asks, answers, .. } = self;
        let [source, destination] = [exchange.asker, exchange.asked];
        let request_fields = asks.tell(request.as_ref(), shelf, *secrets, &mut redactor)?;
        let reply_fields = answers.tell(reply.as_ref(), shelf, *secrets, &mut redactor)?;
        let [source_role, destination_role] = exchange.parties.map(role);
        Ok(SessionRow {
            exchange: exchange.id,
            kind: exchange.affair.name(),
            state: exchange.state.name(),
            game: exchange.verdict.game.id,
            source: source.ip(),
            source_port: source.port().into(),
            source_role,
            destination: destination.ip(),
            destination_port: destination.port().into(),
            destination_role,
            first: exchange.first,
            latency: exchange.latency(),
            lasted: exchange.duration(),
            retries: exchange.retries.into(),
            messages: exchange.messages.into(),
            request_number: request.map(|said| said.number),
            request: request_fields.0,
            request_fields: request_fields.1,
            reply_number: reply.map(|said| said.number),
            reply: reply_fields.0,
            reply_fields: reply_fields.1,
        })
    }

    /// An exchange is over: its row as a whole.
    pub fn whole(&mut self, exchange: &Exchange) -> ExchangeRow<'_> {
        self.forget(exchange.id);
        let [source, destination] = [exchange.asker, exchange.asked];
        self.server = exchange.server.map(|server| server.to_string()).unwrap_or_default();
        let numbers: Vec<_> = exchange.numbers().map(|number| number.to_string()).collect();
        self.frames = format!("[{}]", numbers.join(","));
        let mut errors = b"[".to_vec();
        for error in &exchange.errors {
            if errors.len() > 1 {
                errors.push(b',');
            }
            json::push_text(&mut errors, &error.what);
        }
        errors.push(b']');
        self.errors = String::from_utf8(errors).unwrap_or_default();
        let listing = exchange.listing();
        let [bytes, bytes_back] = exchange.bytes;
        ExchangeRow {
            exchange: exchange.id,
            kind: exchange.affair.name(),
            state: exchange.state.name(),
            game: exchange.verdict.game.id,
            transport: match exchange.transport {
                Transport::Udp => "udp",
                Transport::Tcp => "tcp",
            },
            flow: exchange.flow.0.into(),
            source: source.ip(),
            source_port: source.port().into(),
            destination: destination.ip(),
            destination_port: destination.port().into(),
            server: &self.server,
            first: exchange.first,
            last: exchange.last,
            latency: exchange.latency(),
            lasted: exchange.duration(),
            retries: exchange.retries.into(),
            messages: exchange.messages.into(),
            frames: self.frames.as_str().into(),
            bytes,
            bytes_back,
            challenge: match exchange.proof {
                Proof::Unasked => "",
                Proof::Awaited => "awaited",
                Proof::Right => "right",
                Proof::Wrong => "wrong",
                Proof::Missing => "missing",
                Proof::Unknown => "unknown",
            },
            servers: listing.map(|listing| listing.count.into()),
            packets: listing.map(|listing| listing.packets.len() as u64),
            icmp_errors: self.errors.as_str().into(),
        }
    }
}

impl Teller {
    /// A message's own name and its decoded values.
    fn tell(
        &mut self,
        said: Option<&Said>,
        shelf: &Shelf,
        secrets: Secrets,
        redactor: &mut Option<&mut Redactor>,
    ) -> io::Result<(&str, Option<Json<'_>>)> {
        self.id.clear();
        let Some(Said { entry, at, .. }) = said else {
            return Ok(("", None));
        };
        self.id.push_str(entry.protocol);
        self.id.push('.');
        self.id.push_str(entry.spec.id);
        match at {
            At::Place(place) => shelf.read(*place, &mut self.payload)?,
            At::Here(bytes) => bytes.as_ref().clone_into(&mut self.payload),
            At::Nowhere => return Ok((&self.id, None)),
        }
        if let Some(redactor) = redactor {
            self.payload = redactor.said(entry, &self.payload).to_vec();
        }
        self.reading.read(entry, &self.payload);
        let mask = Mask::of(&self.reading, secrets);
        Ok((&self.id, Some(self.fields.write(&self.reading, &self.payload, mask))))
    }
}

fn role(party: Option<Party>) -> &'static str {
    match party {
        None => "",
        Some(Party::Client) => "client",
        Some(Party::Server) => "server",
        Some(Party::Master) => "master",
    }
}
