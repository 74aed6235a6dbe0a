//! GameSpy's list over TCP (document 001, 5.6): the master sends a challenge first; the client
//! proves that it has a key and requests a game's servers.

use std::fmt::Write as _;

use super::{GAMESPY_SERVERS, value};
use crate::{
    ChallengeForm, Defect, IncomingRequest, ListKey, MasterState, ServerQuery, StreamSession,
};
use codec::{Addrs, Endpoints, PLAIN_FINAL, Scratch};
use protocol::{Carrier, Direction, FrameBoundary, encode};
use protocols::gamespy::{
    AnswerForm, CompressedList, EncryptedList, EncryptedText, GameSpy, ListForm, PROTOCOL,
    PairList, SecureChallenge, ServerList, answer_in, key_of,
};

/// The maximum bytes of a client's message.
const LONGEST: usize = 4096;
/// How many random bytes an encrypted list begins with.
const HEADER: usize = 13;

/// The state of one client's connection.
#[derive(Debug)]
struct ListSession {
    challenge: Vec<u8>,
    proven: bool,
    /// The game with whose key the client wants its list to be encrypted, with type 2.
    encrypted_for: Option<Vec<u8>>,
    received: Vec<u8>,
    over: bool,
}

/// Starts a connection with a challenge.
pub(crate) fn open(state: &mut MasterState, out: &mut Vec<u8>) -> Box<dyn StreamSession> {
    let challenge = state.challenge(ChallengeForm::Word).unwrap_or_default();
    let pairs = [br"\basic\\secure\", &challenge[..]].concat();
    let over = encode(SecureChallenge::new(&pairs), out).is_err();
    Box::new(ListSession {
        challenge,
        proven: false,
        encrypted_for: None,
        received: Vec::new(),
        over,
    })
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
                FrameBoundary::Open { .. } if self.received.len() <= LONGEST => {
                    self.over = state.has(Defect::OnePiece);
                    return;
                }
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
        let entry = protocols::recognise(&PROTOCOL, Carrier::Stream, message, Direction::default());
        let decoded = entry.and_then(|entry| GameSpy::decode(entry, message, &mut scratch));
        let anybody = !state.settings.list_proof || state.has(Defect::AnyValidation);
        match decoded.map(|decoded| decoded.message) {
            Some(GameSpy::Validate(proof)) => {
                self.proven = anybody || self.is_proof(state, proof.pairs);
                self.over = !self.proven;
                let is_encrypted = value(proof.pairs, b"enctype") == Some(b"2");
                let game = value(proof.pairs, b"gamename").filter(|_| is_encrypted);
                self.encrypted_for = game.map(<[u8]>::to_vec);
                if !self.proven {
                    let why = "refused: wrong proof";
                    state.note(incoming.service, incoming.from, why);
                }
            }
            Some(GameSpy::ListRequest(request)) => {
                self.over = true;
                if anybody || self.proven {
                    list(state, request.pairs, self.encrypted_for.as_deref(), out);
                } else {
                    state.note(incoming.service, incoming.from, "refused: no proof");
                }
            }
            _ => self.over = true,
        }
    }

    /// Whether the client answers the challenge with the key of its game.
    fn is_proof(&self, state: &MasterState, pairs: PairList<'_>) -> bool {
        let key = value(pairs, b"gamename").and_then(key_of);
        let (Some(key), Some(given)) = (key, value(pairs, b"validate")) else { return false };
        // Some clients that want an encrypted list add the key once more.
        let keyed = Some(AnswerForm::Keyed).filter(|_| value(pairs, b"enctype") == Some(b"2"));
        let mut forms = [AnswerForm::Plain].into_iter().chain(keyed);
        forms.any(|form| state.is_right(answer_in(form, key, &self.challenge).as_bytes(), given))
    }
}

/// Every server of a game, as text or, if `cmp` is requested, in six bytes each; encrypted with the
/// key of a game, if that is published.
fn list(
    state: &mut MasterState,
    request: PairList<'_>,
    encrypted_for: Option<&[u8]>,
    out: &mut Vec<u8>,
) {
    let game = value(request, b"gamename").unwrap_or_default();
    let compressed = value(request, b"list") == Some(b"cmp");
    let compressed = compressed && !state.has(Defect::PlainForCompressed);
    let query = ServerQuery { namespace: &GAMESPY_SERVERS, protocol: Some(0), game: Some(game) };
    let found = state.find(query, |kind: &ListKey| !kind.six);
    let ends = !state.has(Defect::NoFinal);
    let (mut raw, mut pairs) = (Vec::new(), String::new());
    for server in &found {
        if compressed {
            state.push(PLAIN_FINAL, *server, &mut raw);
        } else {
            _ = write!(pairs, "\\ip\\{server}");
        }
    }
    state.recycle(found);
    let servers = Endpoints::new(pairs.as_bytes());
    let last = PairList::new(if ends { &br"\final\"[..] } else { b"" });
    let (records, end) = (Addrs::new(&raw), u8::from(!ends));
    let random = state.challenge(ChallengeForm::Word).unwrap_or_default();
    let header: Vec<u8> = random.iter().copied().cycle().take(HEADER).collect();
    let form = if compressed { ListForm::Records } else { ListForm::Pairs };
    let text = EncryptedText { form, servers, pairs: last, records, end, padding: b"" };
    let encrypted = encrypted_for.and_then(|game| EncryptedList::new(game, &header, text));
    // A message made here always encodes.
    let _ = match encrypted {
        Some(list) => encode(list, out),
        None if compressed => encode(CompressedList { servers: records, end }, out),
        None => encode(ServerList { servers, more: ends, pairs: last }, out),
    };
}
