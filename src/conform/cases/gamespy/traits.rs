//! What tells GameSpy's masters apart.

use super::ends::{Client, Server};
use super::secure::secure;
use crate::conform::Trait;
use crate::peer::voice::gamespy::{self as voice, Proof};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenge to servers of GameSpy's",
        look: |stand| {
            let server = Server::new(stand)?;
            server.beats()?;
            Ok(kind(&secure(&server.is_asked()?)?))
        },
    },
    Trait {
        name: "question to servers of an unknown game",
        look: |stand| {
            let server = Server::of(stand, &stand.game())?;
            server.beats()?;
            Ok(match server.is_asked()?.asked.proof {
                Proof::Nothing => "no proof is asked for",
                Proof::Echo(_) => "echo",
                Proof::Secure(_) => "secure",
            }
            .to_owned())
        },
    },
    Trait {
        name: "challenge to clients of GameSpy's",
        look: |stand| Ok(kind(&Client::new(stand)?.challenge)),
    },
    Trait {
        name: "behind a list of GameSpy's",
        look: |stand| {
            let mut client = Client::new(stand)?;
            client.asks("", voice::UNREAL)?;
            client.takes()?;
            let closed = client.stream.rest("the end").is_ok();
            Ok(if closed { "the master closes the connection" } else { "it stays open" }.to_owned())
        },
    },
];

/// How long a challenge is, and of which characters.
fn kind(text: &[u8]) -> String {
    let of = if text.iter().all(u8::is_ascii_digit) {
        "digits"
    } else if text.iter().all(u8::is_ascii_alphabetic) {
        "letters"
    } else if text.iter().all(u8::is_ascii_alphanumeric) {
        "letters and digits"
    } else {
        "any characters"
    };
    format!("{} {of}", text.len())
}
