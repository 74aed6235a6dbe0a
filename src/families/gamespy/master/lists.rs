//! GameSpy's list over TCP (document 001, 5.6): the master sends a challenge first; the client
//! proves that it has a key and requests a game's servers.

use std::fmt::Write as _;

use super::{GAMESPY_SERVERS, value};
use crate::codec::{Addrs, Info, PLAIN_FINAL, Scratch, encode};
use crate::master::{
    ChallengeForm, Defect, IncomingRequest, ListKey, MasterState, ServerQuery, StreamSession,
};
use crate::protocol::{Carrier, Direction, FrameBoundary};
use crate::protocols::gamespy::{
    CompressedList, GameSpy, PROTOCOL, SecureChallenge, ServerList, answer, key_of,
};

/// The maximum bytes of a client's message.
const LONGEST: usize = 4096;

/// The state of one client's connection.
#[derive(Debug)]
struct ListSession {
    challenge: Vec<u8>,
    proven: bool,
    received: Vec<u8>,
    over: bool,
}

/// Starts a connection with a challenge.
pub(crate) fn open(state: &mut MasterState, out: &mut Vec<u8>) -> Box<dyn StreamSession> {
    let challenge = state.challenge(ChallengeForm::Word).unwrap_or_default();
    let pairs = [br"\basic\\secure\", &challenge[..]].concat();
    let over = encode(SecureChallenge { pairs: Info::new(&pairs) }, out).is_err();
    Box::new(ListSession { challenge, proven: false, received: Vec::new(), over })
}

impl StreamSession for ListSession {
    fn handle_bytes(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        self.received.extend_from_slice(incoming.payload);
        while !self.over {
            match (PROTOCOL.cut)(&self.received, 0) {
                FrameBoundary::At(end) if end > 0 && end <= self.received.len() => {
                    let rest = self.received.split_off(end);
                    let message = std::mem::replace(&mut self.received, rest);
                    self.handle(state, &IncomingRequest { payload: &message, ..*incoming }, out);
                    if self.received.is_empty() {
                        return;
                    }
                }
                FrameBoundary::Open { .. } if self.received.len() <= LONGEST => return,
                _ => self.over = true,
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl ListSession {
    fn handle(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        let (message, mut scratch) = (incoming.payload, Scratch::default());
        let entry = PROTOCOL.recognise(Carrier::Stream, message, Direction::default());
        let decoded = entry.and_then(|entry| GameSpy::decode(entry, message, &mut scratch));
        let anybody = !state.settings.list_proof || state.has(Defect::AnyValidation);
        match decoded.map(|decoded| decoded.message) {
            Some(GameSpy::Validate(proof)) => {
                self.proven = anybody || self.is_proof(state, proof.pairs);
                self.over = !self.proven;
                if !self.proven {
                    let why = "refused: wrong proof";
                    state.note(incoming.service, incoming.from, why);
                }
            }
            Some(GameSpy::ListRequest(request)) => {
                self.over = true;
                if anybody || self.proven {
                    list(state, request.pairs, out);
                } else {
                    state.note(incoming.service, incoming.from, "refused: no proof");
                }
            }
            _ => self.over = true,
        }
    }

    /// Whether the client answers the challenge with the key of its game.
    fn is_proof(&self, state: &MasterState, pairs: Info<'_>) -> bool {
        let key = value(pairs, b"gamename").and_then(key_of);
        let proof = value(pairs, b"validate");
        let expected = key.map(|key| answer(key, &self.challenge));
        expected.zip(proof).is_some_and(|(one, given)| state.is_right(one.as_bytes(), given))
    }
}

/// Every server of a game, as text or, if `cmp` is requested, in six bytes each.
fn list(state: &mut MasterState, request: Info<'_>, out: &mut Vec<u8>) {
    let game = value(request, b"gamename").unwrap_or_default();
    let compressed = value(request, b"list") == Some(b"cmp");
    let compressed = compressed && !state.has(Defect::PlainForCompressed);
    let query = ServerQuery { namespace: &GAMESPY_SERVERS, protocol: Some(0), game: Some(game) };
    let found = state.find(query, |kind: &ListKey| !kind.six);
    let ends = !state.has(Defect::NoFinal);
    // A message made here always encodes.
    let _ = if compressed {
        let mut raw = Vec::new();
        for server in &found {
            state.push(PLAIN_FINAL, *server, &mut raw);
        }
        encode(CompressedList { servers: Addrs::new(&raw), end: u8::from(!ends) }, out)
    } else {
        let mut pairs = String::new();
        for server in &found {
            _ = write!(pairs, "\\ip\\{server}");
        }
        let servers = crate::codec::Endpoints::new(pairs.as_bytes());
        let last = if ends { &br"\final\"[..] } else { b"" };
        encode(ServerList { servers, more: ends, pairs: Info::new(last) }, out)
    };
    state.recycle(found);
}
