//! GameSpy's master for servers (document 003): heartbeats over UDP, and queries by which a server
//! proves that it exists and, if its game has a published key, that it has the key.

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::{ClaimedServer, IncomingRequest, MasterState, PendingChallenge, ReplySink};
use super::registry::{ListBucket, ListKey, Namespace, ServerKey};
use crate::codec::{Info, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::gamespy::{GameSpy, PROTOCOL, Query, answer, key_of};

/// Lower ports cannot be a server's (003 Heartbeat).
const FIRST_PORT: u16 = 1025;
/// Names that are longer are refused.
const LONGEST_NAME: usize = 63;

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
    match GameSpy::decode(entry, heard.payload, scratch).map(|d| d.message) {
        Some(GameSpy::Heartbeat(beat)) => heartbeat(desk, heard, beat.pairs, out),
        Some(GameSpy::Reply(reply)) => proof(desk, heard, reply.pairs),
        _ => {}
    }
}

/// The first value of a key; keys are case-sensitive (003 Appendix D).
pub(super) fn value<'a>(pairs: Info<'a>, key: &[u8]) -> Option<&'a [u8]> {
    pairs.pairs().find(|(known, _)| *known == key).map(|(_, value)| value)
}

fn heartbeat(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    pairs: Info<'_>,
    out: ReplySink<'_>,
) {
    let digits = value(pairs, b"heartbeat").and_then(|port| std::str::from_utf8(port).ok());
    let port = digits.and_then(|port| port.parse::<u16>().ok()).filter(|port| *port >= FIRST_PORT);
    let game = value(pairs, b"gamename").unwrap_or_default();
    let is_name = (1..=LONGEST_NAME).contains(&game.len()) && !game.contains(&b' ');
    let Some(port) = port else {
        return desk.note(heard.service, heard.from, "refused: no port that a server may have");
    };
    if !is_name && !desk.has(Defect::AcceptsBadNames) {
        return desk.note(heard.service, heard.from, "refused: no name that a game may have");
    }
    let seat = ServerKey { realm: Namespace::GameSpy, address: (heard.from.ip(), port).into() };
    let changed = value(pairs, b"statechanged").is_some() && desk.registry.contains(&seat);
    if desk.has(Defect::ListsUnverified) {
        list(desk, heard, seat, game);
    }
    if desk.open(&seat).is_some_and(|ask| ask.claim.proven) {
        // The previous challenge is answered, and the state has changed.
        desk.close_challenge(&seat);
    }
    let claim =
        ClaimedServer { game: game.into(), last_words: changed, ..ClaimedServer::default() };
    let Some(text) = desk.ask(heard, seat, ChallengeForm::Word, claim) else {
        return;
    };
    // `info` says whether it is shutting down (003 Appendix D).
    let queries = if changed { r"\basic\\info\" } else { r"\basic\" };
    let proof = if key_of(game).is_some() { r"\secure\" } else { r"\echo\" };
    let query = [queries.as_bytes(), proof.as_bytes(), &text].concat();
    desk.send(seat.address, Query { pairs: Info::new(&query) }, out);
}

/// A reply may come in several datagrams, in any order (003 Replies): the one with the proof
/// counts, and the one that says that the server is exiting.
fn proof(desk: &mut MasterState, heard: &IncomingRequest<'_>, pairs: Info<'_>) {
    let seat = ServerKey { realm: Namespace::GameSpy, address: heard.from };
    let Some(PendingChallenge { challenge, claim, .. }) = desk.open(&seat).cloned() else {
        return desk.note(heard.service, heard.from, "refused: it was not asked");
    };
    let exits = value(pairs, b"gamemode") == Some(b"exiting");
    if exits && !desk.has(Defect::IgnoresShutdown) {
        return desk.unregister(heard, &seat);
    }
    if claim.proven {
        return;
    }
    let right = match key_of(&claim.game) {
        Some(key) => {
            let proof = answer(key, &challenge);
            value(pairs, b"validate").map(|given| desk.is_right(proof.as_bytes(), given))
        }
        None => value(pairs, b"echo").map(|given| desk.is_right(&challenge, given)),
    };
    let other = value(pairs, b"gamename").is_some_and(|g| !g.eq_ignore_ascii_case(&claim.game));
    let Some(right) = right else {
        return;
    };
    let any = desk.has(Defect::AnyValidation) || desk.has(Defect::AnyChallenge);
    if (!right && !any) || other {
        desk.counts.refused += 1;
        return desk.note(
            heard.service,
            heard.from,
            "refused: not the proof that it was asked for",
        );
    }
    // If `info` was requested, its part of the reply may come in another datagram.
    let whole = !claim.last_words || value(pairs, b"gamemode").is_some();
    if !desk.has(Defect::ReplayedChallenge) {
        if whole { desk.close_challenge(&seat) } else { desk.keep_open(&seat) }
    }
    list(desk, heard, seat, &claim.game);
}

fn list(desk: &mut MasterState, heard: &IncomingRequest<'_>, seat: ServerKey, game: &[u8]) {
    // Game names are case-sensitive (003 Replies).
    let (kind, game) = (ListKey::of(seat.address), game.into());
    desk.list(heard, seat, &[ListBucket { realm: Namespace::GameSpy, protocol: 0, game, kind }]);
}
