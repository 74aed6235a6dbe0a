//! Versions and players: 001 9.2 versionCheck, 9.6 newVersion, 9.8 srvAuth, 9.9 auth.

use std::net::SocketAddrV4;

use super::LISTS;
use super::preconditions::ANSWERS;
use crate::conform::{
    Case, Failure, INFO, MUST, Proven, ReceivedDatagram, SHOULD, Sentence, TestContext,
    TestEndpoint,
};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::{DOOM3, Doom3};

/// A program of version 1.0, like the document's.
const OLD: &str = "DOOM 1.0.1262";
/// The client's id in the document's example.
const ID: i32 = 0x10af;
/// The first byte of an `auth`.
const LET_IN: u8 = 1;
const WAIT: u8 = 2;
const REFUSE: u8 = 3;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/versionCheck/old-client",
        title: "a client of version 1.0 asks whether it is up to date",
        requires: "a versionCheck is answered with a newVersion",
        citation: "001 9.2, 001 9.6",
        needs: &[&ANSWERS],
        run: |ctx| is_answered(&ctx.client(LISTS)?, voice::FIRST).map(drop),
        ..MUST
    },
    Case {
        id: "doom3/versionCheck/old-server",
        title: "a server of version 1.0 asks whether it is up to date",
        requires: "servers ask as clients do, and are answered too",
        citation: "001 9.2, 001 9.6",
        needs: &[&ANSWERS],
        run: |ctx| is_answered(&ctx.server(LISTS)?, voice::FIRST).map(drop),
        ..MUST
    },
    Case {
        id: "doom3/versionCheck/newest",
        title: "a client of the newest version asks whether it is up to date",
        requires: "whether a program that is up to date is answered stands in no document",
        citation: "001 9.6",
        needs: &[&ANSWERS],
        run: |ctx| {
            let client = ctx.client(LISTS)?;
            let newest = ctx.assumed().settings().newest;
            let told = client.request_all(&voice::version_check(newest, OLD))?;
            ctx.note(if told.is_empty() { "it is not answered" } else { "it is answered" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "doom3/newVersion/form",
        title: "a client of version 1.0 is told of a newer one",
        requires: "a newVersion holds a text for the player and where the update lies",
        citation: "001 9.6",
        needs: &[&ANSWERS],
        run: |ctx| {
            let heard = ctx.setup(|| is_answered(&ctx.client(LISTS)?, voice::FIRST))?;
            let missing = voice::read(&heard.bytes, |message| match message {
                Doom3::NewVersion(told) if told.text.is_empty() => Some("text"),
                Doom3::NewVersion(told) if told.url.is_empty() => Some("url"),
                _ => None,
            });
            match missing.flatten() {
                Some(name) => {
                    let failure = Failure::new(format!("a newVersion with its {name}"), "none");
                    Err(failure.field(&heard, name))
                }
                None => Ok(()),
            }
        },
        ..SHOULD
    },
    Case {
        id: "doom3/srvAuth/at-challenge",
        title: "a server asks about a client that has told no id yet",
        requires: "a srvAuth is answered with an auth that names the client: its id and address",
        citation: "001 9.8, 001 9.9",
        needs: &[&ANSWERS],
        run: |ctx| verdict(ctx, voice::FIRST, voice::NO_ID, None).map(drop),
        ..MUST
    },
    Case {
        id: "doom3/srvAuth/at-connect",
        title: "a server asks about a client that has told its id",
        requires: "a srvAuth is answered with an auth that names the client: its id and address",
        citation: "001 9.8, 001 9.9",
        needs: &[&ANSWERS],
        run: |ctx| verdict(ctx, voice::FIRST, ID, None).map(drop),
        ..MUST
    },
    Case {
        id: "doom3/srvAuth/later-version",
        title: "a server of version 1.3 asks about a client, and says that it runs the expansion",
        requires: "from protocol 1.37 on a srvAuth has a byte more; no document says so",
        citation: "001 9.8",
        needs: &[&ANSWERS],
        run: |ctx| {
            verdict(ctx, voice::FOURTH, ID, Some(1))?;
            ctx.note("it is answered");
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "doom3/auth/words",
        title: "a server asks about a client twice, at its challenge and when it connects",
        requires: "in the examples the client waits at first, and is let in when it has told its id",
        citation: "001 9.9",
        needs: &[&ANSWERS],
        run: |ctx| {
            for (id, when) in [(voice::NO_ID, "at the challenge"), (ID, "at connect")] {
                let verdict = match verdict(ctx, voice::FIRST, id, None)? {
                    LET_IN => "let in",
                    WAIT => "told to wait",
                    REFUSE => "refused",
                    _ => "told something that is not known",
                };
                ctx.note(format!("{when} the client is {verdict}"));
            }
            Ok(())
        },
        ..INFO
    },
];

/// The newVersion sent to a program of this protocol.
fn is_answered(end: &TestEndpoint<'_>, protocol: u32) -> Result<ReceivedDatagram, Failure> {
    end.send_bytes(&voice::version_check(protocol, OLD))?;
    end.expect("a newVersion in answer to the versionCheck", |heard| {
        let told = voice::read(&heard.bytes, |m| matches!(m, Doom3::NewVersion(_)));
        told.filter(|is| *is).map(|_| heard.clone())
    })
}

/// The first byte of the auth that answers a srvAuth; it must be about the same client.
fn verdict(
    ctx: &TestContext<'_>,
    protocol: u32,
    id: i32,
    expansion: Option<u8>,
) -> Result<u8, Failure> {
    let server = ctx.server(LISTS)?;
    let client = SocketAddrV4::new([192, 0, 2, 55].into(), 1031);
    server.send_bytes(&voice::srv_auth(protocol, client, id, expansion))?;
    let (reply, named, heard) = server.expect("an auth in answer to the srvAuth", |heard| {
        voice::read(&heard.bytes, |message| match message {
            Doom3::Auth(auth) => Some((auth.reply, (auth.client, auth.address), heard.clone())),
            _ => None,
        })?
    })?;
    // An auth has the low half of the id.
    let [low, high, ..] = id.to_le_bytes();
    let id = i16::from_le_bytes([low, high]);
    if named.0 != id {
        let failure = Failure::new(format!("the client's id {id}"), named.0.to_string());
        return Err(failure.field(&heard, "client id"));
    }
    if named.1 != client.ip().octets() {
        let came = std::net::Ipv4Addr::from(named.1).to_string();
        let failure = Failure::new(format!("the client's address {}", client.ip()), came);
        return Err(failure.field(&heard, "address"));
    }
    Ok(reply)
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.2",
        says: "servers and clients ask with versionCheck, NUL and their protocol",
        proven: Proven::By(&["doom3/versionCheck/old-client", "doom3/versionCheck/old-server"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.6",
        says: "newVersion is the answer to versionCheck",
        proven: Proven::By(&["doom3/versionCheck/old-client", "doom3/newVersion/form"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.8, 001 9.9",
        says: "auth is the answer to srvAuth, with a client's id and address as they were asked",
        proven: Proven::By(&["doom3/srvAuth/at-challenge", "doom3/srvAuth/at-connect"]),
    },
];
