//! What requests send for their answers to bring back.

use crate::registry;
use codec::{Field, FieldRole, OutlinePart};
use protocol::Entry;

/// Answers and requests that both have a challenge, but not the same one.
const OTHERS: &[(&str, &str)] = &[
    // The challenge of the request is that of the answer before; this one may be a folder's name.
    ("connect-response", "connect"),
    // The server's own challenge; the client's does not come back.
    ("challenge", "getchallenge"),
    ("get-key", "getchallenge"),
    // Quetoo's master: the server brings it back with its next heartbeat.
    ("master-challenge", "challenged-heartbeat"),
    ("connect-challenge", "bandwidth"),
    ("s2c-challenge", "a2s-info"),
    ("s2c-challenge", "a2s-player"),
    ("s2c-challenge", "a2s-rules"),
    // The proof of a challenge, made with a key, in a stream.
    ("validate", "secure-challenge"),
    ("server-list", "list-request"),
    ("encrypted-list", "list-request"),
    ("error", "validate"),
    ("error", "list-request"),
];

/// Whether a message may have a challenge.
fn has_challenge(entry: &Entry) -> bool {
    let is_challenge = |field: &&'static Field| field.role == FieldRole::Challenge;
    entry.outline().lines.into_iter().any(|line| match line.what {
        OutlinePart::Literal(field, _)
        | OutlinePart::OneOf(field, _)
        | OutlinePart::Field(field) => is_challenge(&field),
        OutlinePart::View(_, _, fields) => fields.iter().any(is_challenge),
        OutlinePart::Branch(_) => false,
    })
}

#[test]
fn what_comes_back_is_declared_at_both() {
    for answer in registry().entries() {
        for id in answer.spec.answers {
            let mut requests = answer.protocol.messages.iter();
            let request = requests.find(|message| message.spec.id == *id).unwrap();
            let pair = (answer.spec.id, *id);
            let both = request.spec.sends.is_some() && answer.spec.returns.is_some();
            let is_other = OTHERS.contains(&pair);
            let may = has_challenge(answer) && has_challenge(request);
            assert!(both || is_other || !may, "{answer:?} to {request:?} declares no identifier");
            assert!(!(both && is_other), "{answer:?} to {request:?}");
        }
    }
}

#[test]
fn identifiers_are_found() {
    let cases: &[(&[u8], &[u8])] = &[
        (
            b"\xff\xff\xff\xffgetinfo abc",
            b"\xff\xff\xff\xffinfoResponse\n\\Challenge\\abc\\clients\\0",
        ),
        (
            b"\xff\xff\xff\xffgetstatus -5\n",
            b"\xff\xff\xff\xffstatusResponse\n\\challenge\\-5\n0 5 \"A\"\n",
        ),
        (
            b"\xff\xff\xff\xffgetinfo xxx",
            b"\xff\xff\xff\xffinfoResponse \"\\challenge\\xxx\\protocol\\24\"",
        ),
        (b"\xff\xff\xff\xffgetchallenge 77 Q3A", b"\xff\xff\xff\xffchallengeResponse 5 77 68"),
        (
            b"\xff\xff\xff\xffgetmotd \"\\challenge\\14985\"",
            b"\xff\xff\xff\xffmotd \"challenge\\14985\\motd\\Hello\\\"",
        ),
        (b"q\xff\x11\x22\x33\x44", b"\xff\xff\xff\xffs\n\x01\x02\x03\x04\x11\x22\x33\x44"),
        (
            b"\xff\xff\xff\xffs\n\x01\x02\x03\x04",
            b"0\n\\protocol\\46\\challenge\\67305985\\players\\0\n",
        ),
        (
            b"1\xff0.0.0.0:0\0\\gamedir\\valve\\key\\1a2b3c4d\0",
            b"\xff\xff\xff\xfff\n\x7f\x4d\x3c\x2b\x1a\x08\0\0\0\0\0\0",
        ),
        (
            b"\xff\xffgetInfo\0\x01\x02\x03\x04",
            b"\xff\xffinfoResponse\0\x01\x02\x03\x04\x21\0\x01\0\0\0\0\0\x20\x01\0\0\0",
        ),
        (b"\\info\\\\echo\\nothing", b"\\hostname\\A\\echo\\nothing\\final\\\\queryid\\1.1"),
        (
            b"xe\x01\x02\0\0\xff\xff\xff\xffgie3\x05",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffiext66053\x000.6.4\0",
        ),
        (
            b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xffgie3\x85\x01",
            b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xffinf3\x85\x010.7.5\0",
        ),
    ];
    for (request, answer) in cases {
        let sent = registry().recognise(request).and_then(|entry| entry.spec.sends?(request));
        let mut answers = registry().candidates(protocol::Carrier::Datagram, answer);
        let returned = answers.find_map(|known| known.entry.spec.returns?(answer));
        assert!(
            sent.is_some() && sent == returned,
            "{}: {sent:?} {returned:?}",
            request.escape_ascii()
        );
    }
}
