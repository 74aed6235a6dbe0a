//! Clients prove themselves over TCP: 001 5.6.

use super::LISTS;
use super::preconditions::{CLIENT_PROOF_REQUIRED, CONNECTED, GREETED, LIST_READ, LISTED_CASE};
use super::roles::{GamespyClient, GamespyServer, list, register_any};
use crate::shared::challenge_quality::{self, swapped_case};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::gamespy::messages::{self, FINAL, secure_challenge};

/// Bytes of a message after a split in the middle of its `\final\`.
const CUT: usize = FINAL.len() / 2;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/validate/master-speaks-first",
        title: "a client connects and says nothing",
        needs: &[&CONNECTED],
        run: |ctx| {
            let client = GamespyClient::new(ctx)?;
            if client.greeting.starts_with(br"\basic\") {
                return Ok(());
            }
            let came = render::quoted(&client.greeting, usize::MAX);
            Err(Failure::new("\\basic\\ in front of \\secure\\", came))
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/challenge-differs",
        title: "clients connect some dozens of times",
        needs: &[&GREETED],
        run: |ctx| {
            let clients = (0..challenge_quality::SAMPLES)
                .map(|_| Ok(ctx.setup(|| GamespyClient::new(ctx))?.challenge));
            let all = clients.collect::<Result<Vec<_>, Failure>>()?;
            challenge_quality::texts_count_up(all.iter().map(Vec::as_slice))
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/right-proof",
        title: "a client answers the challenge with its game's key and asks for a list",
        needs: &[&GREETED],
        run: |ctx| {
            ctx.setup(|| register_any(ctx))?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            client.request_list("", messages::UNREAL)?;
            client.expect_answer()
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/no-proof",
        title: "a client asks for a list without having answered the challenge",
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/validate/wrong-proof",
        title: "a client answers with a proof that is none and asks for a list",
        requires: "gamespy/validate/no-proof",
        needs: &[&CLIENT_PROOF_REQUIRED],
        run: |ctx| refused(ctx, |_| messages::validate_with(messages::UNREAL, "AAAAAAAA")),
        ..CASE
    },
    Case {
        id: "gamespy/validate/other-key",
        title: "a client answers with the key of another game than it names",
        needs: &[&CLIENT_PROOF_REQUIRED],
        run: |ctx| {
            refused(ctx, |challenge| {
                let proof = messages::validation(messages::TEST, challenge);
                messages::validate_with(messages::UNREAL, &proof)
            })
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/case-of-proof",
        title: "a client answers with the right proof, its capitals small and its small letters capital",
        needs: &[&CLIENT_PROOF_REQUIRED],
        run: |ctx| {
            refused(ctx, |challenge| {
                let proof =
                    swapped_case(messages::validation(messages::UNREAL, challenge).as_bytes());
                messages::validate_with(messages::UNREAL, &String::from_utf8_lossy(&proof))
            })
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/foreign-challenge",
        title: "a client answers the challenge of another connection",
        needs: &[&CLIENT_PROOF_REQUIRED],
        run: |ctx| {
            let other = ctx.setup(|| GamespyClient::new(ctx))?;
            refused(ctx, |_| other.proof())
        },
        ..CASE
    },
    Case {
        id: "gamespy/validate/single-bytes",
        title: "a client sends everything in segments of a single byte, with a pause inside of final",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            for message in [client.proof(), messages::list_request("", messages::UNREAL)] {
                let (head, end) = message.split_at(message.len().saturating_sub(CUT));
                client.stream.send_in_pieces(head)?;
                // A response to another client shows that the master has read so far; one list may
                // come in the same iteration as the bytes that were ready, the second does not.
                ctx.setup(|| list(ctx, messages::UNREAL))?;
                ctx.setup(|| list(ctx, messages::UNREAL))?;
                client.stream.send_in_pieces(end)?;
            }
            client.recv_list()?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/validate/at-once",
        title: "a client sends everything in one segment",
        requires: "gamespy/validate/single-bytes",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            let proof = client.proof();
            let both = [proof, messages::list_request("", messages::UNREAL)].concat();
            client.stream.send_bytes(&both)?;
            client.recv_list()?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/validate/does-not-wait-long",
        title: "a client connects, waits for others to be served, and asks then",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut slow = ctx.setup(|| ctx.stream(LISTS))?;
            let what = "the master's challenge";
            let text = ctx.setup(|| {
                slow.expect(what, |bytes| Some((bytes.len(), secure_challenge(bytes)?)))
            })?;
            slow.send_bytes(br"\gamename\")?;
            list(ctx, messages::UNREAL)?;
            let rest = messages::validate(messages::UNREAL, &text);
            slow.send_bytes(rest.strip_prefix(br"\gamename\").unwrap_or_default())?;
            slow.send_bytes(&messages::list_request("", messages::UNREAL))?;
            slow.expect("a list that ends in \\final\\", |bytes| {
                memchr::memmem::find(bytes, FINAL).map(|at| (at + FINAL.len(), ()))
            })
        },
        ..CASE
    },
];

/// A client answers the challenge with this and requests a list, but does not get it.
pub fn refused(ctx: &TestContext<'_>, says: impl Fn(&[u8]) -> Vec<u8>) -> Done {
    if !ctx.assumed().settings().list_proof {
        let why = "the target is assumed to give lists to anybody (list-proof=off)";
        return Err(Failure::skipped(why));
    }
    // There must be a server that it does not get.
    GamespyServer::listed(ctx)?;
    let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
    let proof = says(&client.challenge);
    let request = messages::list_request("", messages::UNREAL);
    // A master that closes the connection at once refuses too.
    if client.stream.send_bytes(&[proof, request].concat()).is_err() {
        return Ok(());
    }
    // It may close the connection, or leave it open without sending anything.
    let found = client
        .stream
        .expect("a server", |bytes| memchr::memmem::find(bytes, br"\ip\").map(|at| (at, ())));
    match found {
        Ok(()) => Err(Failure::new("no list for a client that has proved nothing", "a list")),
        Err(_) => Ok(()),
    }
}
