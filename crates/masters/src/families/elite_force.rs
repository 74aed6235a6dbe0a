//! Elite Force's master: like Quake III's, with other messages (document 001, section 4).
//!
//! It sends getchallenge and getstatus (001 4.2.9). The values that a list needs are in the
//! response to getstatus, with the challenge (001 4.2.4); the response to a getinfo has them too
//! (001 4.2.2) and is accepted as well. The response to getchallenge is not used.

use std::net::SocketAddr;

use crate::families::quake3::{ListedInfo, info_values};
use crate::{
    ChallengeForm, ClaimedServer, Defect, EOT, IncomingRequest, ListBucket, ListFilter, ListKey,
    MasterState, Namespace, ReplySink, ServerKey, ServerQuery, Service, Split,
};
use codec::{Decimal, Info, Scratch};
use protocols::quake3::{
    ELITE_FORCE, GetChallenge, GetServers, GetStatus, HeartbeatPairs, HexList, PLAYERS, PROTOCOL,
    Quake3, StatusResponse,
};
use simulate::families::number;

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of Elite Force",
    source: "001 4",
    ..Service::udp(&ELITE_FORCE, 27953, handle)
}];

static ELITE_FORCE_SERVERS: Namespace = Namespace::new(ELITE_FORCE.id);

/// Servers in a packet (001 4.1.2).
const RECORDS: usize = 97;
/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// The game name of its servers (001 4.2.9).
const GAME: &[u8] = b"STEF1";
/// The protocol of version 1.20 (001 4.1.1).
const PROTOCOL_1_20: i64 = 24;

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
        Quake3::HeartbeatPairs(message) => heartbeat(state, incoming, message, out),
        Quake3::Heartstop(stop) => {
            if let Some(server) = server(incoming.from, stop.port) {
                state.unregister(incoming, &server);
            }
        }
        Quake3::QuotedInfo(reply) => info(state, incoming, reply.info),
        Quake3::InfoResponse(reply) => info(state, incoming, reply.info),
        Quake3::StatusResponse(reply) => info(state, incoming, Info::new(&described(reply))),
        Quake3::GetServers(request) => servers(state, incoming, request, out),
        _ => {}
    }
}

/// The server on a port of the sender's address.
fn server(from: SocketAddr, port: Decimal<'_>) -> Option<ServerKey> {
    let port = u16::try_from(port.get()).ok()?;
    Some(ServerKey { namespace: &ELITE_FORCE_SERVERS, address: (from.ip(), port).into() })
}

fn heartbeat(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    message: HeartbeatPairs<'_>,
    out: ReplySink<'_>,
) {
    let Some(server) = server(incoming.from, message.port) else {
        return;
    };
    if !message.gamename.eq_ignore_ascii_case(GAME) && !state.has(Defect::AcceptsAnyTag) {
        return state.note(incoming.service, incoming.from, "refused: a heartbeat of another game");
    }
    if state.has(Defect::ListsUnverified) {
        list(state, incoming, server, PROTOCOL_1_20, ListKey::from_address(server.address));
    }
    let claim = ClaimedServer { numbered: true, ..ClaimedServer::default() };
    if let Some(challenge) = state.challenge_for(incoming, server, ChallengeForm::Text, claim) {
        state.send(server.address, GetChallenge::default(), out);
        let question = GetStatus { blank: BLANK, challenge: &challenge, ..GetStatus::default() };
        state.send(server.address, question, out);
    }
}

/// A status in the keys of a short description: max_players are those without a password (001 4.1.1),
/// players are counted by their lines. A missing key stays missing.
fn described(status: StatusResponse<'_>) -> Vec<u8> {
    let info = status.info;
    let private = info.get(b"sv_privateClients").and_then(number).unwrap_or_default();
    let max_players = info.get(b"sv_maxclients").and_then(number);
    let max_players =
        max_players.map(|all| all.saturating_sub(private).max(0).to_string().into_bytes());
    let players = status.players.iter(PLAYERS).count().to_string();
    let mut described = Vec::new();
    for (key, value) in [
        (&b"challenge"[..], info.get(b"challenge")),
        (b"protocol", info.get(b"protocol")),
        (b"gametype", info.get(b"g_gametype")),
        (b"sv_maxclients", max_players.as_deref()),
        (b"clients", Some(players.as_bytes())),
    ] {
        if let Some(value) = value {
            described.extend([b"\\", key, b"\\", value].concat());
        }
    }
    described
}

fn info(state: &mut MasterState, incoming: &IncomingRequest<'_>, info: Info<'_>) {
    let server = ServerKey { namespace: &ELITE_FORCE_SERVERS, address: incoming.from };
    let challenge = info.get(b"challenge").unwrap_or_default();
    let Some(pending) = state.answered(incoming, server, challenge) else {
        return;
    };
    match info_values(state, incoming.from, info, &pending.claim) {
        Ok(ListedInfo { protocol, kind, .. }) => list(state, incoming, server, protocol, kind),
        Err(why) => {
            state.counts.refused += 1;
            state.note(incoming.service, incoming.from, why);
        }
    }
}

fn list(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    protocol: i64,
    kind: ListKey,
) {
    state.list(
        incoming,
        server,
        &[ListBucket { namespace: server.namespace, protocol, game: Box::default(), kind }],
    );
}

fn servers(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: GetServers<'_>,
    out: ReplySink<'_>,
) {
    let GetServers { protocol, filters, newline, .. } = request;
    if newline != 0 && state.has(Defect::SilentOnLineFeed) {
        return;
    }
    if !state.may_list(incoming) {
        return;
    }
    let (filter, defects) = (ListFilter::parse(filters, state.defects), state.defects);
    let query =
        ServerQuery { namespace: &ELITE_FORCE_SERVERS, protocol: Some(protocol.get()), game: None };
    let found = state.find(query, |kind| !kind.six && filter.fits(defects, kind));
    Split::by_records(RECORDS, EOT).each(state, &found, HexList::FORM, |state, servers, end| {
        state.send(incoming.from, HexList { servers, end, ..HexList::default() }, out);
    });
    state.recycle(found);
}
