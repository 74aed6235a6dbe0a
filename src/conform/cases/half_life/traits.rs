//! What tells Half-Life's masters apart.

use super::ends::{Client, Server};
use crate::conform::{Failure, Heard, Stand, Trait};
use crate::peer::voice::half_life as voice;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "question",
        look: |stand| {
            let server = Server::new(stand)?;
            server.beats()?;
            let challenge = server.is_asked()?.challenge;
            let sign = if challenge < 0 { "below zero" } else { "of zero or above" };
            Ok(format!("s with a challenge {sign}"))
        },
    },
    Trait { name: "lists by e", look: |stand| told(stand, &voice::get_servers([0; 3])) },
    Trait {
        name: "lists by 1",
        look: |stand| {
            let nobody = std::net::SocketAddr::from(([0; 4], 0));
            told(stand, &voice::get_region(nobody, r"\gamedir\nobody"))
        },
    },
    // quakestat asks so; no document has it.
    Trait { name: "1 and four bytes", look: |stand| told(stand, b"1\0\0\0\0") },
];

/// What comes back.
fn told(stand: &Stand<'_>, request: &[u8]) -> Result<String, Failure> {
    let client = Client::new(stand)?;
    let heard = client.0.all_answers(request)?;
    let first = heard.first().map_or_else(|| "nothing".to_owned(), Heard::named);
    Ok(first)
}
