//! Clients prove themselves over TCP: 001 5.6.

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{FINAL, GamespyClient, GamespyServer, challenge, list, someone_registers};
use super::preconditions::{CLIENT_PROOF_WANTED, CONNECTED, GREETED, LIST_READ, LISTED};
use super::proof::swapped_case;
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::GAMESPY;

/// Bytes of a message after a split in the middle of its `\final\`.
const CUT: usize = FINAL.len() / 2;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/validate/master-speaks-first",
        title: "a client connects and says nothing",
        requires: "the master speaks first: basic, secure and a challenge",
        citation: "001 5.6",
        needs: &[&CONNECTED],
        run: |ctx| {
            let client = GamespyClient::new(ctx)?;
            if client.greeting.starts_with(br"\basic\") {
                return Ok(());
            }
            let came = crate::render::quoted(&client.greeting, usize::MAX);
            Err(Failure::new("\\basic\\ in front of \\secure\\", came))
        },
        ..MUST
    },
    Case {
        id: "gamespy/validate/challenge-differs",
        title: "clients connect some dozens of times",
        requires: "the challenge is random: it neither repeats nor counts up nor comes from a \
                   small set, so that no answer can be used again",
        citation: "001 5.6, 003 Security",
        needs: &[&GREETED],
        run: |ctx| {
            let clients = (0..challenge_quality::SAMPLES)
                .map(|_| Ok(ctx.setup(|| GamespyClient::new(ctx))?.challenge));
            let all = clients.collect::<Result<Vec<_>, Failure>>()?;
            challenge_quality::texts_count_up(all.iter().map(Vec::as_slice))
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/right-proof",
        title: "a client answers the challenge with its game's key and asks for a list",
        requires: "the client sends its game's name and validate, then list, and receives the list",
        citation: "001 5.6",
        needs: &[&GREETED],
        run: |ctx| {
            ctx.setup(|| someone_registers(ctx))?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            client.asks("", voice::UNREAL)?;
            client.is_answered()
        },
        ..MUST
    },
    Case {
        id: "gamespy/validate/no-proof",
        title: "a client asks for a list without having answered the challenge",
        requires: "the list is for clients that prove themselves (inferred: the document shows no \
                   other)",
        citation: "001 5.6, 003 Security",
        needs: &[&LISTED],
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/wrong-proof",
        title: "a client answers with a proof that is none and asks for a list",
        requires: "the list is for clients that prove themselves (inferred: the document shows no \
                   other)",
        citation: "001 5.6, 003 Security",
        needs: &[&CLIENT_PROOF_WANTED],
        run: |ctx| refused(ctx, |_| voice::validate_with(voice::UNREAL, "AAAAAAAA")),
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/other-key",
        title: "a client answers with the key of another game than it names",
        requires: "the proof is made with the key of the game that is named beside it",
        citation: "001 5.6, 003 Security",
        needs: &[&CLIENT_PROOF_WANTED],
        run: |ctx| {
            refused(ctx, |challenge| {
                let proof = voice::validation(voice::TEST, challenge);
                voice::validate_with(voice::UNREAL, &proof)
            })
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/case-of-proof",
        title: "a client answers with the right proof, its capitals small and its small letters capital",
        requires: "a proof is compared with case, as the text is that it is made of",
        citation: "001 5.6, 003 Security",
        needs: &[&CLIENT_PROOF_WANTED],
        run: |ctx| {
            refused(ctx, |challenge| {
                let proof = swapped_case(voice::validation(voice::UNREAL, challenge).as_bytes());
                voice::validate_with(voice::UNREAL, &String::from_utf8_lossy(&proof))
            })
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/foreign-challenge",
        title: "a client answers the challenge of another connection",
        requires: "a challenge belongs to the connection on which it came",
        citation: "001 5.6, 003 Security",
        needs: &[&CLIENT_PROOF_WANTED],
        run: |ctx| {
            let other = ctx.setup(|| GamespyClient::new(ctx))?;
            refused(ctx, |_| other.proof())
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/single-bytes",
        title: "a client sends everything in segments of a single byte, with a pause inside of final",
        requires: "TCP has no messages: a request is complete when its bytes are there, however \
                   they are cut",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            for message in [client.proof(), voice::list_request("", voice::UNREAL)] {
                let (head, end) = message.split_at(message.len().saturating_sub(CUT));
                client.stream.say_in_pieces(head)?;
                // A response to another client shows that the master has read so far; one list may
                // come in the same iteration as the bytes that were ready, the second does not.
                ctx.setup(|| list(ctx, voice::UNREAL))?;
                ctx.setup(|| list(ctx, voice::UNREAL))?;
                client.stream.say_in_pieces(end)?;
            }
            client.takes()?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/validate/at-once",
        title: "a client sends everything in one segment",
        requires: "TCP has no messages: a request is complete when its bytes are there, however \
                   they are cut",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            let proof = client.proof();
            let both = [proof, voice::list_request("", voice::UNREAL)].concat();
            client.stream.send_bytes(&both)?;
            client.takes()?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/validate/does-not-wait-long",
        title: "a client connects, waits for others to be served, and asks then",
        requires: "whoever is slow keeps nobody else from the list, and is served too",
        citation: "001 5.6",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut slow = ctx.setup(|| ctx.stream(LISTS))?;
            let what = "the master's challenge";
            let text =
                ctx.setup(|| slow.expect(what, |bytes| Some((bytes.len(), challenge(bytes)?))))?;
            slow.send_bytes(br"\gamename\")?;
            list(ctx, voice::UNREAL)?;
            let rest = voice::validate(voice::UNREAL, &text);
            slow.send_bytes(rest.strip_prefix(br"\gamename\").unwrap_or_default())?;
            slow.send_bytes(&voice::list_request("", voice::UNREAL))?;
            slow.expect("a list that ends in \\final\\", |bytes| {
                memchr::memmem::find(bytes, FINAL).map(|at| (at + FINAL.len(), ()))
            })
        },
        ..SHOULD
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
    let request = voice::list_request("", voice::UNREAL);
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

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "over TCP the master speaks first, with a challenge",
        proven: Proven::By(&[
            "gamespy/validate/master-speaks-first",
            "gamespy/validate/challenge-differs",
        ]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "the client answers with its game's name, a location and validate, and then asks",
        proven: Proven::By(&["gamespy/validate/*"]),
    },
];
