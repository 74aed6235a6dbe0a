//! The Quake III family: heartbeat, getinfo, infoResponse, getservers (documents 000, 001 sections
//! 1, 8 and 11, and 004). Elite Force's shares the registration.

pub(super) mod authorize;
mod lists;
pub(super) mod motd;

use std::net::SocketAddr;

use crate::{
    ChallengeForm, ClaimedServer, Defect, IncomingRequest, ListBucket, ListKey, MasterState,
    Namespace, ReplySink, ServerKey, Service,
};
use codec::{Info, Scratch};
use lists::{servers, servers_ext};
use protocols::quake3::{
    GetInfo, Heartbeat, PROTOCOL, QUAKE3, Quake3, Register, TAGS, Tag, TagMeaning,
};
use simulate::families::number;

/// Its services.
pub static SERVICES: &[Service] = &[
    Service {
        means: "servers of Quake III, RtCW, Enemy Territory, DarkPlaces' games, Q3Master",
        source: "001 1, 001 8, 001 11, 004",
        ..Service::udp(&QUAKE3, 27950, handle)
    },
    Service {
        name: "motd",
        means: "messages of the day, and Enemy Territory's updates",
        source: "001 1.1.4, 001 8.6, 001 11.3",
        ..Service::udp(&QUAKE3, 27951, motd::handle)
    },
    Service {
        name: "authorize",
        means: "keys of players, and servers that ask about them",
        source: "001 1.1.3, 001 8.3",
        ..Service::udp(&QUAKE3, 27952, authorize::handle)
    },
    Service {
        name: "update",
        means: "Enemy Territory's updates, on the port that its servers have too",
        source: "001 11.1",
        usual: false,
        ..Service::udp(&QUAKE3, 27960, motd::handle)
    },
];

/// Its servers by game and protocol.
pub(super) static NAMED: Namespace = Namespace { lists_ipv6: true, ..Namespace::new(QUAKE3.id) };
/// The same servers by protocol number alone.
pub(super) static NUMBERED: Namespace =
    Namespace { registered_in: Some(&NAMED), ..Namespace::new("quake3 by number") };

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// Longer names and rules are refused: dpmaster's limits.
const LONGEST_NAME: usize = 63;
const LONGEST_GAMETYPE: usize = 31;
/// The reason for refusing a game.
pub(crate) const REJECTED: &str = "refused: the game policy rejects the game";
/// The length of a long key, for the defect that cannot handle one.
const LONG_KEY: usize = 64;

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, Quake3::decode) else {
        return;
    };
    match message {
        Quake3::Heartbeat(message) => heartbeat(state, incoming, message, out),
        Quake3::InfoResponse(reply) => info(state, incoming, reply.info),
        Quake3::GetServers(request) => servers(state, incoming, request, out),
        Quake3::GetServersExt(request) => servers_ext(state, incoming, request, out),
        Quake3::Register(announced) => register(state, incoming, announced, out),
        // Its servers send this here or to a separate port (001 1.2.11, 8.3).
        Quake3::GetIpAuthorize(question) => authorize::verdict(state, incoming, question, out),
        _ => {}
    }
}

fn heartbeat(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    message: Heartbeat<'_>,
    out: ReplySink<'_>,
) {
    let server = ServerKey { namespace: &NAMED, address: incoming.from };
    let any = state.settings.unknown_tags || state.has(Defect::AcceptsAnyTag);
    let claim = match Tag::named(message.tag) {
        Some(tag) if tag.says == TagMeaning::Shutdown => {
            return state.unregister(incoming, &server);
        }
        Some(tag) => ClaimedServer {
            game: tag.game.unwrap_or_default().into(),
            numbered: tag.numbered,
            may_be_shutdown: tag.says == TagMeaning::AliveOrShutdown,
            ..ClaimedServer::default()
        },
        None if any => ClaimedServer::default(),
        None => return state.note(incoming.service, incoming.from, "refused: an unknown tag"),
    };
    let says_game = claim.numbered;
    if says_game && !state.settings.game_policy.accepts(&claim.game) {
        return state.note(incoming.service, incoming.from, REJECTED);
    }
    if state.has(Defect::ListsUnverified) {
        let buckets = buckets(&claim, b"", 68, &ListKey::from_address(server.address));
        state.list(incoming, server, &buckets);
    }
    send_challenge(state, incoming, server, claim, out);
}

/// Sends a server its challenge.
fn send_challenge(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    claim: ClaimedServer,
    out: ReplySink<'_>,
) {
    let Some(challenge) = state.challenge_for(incoming, server, ChallengeForm::Text, claim) else {
        return;
    };
    let question = GetInfo { blank: BLANK, challenge: &challenge, ..GetInfo::default() };
    state.send(server.address, question, out);
}

/// One master announces a server to another (000 register). The server has to answer a challenge
/// like any other.
fn register(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    announced: Register<'_>,
    out: ReplySink<'_>,
) {
    if !state.settings.allow_register && !state.has(Defect::AcceptsRegister) {
        return state.note(incoming.service, incoming.from, "refused: allow-register is off");
    }
    let server =
        ServerKey { namespace: &NAMED, address: (announced.address, announced.port).into() };
    // Only Quake III's servers are registered in this way.
    let game = Tag::named(b"QuakeArena-1").and_then(|tag| tag.game).unwrap_or_default();
    if !state.settings.game_policy.accepts(game.as_bytes()) {
        return state.note(incoming.service, incoming.from, REJECTED);
    }
    let claim = ClaimedServer { game: game.into(), numbered: true, ..ClaimedServer::default() };
    send_challenge(state, incoming, server, claim, out);
}

/// Whether servers with these games in heartbeat and response are listed.
fn accepts(state: &MasterState, claim: &ClaimedServer, game: &[u8]) -> bool {
    // The game of the heartbeat was checked when it came.
    let says_nothing = game.is_empty() && claim.numbered;
    says_nothing || state.settings.game_policy.accepts(game)
}

/// The values of an infoResponse that a master uses.
pub(crate) struct ListedInfo {
    pub protocol: i64,
    /// The game's name; empty if the heartbeat's is enough.
    pub game: Vec<u8>,
    pub kind: ListKey,
}

/// Handles an infoResponse: the challenge must match, and no value may be missing (document 004, 3)
/// infoResponse).
fn info(state: &mut MasterState, incoming: &IncomingRequest<'_>, info: Info<'_>) {
    let long = info.pairs().any(|(key, _)| key.len() > LONG_KEY);
    if long && state.has(Defect::CrashesOnLongKey) {
        state.crashed = true;
        return;
    }
    let server = ServerKey { namespace: &NAMED, address: incoming.from };
    let challenge = info.get(b"challenge").unwrap_or_default();
    let Some(pending) = state.answered(incoming, server, challenge) else {
        return;
    };
    match info_values(state, incoming.from, info, &pending.claim) {
        Ok(ListedInfo { game, .. }) if !accepts(state, &pending.claim, &game) => {
            state.counts.refused += 1;
            state.note(incoming.service, incoming.from, REJECTED);
        }
        Ok(ListedInfo { protocol, game, kind }) => {
            let buckets = buckets(&pending.claim, &game, protocol, &kind);
            state.list(incoming, server, &buckets);
        }
        Err(why) => {
            state.counts.refused += 1;
            state.note(incoming.service, incoming.from, why);
        }
    }
}

pub(crate) fn info_values(
    state: &MasterState,
    from: SocketAddr,
    info: Info<'_>,
    claim: &ClaimedServer,
) -> Result<ListedInfo, &'static str> {
    let lenient = state.has(Defect::AcceptsMissingKeys);
    let loose = state.has(Defect::LooseNumbers);
    let number = |key: &[u8], otherwise: i64| match info.get(key) {
        Some(digits) if loose => leading_number(digits),
        Some(digits) => number(digits),
        None => lenient.then_some(otherwise),
    };
    let protocol = number(b"protocol", 68).ok_or("refused: protocol is missing or no number")?;
    let max_players = number(b"sv_maxclients", 8).and_then(|n| u64::try_from(n).ok());
    let max_players = max_players.ok_or("refused: sv_maxclients is missing or no number")?;
    if max_players == 0 && !state.has(Defect::AcceptsNoPlaces) {
        return Err("refused: no player slots");
    }
    let players = number(b"clients", 0).and_then(|n| u64::try_from(n).ok());
    let players = players.ok_or("refused: clients is missing or no number")?;
    let game = match info.get(b"gamename") {
        // No request names such a game.
        _ if claim.numbered && claim.game.is_empty() => Vec::new(),
        Some(game) if is_refused_name(state, claim, game) => {
            return Err("refused: the gamename is not that of the tag");
        }
        Some(game) if is_name(game) || state.has(Defect::AcceptsBadNames) => game.to_vec(),
        Some(_) => return Err("refused: not a valid gamename"),
        None if claim.numbered || lenient => Vec::new(),
        None => return Err("refused: no gamename"),
    };
    let none = if state.has(Defect::NoDefaultGametype) { b"-" } else { b"0" };
    let gametype = info.get(b"gametype").unwrap_or(none);
    if gametype.contains(&b' ') && !state.has(Defect::AcceptsBadNames) {
        return Err("refused: gametype has a blank");
    }
    if gametype.len() > LONGEST_GAMETYPE {
        return Err("refused: gametype is too long");
    }
    let load = state.load(players, Some(max_players));
    let kind = ListKey { load, gametype: gametype.into(), ..ListKey::from_address(from) };
    Ok(ListedInfo { protocol, game, kind })
}

/// The number that a value begins with, for a defect.
fn leading_number(text: &[u8]) -> Option<i64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.get(..digits).and_then(number)
}

/// Whether a server's name of its game is refused because the tag of its heartbeat is another game's.
fn is_refused_name(state: &MasterState, claim: &ClaimedServer, name: &[u8]) -> bool {
    let is_strict = state.settings.one_name && !state.has(Defect::AcceptsBadNames);
    is_strict && claim.numbered && *name != *claim.game
}

/// Whether a game may have this name: it must fit into a request, where a blank ends it.
fn is_name(name: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_graphic() || !byte.is_ascii();
    (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(fits)
}

/// The lists of a server: under the game of its heartbeat's tag, under its own game name, and, if
/// clients may request its protocol by number alone, under that.
fn buckets(claim: &ClaimedServer, game: &[u8], protocol: i64, kind: &ListKey) -> Vec<ListBucket> {
    let has_tag = TAGS.iter().any(|tag| tag.game.is_some_and(|known| known.as_bytes() == game));
    let bucket = |namespace, game: &[u8]| ListBucket {
        namespace,
        protocol,
        game: game.into(),
        kind: kind.clone(),
    };
    let mut buckets = Vec::new();
    if claim.numbered || has_tag {
        buckets.push(bucket(&NUMBERED, b""));
    }
    if !claim.game.is_empty() {
        buckets.push(bucket(&NAMED, &claim.game));
    }
    if !game.is_empty() && *game != *claim.game {
        buckets.push(bucket(&NAMED, game));
    }
    buckets
}
