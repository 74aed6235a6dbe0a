//! The Quake III family: heartbeat, getinfo, infoResponse, getservers (documents 000, 001 sections
//! 1, 8 and 11, and 004). Elite Force's shares the registration.

use std::net::SocketAddr;

use super::authorize;
use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::{ClaimedServer, IncomingRequest, MasterState, ReplySink};
use super::quake3_list::{servers, servers_ext};
use super::registry::{ListBucket, ListKey, Load, Namespace, ServerKey};
use crate::codec::{Info, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::quake3::{GetInfo, Heartbeat, PROTOCOL, Quake3, Register, Says, TAGS, Tag};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// Longer names and rules are refused: dpmaster's limits.
const LONGEST_NAME: usize = 63;
const LONGEST_GAMETYPE: usize = 31;
/// The reason for refusing a game.
pub(super) const REJECTED: &str = "refused: the game policy rejects the game";
/// The length of a long key, for the defect that cannot handle one.
const LONG_KEY: usize = 64;

pub(super) fn handle(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(entry) = PROTOCOL.recognise(Carrier::Datagram, heard.payload, Direction::default())
    else {
        return;
    };
    let Some(decoded) = Quake3::decode(entry, heard.payload, scratch) else {
        return;
    };
    if decoded.fault.is_some() {
        return desk.note(heard.service, heard.from, "not understood");
    }
    match decoded.message {
        Quake3::Heartbeat(beat) => heartbeat(desk, heard, beat, out),
        Quake3::InfoResponse(reply) => info(desk, heard, reply.info),
        Quake3::GetServers(request) => servers(desk, heard, request, out),
        Quake3::GetServersExt(request) => servers_ext(desk, heard, request, out),
        Quake3::Register(told) => register(desk, heard, told, out),
        // Its servers send this here or to a separate port (001 1.2.11, 8.3).
        Quake3::GetIpAuthorize(question) => authorize::verdict(desk, heard, question, out),
        _ => {}
    }
}

fn heartbeat(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    beat: Heartbeat<'_>,
    out: ReplySink<'_>,
) {
    let seat = ServerKey { realm: Namespace::Named, address: heard.from };
    let any = desk.settings.unknown_tags || desk.has(Defect::AcceptsAnyTag);
    let claim = match Tag::named(beat.tag) {
        Some(tag) if tag.says == Says::Shutdown => return desk.unregister(heard, &seat),
        Some(tag) => ClaimedServer {
            game: tag.game.unwrap_or_default().into(),
            numbered: tag.numbered,
            last_words: tag.says == Says::AliveOrShutdown,
            ..ClaimedServer::default()
        },
        None if any => ClaimedServer::default(),
        None => return desk.note(heard.service, heard.from, "refused: an unknown tag"),
    };
    let says_game = claim.numbered;
    if says_game && !desk.settings.game_policy.accepts(&claim.game) {
        return desk.note(heard.service, heard.from, REJECTED);
    }
    if desk.has(Defect::ListsUnverified) {
        let pieces = pieces(&claim, b"", 68, &ListKey::of(seat.address));
        desk.list(heard, seat, &pieces);
    }
    ask(desk, heard, seat, claim, out);
}

/// Sends a server its challenge.
fn ask(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    seat: ServerKey,
    claim: ClaimedServer,
    out: ReplySink<'_>,
) {
    let Some(challenge) = desk.ask(heard, seat, ChallengeForm::Text, claim) else {
        return;
    };
    let question = GetInfo { blank: BLANK, challenge: &challenge, ..GetInfo::default() };
    desk.send(seat.address, question, out);
}

/// One master announces a server to another (000 register). The server has to answer a challenge
/// like any other.
fn register(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    told: Register<'_>,
    out: ReplySink<'_>,
) {
    if !desk.settings.allow_register && !desk.has(Defect::AcceptsRegister) {
        return desk.note(heard.service, heard.from, "refused: nobody may register others");
    }
    let seat = ServerKey { realm: Namespace::Named, address: (told.address, told.port).into() };
    // Only Quake III's servers are registered in this way.
    let game = Tag::named(b"QuakeArena-1").and_then(|tag| tag.game).unwrap_or_default();
    if !desk.settings.game_policy.accepts(game.as_bytes()) {
        return desk.note(heard.service, heard.from, REJECTED);
    }
    let claim = ClaimedServer { game: game.into(), numbered: true, ..ClaimedServer::default() };
    ask(desk, heard, seat, claim, out);
}

/// Whether servers with these games in heartbeat and response are listed.
fn accepts(desk: &MasterState, claim: &ClaimedServer, game: &[u8]) -> bool {
    // The game of the heartbeat was checked when it came.
    let says_nothing = game.is_empty() && claim.numbered;
    says_nothing || desk.settings.game_policy.accepts(game)
}

/// The values of an infoResponse that a master uses.
pub(super) struct InfoValues {
    pub protocol: i64,
    /// The game's name; empty if the heartbeat's is enough.
    pub game: Vec<u8>,
    pub kind: ListKey,
}

/// Handles an infoResponse: the challenge must match, and no value may be missing (document 004, 3)
/// infoResponse).
fn info(desk: &mut MasterState, heard: &IncomingRequest<'_>, info: Info<'_>) {
    let long = info.pairs().any(|(key, _)| key.len() > LONG_KEY);
    if long && desk.has(Defect::CrashesOnLongKey) {
        desk.crashed = true;
        return;
    }
    let seat = ServerKey { realm: Namespace::Named, address: heard.from };
    let challenge = info.get(b"challenge").unwrap_or_default();
    let Some(ask) = desk.answered(heard, seat, challenge) else {
        return;
    };
    match info_values(desk, heard.from, info, &ask.claim) {
        Ok(InfoValues { game, .. }) if !accepts(desk, &ask.claim, &game) => {
            desk.counts.refused += 1;
            desk.note(heard.service, heard.from, REJECTED);
        }
        Ok(InfoValues { protocol, game, kind }) => {
            let pieces = pieces(&ask.claim, &game, protocol, &kind);
            desk.list(heard, seat, &pieces);
        }
        Err(why) => {
            desk.counts.refused += 1;
            desk.note(heard.service, heard.from, why);
        }
    }
}

pub(super) fn info_values(
    desk: &MasterState,
    from: SocketAddr,
    info: Info<'_>,
    claim: &ClaimedServer,
) -> Result<InfoValues, &'static str> {
    let lenient = desk.has(Defect::AcceptsMissingKeys);
    let number = |key: &[u8], otherwise: i64| match info.get(key) {
        Some(digits) => number(digits),
        None => lenient.then_some(otherwise),
    };
    let protocol = number(b"protocol", 68).ok_or("refused: no number of a protocol")?;
    let places = number(b"sv_maxclients", 8).and_then(|n| u64::try_from(n).ok());
    let places = places.ok_or("refused: no number of places")?;
    if places == 0 && !desk.has(Defect::AcceptsNoPlaces) {
        return Err("refused: it has no places");
    }
    let players = number(b"clients", 0).and_then(|n| u64::try_from(n).ok());
    let players = players.ok_or("refused: no number of players")?;
    let game = match info.get(b"gamename") {
        // No request names such a game.
        _ if claim.numbered && claim.game.is_empty() => Vec::new(),
        Some(game) if is_name(game) || desk.has(Defect::AcceptsBadNames) => game.to_vec(),
        Some(_) => return Err("refused: no name that a game may have"),
        None if claim.numbered || lenient => Vec::new(),
        None => return Err("refused: it does not say which game"),
    };
    let gametype = info.get(b"gametype").unwrap_or(b"0");
    if gametype.len() > LONGEST_GAMETYPE {
        return Err("refused: rules of too long a name");
    }
    let load = Load::of(players, Some(places));
    let kind = ListKey { load, gametype: gametype.into(), ..ListKey::of(from) };
    Ok(InfoValues { protocol, game, kind })
}

/// A number and nothing else, of 32 bits.
pub(super) fn number(digits: &[u8]) -> Option<i64> {
    let number: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(number.into())
}

/// Whether a game may have this name: it must fit into a request, where a blank ends it.
fn is_name(name: &[u8]) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic)
}

/// The lists of a server: under the game of its heartbeat's tag, under its own game name, and, if
/// clients may request its protocol by number alone, under that.
fn pieces(claim: &ClaimedServer, game: &[u8], protocol: i64, kind: &ListKey) -> Vec<ListBucket> {
    let has_tag = TAGS.iter().any(|tag| tag.game.is_some_and(|known| known.as_bytes() == game));
    let piece =
        |realm, game: &[u8]| ListBucket { realm, protocol, game: game.into(), kind: kind.clone() };
    let mut pieces = Vec::new();
    if claim.numbered || has_tag {
        pieces.push(piece(Namespace::Numbered, b""));
    }
    if !claim.game.is_empty() {
        pieces.push(piece(Namespace::Named, &claim.game));
    }
    if !game.is_empty() && *game != *claim.game {
        pieces.push(piece(Namespace::Named, game));
    }
    pieces
}
