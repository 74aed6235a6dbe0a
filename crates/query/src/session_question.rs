//! What is open is asked again: a message of a session, or one of its servers and masters.

use std::io;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::answer::{AnswerEnd, AnswerMessage};
use super::conversation::QuestionLimits;
use super::master_client::MasterClient;
use super::message::QueryMessage;
use super::question_thread::AskedQuestion;
use super::session_endpoint::{QuestionError, endpoint_question};
use super::single::ask_message;
use super::traffic::TrafficRecorder;
use analysis::{MessageHeader, Pipeline, Session};
use capture::Input;
use flow::{DecodeAs, DecodeTarget};
use net::Transport;
use protocol::{ExchangeKind, Game, Reading, Role};
use protocols::unknown;
use simulate::families::{ListMessages, ListSelection, MasterMessages, master_kinds};
use simulate::{Consent, Pacer, Target};

/// How long an answer may take, and how often a question without one is repeated.
const LIMITS: QuestionLimits = QuestionLimits::USUAL;
/// Datagrams per second to one target, as long as its operator was not asked.
pub const RATE: u32 = 50;
/// How many messages are searched for those that answer a request.
const NEAR: usize = 8_192;

/// What is selected in a session.
#[derive(Debug, Clone, Default)]
pub struct QuestionRow {
    /// The session index of a message.
    pub message: Option<usize>,
    /// Other bytes than it has.
    pub edited: Option<Vec<u8>>,
    /// A server, and a master; asked if no message is selected, or if that is no question.
    pub server: Option<SocketAddr>,
    /// The master.
    pub master: Option<SocketAddr>,
}

/// A question to an endpoint of a session, before it is sent.
#[derive(Debug, Clone)]
pub struct SessionQuestion {
    target: Target,
    /// How it is asked.
    pub way: QuestionWay,
    /// Where its bytes come from.
    pub origin: QuestionOrigin,
    /// The session indices of the recorded answer; none if it was not asked there, or not answered.
    pub recorded: Vec<usize>,
    game: Option<&'static Game>,
}

/// How a question is asked.
#[derive(Debug, Clone)]
pub enum QuestionWay {
    /// With this message.
    Message(QueryMessage),
    /// As clients request the list of this kind of master: over a connection, or in several parts.
    List(&'static MasterMessages),
}

/// Where the bytes of a question come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionOrigin {
    /// The message of this frame.
    Recorded(u64),
    /// An edited copy of it.
    Edited(u64),
    /// What clients of the family send.
    Client,
}

impl SessionQuestion {
    /// The question that a row leads to.
    ///
    /// # Errors
    /// If it leads to none, or nothing may be sent there.
    pub fn of(session: &Session, row: &QuestionRow) -> Result<Self, QuestionError> {
        if let Some(index) = row.message {
            let selected = session.header(index).ok_or(QuestionError::Gone)?;
            if selected.answers.is_some() && row.edited.is_some() {
                return Err(QuestionError::EditedAnswer);
            }
            let request = match selected.answers {
                Some(frame) => session.find(frame).ok_or(QuestionError::Gone)?,
                None => index,
            };
            let header = session.header(request).ok_or(QuestionError::Gone)?;
            let is_answer = !header.entry.is_request() && !header.entry.spec.answers.is_empty();
            if !is_answer {
                return Self::of_message(session, (request, header), row.edited.clone());
            }
        }
        endpoint_question(session, row)
    }

    /// The message again, or an edited copy of it.
    pub(super) fn of_message(
        session: &Session,
        (index, header): (usize, MessageHeader),
        edited: Option<Vec<u8>>,
    ) -> Result<Self, QuestionError> {
        let MessageHeader { entry, number, missing, destination, transport, verdict, .. } = header;
        let game = Some(verdict.game);
        let recorded = answers_to(session, index, &header);
        let is_stream = transport == Transport::Tcp;
        let list = kind_over_connection(verdict.game)
            .filter(|_| is_stream && edited.is_none() && entry.exchange() == ExchangeKind::List);
        if let Some(kind) = list {
            let (way, origin) = (QuestionWay::List(kind), QuestionOrigin::Client);
            return Self::new(destination, way, origin, recorded, game);
        }
        let origin = match edited {
            Some(_) => QuestionOrigin::Edited(number),
            None => QuestionOrigin::Recorded(number),
        };
        if missing > 0 && edited.is_none() {
            return Err(QuestionError::Cut { number });
        }
        let mut payload = Vec::new();
        let bytes = if let Some(bytes) = edited {
            bytes
        } else {
            session.message(index, &mut payload)?.ok_or(QuestionError::Gone)?;
            payload
        };
        let message = if entry == unknown::DATAGRAM {
            QueryMessage { entry: None, bytes }
        } else if is_stream || origin == QuestionOrigin::Recorded(number) {
            QueryMessage { entry: Some(entry), bytes }
        } else {
            QueryMessage::from_bytes(bytes, &[entry.protocol])
        };
        Self::new(destination, QuestionWay::Message(message), origin, recorded, game)
    }

    /// A question to this address, if it may be asked.
    pub(super) fn new(
        to: SocketAddr,
        way: QuestionWay,
        origin: QuestionOrigin,
        recorded: Vec<usize>,
        game: Option<&'static Game>,
    ) -> Result<Self, QuestionError> {
        if to.port() == 0 {
            return Err(QuestionError::NoPort);
        }
        // One question to one target needs no permission, at the rate of a person.
        let consent = Consent { authorized: true, rate: Some(RATE) };
        let target = Target::new(&to.to_string(), to, consent)?;
        let is_question = match &way {
            QuestionWay::Message(message) => message.is_of_clients(),
            QuestionWay::List(_) => true,
        };
        if !is_question && !target.is_local() {
            return Err(QuestionError::NotOfClients { to });
        }
        Ok(Self { target, way, origin, recorded, game })
    }

    /// Whom it is sent to.
    pub fn to(&self) -> SocketAddr {
        self.target.at(0)
    }

    /// The first bytes that are sent; none if the master speaks first.
    pub fn first_bytes(&self) -> Vec<u8> {
        match &self.way {
            QuestionWay::Message(message) => message.bytes.clone(),
            QuestionWay::List(kind) => match kind.list {
                ListMessages::Datagrams { request, .. } => request(&self.selection(), None),
                ListMessages::Connection(_) => Vec::new(),
            },
        }
    }

    /// Whether it goes over a TCP connection.
    pub fn is_over_connection(&self) -> bool {
        match &self.way {
            QuestionWay::Message(message) => message.carrier() == protocol::Carrier::Stream,
            QuestionWay::List(kind) => matches!(kind.list, ListMessages::Connection(_)),
        }
    }

    /// How often it is repeated without an answer, at most.
    pub fn repeats(&self) -> u8 {
        match &self.way {
            QuestionWay::Message(_) if !self.is_over_connection() => LIMITS.repeats,
            _ => 0,
        }
    }

    fn selection(&self) -> ListSelection {
        ListSelection { over_ipv6: self.target.is_ipv6(), ..ListSelection::default() }
    }

    /// Sends it, and collects the answer.
    ///
    /// # Errors
    /// If the target cannot be reached from here, or the system cannot send or receive.
    pub fn ask(self) -> io::Result<AskedQuestion> {
        let recorder = TrafficRecorder::new()?;
        let (outcome, latency) = match &self.way {
            QuestionWay::Message(message) => {
                let asked = ask_message(&self.target, message.clone(), LIMITS, &recorder)?;
                let end = asked.answer.end.unwrap_or(AnswerEnd::Missing);
                let text = asked.failure.map_or(end.text(), |failure| failure.text());
                (text.to_owned(), asked.answer.latency)
            }
            QuestionWay::List(kind) => {
                let pacer = self.target.limit().map(Pacer::new);
                let client = MasterClient::open(&self.target, kind, self.selection())?;
                match client.request(LIMITS.timeout, pacer.as_ref(), Some(&recorder))? {
                    Ok(list) => {
                        let servers = text::counted(list.servers.len() as u64, "server");
                        let end = if list.is_whole { "" } else { ", a part did not come" };
                        (format!("a list of {servers}{end}"), Some(list.latency))
                    }
                    Err(failure) => (failure.text().to_owned(), None),
                }
            }
        };
        let (capture, _) = recorder.finish();
        let capture: Arc<[u8]> = capture.into();
        let messages = self.messages_of(&capture)?;
        Ok(AskedQuestion { question: self, outcome, latency, messages, capture })
    }

    /// The messages that the target has sent, in the recording of an exchange.
    fn messages_of(&self, capture: &Arc<[u8]>) -> io::Result<Vec<AnswerMessage>> {
        let (name, bytes) = ("the answer".to_owned(), Arc::clone(capture));
        let chosen = self.game.map(|game| DecodeAs { subject: DecodeTarget::End(self.to()), game });
        let input = Input::Memory { name, bytes };
        let opened = Pipeline::open(vec![input], chosen.into_iter().collect());
        let mut pipeline = opened.map_err(io::Error::other)?;
        let (mut messages, mut reading) = (Vec::new(), Reading::default());
        pipeline
            .messages(|message| {
                if message.header.source == self.to() {
                    let (entry, bytes) = (message.header.entry, message.payload.to_vec());
                    let is_sound = reading.takes_all(entry, &bytes);
                    messages.push(AnswerMessage { entry, bytes, is_sound });
                }
                ControlFlow::<()>::Continue(())
            })
            .map_err(io::Error::other)?;
        Ok(messages)
    }
}

/// The kind of master whose lists come over a connection, of a game.
fn kind_over_connection(game: &Game) -> Option<&'static MasterMessages> {
    let is_connected = |kind: &&MasterMessages| matches!(kind.list, ListMessages::Connection(_));
    let mut kinds = master_kinds().filter(is_connected);
    kinds.find(|kind| kind.servers.is_for(game) || kind.profile == game.id)
}

/// The messages that answer a request: those of its connection or its exchange that come from its
/// receiver; without an index, those that name it as their request.
pub(super) fn answers_to(session: &Session, at: usize, request: &MessageHeader) -> Vec<usize> {
    let from_target = |index: &usize| {
        session.header(*index).is_some_and(|header| header.source == request.destination)
    };
    if request.connection.is_some() {
        let near = at.saturating_sub(NEAR).max(session.gone())..session.len().min(at + NEAR);
        let is_same = |index: &usize| {
            session.header(*index).is_some_and(|header| {
                (header.flow, header.connection) == (request.flow, request.connection)
            })
        };
        return near.filter(is_same).filter(from_target).collect();
    }
    let exchange = session.index().and_then(|index| index.exchange_of(request.number));
    if let (Some(index), Some(exchange)) = (session.index(), exchange) {
        return index.messages_of(exchange).filter(from_target).collect();
    }
    let near = (at + 1)..session.len().min(at + NEAR);
    let answers = |index: &usize| {
        session.header(*index).is_some_and(|header| header.answers == Some(request.number))
    };
    near.filter(answers).collect()
}

/// Whether a message is one that clients send to who has this role, as far as that is known.
pub(super) fn is_asked_of(header: &MessageHeader, role: Role) -> bool {
    let is_it = |(from, to): (Role, Role)| from == Role::Client && to == role;
    header.entry.is_request() && header.entry.spec.all_directions().any(|way| is_it(*way))
}
