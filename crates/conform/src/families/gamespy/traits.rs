//! The traits of GameSpy's masters.
//!
//! A value is one of the words here, or a length and an alphabet, and never a part of an error
//! text.

use std::collections::BTreeSet;

use super::roles::{GamespyClient, GamespyServer, list};
use super::secure::secure;
use super::{SERVERS, lists};
use crate::{Failure, ReceivedDatagram, TestContext, Trait};
use protocol::harmless_len;
use simulate::families::gamespy::messages::{self, CHANGED, ProofKind};

/// Challenges that are checked.
const FEW: usize = 6;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "query to servers",
        observe: |ctx| Ok(form(&GamespyServer::new(ctx)?.queried()?.datagram.bytes)),
    },
    Trait { name: "port of that query", observe: port },
    Trait {
        name: "servers' challenge",
        observe: |ctx| {
            let seen = (0..FEW).map(|_| secure(&GamespyServer::new(ctx)?.queried()?));
            Ok(kind(&seen.collect::<Result<Vec<_>, Failure>>()?))
        },
    },
    Trait {
        name: "unknown game",
        observe: |ctx| {
            let datagram = asks(&GamespyServer::of_game(ctx, &ctx.game())?, "")?;
            Ok(datagram
                .first()
                .map_or_else(|| "no query".to_owned(), |datagram| form(&datagram.bytes)))
        },
    },
    Trait {
        name: "second heartbeat",
        observe: |ctx| {
            let server = GamespyServer::new(ctx)?;
            server.register_listed()?;
            Ok(one_of_two(!asks(&server, "")?.is_empty(), "a query", "no query"))
        },
    },
    Trait {
        name: "changed state",
        observe: |ctx| {
            let server = GamespyServer::new(ctx)?;
            server.register_listed()?;
            let datagram = asks(&server, CHANGED)?;
            Ok(datagram
                .first()
                .map_or_else(|| "no query".to_owned(), |datagram| form(&datagram.bytes)))
        },
    },
    Trait {
        name: "server without proof",
        observe: |ctx| {
            let server = GamespyServer::new(ctx)?;
            server.queried()?;
            ctx.sync(SERVERS)?;
            let listed = list(ctx, messages::UNREAL)?.count(server.address()) > 0;
            Ok(one_of_two(listed, "listed", "not listed"))
        },
    },
    Trait {
        name: "queries to the master",
        observe: |ctx| {
            let datagram = ctx.client(SERVERS)?.request_all(&messages::query("basic"))?;
            let Some(datagram) = datagram.first() else { return Ok("no answer".to_owned()) };
            let networks =
                memchr::memmem::find(&datagram.bytes, br"\gamename\333networks").is_some();
            Ok(one_of_two(networks, "answered as a server of 333networks", "answered"))
        },
    },
    Trait {
        name: "greeting of clients",
        observe: |ctx| Ok(greeting(&GamespyClient::new(ctx)?.greeting)),
    },
    Trait {
        name: "clients' challenge",
        observe: |ctx| {
            let seen = (0..FEW).map(|_| Ok(GamespyClient::new(ctx)?.challenge));
            Ok(kind(&seen.collect::<Result<Vec<_>, Failure>>()?))
        },
    },
    Trait {
        name: "client without proof",
        observe: |ctx| {
            let refused = super::validate::refused(ctx, |_| Vec::new()).is_ok();
            Ok(one_of_two(refused, "no list", "a list"))
        },
    },
    Trait {
        name: "list with cmp",
        observe: |ctx| {
            GamespyServer::listed(ctx)?;
            let compressed = lists::compressed(ctx, messages::UNREAL).is_ok();
            Ok(one_of_two(compressed, "six bytes a server", "another form"))
        },
    },
    Trait {
        name: "game's name in capitals",
        observe: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let listed = list(ctx, &server.game.to_ascii_uppercase())?;
            Ok(one_of_two(listed.count(server.address()) > 0, "the same game", "another game"))
        },
    },
    Trait {
        name: "behind a list",
        observe: |ctx| {
            let mut client = GamespyClient::new(ctx)?;
            client.request_list("", messages::UNREAL)?;
            client.recv_list()?;
            let closed = client.stream.rest("the end").is_ok();
            Ok(one_of_two(closed, "the master closes the connection", "it stays open"))
        },
    },
];

/// To which port the query goes after a heartbeat that names another than its source port.
fn port(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = GamespyServer::new(ctx)?;
    let other = ctx.server_beside(SERVERS, &server.end)?;
    other.send_bytes(&server.heartbeat(""))?;
    ctx.sync(SERVERS)?;
    let queried = |datagram: Vec<ReceivedDatagram>| datagram.iter().any(is_query);
    Ok(match (queried(server.end.drain()?), queried(other.drain()?)) {
        (true, false) => "the one that the heartbeat names",
        (false, true) => "the one that the heartbeat came from",
        (true, true) => "both that which the heartbeat names and that which it came from",
        (false, false) => "none",
    }
    .to_owned())
}

/// The queries after a heartbeat with `more` after its game's name.
fn asks(server: &GamespyServer<'_>, more: &str) -> Result<Vec<ReceivedDatagram>, Failure> {
    let mut datagram = server.end.request_all(&server.heartbeat(more))?;
    datagram.retain(is_query);
    Ok(datagram)
}

fn is_query(datagram: &ReceivedDatagram) -> bool {
    messages::request(&datagram.bytes).is_some()
}

/// The master's first message without values: `basic, secure`, and whether final closes it.
fn greeting(bytes: &[u8]) -> String {
    let has = |key: &[u8]| memchr::memmem::find(bytes, key).is_some();
    let keys = [("basic", has(br"\basic\")), ("secure", true), ("final", has(br"\final\"))];
    let words: Vec<_> = keys.iter().filter(|(_, is)| *is).map(|(key, _)| *key).collect();
    words.join(", ")
}

/// A query without values: `basic, secure`. One with a secret key is quoted up to that key: what
/// follows may be the secret, as a value or as the next key.
fn form(bytes: &[u8]) -> String {
    if harmless_len(bytes) < bytes.len() {
        return render::quoted(bytes, usize::MAX);
    }
    let Some(request) = messages::request(bytes) else { return "no query".to_owned() };
    let mut words: Vec<_> = request.queries.iter().map(String::as_str).collect();
    words.extend(match request.proof {
        ProofKind::Nothing => None,
        ProofKind::Echo(_) => Some("echo"),
        ProofKind::Secure(_) => Some("secure"),
    });
    render::quoted(words.join(", ").as_bytes(), usize::MAX)
}

fn one_of_two(is: bool, one: &str, other: &str) -> String {
    if is { one } else { other }.to_owned()
}

/// The lengths of challenges, and their characters.
fn kind(seen: &[Vec<u8>]) -> String {
    let all = seen.concat();
    let of = if all.iter().all(u8::is_ascii_digit) {
        "digits"
    } else if all.iter().all(u8::is_ascii_uppercase) {
        "capital letters"
    } else if all.iter().all(u8::is_ascii_lowercase) {
        "small letters"
    } else if all.iter().all(u8::is_ascii_alphabetic) {
        "letters"
    } else if all.iter().all(u8::is_ascii_alphanumeric) {
        "letters and digits"
    } else {
        "printable characters"
    };
    let lengths: BTreeSet<_> = seen.iter().map(Vec::len).collect();
    let lengths: Vec<_> = lengths.iter().map(usize::to_string).collect();
    format!("{} {of}", lengths.join(", "))
}

#[cfg(test)]
mod tests {
    use super::form;

    #[test]
    fn the_form_of_a_query_reveals_no_secret() {
        for (query, text) in [
            (&br"\basic\\secure\ABCDEF"[..], "basic, secure"),
            (br"\status\", "status"),
            (br"\basic\\rcon_password\HUNTER2", r"\basic\\rcon_password********"),
            (br"\x\rcon_password\HUNTER2\y", r"\x\rcon_password********"),
            (b"no query", "no query"),
        ] {
            assert_eq!(form(query), text, "{}", query.escape_ascii());
        }
    }
}
