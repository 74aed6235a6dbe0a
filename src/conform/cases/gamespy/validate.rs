//! Clients prove themselves over TCP: 001 5.6.

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{Client, FINAL, Server, challenge, list};
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::peer::voice::gamespy as voice;
use crate::proto::gamespy::GAMESPY;

/// Connections whose challenges are compared.
const MANY: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/validate/master-speaks-first",
        title: "a client connects and says nothing",
        requires: "the master speaks first: basic, secure and a challenge",
        citation: "001 5.6",
        run: |ctx| Client::new(ctx).map(drop),
        ..MUST
    },
    Case {
        id: "gamespy/validate/challenge-differs",
        title: "a client connects eight times",
        requires: "the challenge is another each time, so that no answer can be used again",
        citation: "001 5.6, 003 Security",
        run: |ctx| {
            let clients = (0..MANY).map(|_| Ok(Client::new(ctx)?.challenge));
            let mut all = clients.collect::<Result<Vec<_>, Failure>>()?;
            all.sort();
            if let Some([one, _]) = all.windows(2).find(|pair| pair.first() == pair.last()) {
                let came = format!("{} twice", crate::dump::shown(one));
                return Err(Failure::new("challenges that differ", came));
            }
            challenge_quality::texts_count_up(all.iter().map(Vec::as_slice))
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/right-proof",
        title: "a client answers the challenge with its game's key and asks for a list",
        requires: "the client sends its game's name and validate, then list, and receives the list",
        citation: "001 5.6",
        run: |ctx| list(ctx, voice::UNREAL).map(drop),
        ..MUST
    },
    Case {
        id: "gamespy/validate/wrong-proof",
        title: "a client answers with a proof that is none and asks for a list",
        requires: "the list is for clients that prove themselves",
        citation: "001 5.6, 003 Security",
        run: |ctx| refused(ctx, |_| voice::validate_with(voice::UNREAL, "AAAAAAAA")),
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/other-key",
        title: "a client answers with the key of another game than it names",
        requires: "the proof is made with the key of the game that is named beside it",
        citation: "001 5.6, 003 Security",
        run: |ctx| {
            refused(ctx, |challenge| {
                let proof = voice::validation(voice::TEST, challenge);
                voice::validate_with(voice::UNREAL, &proof)
            })
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/foreign-challenge",
        title: "a client answers the challenge of another connection",
        requires: "a challenge belongs to the connection on which it came",
        citation: "001 5.6, 003 Security",
        run: |ctx| {
            let other = Client::new(ctx)?;
            refused(ctx, |_| other.proof())
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/no-proof",
        title: "a client asks for a list without having answered the challenge",
        requires: "the list is for clients that prove themselves",
        citation: "001 5.6, 003 Security",
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..SHOULD
    },
    Case {
        id: "gamespy/validate/single-bytes",
        title: "a client says everything in segments of a single byte",
        requires: "TCP has no messages: where it cuts the stream means nothing",
        citation: "001 5.6",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            let mut client = Client::new(ctx)?;
            let proof = client.proof();
            client.stream.say_in_pieces(&proof)?;
            client.stream.say_in_pieces(&voice::list_request("", voice::UNREAL))?;
            client.takes()?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/validate/at-once",
        title: "a client says everything in one segment",
        requires: "TCP has no messages: where it cuts the stream means nothing",
        citation: "001 5.6",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            let mut client = Client::new(ctx)?;
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
        run: |ctx| {
            let mut slow = ctx.stream(LISTS)?;
            let challenge = slow
                .expect("the master's challenge", |bytes| Some((bytes.len(), challenge(bytes)?)))?;
            slow.send_bytes(br"\gamename\")?;
            list(ctx, voice::UNREAL)?;
            let rest = voice::validate(voice::UNREAL, &challenge);
            slow.send_bytes(rest.strip_prefix(br"\gamename\").unwrap_or_default())?;
            slow.send_bytes(&voice::list_request("", voice::UNREAL))?;
            slow.expect("a list that ends in \\final\\", |bytes| {
                memchr::memmem::find(bytes, FINAL).map(|at| (at + FINAL.len(), ()))
            })
        },
        ..SHOULD
    },
];

/// A client says this to the challenge and asks for a list, which it does not get.
fn refused(ctx: &TestContext<'_>, says: impl Fn(&[u8]) -> Vec<u8>) -> Done {
    if !ctx.assumed().settings().list_proof {
        return Err(Failure::skipped("the target is assumed to give lists to anybody"));
    }
    // Something has to be there to be told from nothing.
    let server = Server::new(ctx)?;
    server.is_listed()?;
    let mut client = Client::new(ctx)?;
    let proof = says(&client.challenge);
    let request = voice::list_request("", voice::UNREAL);
    // A master that closes the connection at once refuses too.
    if client.stream.send_bytes(&[proof, request].concat()).is_err() {
        return Ok(());
    }
    let told =
        client.stream.rest("the master to close the connection, or to say nothing of servers");
    match told {
        Ok(told) if memchr::memmem::find(&told, br"\ip\").is_some() => {
            Err(Failure::new("no list for a client that has proved nothing", "one"))
        }
        Ok(_) => Ok(()),
        Err(failure) => Err(failure),
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
