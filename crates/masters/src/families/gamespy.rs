//! GameSpy's master for servers (document 003): heartbeats over UDP, and queries by which a server
//! proves that it exists and, if its game has a published key, that it has the key.

pub(super) mod lists;

use crate::{
    ChallengeForm, ClaimedServer, Defect, Handler, IncomingRequest, ListBucket, ListKey,
    MasterState, Namespace, PendingChallenge, ReplySink, ServerKey, Service,
};
use codec::Scratch;
use protocol::{Carrier, Direction};
use protocols::gamespy::{GAMESPY, GameSpy, PROTOCOL, PairList, Query, answer, key_of};
use protocols::gamespy_list::GAMESPY_LIST;

/// Its services.
pub static SERVICES: &[Service] = &[
    Service {
        means: "heartbeats of GameSpy's games, on the port that Quake 2's master has too",
        source: "003 Heartbeat, 001 5.1",
        ..Service::udp(&GAMESPY, 27900, handle)
    },
    Service {
        // The later lists, on another port, are a game's that has the name of this service.
        name: GAMESPY_LIST.id,
        game: &GAMESPY,
        handler: Handler::Stream(lists::open),
        port: 28900,
        usual: true,
        means: "lists of GameSpy's games",
        source: "001 5.6",
    },
];

pub(super) static GAMESPY_SERVERS: Namespace =
    Namespace { timeout: |settings| settings.gamespy_timeout, ..Namespace::new(GAMESPY.id) };

/// Lower ports cannot be a server's (003 Heartbeat).
const FIRST_PORT: u16 = 1025;
/// Names that are longer are refused.
const LONGEST_NAME: usize = 63;

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(entry) =
        protocols::recognise(&PROTOCOL, Carrier::Datagram, incoming.payload, Direction::default())
    else {
        return;
    };
    match GameSpy::decode(entry, incoming.payload, scratch).map(|d| d.message) {
        Some(GameSpy::Heartbeat(message)) => heartbeat(state, incoming, message.pairs, out),
        Some(GameSpy::Reply(reply)) => proof(state, incoming, reply.pairs),
        _ => {}
    }
}

/// The first value of a key; keys are case-sensitive (003 Appendix D).
pub(crate) fn value<'a>(pairs: PairList<'a>, key: &[u8]) -> Option<&'a [u8]> {
    pairs.pairs().find(|(known, _)| *known == key).map(|(_, value)| value)
}

fn heartbeat(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    pairs: PairList<'_>,
    out: ReplySink<'_>,
) {
    let digits = value(pairs, b"heartbeat").and_then(|port| std::str::from_utf8(port).ok());
    let port = digits.and_then(|port| port.parse::<u16>().ok()).filter(|port| *port >= FIRST_PORT);
    let game = value(pairs, b"gamename").unwrap_or_default();
    let is_name = (1..=LONGEST_NAME).contains(&game.len()) && !game.contains(&b' ');
    let Some(port) = port else {
        return state.note(incoming.service, incoming.from, "refused: not a valid port");
    };
    if !is_name && !state.has(Defect::AcceptsBadNames) {
        return state.note(incoming.service, incoming.from, "refused: not a valid gamename");
    }
    let server =
        ServerKey { namespace: &GAMESPY_SERVERS, address: (incoming.from.ip(), port).into() };
    let changed = value(pairs, b"statechanged").is_some() && state.registry.contains(&server);
    if state.has(Defect::ListsUnverified) {
        list(state, incoming, server, game);
    }
    if state.open(&server).is_some_and(|pending| pending.claim.proven) {
        // The previous challenge is answered, and the state has changed.
        state.close_challenge(&server);
    }
    let claim =
        ClaimedServer { game: game.into(), may_be_shutdown: changed, ..ClaimedServer::default() };
    let Some(text) = state.challenge_for(incoming, server, ChallengeForm::Word, claim) else {
        return;
    };
    // `info` says whether it is shutting down (003 Appendix D).
    let queries = if changed { r"\basic\\info\" } else { r"\basic\" };
    let proof = if key_of(game).is_some() { r"\secure\" } else { r"\echo\" };
    let query = [queries.as_bytes(), proof.as_bytes(), &text].concat();
    state.send(server.address, Query::new(&query), out);
}

/// A reply may come in several datagrams, in any order (003 Replies): the one with the proof
/// counts, and the one that says that the server is exiting.
fn proof(state: &mut MasterState, incoming: &IncomingRequest<'_>, pairs: PairList<'_>) {
    let server = ServerKey { namespace: &GAMESPY_SERVERS, address: incoming.from };
    let Some(PendingChallenge { challenge, claim, .. }) = state.open(&server).cloned() else {
        return state.note(incoming.service, incoming.from, "refused: no pending challenge");
    };
    let exits = value(pairs, b"gamemode") == Some(b"exiting");
    if exits && !state.has(Defect::IgnoresShutdown) {
        return state.unregister(incoming, &server);
    }
    if claim.proven {
        return;
    }
    let right = match key_of(&claim.game) {
        Some(key) => {
            let proof = answer(key, &challenge);
            value(pairs, b"validate").map(|given| state.is_right(proof.as_bytes(), given))
        }
        None => value(pairs, b"echo").map(|given| state.is_right(&challenge, given)),
    };
    let other = value(pairs, b"gamename").is_some_and(|g| !g.eq_ignore_ascii_case(&claim.game));
    let Some(right) = right else {
        return;
    };
    let any = state.has(Defect::AnyValidation) || state.has(Defect::AnyChallenge);
    if (!right && !any) || other {
        state.counts.refused += 1;
        return state.note(incoming.service, incoming.from, "refused: wrong proof");
    }
    // If `info` was requested, its part of the reply may come in another datagram.
    let whole = !claim.may_be_shutdown || value(pairs, b"gamemode").is_some();
    if !state.has(Defect::ReplayedChallenge) {
        if whole { state.close_challenge(&server) } else { state.keep_open(&server) }
    }
    list(state, incoming, server, &claim.game);
}

fn list(state: &mut MasterState, incoming: &IncomingRequest<'_>, server: ServerKey, game: &[u8]) {
    // Game names are case-sensitive (003 Replies).
    let (kind, game) = (ListKey::from_address(server.address), game.into());
    state.list(
        incoming,
        server,
        &[ListBucket { namespace: &GAMESPY_SERVERS, protocol: 0, game, kind }],
    );
}
