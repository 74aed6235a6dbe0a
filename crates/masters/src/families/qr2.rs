//! The master for servers (documents 008 and 009): heartbeats over UDP, a challenge that the key of
//! the server's game answers, and signs of life.

mod filter;
pub(super) mod lists;

use std::net::{IpAddr, SocketAddr};

use crate::{
    ChallengeForm, ClaimedServer, Defect, Defects, Handler, IncomingRequest, ListBucket, ListKey,
    MasterState, Namespace, ReplySink, ServerKey, Service, Settings,
};
use codec::{Scratch, View as _};
use protocols::gamespy::{answer, key_of};
use protocols::gamespy_list::GAMESPY_LIST;
use protocols::gamespy2::Settings as Pairs;
use protocols::qr2::{
    AvailableReply, Challenge, ChallengeText, ErrorMessage, KeepaliveReply, PROTOCOL, QR2, Qr2,
    Registered,
};

/// Its services.
pub static SERVICES: &[Service] = &[
    Service {
        means: "servers of GameSpy's later games, on the port of the earlier ones",
        source: "008 qr2.c",
        ..Service::udp(&QR2, 27900, handle)
    },
    Service {
        name: "qr2-list",
        game: &GAMESPY_LIST,
        handler: Handler::Stream(lists::open),
        port: 28910,
        usual: true,
        means: "lists of GameSpy's later games",
        source: "008 sb_serverlist.c",
    },
];

/// How long OpenSpy lists a server after its last message, in nanoseconds.
const TEN_MINUTES: i64 = 600_000_000_000;
/// The code of OpenSpy's errors.
const REFUSED: u8 = 1;
/// What a server has to say when it leaves, and when it begins.
const LEAVES: &[u8] = b"2";
const BEGINS: &[u8] = b"3";

pub(super) static QR2_SERVERS: Namespace = Namespace {
    timeout: |settings: &Settings| settings.server_timeout.min(TEN_MINUTES),
    ..Namespace::new(QR2.id)
};

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, Qr2::decode) else {
        return;
    };
    let server = ServerKey { namespace: &QR2_SERVERS, address: incoming.from };
    match message {
        Qr2::Heartbeat(message) => heartbeat(state, incoming, server, message.key, out),
        Qr2::Update(message) => heartbeat(state, incoming, server, message.key, out),
        Qr2::ChallengeResponse(message) => {
            proof(state, incoming, server, message.key, message.response, out);
        }
        Qr2::Keepalive(message) => keepalive(state, incoming, server, message.key, out),
        Qr2::Available(_) if !state.has(Defect::NeverAcknowledges) => {
            state.send(incoming.from, AvailableReply::default(), out);
        }
        _ => {}
    }
}

/// The instance key of a server that the master knows, and its settings.
fn known<'s>(state: &'s MasterState, server: &ServerKey) -> Option<(u32, Pairs<'s>)> {
    let (key, settings) = state.details(server)?.split_first_chunk()?;
    Some((u32::from_be_bytes(*key), Pairs::split_off(settings, ())))
}

/// Whether a message is of the server that the master knows at that address, and not of another one
/// that was started there.
fn is_same(state: &MasterState, server: &ServerKey, key: u32) -> bool {
    let known = known(state, server).map(|(known, _)| known);
    known.is_none_or(|known| known == key) || state.has(Defect::AnyInstance)
}

fn heartbeat(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    key: u32,
    out: ReplySink<'_>,
) {
    let details = incoming.payload.get(1..).unwrap_or_default();
    let settings = Pairs::split_off(details.get(4..).unwrap_or_default(), ());
    let (changed, game) = (settings.get(b"statechanged"), settings.get(b"gamename"));
    let game = game.unwrap_or_default();
    let is_listed = state.registry.contains(&server) && is_same(state, &server, key);
    match changed {
        Some(LEAVES) if is_listed => return state.unregister(incoming, &server),
        Some(LEAVES) => return,
        Some(BEGINS) => {}
        _ if is_listed => {
            state.describe(incoming, server, details);
            return list(state, incoming, server, game);
        }
        _ => {}
    }
    if key_of(game).is_none() {
        state.counts.refused += 1;
        state.note(incoming.service, incoming.from, "refused: no published key of its game");
        let text = b"no such game";
        return state.send(server.address, ErrorMessage { key, code: REFUSED, text, nul: 0 }, out);
    }
    if state.has(Defect::ListsUnverified) {
        state.describe(incoming, server, details);
        list(state, incoming, server, game);
    }
    let claim = ClaimedServer { game: game.into(), ..ClaimedServer::default() };
    let Some(word) = state.challenge_for(incoming, server, ChallengeForm::Word, claim) else {
        return;
    };
    state.describe(incoming, server, details);
    let text = challenge(&word, server.address, state.defects);
    let key = if state.has(Defect::WrongInstance) { 0 } else { key };
    let challenge = Challenge { key, challenge: ChallengeText::new(&text) };
    state.send(server.address, challenge, out);
}

/// The text of a challenge: random letters, no options, and the server's address and port.
fn challenge(word: &[u8], server: SocketAddr, defects: Defects) -> Vec<u8> {
    let ip = match server.ip() {
        IpAddr::V4(ip) => ip.to_bits(),
        // Lists have no room for such a server, so it gets no challenge.
        IpAddr::V6(_) => 0,
    };
    let word = word.repeat(if defects.has(Defect::LongChallenge) { 12 } else { 1 });
    let is_swapped = defects.has(Defect::WrongAddress);
    let port = if is_swapped { server.port().swap_bytes() } else { server.port() };
    [word.as_slice(), format!("00{ip:08X}{port:04X}").as_bytes()].concat()
}

fn proof(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    key: u32,
    response: &[u8],
    out: ReplySink<'_>,
) {
    if state.open(&server).is_none() {
        return state.note(incoming.service, incoming.from, "refused: no pending challenge");
    }
    let any_case = state.has(Defect::ChallengeAnyCase);
    let any = state.has(Defect::AnyValidation);
    let is_proof = is_same(state, &server, key);
    let defects = state.defects;
    let answered = state.answered_by(incoming, server, |server, pending| {
        let game_key = key_of(&pending.claim.game).unwrap_or_default();
        let expected = answer(game_key, &challenge(&pending.challenge, server.address, defects));
        let is_right = if any_case {
            expected.as_bytes().eq_ignore_ascii_case(response)
        } else {
            expected.as_bytes() == response
        };
        is_proof && (is_right || any)
    });
    let Some(pending) = answered else {
        let text = b"wrong challenge response";
        return state.send(server.address, ErrorMessage { key, code: REFUSED, text, nul: 0 }, out);
    };
    list(state, incoming, server, &pending.claim.game);
    if state.registry.contains(&server) {
        state.send(server.address, Registered { key, ..Registered::default() }, out);
    }
}

fn keepalive(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    server: ServerKey,
    key: u32,
    out: ReplySink<'_>,
) {
    if !state.registry.contains(&server) || !is_same(state, &server, key) {
        return state.note(incoming.service, incoming.from, "refused: not a listed server");
    }
    let game = known(state, &server).and_then(|(_, settings)| settings.get(b"gamename"));
    if let Some(game) = game.map(<[u8]>::to_vec) {
        list(state, incoming, server, &game);
    }
    if !state.has(Defect::NeverAcknowledges) {
        state.send(server.address, KeepaliveReply { key, ..KeepaliveReply::default() }, out);
    }
}

/// Lists a server among those of its game, or keeps it listed.
fn list(state: &mut MasterState, incoming: &IncomingRequest<'_>, server: ServerKey, game: &[u8]) {
    let (kind, game) = (ListKey::from_address(server.address), game.into());
    let bucket = ListBucket { namespace: server.namespace, protocol: 0, game, kind };
    state.list(incoming, server, &[bucket]);
    state.keep_details(incoming, &server);
}
