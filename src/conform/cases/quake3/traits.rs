//! What tells masters of Quake III's kind apart: id's and dpmaster differ in how they pack lists, how
//! they ask servers, and what they make of games that nobody has.

use std::collections::BTreeSet;

use super::ends::{Client, Listed, Server, all, of_game};
use super::list::crowd;
use crate::conform::{Datagram, Failure, Implementation, TestContext, Trait};
use crate::dump;
use crate::peer::voice::quake3::List;

/// Servers that are registered to see in which order they are listed.
const FEW: usize = 6;
/// How often a list is asked for to see whether its order changes.
const LISTS_ASKED: usize = 5;
/// Challenges that are looked at for their length.
const MANY: usize = 32;

pub(super) static IMPLEMENTATIONS: &[Implementation] = &[];

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
    Trait { name: "getserversExt without a game", look: |ctx| unheard(ctx, &all(ctx).extended()) },
    Trait { name: "second infoResponse with a challenge", look: used_challenge },
    Trait {
        name: "heartbeat of Return to Castle Wolfenstein",
        look: |ctx| heartbeat(ctx, crate::peer::voice::quake3::WOLF),
    },
    Trait { name: "heartbeat of an unknown tag", look: |ctx| heartbeat(ctx, "Unheard-1") },
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

/// What comes back for a heartbeat with this tag.
fn heartbeat(ctx: &TestContext<'_>, tag: &'static str) -> Result<String, Failure> {
    let server = Server { tag, ..Server::quake3(ctx)? };
    server.send_heartbeat()?;
    ctx.sync(super::LISTS)?;
    let name = |datagram: &Datagram| datagram.entry().map_or("something", |e| e.spec.name);
    Ok(server.end.drain()?.first().map_or("silence", name).to_owned())
}

fn challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let mut lengths = BTreeSet::new();
    let mut digits = true;
    for _ in 0..MANY {
        let server = Server::quake3(ctx)?;
        server.send_heartbeat()?;
        let asked = server.recv_challenge()?;
        lengths.insert(asked.challenge.len());
        digits &= asked.challenge.iter().all(|b| b.is_ascii_digit() || *b == b'-');
    }
    let (least, most) = (lengths.first().unwrap_or(&0), lengths.last().unwrap_or(&0));
    let what = if digits { "digits" } else { "characters" };
    Ok(if least == most { format!("{least} {what}") } else { format!("{least} to {most} {what}") })
}

fn order(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (game, client) = (ctx.game(), Client::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = Server::darkplaces(ctx, &game)?;
        client.setup_listed(&server, of_game(&game))?;
        servers.push(server.address());
    }
    let mut lists = BTreeSet::new();
    for _ in 0..LISTS_ASKED {
        let listed = client.asks(of_game(&game))?;
        lists.insert(listed.servers.iter().map(|(server, ..)| *server).collect::<Vec<_>>());
    }
    let backwards: Vec<_> = servers.iter().rev().copied().collect();
    Ok(match lists.first() {
        _ if lists.len() > 1 => "another for each request",
        Some(list) if *list == servers => "as they registered",
        Some(list) if *list == backwards => "the latest first",
        _ => "its own, the same for each request",
    }
    .to_owned())
}

/// What becomes of a second infoResponse with the same challenge.
fn used_challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let game = ctx.game();
    let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
    server.send_heartbeat()?;
    let asked = server.recv_challenge()?;
    server.answer(&asked)?;
    client.wait_listed(&server, of_game(&game))?;
    let server = server.with("protocol", "4");
    server.answer_with(&asked.challenge)?;
    let list = List { protocol: 4, ..of_game(&game) };
    let is_taken = client.expect_unlisted(&server, list).is_err();
    Ok(if is_taken { "taken" } else { "refused" }.to_owned())
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
