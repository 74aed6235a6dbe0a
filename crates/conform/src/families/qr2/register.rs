//! Servers register: heartbeat 03, challenge 01, and the answer to it (008 qr2.c).

use super::preconditions::{CHALLENGED, CHALLENGED_CASE, LIST_READ, LISTED_CASE, PROOF_CASE};
use super::roles::{Qr2Client, Qr2Role, Qr2Server, browse};
use crate::server::MasterRequest;
use crate::shared::challenge_quality::swapped_case;
use crate::shared::registration;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::qr2::messages::{self, CHALLENGE_TAIL, ReceivedChallenge, StateChange};

/// The longest challenge that a server answers.
const LONGEST: usize = 64;
/// A proof that no key gives.
const NO_PROOF: &[u8] = b"AAAAAAAAAAAAAAAAAAAAAAAAAAAA";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "qr2/heartbeat/challenged",
        decides: &["qr2/challenged"],
        title: "a server of gmtest that begins sends a heartbeat",
        run: registration::heartbeat_answered::<Qr2Role>,
        ..CASE
    },
    Case {
        id: "qr2/heartbeat/begins-anew",
        title: "a server registers, then sends two more first heartbeats",
        run: registration::each_heartbeat_answered::<Qr2Role>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/heartbeat/unknown-game",
        title: "a server of a game that nobody knows sends a heartbeat",
        run: unknown_game,
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/challenge/instance-key",
        title: "a server sends a heartbeat with its instance key",
        run: |ctx| {
            let server = Qr2Server::new(ctx)?;
            let MasterRequest { datagram, challenge } = server.challenged()?;
            let own = messages::instance_key(server.address());
            if challenge.key == own {
                return Ok(());
            }
            let what = format!("a challenge with the key {own:08x}");
            Err(Failure::new(what, format!("{:08x}", challenge.key)).within(&datagram, 3..7))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/challenge/length",
        title: "a server sends a heartbeat and receives a challenge",
        run: |ctx| {
            let MasterRequest { datagram, challenge } = Qr2Server::new(ctx)?.challenged()?;
            if challenge.text.len() <= LONGEST {
                return Ok(());
            }
            let came = format!("{}", challenge.text.len());
            Err(Failure::new("a challenge of 64 characters at most", came).at(&datagram))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/challenge/address",
        title: "a server sends a heartbeat and reads its address in the challenge",
        run: address,
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/challenge/unpredictable",
        title: "48 servers send heartbeats",
        run: registration::challenges_unpredictable::<Qr2Role>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/response/right",
        decides: &["qr2/listed"],
        title: "a server answers the challenge with its game's key; a client asks for the list",
        needs: &[&CHALLENGED, &LIST_READ],
        run: registration::registers::<Qr2Role>,
        ..CASE
    },
    Case {
        id: "qr2/response/registered",
        title: "a server answers the challenge with its game's key",
        run: |ctx| {
            let server = Qr2Server::new(ctx)?;
            let request = server.challenged()?;
            server.answer_request(&request)?;
            ctx.sync(super::SERVERS)?;
            let key = messages::instance_key(server.address()).to_be_bytes();
            let registered = [&b"\xfe\xfd\x0a"[..], &key].concat();
            let came = server.end.drain()?.iter().any(|datagram| datagram.bytes == registered);
            ctx.report(if came { "the master confirms it" } else { "no answer" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/response/none",
        title: "a server does not answer its challenge; a client asks for the list",
        run: |ctx| registration::refused::<Qr2Role>(ctx, |_, _| Ok(())),
        ..LISTED_CASE
    },
    Case {
        id: "qr2/response/none-later",
        title: "a server does not answer its challenge, and sends heartbeats as a listed one and a \
                keepalive; a client asks for the list",
        requires: "qr2/response/none",
        run: |ctx| {
            registration::refused::<Qr2Role>(ctx, |server, challenge| {
                for state in [StateChange::None, StateChange::Changed] {
                    server.end.send_bytes(&super::roles::heartbeat(server, state))?;
                }
                server.end.send_bytes(&messages::keepalive(challenge.key))?;
                ctx.sync(super::SERVERS)
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "qr2/response/wrong",
        title: "a server answers its challenge with letters that no key gives",
        requires: "qr2/response/none",
        run: |ctx| refused(ctx, |_| NO_PROOF.to_vec()),
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/other-key",
        title: "a server answers its challenge with the key of another game",
        run: |ctx| {
            refused(ctx, |challenge| messages::proof(messages::HALO, &challenge.text).into_bytes())
        },
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/part",
        title: "a server answers only the letters before the digits of its challenge",
        requires: "qr2/response/other-key",
        run: |ctx| {
            refused(ctx, |challenge| {
                let text = challenge.text.as_slice();
                let end = text.len().saturating_sub(CHALLENGE_TAIL);
                messages::proof(messages::TEST, text.get(..end).unwrap_or(text)).into_bytes()
            })
        },
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/other-case",
        title: "a server answers with the right proof, its capitals small and its small letters capital",
        requires: "qr2/response/other-key",
        run: |ctx| {
            refused(ctx, |challenge| {
                swapped_case(messages::proof(messages::TEST, &challenge.text).as_bytes())
            })
        },
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/foreign-challenge",
        title: "a server answers the challenge of another server; a client asks for the list",
        run: foreign_challenge,
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/unasked",
        title: "a server that sent no heartbeat sends an answer; a client asks for the list",
        run: |ctx| {
            let (server, client) = (Qr2Server::new(ctx)?, Qr2Client::new(ctx)?);
            let key = messages::instance_key(server.address());
            let proof = messages::proof(messages::TEST, b"LabChal000CB00713274CC");
            server.end.send_bytes(&messages::response(key, proof.as_bytes()))?;
            ctx.sync(super::SERVERS)?;
            client.expect_unlisted(&server, server.list())
        },
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/other-instance",
        title: "a server answers its challenge with another instance key; a client asks for the list",
        run: |ctx| {
            registration::refused::<Qr2Role>(ctx, |server, challenge| {
                let proof = messages::proof(server.state.game, &challenge.text);
                let other = challenge.key.wrapping_add(1);
                server.end.send_bytes(&messages::response(other, proof.as_bytes()))?;
                ctx.sync(super::SERVERS)
            })
        },
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/replayed",
        title: "a server leaves, and sends the answer once more by which it was listed",
        run: replayed,
        ..PROOF_CASE
    },
    Case {
        id: "qr2/response/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        slow: Some("challenge-timeout"),
        run: registration::stale_challenge::<Qr2Role>,
        ..PROOF_CASE
    },
];

/// A server answers its challenge with this proof, and is not listed.
fn refused(ctx: &TestContext<'_>, proof: impl Fn(&ReceivedChallenge) -> Vec<u8>) -> Done {
    registration::refused::<Qr2Role>(ctx, |server, challenge| {
        let response = messages::response(challenge.key, &proof(challenge));
        server.end.send_bytes(&response)?;
        ctx.sync(super::SERVERS)
    })
}

/// A server answers, with its own instance key, what another one was sent.
fn foreign_challenge(ctx: &TestContext<'_>) -> Done {
    let other = Qr2Server::new(ctx)?;
    let foreign = other.challenged()?.challenge;
    refused(ctx, |_| messages::proof(messages::TEST, &foreign.text).into_bytes())
}

/// Options, address and port in hex digits behind the random part.
fn address(ctx: &TestContext<'_>) -> Done {
    let server = Qr2Server::new(ctx)?;
    let MasterRequest { datagram, challenge } = server.challenged()?;
    let std::net::SocketAddr::V4(own) = server.address() else {
        return Err(Failure::skipped("the digits hold IPv4 addresses only"));
    };
    let expected = format!("{:08X}{:04X}", own.ip().to_bits(), own.port());
    let text = challenge.text;
    if text.to_ascii_uppercase().ends_with(expected.as_bytes()) {
        return Ok(());
    }
    let came = render::quoted(&text, usize::MAX);
    Err(Failure::new(format!("a challenge that ends in {expected}"), came).at(&datagram))
}

fn unknown_game(ctx: &TestContext<'_>) -> Done {
    let server = Qr2Server::new(ctx)?;
    let key = messages::instance_key(server.address());
    let heartbeat =
        messages::heartbeat(key, server.address(), StateChange::Begins, &ctx.game(), &server.info);
    let answers = server.end.request_all(&heartbeat)?;
    let is = |begin: &[u8]| answers.iter().any(|datagram| datagram.bytes.starts_with(begin));
    ctx.report(if is(b"\xfe\xfd\x04") {
        "it is sent an error"
    } else if is(b"\xfe\xfd\x01") {
        "it is sent a challenge"
    } else {
        "it is sent nothing"
    })
}

fn replayed(ctx: &TestContext<'_>) -> Done {
    let (server, client) = (Qr2Server::new(ctx)?, Qr2Client::new(ctx)?);
    let request = server.challenged()?;
    ctx.setup(|| {
        server.answer_request(&request)?;
        client.wait_listed(&server, server.list())?;
        server.end.send_bytes(&super::roles::heartbeat(&server, StateChange::Leaves))?;
        client.wait_unlisted(&server, server.list())
    })?;
    server.answer_request(&request)?;
    ctx.sync(super::SERVERS)?;
    let listed = browse(ctx, messages::TEST)?.has(server.address());
    ctx.report(if listed { "it counts" } else { "it does not count" })
}
