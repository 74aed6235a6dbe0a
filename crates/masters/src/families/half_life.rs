//! Half-Life's master before Steam (document 001, section 10): a heartbeat of one byte, a
//! challenge, a reply with it. How its lists are requested is in no document; it follows open-source
//! programs. A client that sends its version in the filter is Xash3D's, and gets a list as its
//! master sends it.
//!
//! Steam's master has the same messages (document 007); it has servers of its own, and no cursors.

mod filter;

use std::net::SocketAddr;

use crate::{
    ChallengeForm, ClaimedServer, Defect, IncomingRequest, ListBucket, ListKey, MasterState,
    Namespace, ReplySink, ServerKey, ServerQuery, Service,
};
use codec::{Addrs, Info, Scratch};
use filter::Asked;
use protocols::half_life::{
    Challenge, GetRegion, HALF_LIFE, HalfLife, Heartbeat, ListFamily, ListHead, PROTOCOL,
    RegionFilter, ServerChallenge, Servers,
};
use protocols::source::SOURCE;
use simulate::families::number;

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of Half-Life",
    source: "001 10",
    ..Service::udp(&HALF_LIFE, 27010, handle)
}];

static HALF_LIFE_SERVERS: Namespace = Namespace::new(HALF_LIFE.id);
static STEAM_SERVERS: Namespace = Namespace::new(SOURCE.id);

/// Bytes before the records of Xash3D's lists: the mark, the letter, and a key.
const XASH_HEAD: usize = b"\xff\xff\xff\xfff\n\x7f\0\0\0\0\x08".len();

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let is_steam = incoming.service.game == &SOURCE;
    // quakestat sends a 1 and a cursor of four bytes, which no document has.
    if let [b'1', cursor @ ..] = incoming.payload
        && cursor.len() == 4
        && !is_steam
    {
        return from(state, incoming, cursor, out);
    }
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, HalfLife::decode) else {
        return;
    };
    let namespace = if is_steam { &STEAM_SERVERS } else { &HALF_LIFE_SERVERS };
    let server = ServerKey { namespace, address: incoming.from };
    match message {
        HalfLife::Heartbeat(message) => heartbeat(state, incoming, server, message, out),
        HalfLife::ChallengeReply(reply) => info(state, incoming, server, reply.info),
        HalfLife::LogOff(_) => state.unregister(incoming, &server),
        HalfLife::GetServers(request) if !is_steam => {
            from(state, incoming, &request.cursor, out);
        }
        HalfLife::GetRegion(request) => region(state, incoming, namespace, request, out),
        _ => {}
    }
}

fn heartbeat(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    message: Heartbeat<'_>,
    out: ReplySink<'_>,
) {
    if state.has(Defect::ListsUnverified) {
        state.list_plain(incoming, server);
    }
    let Some(digits) =
        state.challenge_for(incoming, server, ChallengeForm::Unsigned, ClaimedServer::default())
    else {
        return;
    };
    if let Some(challenge) = unsigned(&digits) {
        let has_key = message.has_key != state.has(Defect::OtherForm);
        let echo = if has_key { ServerChallenge::Present } else { ServerChallenge::Absent };
        let request = Challenge { challenge, echo, key: message.key, ..Challenge::default() };
        state.send(server.address, request, out);
    }
}

/// A 32-bit challenge in decimal. Xash3D writes it unsigned; the same bits as a signed number are
/// the same challenge, because some engines print it so.
fn unsigned(digits: &[u8]) -> Option<u32> {
    let number: i64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let signed = i32::try_from(number).map(i32::cast_unsigned);
    u32::try_from(number).or(signed).ok()
}

fn info(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    info: Info<'_>,
) {
    let challenge = info.get(b"challenge").and_then(unsigned).map(|n| n.to_string());
    if state.answered(incoming, server, challenge.unwrap_or_default().as_bytes()).is_none() {
        return;
    }
    let count = |key: &[u8]| info.get(key).and_then(number).and_then(|n| u64::try_from(n).ok());
    let max_players = count(b"max");
    if max_players == Some(0) && !state.has(Defect::AcceptsNoPlaces) {
        state.counts.refused += 1;
        return state.note(incoming.service, incoming.from, "refused: no player slots");
    }
    let load = state.load(count(b"players").unwrap_or_default(), max_players);
    let password = info.get(b"password").is_some_and(|p| p != b"0");
    let details = filter::details(info);
    let kind = ListKey { load, password, details, ..ListKey::from_address(server.address) };
    let game = info.get(b"gamedir").unwrap_or_default();
    let game = game.get(..63).unwrap_or(game).into();
    state.list(
        incoming,
        server,
        &[ListBucket { namespace: server.namespace, protocol: 0, game, kind }],
    );
}

/// The servers of an IP family that a request asks for.
fn find(
    state: &mut MasterState,
    namespace: &'static Namespace,
    asked: Asked<'_>,
    six: bool,
) -> Vec<SocketAddr> {
    let query = ServerQuery { namespace, protocol: Some(0), game: asked.game() };
    let mut found = state.find(query, |kind: &ListKey| kind.six == six && asked.includes(kind));
    asked.keep(&mut found);
    found
}

/// The whole list in as many packets as needed, each with the key of the request, if it has one,
/// and a record of zeros at its end; at least one packet.
fn xash(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    filter: RegionFilter<'_>,
    out: ReplySink<'_>,
) {
    let six = incoming.from.is_ipv6();
    let family = if six { ListFamily::Ipv6 } else { ListFamily::Ipv4 };
    let key = filter.ungrouped(b"key").and_then(|key| std::str::from_utf8(key).ok());
    let key = key.and_then(|key| u32::from_str_radix(key, 16).ok());
    let key = key.filter(|_| !state.has(Defect::NoListKey));
    let head = if key.is_some() { ListHead::Key } else { ListHead::None };
    let record = if six { 18 } else { 6 };
    let capacity = (state.settings.packet_size - XASH_HEAD) / record - 1;
    let asked = Asked::by_xash(filter, state.defects);
    let found = find(state, &HALF_LIFE_SERVERS, asked, six);
    let mut rest = found.as_slice();
    loop {
        let (part, others) = rest.split_at_checked(capacity).unwrap_or((rest, &[]));
        let mut raw = Vec::new();
        for server in part {
            state.push(family.form(), *server, &mut raw);
        }
        if !state.has(Defect::NoEndMark) {
            raw.resize(raw.len() + record, 0);
        }
        let key = key.unwrap_or_default();
        state.send(incoming.from, Servers { head, key, family, servers: Addrs::new(&raw) }, out);
        rest = others;
        if rest.is_empty() {
            break;
        }
    }
    state.recycle(found);
}

/// The list continues after the server in the request, or starts over if that is unknown.
fn region(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    namespace: &'static Namespace,
    request: GetRegion<'_>,
    out: ReplySink<'_>,
) {
    if !state.may_list(incoming) {
        return;
    }
    let is_xash = request.filter.ungrouped(b"clver").is_some();
    if is_xash && namespace == &HALF_LIFE_SERVERS {
        return xash(state, incoming, request.filter, out);
    }
    let asked = Asked::new(request.region, request.filter, state.defects);
    let found = find(state, namespace, asked, false);
    let last: Option<SocketAddr> =
        std::str::from_utf8(request.from).ok().and_then(|from| from.parse().ok());
    let from = found.iter().position(|server| Some(*server) == last).map_or(0, |at| at + 1);
    let capacity = capacity(state);
    let part = found.get(from..).unwrap_or_default();
    let (part, rest) = part.split_at_checked(capacity).unwrap_or((part, &[]));
    let mut raw = Vec::new();
    for server in part {
        state.push(Servers::FORM, *server, &mut raw);
    }
    // A continued list ends with its cursor server, and that is the last one anyway.
    let is_end = rest.is_empty() || state.has(Defect::NoCursor);
    if is_end && !state.has(Defect::NoEndMark) {
        raw.extend([0; 6]);
    }
    state.recycle(found);
    state.send(incoming.from, Servers { servers: Addrs::new(&raw), ..Servers::default() }, out);
}

/// Sends what fits from a cursor on, little-endian, and the next cursor in a record of its own;
/// zeros if nothing is left.
fn from(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    cursor: &[u8],
    out: ReplySink<'_>,
) {
    if !state.may_list(incoming) {
        return;
    }
    let from = cursor.iter().rev().fold(0, |from, byte| from << 8 | usize::from(*byte));
    let asked = Asked::all(state.defects);
    let found = find(state, &HALF_LIFE_SERVERS, asked, false);
    let part = found.get(from..).unwrap_or_default();
    let (part, rest) = part.split_at_checked(capacity(state)).unwrap_or((part, &[]));
    let mut raw = Vec::new();
    for server in part {
        state.push(Servers::FORM, *server, &mut raw);
    }
    let next = if rest.is_empty() || state.has(Defect::NoCursor) { 0 } else { from + part.len() };
    let cursor = [next as u8, (next >> 8) as u8, (next >> 16) as u8, 0, 0, 0];
    raw.extend(cursor);
    state.recycle(found);
    state.send(incoming.from, Servers { servers: Addrs::new(&raw), ..Servers::default() }, out);
}

/// How many servers fit into a packet besides the last record.
fn capacity(state: &MasterState) -> usize {
    (state.settings.packet_size - b"\xff\xff\xff\xfff\n".len()) / 6 - 1
}
