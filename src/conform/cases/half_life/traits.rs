//! What tells Half-Life's masters apart.

use super::ends::{Client, Server};
use crate::conform::{Datagram, Failure, TestContext, Trait};
use crate::peer::voice::half_life as voice;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "question",
        look: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            let sign = if challenge < 0 { "below zero" } else { "of zero or above" };
            Ok(format!("s with a challenge {sign}"))
        },
    },
    Trait { name: "lists by e", look: |ctx| told(ctx, &voice::get_servers([0; 3])) },
    Trait {
        name: "lists by 1",
        look: |ctx| {
            let nobody = std::net::SocketAddr::from(([0; 4], 0));
            told(ctx, &voice::get_region(nobody, r"\gamedir\nobody"))
        },
    },
    // quakestat asks so; no document has it.
    Trait { name: "1 and four bytes", look: |ctx| told(ctx, b"1\0\0\0\0") },
];

/// What comes back.
fn told(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let client = Client::new(ctx)?;
    let heard = client.0.request_all(request)?;
    let first = heard.first().map_or_else(|| "nothing".to_owned(), Datagram::named);
    Ok(first)
}
