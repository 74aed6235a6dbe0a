//! Elite Force's master: like Quake III's, with other messages (document 001, section 4).
//!
//! It sends getchallenge and getstatus (001 4.2.9). The values that a list needs are in the
//! response to getstatus, with the challenge (001 4.2.4); the response to a getinfo has them too
//! (001 4.2.2) and is accepted as well. The response to getchallenge is not used.

use std::net::SocketAddr;

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::{ClaimedServer, IncomingRequest, MasterState, ReplySink};
use super::list::{EOT, ListFilter, Split};
use super::quake3::{InfoValues, info_values, number};
use super::registry::{ListBucket, ListKey, Namespace, ServerKey, ServerQuery};
use crate::codec::{Decimal, Info, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::quake3::{
    GetChallenge, GetServers, GetStatus, HeartbeatPairs, HexList, PLAYERS, PROTOCOL, Quake3,
    StatusResponse,
};

/// Servers in a packet (001 4.1.2).
const RECORDS: usize = 97;
/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// The game name of its servers (001 4.2.9).
const GAME: &[u8] = b"STEF1";
/// The protocol of version 1.20 (001 4.1.1).
const PROTOCOL_1_20: i64 = 24;

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
        Quake3::HeartbeatPairs(beat) => heartbeat(desk, heard, beat, out),
        Quake3::Heartstop(stop) => {
            if let Some(seat) = seat(heard.from, stop.port) {
                desk.unregister(heard, &seat);
            }
        }
        Quake3::QuotedInfo(reply) => info(desk, heard, reply.info),
        Quake3::InfoResponse(reply) => info(desk, heard, reply.info),
        Quake3::StatusResponse(reply) => info(desk, heard, Info::new(&described(reply))),
        Quake3::GetServers(request) => servers(desk, heard, request, out),
        _ => {}
    }
}

/// The server on a port of the sender's address.
fn seat(from: SocketAddr, port: Decimal<'_>) -> Option<ServerKey> {
    let port = u16::try_from(port.get()).ok()?;
    Some(ServerKey { realm: Namespace::EliteForce, address: (from.ip(), port).into() })
}

fn heartbeat(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    beat: HeartbeatPairs<'_>,
    out: ReplySink<'_>,
) {
    let Some(seat) = seat(heard.from, beat.port) else {
        return;
    };
    if !beat.gamename.eq_ignore_ascii_case(GAME) && !desk.has(Defect::AcceptsAnyTag) {
        return desk.note(heard.service, heard.from, "refused: another game's heartbeat");
    }
    if desk.has(Defect::ListsUnverified) {
        list(desk, heard, seat, PROTOCOL_1_20, ListKey::of(seat.address));
    }
    let claim = ClaimedServer { numbered: true, ..ClaimedServer::default() };
    if let Some(challenge) = desk.ask(heard, seat, ChallengeForm::Text, claim) {
        desk.send(seat.address, GetChallenge::default(), out);
        let question = GetStatus { blank: BLANK, challenge: &challenge, ..GetStatus::default() };
        desk.send(seat.address, question, out);
    }
}

/// A status in the keys of a short description: places are those without a password (001 4.1.1),
/// players are counted by their lines. A missing key stays missing.
fn described(status: StatusResponse<'_>) -> Vec<u8> {
    let info = status.info;
    let private = info.get(b"sv_privateClients").and_then(number).unwrap_or_default();
    let places = info.get(b"sv_maxclients").and_then(number);
    let places = places.map(|all| all.saturating_sub(private).max(0).to_string().into_bytes());
    let players = status.players.iter(PLAYERS).count().to_string();
    let mut described = Vec::new();
    for (key, value) in [
        (&b"challenge"[..], info.get(b"challenge")),
        (b"protocol", info.get(b"protocol")),
        (b"gametype", info.get(b"g_gametype")),
        (b"sv_maxclients", places.as_deref()),
        (b"clients", Some(players.as_bytes())),
    ] {
        if let Some(value) = value {
            described.extend([b"\\", key, b"\\", value].concat());
        }
    }
    described
}

fn info(desk: &mut MasterState, heard: &IncomingRequest<'_>, info: Info<'_>) {
    let seat = ServerKey { realm: Namespace::EliteForce, address: heard.from };
    let challenge = info.get(b"challenge").unwrap_or_default();
    let Some(ask) = desk.answered(heard, seat, challenge) else {
        return;
    };
    match info_values(desk, heard.from, info, &ask.claim) {
        Ok(InfoValues { protocol, kind, .. }) => list(desk, heard, seat, protocol, kind),
        Err(why) => {
            desk.counts.refused += 1;
            desk.note(heard.service, heard.from, why);
        }
    }
}

fn list(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    seat: ServerKey,
    protocol: i64,
    kind: ListKey,
) {
    desk.list(
        heard,
        seat,
        &[ListBucket { realm: seat.realm, protocol, game: Box::default(), kind }],
    );
}

fn servers(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    request: GetServers<'_>,
    out: ReplySink<'_>,
) {
    let GetServers { protocol, filters, newline, .. } = request;
    if newline != 0 && desk.has(Defect::SilentOnLineFeed) {
        return;
    }
    if !desk.may_list(heard) {
        return;
    }
    let (filter, defects) = (ListFilter::read(filters), desk.settings.defects);
    let wanted =
        ServerQuery { realm: Namespace::EliteForce, protocol: Some(protocol.get()), game: None };
    let found = desk.find(wanted, |kind| !kind.six && filter.fits(defects, kind));
    Split::by_records(RECORDS, EOT).each(desk, &found, HexList::FORM, |desk, servers, end| {
        desk.send(heard.from, HexList { servers, end, ..HexList::default() }, out);
    });
    desk.give_back(found);
}
