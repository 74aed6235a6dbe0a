//! What tells masters of Elite Force apart.

use super::LISTS;
use super::ends::{Client, Server};
use super::getservers::ALL;
use crate::conform::{Datagram, Failure, TestContext, Trait};
use crate::dump;

pub(super) static TRAITS: &[Trait] = &[
    Trait { name: "questions to servers", look: questions },
    Trait { name: "digits of servers", look: digits },
    Trait {
        name: "end mark of lists",
        look: |ctx| {
            let listed = Client::new(ctx)?.asks(ALL)?;
            let end = listed.ends().last().map(|(.., end)| end);
            Ok(format!("\"{}\"", dump::shown(end.unwrap_or_default())))
        },
    },
];

fn questions(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = Server::new(ctx)?;
    server.send_heartbeat()?;
    ctx.sync(LISTS)?;
    let heard = server.end.drain()?;
    let names: Vec<_> = heard.iter().map(Datagram::named).collect();
    Ok(if names.is_empty() { "silence".to_owned() } else { names.join(", ") })
}

/// In which case the letters among the hex digits are written; most addresses have some.
fn digits(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
    server.register()?;
    let listed = client.wait_listed(&server, ALL)?;
    let mut letters = listed.servers().flat_map(|(_, packet, at)| {
        packet.bytes.get(at).unwrap_or_default().iter().filter(|b| b.is_ascii_alphabetic())
    });
    Ok(match letters.next() {
        None => "none is a letter",
        Some(letter) if letter.is_ascii_lowercase() => "small letters",
        Some(_) => "capitals",
    }
    .to_owned())
}
