//! GameSpy's list over TCP (document 001, 5.6): the master sends a challenge first; the client
//! proves that it has a key and requests a game's servers.

use std::fmt::Write as _;
use std::net::SocketAddr;

use super::Master;
use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::MasterState;
use super::gamespy::value;
use super::registry::{ListKey, Namespace, ServerQuery};
use crate::codec::{Addrs, Info, PLAIN_FINAL, Scratch, encode};
use crate::protocol::{Carrier, Direction, FrameBoundary};
use crate::protocols::gamespy::{
    CompressedList, GameSpy, PROTOCOL, SecureChallenge, ServerList, answer, key_of,
};

/// The maximum bytes of a client's message.
const LONGEST: usize = 4096;

/// The state of one client's connection.
#[derive(Debug)]
pub struct ListSession {
    challenge: Vec<u8>,
    proven: bool,
    heard: Vec<u8>,
    /// Nothing more will be sent.
    pub over: bool,
}

impl ListSession {
    /// Starts a connection; the master's first message is appended to `out`.
    pub fn open(master: &mut Master, out: &mut Vec<u8>) -> Self {
        let challenge = master.desk.challenge(ChallengeForm::Word).unwrap_or_default();
        let pairs = [br"\basic\\secure\", &challenge[..]].concat();
        let over = encode(SecureChallenge { pairs: Info::new(&pairs) }, out).is_err();
        Self { challenge, proven: false, heard: Vec::new(), over }
    }

    /// Takes received bytes, however they are split, and appends the response to `out`.
    pub fn handle_bytes(
        &mut self,
        master: &mut Master,
        from: SocketAddr,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) {
        self.heard.extend_from_slice(bytes);
        while !self.over {
            match (PROTOCOL.cut)(&self.heard, 0) {
                FrameBoundary::At(end) if end > 0 && end <= self.heard.len() => {
                    let rest = self.heard.split_off(end);
                    let message = std::mem::replace(&mut self.heard, rest);
                    self.take(master, from, &message, out);
                    if self.heard.is_empty() {
                        return;
                    }
                }
                FrameBoundary::Open { .. } if self.heard.len() <= LONGEST => return,
                _ => self.over = true,
            }
        }
    }

    fn take(&mut self, master: &mut Master, from: SocketAddr, message: &[u8], out: &mut Vec<u8>) {
        let mut scratch = Scratch::default();
        let entry = PROTOCOL.recognise(Carrier::Stream, message, Direction::default());
        let decoded = entry.and_then(|entry| GameSpy::decode(entry, message, &mut scratch));
        let anybody = !master.settings().list_proof || master.has(Defect::AnyValidation);
        match decoded.map(|decoded| decoded.message) {
            Some(GameSpy::Validate(proof)) => {
                self.proven = anybody || self.is_proof(&master.desk, proof.pairs);
                self.over = !self.proven;
                if !self.proven {
                    master.note_list(from, "refused: not the proof that it was asked for");
                }
            }
            Some(GameSpy::ListRequest(request)) => {
                self.over = true;
                if anybody || self.proven {
                    list(master, request.pairs, out);
                } else {
                    master.note_list(from, "refused: it has proved nothing");
                }
            }
            _ => self.over = true,
        }
    }

    /// Whether the client answers the challenge with the key of its game.
    fn is_proof(&self, desk: &MasterState, pairs: Info<'_>) -> bool {
        let key = value(pairs, b"gamename").and_then(key_of);
        let proof = value(pairs, b"validate");
        let expected = key.map(|key| answer(key, &self.challenge));
        expected.zip(proof).is_some_and(|(one, given)| desk.is_right(one.as_bytes(), given))
    }
}

/// Every server of a game, as text or, if `cmp` is requested, in six bytes each.
fn list(master: &mut Master, request: Info<'_>, out: &mut Vec<u8>) {
    let game = value(request, b"gamename").unwrap_or_default();
    let compressed = value(request, b"list") == Some(b"cmp");
    let compressed = compressed && !master.has(Defect::PlainForCompressed);
    let wanted = ServerQuery { realm: Namespace::GameSpy, protocol: Some(0), game: Some(game) };
    let found = master.desk.find(wanted, |kind: &ListKey| !kind.six);
    let ends = !master.has(Defect::NoFinal);
    // A message made here always encodes.
    let _ = if compressed {
        let mut raw = Vec::new();
        for server in &found {
            master.desk.push(PLAIN_FINAL, *server, &mut raw);
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
    master.desk.give_back(found);
}
