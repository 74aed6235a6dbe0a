//! Doom 3's master (documents 001, section 9, and 002): servers answer a getInfo challenge, lists
//! are filtered by one byte, clients learn of newer versions, players are authorized.

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::{ClaimedServer, IncomingRequest, MasterState, ReplySink};
use super::quake3::number;
use super::registry::{ListBucket, ListKey, Load, Namespace, ServerKey, ServerQuery};
use super::setting::Authorize;
use crate::codec::{Addrs, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::doom3::{
    Auth, Doom3, GetInfo, GetServers, GetServersForm, InfoResponse, NewVersion, PLAYERS,
    PLAYERS_WITH_CLANS, PROTOCOL, Servers, SrvAuth, VersionCheck, is_quake4,
};

/// Set in the protocol numbers of other studios' games.
const ANOTHER_GAME: u32 = 1 << 31;
/// The id in a server's first question about a client: it has none yet.
const NO_ID: i32 = -1;
/// Verdicts of `auth`: allow, wait, deny.
const LET_IN: u8 = 1;
const WAIT: u8 = 2;
const REFUSE: u8 = 3;
/// Reasons: the key is refused; the master is busy.
const KEY_REFUSED: u8 = 2;
const BUSY: u8 = 4;

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
    let Some(decoded) = Doom3::decode(entry, heard.payload, scratch) else {
        return;
    };
    if decoded.fault.is_some() {
        return desk.note(heard.service, heard.from, "not understood");
    }
    match decoded.message {
        Doom3::Heartbeat(_) => heartbeat(desk, heard, out),
        Doom3::InfoResponse(reply) => info(desk, heard, reply),
        Doom3::GetServers(request) => servers(desk, heard, request, out),
        Doom3::VersionCheck(check) => version(desk, heard, check, out),
        Doom3::SrvAuth(question) => auth(desk, heard, question, out),
        _ => {}
    }
}

fn heartbeat(desk: &mut MasterState, heard: &IncomingRequest<'_>, out: ReplySink<'_>) {
    let seat = ServerKey { realm: Namespace::Doom3, address: heard.from };
    if desk.has(Defect::ListsUnverified) {
        let protocol = desk.settings.newest.into();
        let kind = ListKey::of(seat.address);
        let piece = ListBucket { realm: Namespace::Doom3, protocol, game: Box::default(), kind };
        desk.list(heard, seat, &[piece]);
    }
    let Some(digits) = desk.ask(heard, seat, ChallengeForm::Number, ClaimedServer::default())
    else {
        return;
    };
    if let Some(challenge) = number(&digits).and_then(|n| i32::try_from(n).ok()) {
        desk.send(seat.address, GetInfo { challenge, ..GetInfo::default() }, out);
    }
}

fn info(desk: &mut MasterState, heard: &IncomingRequest<'_>, reply: InfoResponse<'_>) {
    let seat = ServerKey { realm: Namespace::Doom3, address: heard.from };
    let challenge = reply.challenge.to_string();
    if desk.answered(heard, seat, challenge.as_bytes()).is_none() {
        return;
    }
    let places = reply.info.get(b"si_maxPlayers").and_then(number).and_then(|n| n.try_into().ok());
    if places == Some(0) && !desk.has(Defect::AcceptsNoPlaces) {
        desk.counts.refused += 1;
        return desk.note(heard.service, heard.from, "refused: it has no places");
    }
    let is_quake4 = is_quake4(reply.protocol);
    let players = reply.players.count(if is_quake4 { PLAYERS_WITH_CLANS } else { PLAYERS }) as u64;
    let password = [&b"si_usepass"[..], b"si_needPass"].into_iter().find_map(|k| reply.info.get(k));
    let gametype = reply.info.get(b"si_gameType").unwrap_or_default().to_ascii_lowercase();
    let kind = ListKey {
        load: Load::of(players, places),
        password: password.is_some_and(|p| p != b"0"),
        gametype: gametype.get(..31).unwrap_or(&gametype).into(),
        ..ListKey::of(seat.address)
    };
    let game = reply.info.get(b"fs_game").unwrap_or_default();
    let game = game.get(..63).unwrap_or(game).into();
    let piece = ListBucket { realm: Namespace::Doom3, protocol: reply.protocol.into(), game, kind };
    let number = reply.protocol & !ANOTHER_GAME;
    if is_quake4 {
        let quake4 =
            ListBucket { realm: Namespace::Quake4, protocol: number.into(), ..piece.clone() };
        return desk.list(heard, seat, &[piece, quake4]);
    }
    desk.list(heard, seat, &[piece]);
}

/// Whether a server passes the filter byte: two bits each for password, players and rules (001
/// 9.1).
fn fits(filter: u8, kind: &ListKey) -> bool {
    let password = match filter & 0x03 {
        1 => kind.password,
        2 => !kind.password,
        _ => true,
    };
    let players = match filter >> 2 & 0x03 {
        1 => kind.load != Load::Full,
        2 => kind.load == Load::Open,
        _ => true,
    };
    let gametype = match filter >> 4 & 0x03 {
        1 => *kind.gametype == *b"deathmatch",
        2 => *kind.gametype == *b"tourney",
        3 => *kind.gametype == *b"team dm",
        _ => true,
    };
    password && players && gametype
}

/// The servers of a request. Quake 4's clients request Quake 4's, and all of them by protocol 0, as
/// quakestat does; no document has it.
fn wanted<'a>(request: &GetServers<'a>) -> ServerQuery<'a> {
    let game = Some(request.game).filter(|game| !game.is_empty());
    let protocol = request.protocol;
    let means_quake4 = protocol == 0 || is_quake4(protocol);
    if request.asked == GetServersForm::Doom3 || !means_quake4 {
        return ServerQuery { realm: Namespace::Doom3, protocol: Some(protocol.into()), game };
    }
    let number = i64::from(protocol & !ANOTHER_GAME);
    ServerQuery { realm: Namespace::Quake4, protocol: Some(number).filter(|n| *n != 0), game }
}

fn servers(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    request: GetServers<'_>,
    out: ReplySink<'_>,
) {
    if !desk.may_list(heard) {
        return;
    }
    let mut filter = request.filter;
    for (defect, bits) in [
        (Defect::IgnoresPassword, 0x03),
        (Defect::LeaksFull, 0x04),
        (Defect::LeaksEmpty, 0x08),
        (Defect::IgnoresGametype, 0x30),
    ] {
        if desk.has(defect) {
            filter &= !bits;
        }
    }
    let defects = desk.settings.defects;
    let found = desk.find(wanted(&request), |kind: &ListKey| {
        let hidden = defects.has(Defect::HidesEmpty) && kind.load == Load::Empty
            || defects.has(Defect::HidesFull) && kind.load == Load::Full;
        !kind.six && !hidden && fits(filter, kind)
    });
    let raw = desk.records(Servers::FORM, &found);
    desk.give_back(found);
    desk.send(heard.from, Servers { servers: Addrs::new(&raw), ..Servers::default() }, out);
}

/// Clients of an older version get the newest; others get no response (001 9.6).
fn version(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    check: VersionCheck<'_>,
    out: ReplySink<'_>,
) {
    let newest = desk.settings.newest;
    let old = check.protocol & ANOTHER_GAME == 0 && check.protocol < newest;
    if !old || desk.has(Defect::OldVersionsAreNew) {
        return;
    }
    let text = format!("Protocol {}.{} is here. Update?", newest >> 16, newest & 0xffff);
    let url = desk.settings.update_url.clone();
    let (text, url) = (text.as_bytes(), url.as_bytes());
    // The page, and the values of the document's example.
    let told = NewVersion { text, direct: 0, url, mime: 1, fallback: url, ..NewVersion::default() };
    desk.send(heard.from, told, out);
}

/// With its challenge, a client has to wait; when it connects, it is allowed with an id of its own,
/// as in both examples of 001 9.9.
fn auth(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    question: SrvAuth<'_>,
    out: ReplySink<'_>,
) {
    let SrvAuth { address, client, guid, .. } = question;
    let made = desk.random.word(11).unwrap_or_default();
    let guid = if guid.is_empty() { &made[..] } else { guid };
    let refuses = desk.settings.authorize == Authorize::Nobody;
    let (reply, guid, message) = match client {
        _ if refuses && !desk.has(Defect::AcceptsAnyKey) => (REFUSE, &b""[..], KEY_REFUSED),
        NO_ID => (WAIT, &b""[..], BUSY),
        _ => (LET_IN, guid, 0),
    };
    let client = client as i16;
    let answer = Auth { reply, client, address, guid, message, ..Auth::default() };
    desk.send(heard.from, answer, out);
}
