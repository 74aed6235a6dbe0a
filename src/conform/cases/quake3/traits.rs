//! What tells masters of Quake III's kind apart: id's and dpmaster differ in how they pack lists, how
//! they ask servers, and what they make of games that nobody has.

use std::collections::BTreeSet;

use super::ends::{Client, Listed, Server, all, of_game};
use super::list::crowd;
use crate::conform::{Datagram, Failure, TestContext, Trait};
use crate::dump;
use crate::peer::voice::quake3::List;

/// Servers that are registered to see in which order they are listed.
const FEW: usize = 6;

pub(super) static TRAITS: &[Trait] = &[
    Trait { name: "question to servers", look: question },
    Trait { name: "challenge", look: challenge },
    Trait {
        name: "end mark of a short list",
        look: |ctx| {
            let listed = Client::new(ctx)?.asks(all(ctx))?;
            Ok(mark(listed.ends.last()))
        },
    },
    Trait {
        name: "end mark for protocol 43",
        look: |ctx| {
            let listed = Client::new(ctx)?.asks(List { protocol: 43, ..all(ctx) })?;
            Ok(mark(listed.ends.last()))
        },
    },
    Trait {
        name: "packets of a long list",
        look: |ctx| {
            let listed = crowd(ctx)?;
            let bytes = listed.packets.iter().map(|packet| packet.bytes.len()).max();
            let marks: BTreeSet<_> = listed.ends.iter().map(|end| mark(Some(end))).collect();
            let marks: Vec<_> = marks.into_iter().collect();
            Ok(format!(
                "{} bytes at most, {} servers at most, ends: {}",
                bytes.unwrap_or(0),
                most(&listed),
                marks.join(", ")
            ))
        },
    },
    Trait { name: "order of servers", look: order },
    Trait {
        name: "list of an unknown game",
        look: |ctx| unheard(ctx, &of_game(&ctx.game()).plain()),
    },
    Trait {
        name: "list of an unknown protocol",
        look: |ctx| unheard(ctx, &List { protocol: 7_654_321, ..all(ctx) }.plain()),
    },
    Trait {
        name: "request without a protocol",
        look: |ctx| unheard(ctx, b"\xff\xff\xff\xffgetservers"),
    },
    Trait { name: "getserversExt", look: |ctx| unheard(ctx, &of_game(&ctx.game()).extended()) },
    Trait {
        name: "heartbeat of an unknown tag",
        look: |ctx| {
            let server = Server { tag: "Unheard-1", ..Server::quake3(ctx)? };
            server.send_heartbeat()?;
            ctx.sync(super::LISTS)?;
            let heard = server.end.drain()?;
            Ok(heard.first().map_or_else(|| "silence".to_owned(), Datagram::named))
        },
    },
    Trait {
        name: "command in capitals",
        look: |ctx| unheard(ctx, b"\xff\xff\xff\xffGETSERVERS 68 empty full"),
    },
];

fn question(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = Server::quake3(ctx)?;
    server.send_heartbeat()?;
    let asked = server.recv_challenge()?;
    let all = server.end.drain()?.iter().map(Datagram::named).collect::<Vec<_>>();
    let more = if all.is_empty() { String::new() } else { format!(", and {}", all.join(", ")) };
    let name = asked.heard.entry().map_or("something", |entry| entry.spec.name);
    let with = if asked.challenge.is_empty() { "without" } else { "with" };
    Ok(format!("{name} {with} a challenge{more}"))
}

fn challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let mut lengths = BTreeSet::new();
    let mut digits = true;
    for _ in 0..FEW {
        let server = Server::quake3(ctx)?;
        server.send_heartbeat()?;
        let asked = server.recv_challenge()?;
        lengths.insert(asked.challenge.len());
        digits &= asked.challenge.iter().all(|b| b.is_ascii_digit() || *b == b'-');
    }
    let lengths: Vec<_> = lengths.iter().map(usize::to_string).collect();
    let what = if digits { "digits" } else { "characters" };
    Ok(format!("{} {what}", lengths.join(", ")))
}

fn order(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (game, client) = (ctx.game(), Client::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = Server::darkplaces(ctx, &game)?;
        server.register()?;
        servers.push(server);
    }
    let lists = || -> Result<Vec<_>, Failure> {
        let listed = client.asks(of_game(&game))?;
        Ok(listed.servers.iter().map(|(server, ..)| *server).collect())
    };
    if let Some(last) = servers.last() {
        client.wait_listed(last, of_game(&game))?;
    }
    let (first, again) = (lists()?, lists()?);
    let registered: Vec<_> = servers.iter().map(Server::address).collect();
    let backwards: Vec<_> = registered.iter().rev().copied().collect();
    Ok(match () {
        () if first != again => "another for each request",
        () if first == registered => "as they registered",
        () if first == backwards => "the latest first",
        () => "its own, the same for each request",
    }
    .to_owned())
}

/// What comes back for a request that nobody answers to.
fn unheard(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let client = Client::new(ctx)?;
    let packets = client.0.request_all(request)?;
    if packets.is_empty() {
        return Ok("silence".to_owned());
    }
    let listed = Listed::read(packets)?;
    let servers = listed.servers.len();
    let mark = mark(listed.ends.last());
    let (packets, s) = (listed.packets.len(), if listed.packets.len() == 1 { "" } else { "s" });
    Ok(format!("{packets} packet{s}, {servers} servers, {mark}"))
}

fn mark(end: Option<&Vec<u8>>) -> String {
    match end.map(Vec::as_slice) {
        None | Some(b"") => "no end mark".to_owned(),
        Some(end) => dump::shown(end),
    }
}

/// Servers in the fullest packet.
fn most(listed: &Listed) -> usize {
    let packets = 0..listed.packets.len();
    let count = |packet| listed.servers.iter().filter(|(_, of, _)| *of == packet).count();
    packets.map(count).max().unwrap_or(0)
}
