//! The traits of these masters.

use super::SERVERS;
use super::roles::{Qr2Role, Qr2Server, heartbeat};
use crate::shared::registration;
use crate::{Failure, TestContext, Trait};
use simulate::families::qr2::messages::{self, CHALLENGE_TAIL, StateChange};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        observe: registration::challenges_of_two::<Qr2Role>,
    },
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<Qr2Role>,
    },
    Trait {
        name: "random letters of a challenge",
        observe: |ctx| {
            let challenge = Qr2Server::new(ctx)?.challenged()?.challenge;
            Ok(challenge.text.len().saturating_sub(CHALLENGE_TAIL).to_string())
        },
    },
    Trait {
        name: "answer to the proof",
        observe: |ctx| {
            let server = Qr2Server::new(ctx)?;
            server.register()?;
            ctx.sync(SERVERS)?;
            kind_of(&server)
        },
    },
    Trait {
        name: "answer to a wrong proof",
        observe: |ctx| {
            let server = Qr2Server::new(ctx)?;
            let key = server.challenged()?.challenge.key;
            server.end.send_bytes(&messages::response(key, b"AAAAAAAA"))?;
            ctx.sync(SERVERS)?;
            kind_of(&server)
        },
    },
    Trait {
        name: "heartbeat of a listed server",
        observe: |ctx| {
            let (server, _) = Qr2Server::listed(ctx)?;
            server.end.drain()?;
            server.end.send_bytes(&heartbeat(&server, StateChange::None))?;
            ctx.sync(SERVERS)?;
            kind_of(&server)
        },
    },
    Trait { name: "keepalive of a listed server", observe: keepalive },
    Trait {
        name: "heartbeat of an unknown game",
        observe: |ctx| {
            let server = Qr2Server::new(ctx)?;
            let (at, info) = (server.address(), &server.info);
            let key = messages::instance_key(at);
            let game = ctx.game();
            server.end.send_bytes(&messages::heartbeat(
                key,
                at,
                StateChange::Begins,
                &game,
                info,
            ))?;
            ctx.sync(SERVERS)?;
            kind_of(&server)
        },
    },
];

fn keepalive(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (server, _) = Qr2Server::listed(ctx)?;
    server.end.drain()?;
    let key = messages::instance_key(server.address());
    let answers = server.end.request_all(&messages::keepalive(key))?;
    Ok(match answers.first().map(|datagram| datagram.bytes.len()) {
        None => "nothing",
        Some(7) => "the same",
        Some(_) => "the same and the time",
    }
    .to_owned())
}

/// What has come last, in words.
fn kind_of(server: &Qr2Server<'_>) -> Result<String, Failure> {
    let answers = server.end.drain()?;
    Ok(match answers.last().and_then(|datagram| datagram.bytes.get(2)) {
        None => "nothing",
        Some(1) => "a challenge",
        Some(4) => "an error",
        Some(10) => "a confirmation",
        Some(_) => "another message",
    }
    .to_owned())
}
