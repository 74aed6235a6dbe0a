//! The families of games, and what the servers and clients of each say.
//!
//! Adding a family is a folder with a [`FamilyMessages`], and a line in [`FAMILIES`].

pub mod doom3;
pub mod elite_force;
pub mod etqw;
pub mod eye;
pub mod gamespy;
pub mod gamespy2;
pub mod gamespy3;
pub mod half_life;
mod master_messages;
pub mod netquake;
pub mod qr2;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;
mod registering_server;
mod server_query;
pub mod source;
pub mod teeworlds;
#[cfg(test)]
mod tests;
pub mod tribes;
pub mod tribes2;
pub mod unreal2;
pub mod xash3d;

use crate::KnownValue;
use protocol::{Game, Protocol};

pub use master_messages::{
    HeartbeatMessages, ListMessages, ListPart, ListProgress, ListReadFn, ListRequestFn,
    ListSelection, ListStepFn, LoginStepFn, MasterMessages, RegistrationMessages, ServerAnswerFn,
    ServerMessageFn, StreamStep, StreamTurn,
};
pub(crate) use registering_server::Probe;
pub use registering_server::{ClientListRequest, RegisteringServer};
pub use server_query::{
    FollowFn, FollowTurn, ProofFields, Question, QuestionSubject, ServerQuestions,
};

/// What servers and clients of a family of games say: to each other, and to each kind of master.
///
/// It is the one description of that: simulated servers and `replay` take the answers of servers from
/// it, `query` the questions of clients, `query`, `watch` and `conform` what masters are asked and told,
/// and how their lists are read.
pub struct FamilyMessages {
    /// How its servers answer masters and clients; `None` if they answer as those of another family.
    pub answers: Option<(&'static Protocol, ServerAnswers)>,
    /// What clients ask its servers: several, where one server answers only one of them; the likeliest
    /// first.
    pub questions: &'static [&'static ServerQuestions],
    /// What clients and servers say to a master, for each kind of master.
    pub masters: &'static [&'static MasterMessages],
}

/// From a game, the known values of its server and a request to the answer.
type AnswersOf<T> = fn(&Game, &[KnownValue], &[u8]) -> T;

/// The answer of a game's server with these known values to a request.
#[derive(Clone, Copy)]
pub enum ServerAnswers {
    /// One datagram, or none to what is no request.
    One(AnswersOf<Option<Vec<u8>>>),
    /// Several datagrams.
    Several(AnswersOf<Vec<Vec<u8>>>),
}

/// All families.
pub static FAMILIES: &[&FamilyMessages] = &[
    &quake3::FAMILY,
    &elite_force::FAMILY,
    &quake2::FAMILY,
    &quakeworld::FAMILY,
    &doom3::FAMILY,
    &etqw::FAMILY,
    &half_life::FAMILY,
    &xash3d::FAMILY,
    &source::FAMILY,
    &gamespy::FAMILY,
    &gamespy2::FAMILY,
    &gamespy3::FAMILY,
    &qr2::FAMILY,
    &netquake::FAMILY,
    &eye::FAMILY,
    &tribes::FAMILY,
    &tribes2::FAMILY,
    &teeworlds::FAMILY,
    &unreal2::FAMILY,
];

/// What is said to masters, for every kind of them.
pub fn master_kinds() -> impl Iterator<Item = &'static MasterMessages> {
    FAMILIES.iter().flat_map(|family| family.masters).copied()
}

/// What clients ask servers, for every family, each once.
pub fn queried() -> impl Iterator<Item = &'static ServerQuestions> {
    let all = || FAMILIES.iter().flat_map(|family| family.questions).copied();
    all().enumerate().filter_map(move |(n, query)| {
        let is_first = !all().take(n).any(|before| std::ptr::eq(before, query));
        is_first.then_some(query)
    })
}

/// A server's answer to its master's request in a protocol: with the known values, and for the rest
/// those of a typical server of its game; `None` if it is no request. Without a game of the
/// protocol, its first one is taken. Of several datagrams it is the first.
pub fn answer(
    protocol: &Protocol,
    game: Option<&Game>,
    known: &[KnownValue],
    request: &[u8],
) -> Option<Vec<u8>> {
    answers(protocol, game, known, request).into_iter().next()
}

/// The same with all datagrams.
pub fn answers(
    protocol: &Protocol,
    game: Option<&Game>,
    known: &[KnownValue],
    request: &[u8],
) -> Vec<Vec<u8>> {
    let mut servers = FAMILIES.iter().filter_map(|family| family.answers);
    let answer = servers.find(|(known, _)| known.id == protocol.id);
    let game = game.filter(|game| protocol.games.contains(game));
    let game = game.or(protocol.games.first().copied());
    match (answer, game) {
        (Some((_, ServerAnswers::One(answer))), Some(game)) => {
            answer(game, known, request).into_iter().collect()
        }
        (Some((_, ServerAnswers::Several(answers))), Some(game)) => answers(game, known, request),
        _ => Vec::new(),
    }
}

/// The `with_message` of a family: decodes a datagram of its protocol and passes the message to `take`;
/// `None` for one of another protocol or with a fault.
macro_rules! with_message {
    ($message:ident) => {
        /// Decodes a message of this protocol and passes it to `take`; `None` if it has a fault.
        pub fn with_message<T>(
            bytes: &[u8],
            take: impl FnOnce($message<'_>) -> Option<T>,
        ) -> Option<T> {
            let (carrier, direction) = (protocol::Carrier::Datagram, Default::default());
            let entry = protocols::recognise(&PROTOCOL, carrier, bytes, direction)?;
            let mut scratch = codec::Scratch::default();
            let decoded = $message::decode(entry, bytes, &mut scratch)?;
            if decoded.fault.is_some() { None } else { take(decoded.message) }
        }
    };
}
pub(crate) use with_message;

/// A number and nothing else, of 32 bits.
pub fn number(digits: &[u8]) -> Option<i64> {
    let number: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(number.into())
}
