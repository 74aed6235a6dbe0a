//! Probes of query and reporting 2, and of its lists.

use std::net::SocketAddr;

use super::probes::Probe;
use super::world::*;
use crate::families;
use crate::{Defect, ServiceConnection};
use Defect::*;
use protocols::gamespy_list::{BrowseRequest, PROTOCOL};
use simulate::families::qr2::messages::{self, StateChange};

const QR2: &str = "qr2";
/// An instance key that no server has.
const OTHER: u32 = 1;

/// A heartbeat of a server.
fn heartbeat(from: SocketAddr, state: StateChange, game: &str, host: &str) -> Vec<u8> {
    let info = messages::server_info().with("hostname", host);
    messages::heartbeat(messages::instance_key(from), from, state, game, &info)
}

/// The text of the challenge after a first heartbeat.
fn challenge(w: &mut World, from: SocketAddr, game: &str) -> Vec<u8> {
    let sent = w.receive(QR2, from, &heartbeat(from, StateChange::Begins, game, "one"));
    let (to, bytes) = sent.first().unwrap();
    assert_eq!(*to, from);
    messages::challenge(bytes).unwrap().text
}

/// The types of the answers to a message.
fn kinds(w: &mut World, from: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    w.receive(QR2, from, bytes).iter().map(|(_, bytes)| bytes[2]).collect()
}

/// Answers a challenge with the key of a game; the types of the answers.
fn prove(w: &mut World, from: SocketAddr, key: u32, game: &str, text: &[u8]) -> Vec<u8> {
    let proof = messages::proof(game, text);
    kinds(w, from, &messages::response(key, proof.as_bytes()))
}

fn register(w: &mut World, from: SocketAddr, game: &str) {
    let text = challenge(w, from, game);
    let key = messages::instance_key(from);
    prove(w, from, key, game, &text);
}

/// The list of a game behind its header, deciphered.
fn list(w: &mut World, request: BrowseRequest<'_>) -> String {
    let mut out = Vec::new();
    let service = families::service("qr2-list").unwrap();
    let mut session = ServiceConnection::open(service, &mut w.master, &mut out).unwrap();
    let request = messages::list_request(BrowseRequest {
        gamename: messages::TEST.as_bytes(),
        from: messages::TEST.as_bytes(),
        ..request
    });
    for byte in &request {
        session.handle_bytes(&mut w.master, client(), &[*byte], &mut out);
    }
    let plain = (PROTOCOL.decipher.unwrap())(&request, &out).unwrap_or(out);
    plain.get(26..).unwrap_or_default().escape_ascii().to_string()
}

pub static PROBES: &[Probe] = &[
    ("query and reporting", "", |w| {
        let (from, key) = (at(1), messages::instance_key(at(1)));
        let text = challenge(w, from, messages::TEST);
        let mut seen = vec![prove(w, from, key, messages::TEST, &text)];
        seen.push(kinds(w, from, &heartbeat(from, StateChange::None, messages::TEST, "one")));
        seen.push(kinds(w, from, &messages::keepalive(key)));
        seen.push(kinds(w, from, &messages::keepalive(OTHER)));
        seen.push(kinds(w, client(), &messages::available(messages::TEST)));
        let unknown = heartbeat(at(2), StateChange::Begins, "nothing", "one");
        seen.push(kinds(w, at(2), &unknown));
        let leaves = messages::heartbeat(
            OTHER,
            from,
            StateChange::Leaves,
            messages::TEST,
            &messages::server_info(),
        );
        seen.push(kinds(w, from, &leaves));
        let before = w.master.servers();
        w.receive(QR2, from, &heartbeat(from, StateChange::Leaves, messages::TEST, "one"));
        let after = w.master.servers();
        seen.push(prove(w, from, key, messages::TEST, &text));
        format!("{seen:?} {before} then {after} then {}", w.master.servers())
    }),
    ("proofs in query and reporting", "", |w| {
        let mut counts = Vec::new();
        let mut count = |w: &World| counts.push(w.master.servers());
        let key = |n: u16| messages::instance_key(at(n));
        challenge(w, at(1), messages::TEST);
        count(w);
        prove(w, at(1), key(1), messages::TEST, b"another text");
        count(w);
        let text = challenge(w, at(2), messages::TEST);
        prove(w, at(2), OTHER, messages::TEST, &text);
        count(w);
        let text = challenge(w, at(3), messages::TEST);
        let proof = messages::proof(messages::TEST, &text);
        let swap = |byte: u8| if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { byte };
        let swapped: Vec<u8> = proof.bytes().map(swap).collect();
        w.receive(QR2, at(3), &messages::response(key(3), &swapped));
        count(w);
        let (own, foreign) =
            (challenge(w, at(4), messages::TEST), challenge(w, at(5), messages::TEST));
        prove(w, at(4), key(4), messages::TEST, &foreign);
        count(w);
        w.wait(2 * SECOND);
        prove(w, at(4), key(4), messages::TEST, &own);
        count(w);
        format!("{counts:?}")
    }),
    ("a challenge of query and reporting", "", |w| {
        let sent =
            w.receive(QR2, at(1), &heartbeat(at(1), StateChange::Begins, messages::TEST, "one"));
        let challenge = messages::challenge(&sent[0].1).unwrap();
        let (_, end) = challenge.text.split_last_chunk::<12>().unwrap();
        format!("{} {} {}", challenge.key, challenge.text.len(), end.escape_ascii())
    }),
    ("signs of life in query and reporting", "", |w| {
        register(w, at(1), messages::TEST);
        register(w, at(2), messages::TEST);
        let mut counts = Vec::new();
        for _ in 0..7 {
            w.wait(100 * SECOND);
            w.receive(QR2, at(1), &messages::keepalive(messages::instance_key(at(1))));
            counts.push(w.master.servers());
        }
        format!("{counts:?}")
    }),
    ("lists of query and reporting", "", |w| {
        for (n, game) in [(1, messages::TEST), (2, messages::TEST), (3, "battlefield2")] {
            register(w, at(n), game);
        }
        let update = heartbeat(at(2), StateChange::Changed, messages::TEST, "two");
        w.receive(QR2, at(2), &update);
        let fields = br"\hostname\numplayers";
        let all = BrowseRequest { fields, ..BrowseRequest::default() };
        let lists = [
            all,
            BrowseRequest { filter: b"hostname = 'two'", ..all },
            BrowseRequest { options: 128, most: 1, ..all },
            BrowseRequest { fields: b"", ..all },
        ];
        lists.map(|request| list(w, request)).join("\n    ")
    }),
];

/// The probes that distinguish a master with a defect from a correct one.
pub static CAUGHT: &[(Defect, &[&str])] = &[
    (ListsUnverified, &["proofs in query and reporting"]),
    (AnyChallenge, &["proofs in query and reporting"]),
    (StaleChallenge, &["proofs in query and reporting"]),
    (ForeignChallenge, &["proofs in query and reporting"]),
    (IgnoresGame, &["lists of query and reporting"]),
    (SwappedPort, &["lists of query and reporting"]),
    (DoubledEntries, &["lists of query and reporting"]),
    (NeverForgets, &["signs of life in query and reporting"]),
    (ForgetsEarly, &["signs of life in query and reporting"]),
    (IgnoresShutdown, &["query and reporting"]),
    (KeepsOldState, &["lists of query and reporting"]),
    (NeverAcknowledges, &["query and reporting"]),
    (AnyValidation, &["proofs in query and reporting"]),
    (NoFinal, &["lists of query and reporting"]),
    (ChallengeAnyCase, &["proofs in query and reporting"]),
    (ForgetsAfter5s, &["signs of life in query and reporting"]),
    (WideRecords, &["lists of query and reporting"]),
    (ListVaries, &["lists of query and reporting"]),
    (ListsNobody, &["lists of query and reporting"]),
    (AnyInstance, &["query and reporting", "proofs in query and reporting"]),
    (LacksFields, &["lists of query and reporting"]),
    (IgnoresFilter, &["lists of query and reporting"]),
    (IgnoresMaximum, &["lists of query and reporting"]),
    (OnePiece, &["lists of query and reporting"]),
    (WrongInstance, &["a challenge of query and reporting"]),
    (WrongAddress, &["a challenge of query and reporting"]),
    (LongChallenge, &["a challenge of query and reporting"]),
];
