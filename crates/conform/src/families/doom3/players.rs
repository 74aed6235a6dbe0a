//! Versions and players: 001 9.2 versionCheck, 9.6 newVersion, 9.8 srvAuth, 9.9 auth.

use std::net::SocketAddrV4;

use super::LISTS;
use crate::{CASE, Case, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use protocols::doom3::Doom3;
use simulate::families::doom3::messages;

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
        run: |ctx| is_answered(&ctx.client(LISTS)?, messages::FIRST).map(drop),
        ..CASE
    },
    Case {
        id: "doom3/versionCheck/old-server",
        title: "a server of version 1.0 asks whether it is up to date",
        run: |ctx| is_answered(&ctx.server(LISTS)?, messages::FIRST).map(drop),
        ..CASE
    },
    Case {
        id: "doom3/versionCheck/newest",
        title: "a client of the newest version asks whether it is up to date",
        run: |ctx| {
            let client = ctx.client(LISTS)?;
            let newest = ctx.assumed().settings().newest;
            let reply = client.request_all(&messages::version_check(newest, OLD))?;
            ctx.report(if reply.is_empty() { "it is not answered" } else { "it is answered" })
        },
        ..CASE
    },
    Case {
        id: "doom3/newVersion/form",
        title: "a client of version 1.0 is told of a newer one",
        run: |ctx| {
            let datagram = ctx.setup(|| is_answered(&ctx.client(LISTS)?, messages::FIRST))?;
            let missing = messages::with_message(&datagram.bytes, |message| match message {
                Doom3::NewVersion(reply) if reply.text.is_empty() => Some("text"),
                Doom3::NewVersion(reply) if reply.url.is_empty() => Some("url"),
                _ => None,
            });
            match missing {
                Some(name) => {
                    let failure = Failure::new(format!("a newVersion with its {name}"), "none");
                    Err(failure.field(&datagram, name))
                }
                None => Ok(()),
            }
        },
        ..CASE
    },
    Case {
        id: "doom3/srvAuth/at-challenge",
        title: "a server asks about a client that has told no id yet",
        run: |ctx| verdict(ctx, messages::FIRST, messages::NO_ID, None).map(drop),
        ..CASE
    },
    Case {
        id: "doom3/srvAuth/at-connect",
        title: "a server asks about a client that has told its id",
        requires: "doom3/srvAuth/at-challenge",
        run: |ctx| verdict(ctx, messages::FIRST, ID, None).map(drop),
        ..CASE
    },
    Case {
        id: "doom3/srvAuth/later-version",
        title: "a server of version 1.3 asks about a client, and says that it runs the expansion",
        run: |ctx| {
            verdict(ctx, messages::FOURTH, ID, Some(1))?;
            ctx.report("it is answered")
        },
        ..CASE
    },
    Case {
        id: "doom3/auth/words",
        title: "a server asks about a client twice, at its challenge and when it connects",
        run: |ctx| {
            for (id, when) in [(messages::NO_ID, "at the challenge"), (ID, "at connect")] {
                let verdict = match verdict(ctx, messages::FIRST, id, None)? {
                    LET_IN => "let in",
                    WAIT => "told to wait",
                    REFUSE => "refused",
                    _ => "told something that is not known",
                };
                ctx.note(format!("{when} the client is {verdict}"));
            }
            Ok(())
        },
        ..CASE
    },
];

/// The newVersion sent to a program of this protocol.
fn is_answered(end: &TestEndpoint<'_>, protocol: u32) -> Result<ReceivedDatagram, Failure> {
    end.send_bytes(&messages::version_check(protocol, OLD))?;
    end.expect("a newVersion in answer to the versionCheck", |datagram| {
        messages::with_message(&datagram.bytes, |message| {
            matches!(message, Doom3::NewVersion(_)).then(|| datagram.clone())
        })
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
    server.send_bytes(&messages::srv_auth(protocol, client, id, expansion))?;
    let (reply, named, datagram) =
        server.expect("an auth in answer to the srvAuth", |datagram| {
            messages::with_message(&datagram.bytes, |message| match message {
                Doom3::Auth(auth) => {
                    Some((auth.reply, (auth.client, auth.address), datagram.clone()))
                }
                _ => None,
            })
        })?;
    // An auth has the low half of the id.
    let [low, high, ..] = id.to_le_bytes();
    let id = i16::from_le_bytes([low, high]);
    if named.0 != id {
        let failure = Failure::new(format!("the client's id {id}"), named.0.to_string());
        return Err(failure.field(&datagram, "client id"));
    }
    if named.1 != client.ip().octets() {
        let came = std::net::Ipv4Addr::from(named.1).to_string();
        let failure = Failure::new(format!("the client's address {}", client.ip()), came);
        return Err(failure.field(&datagram, "address"));
    }
    Ok(reply)
}
