//! What tells GameSpy's masters apart.

use std::collections::BTreeSet;

use super::ends::{Client, Server};
use super::secure::secure;
use crate::conform::{Failure, Trait};
use crate::peer::voice::gamespy::{self as voice, Proof};

/// Challenges that are looked at.
const FEW: usize = 6;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "servers' challenge",
        look: |ctx| {
            let mut seen = Vec::new();
            for _ in 0..FEW {
                let server = Server::new(ctx)?;
                server.send_heartbeat()?;
                seen.push(secure(&server.recv_challenge()?)?);
            }
            Ok(kind(&seen))
        },
    },
    Trait {
        name: "unknown game",
        look: |ctx| {
            let server = Server::of(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            Ok(match server.recv_challenge()?.asked.proof {
                Proof::Nothing => "no proof is asked for",
                Proof::Echo(_) => "echo",
                Proof::Secure(_) => "secure",
            }
            .to_owned())
        },
    },
    Trait {
        name: "clients' challenge",
        look: |ctx| {
            let seen = (0..FEW).map(|_| Ok(Client::new(ctx)?.challenge));
            Ok(kind(&seen.collect::<Result<Vec<_>, Failure>>()?))
        },
    },
    Trait {
        name: "behind a list",
        look: |ctx| {
            let mut client = Client::new(ctx)?;
            client.asks("", voice::UNREAL)?;
            client.takes()?;
            let closed = client.stream.rest("the end").is_ok();
            Ok(if closed { "the master closes the connection" } else { "it stays open" }.to_owned())
        },
    },
];

/// How long challenges are, and of which characters.
fn kind(seen: &[Vec<u8>]) -> String {
    let all = seen.concat();
    let of = if all.iter().all(u8::is_ascii_digit) {
        "digits"
    } else if all.iter().all(u8::is_ascii_alphabetic) {
        "letters"
    } else if all.iter().all(u8::is_ascii_alphanumeric) {
        "letters and digits"
    } else {
        "any characters"
    };
    let lengths: BTreeSet<_> = seen.iter().map(Vec::len).collect();
    let lengths: Vec<_> = lengths.iter().map(usize::to_string).collect();
    format!("{} {of}", lengths.join(", "))
}
