//! A server or a master of a session is asked as clients of its family do.

use std::io;
use std::net::SocketAddr;

use super::message::QueryMessage;
use super::session_question::{
    QuestionOrigin, QuestionRow, QuestionWay, SessionQuestion, answers_to, is_asked_of,
};
use analysis::{MessageHeader, Session};
use protocol::{ExchangeKind, Game, Role};
use simulate::TargetError;
use simulate::families::{
    ListMessages, MasterMessages, RegistrationMessages, ServerQuestions, master_kinds, queried,
};

/// How many messages are searched for an earlier question, from the last one back.
const LATEST: usize = 1 << 16;

/// Why there is no question.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum QuestionError {
    #[error("there is nobody to ask: select a message, a server or a master")]
    Nobody,
    #[error("this message is no longer kept")]
    Gone,
    #[error("an edited answer is no question; edit the request")]
    EditedAnswer,
    #[error("#{number} was not captured whole")]
    Cut { number: u64 },
    #[error("nothing is sent to port 0")]
    NoPort,
    #[error("clients of {game} ask its servers nothing")]
    NoQuestion { game: &'static str },
    #[error("lists of {game} are not requested here")]
    NoList { game: &'static str },
    #[error(
        "clients do not send this message to {to}; if its operator agrees, use \
         `fragshark query --authorized`"
    )]
    NotOfClients { to: SocketAddr },
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("it cannot be read again: {0}")]
    Unreadable(#[from] io::Error),
}

/// The question for a server's state, or for a master's list.
pub(super) fn endpoint_question(
    session: &Session,
    row: &QuestionRow,
) -> Result<SessionQuestion, QuestionError> {
    match (row.server, row.master) {
        (Some(server), _) => server_question(session, server),
        (None, Some(master)) => master_question(session, master),
        (None, None) => Err(QuestionError::Nobody),
    }
}

fn server_question(
    session: &Session,
    server: SocketAddr,
) -> Result<SessionQuestion, QuestionError> {
    let game = game_of(session, server).ok_or(QuestionError::Nobody)?;
    let own = |query: &&ServerQuestions| query.is_for(game);
    let query = queried().find(|query| own(query) && query.protocol == game.protocol);
    let query = query.or_else(|| queried().find(own));
    let query = query.ok_or(QuestionError::NoQuestion { game: game.title })?;
    let message = QueryMessage::from_bytes(query.state(), &[query.protocol]);
    let above = server.port().checked_add(query.port_above);
    let above = above.map(|port| SocketAddr::new(server.ip(), port));
    let is_asked = |header: &MessageHeader| {
        let is_there = header.destination == server || Some(header.destination) == above;
        is_there && Some(header.entry) == message.entry
    };
    let earlier = latest(session, is_asked);
    let to = earlier.map(|(_, header)| header.destination).or(above).unwrap_or(server);
    let recorded = earlier.map(|(at, header)| answers_to(session, at, &header));
    let (way, origin) = (QuestionWay::Message(message), QuestionOrigin::Client);
    SessionQuestion::new(to, way, origin, recorded.unwrap_or_default(), Some(game))
}

/// The request for a list as it was recorded last, else as clients send it.
fn master_question(
    session: &Session,
    master: SocketAddr,
) -> Result<SessionQuestion, QuestionError> {
    let is_request = |header: &MessageHeader| {
        header.destination.ip() == master.ip()
            && header.entry.exchange() == ExchangeKind::List
            && is_asked_of(header, Role::Master)
    };
    if let Some(earlier) = latest(session, is_request) {
        return SessionQuestion::of_message(session, earlier, None);
    }
    let game = game_of(session, master).ok_or(QuestionError::Nobody)?;
    let kind = kind_of(game).ok_or(QuestionError::NoList { game: game.title })?;
    let port = match kind.registration {
        RegistrationMessages::Heartbeats(messages) if messages.port == Some(master.port()) => {
            kind.port
        }
        _ => master.port(),
    };
    let (to, way) = (SocketAddr::new(master.ip(), port), QuestionWay::List(kind));
    SessionQuestion::new(to, way, QuestionOrigin::Client, Vec::new(), Some(game))
}

/// The kind of a game's masters.
fn kind_of(game: &Game) -> Option<&'static MasterMessages> {
    let own = master_kinds().find(|kind| kind.profile == game.id);
    let is_list = |kind: &&MasterMessages| match kind.list {
        ListMessages::Datagrams { .. } => kind.servers.protocol == game.protocol,
        ListMessages::Connection(_) => kind.servers.is_for(game),
    };
    own.or_else(|| master_kinds().filter(|kind| kind.variant_of.is_none()).find(is_list))
}

/// The game of an endpoint, by its latest flow.
fn game_of(session: &Session, end: SocketAddr) -> Option<&'static Game> {
    let flows = session.flows();
    let has_end = |(_, ends): &(_, [SocketAddr; 2])| ends.contains(&end);
    let its =
        flows.iter().map(|(id, _)| id).filter(|id| flows.ends(*id).is_some_and(|e| has_end(&e)));
    its.filter_map(|id| flows.verdict(id)).last().map(|verdict| verdict.game)
}

/// The latest message for which this holds, among the last ones.
fn latest(
    session: &Session,
    is_it: impl Fn(&MessageHeader) -> bool,
) -> Option<(usize, MessageHeader)> {
    let from = session.len().saturating_sub(LATEST).max(session.gone());
    let all = (from..session.len()).rev();
    all.filter_map(|at| Some((at, session.header(at)?))).find(|(_, header)| is_it(header))
}
