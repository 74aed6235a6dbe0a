//! Doom 3's master (documents 001, section 9, and 002): servers answer a getInfo challenge, lists
//! are filtered by one byte, clients learn of newer versions, players are authorized.

use crate::{
    Authorize, ChallengeForm, ClaimedServer, Defect, IncomingRequest, ListBucket, ListKey, Load,
    MasterState, Namespace, ReplySink, ServerKey, ServerQuery, Service,
};
use codec::{Addrs, Scratch};
use protocols::doom3::{
    Auth, DOOM3, Doom3, GetInfo, GetServers, GetServersForm, InfoResponse, NewVersion, PLAYERS,
    PLAYERS_WITH_CLANS, PROTOCOL, Servers, SrvAuth, VersionCheck, is_quake4,
};
use simulate::families::number;

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of Doom 3, versions and players' keys",
    source: "001 9",
    ..Service::udp(&DOOM3, 27650, handle)
}];

static DOOM3_SERVERS: Namespace = Namespace::new(DOOM3.id);
/// Quake 4's servers are in Doom 3's lists as well.
static QUAKE4_SERVERS: Namespace =
    Namespace { registered_in: Some(&DOOM3_SERVERS), ..Namespace::new("Quake 4") };

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

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, Doom3::decode) else {
        return;
    };
    match message {
        Doom3::Heartbeat(_) => heartbeat(state, incoming, out),
        Doom3::InfoResponse(reply) => info(state, incoming, reply),
        Doom3::GetServers(request) => servers(state, incoming, request, out),
        Doom3::VersionCheck(check) => version(state, incoming, check, out),
        Doom3::SrvAuth(question) => auth(state, incoming, question, out),
        _ => {}
    }
}

fn heartbeat(state: &mut MasterState, incoming: &IncomingRequest<'_>, out: ReplySink<'_>) {
    let server = ServerKey { namespace: &DOOM3_SERVERS, address: incoming.from };
    if state.has(Defect::ListsUnverified) {
        let protocol = state.settings.newest.into();
        let kind = ListKey::from_address(server.address);
        let bucket = ListBucket { namespace: &DOOM3_SERVERS, protocol, game: Box::default(), kind };
        state.list(incoming, server, &[bucket]);
    }
    let Some(digits) =
        state.challenge_for(incoming, server, ChallengeForm::Number, ClaimedServer::default())
    else {
        return;
    };
    if let Some(challenge) = number(&digits).and_then(|n| i32::try_from(n).ok()) {
        state.send(server.address, GetInfo { challenge, ..GetInfo::default() }, out);
    }
}

fn info(state: &mut MasterState, incoming: &IncomingRequest<'_>, reply: InfoResponse<'_>) {
    let server = ServerKey { namespace: &DOOM3_SERVERS, address: incoming.from };
    let challenge = reply.challenge.to_string();
    if state.answered(incoming, server, challenge.as_bytes()).is_none() {
        return;
    }
    let max_players =
        reply.info.get(b"si_maxPlayers").and_then(number).and_then(|n| n.try_into().ok());
    if max_players == Some(0) && !state.has(Defect::AcceptsNoPlaces) {
        state.counts.refused += 1;
        return state.note(incoming.service, incoming.from, "refused: no player slots");
    }
    let is_quake4 = is_quake4(reply.protocol);
    let players = reply.players.count(if is_quake4 { PLAYERS_WITH_CLANS } else { PLAYERS }) as u64;
    let password = [&b"si_usepass"[..], b"si_needPass"].into_iter().find_map(|k| reply.info.get(k));
    let gametype = reply.info.get(b"si_gameType").unwrap_or_default().to_ascii_lowercase();
    let kind = ListKey {
        load: state.load(players, max_players),
        password: password.is_some_and(|p| p != b"0"),
        gametype: gametype.get(..31).unwrap_or(&gametype).into(),
        ..ListKey::from_address(server.address)
    };
    let game = reply.info.get(b"fs_game").unwrap_or_default();
    let game = game.get(..63).unwrap_or(game).into();
    let bucket =
        ListBucket { namespace: &DOOM3_SERVERS, protocol: reply.protocol.into(), game, kind };
    let number = reply.protocol & !ANOTHER_GAME;
    if is_quake4 {
        let quake4 =
            ListBucket { namespace: &QUAKE4_SERVERS, protocol: number.into(), ..bucket.clone() };
        return state.list(incoming, server, &[bucket, quake4]);
    }
    state.list(incoming, server, &[bucket]);
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
fn query<'a>(request: &GetServers<'a>) -> ServerQuery<'a> {
    let game = Some(request.game).filter(|game| !game.is_empty());
    let protocol = request.protocol;
    let means_quake4 = protocol == 0 || is_quake4(protocol);
    if request.form == GetServersForm::Doom3 || !means_quake4 {
        return ServerQuery { namespace: &DOOM3_SERVERS, protocol: Some(protocol.into()), game };
    }
    let number = i64::from(protocol & !ANOTHER_GAME);
    ServerQuery { namespace: &QUAKE4_SERVERS, protocol: Some(number).filter(|n| *n != 0), game }
}

fn servers(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: GetServers<'_>,
    out: ReplySink<'_>,
) {
    if !state.may_list(incoming) {
        return;
    }
    let mut filter = request.filter;
    for (defect, bits) in [
        (Defect::IgnoresPassword, 0x03),
        (Defect::LeaksFull, 0x04),
        (Defect::LeaksEmpty, 0x08),
        (Defect::IgnoresGametype, 0x30),
    ] {
        if state.has(defect) {
            filter &= !bits;
        }
    }
    let defects = state.defects;
    let found = state.find(query(&request), |kind: &ListKey| {
        let hidden = defects.has(Defect::HidesEmpty) && kind.load == Load::Empty
            || defects.has(Defect::HidesFull) && kind.load == Load::Full;
        !kind.six && !hidden && fits(filter, kind)
    });
    let raw = state.records(Servers::FORM, &found);
    state.recycle(found);
    state.send(incoming.from, Servers { servers: Addrs::new(&raw), ..Servers::default() }, out);
}

/// Clients of an older version get the newest; others get no response (001 9.6).
fn version(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    check: VersionCheck<'_>,
    out: ReplySink<'_>,
) {
    let newest = state.settings.newest;
    let old = check.protocol & ANOTHER_GAME == 0 && check.protocol < newest;
    if !old || state.has(Defect::OldVersionsAreNew) {
        return;
    }
    let text = format!("Protocol {}.{} is here. Update?", newest >> 16, newest & 0xffff);
    let url = state.settings.update_url.clone();
    let (text, url) = (text.as_bytes(), url.as_bytes());
    // The page, and the values of the document's example.
    let response =
        NewVersion { text, direct: 0, url, mime: 1, fallback: url, ..NewVersion::default() };
    state.send(incoming.from, response, out);
}

/// With its challenge, a client has to wait; when it connects, it is allowed with an id of its own,
/// as in both examples of 001 9.9.
fn auth(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    question: SrvAuth<'_>,
    out: ReplySink<'_>,
) {
    let SrvAuth { address, client, guid, .. } = question;
    let made = state.random.word(11).unwrap_or_default();
    let guid = if guid.is_empty() { &made[..] } else { guid };
    let refuses = state.settings.authorize == Authorize::Nobody;
    let (reply, guid, message) = match client {
        _ if refuses && !state.has(Defect::AcceptsAnyKey) => (REFUSE, &b""[..], KEY_REFUSED),
        NO_ID => (WAIT, &b""[..], BUSY),
        _ => (LET_IN, guid, 0),
    };
    let client = client as i16;
    let answer = Auth { reply, client, address, guid, message, ..Auth::default() };
    state.send(incoming.from, answer, out);
}
