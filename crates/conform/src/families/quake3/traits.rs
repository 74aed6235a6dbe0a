//! The traits of the Quake III family's masters: id's and dpmaster differ in how they pack lists,
//! in their requests to servers, and in how they handle unknown games.

use std::collections::BTreeSet;

use super::packets::list_of_many;
use super::roles::{Quake3Client, Quake3Role, Quake3Server, all, named_game, of_game};
use crate::list::ReceivedList;
use crate::server::TestRole as _;
use crate::shared::list_order;
use crate::{Failure, ReceivedDatagram, TestContext, Trait};
use simulate::families::quake3::messages::Quake3ListRequest;

/// Servers that are registered to observe the order of lists.
const FEW: usize = 16;
/// How often a list is requested to observe changes of its order.
const LIST_REQUESTS: usize = 24;
/// Challenges that are checked for their length.
const MANY: usize = 32;

/// Values of several.
const SILENCE: &str = "silence";

pub(super) static TRAITS: &[Trait] = &[
    // First, while few servers are registered: a random start of the order shows among few.
    Trait { name: "order of servers", observe: order },
    Trait { name: "question to servers", observe: question },
    Trait { name: "challenge", observe: challenge },
    Trait {
        name: "end mark of a short list",
        observe: |ctx| {
            let listed = Quake3Client::new(ctx)?.request(all(ctx))?;
            Ok(last_mark(&listed))
        },
    },
    Trait {
        name: "end mark for protocol 43",
        observe: |ctx| {
            let listed =
                Quake3Client::new(ctx)?.request(Quake3ListRequest { protocol: 43, ..all(ctx) })?;
            Ok(last_mark(&listed))
        },
    },
    Trait {
        name: "packets of a long list",
        observe: |ctx| {
            let listed = list_of_many(ctx)?;
            let bytes = listed.packets.iter().map(|packet| packet.bytes.len()).max();
            let marks: BTreeSet<_> = listed.ends().map(|(.., end)| mark(end)).collect();
            let marks: Vec<_> = marks.into_iter().collect();
            Ok(format!(
                "{} bytes at most, {} servers at most, ends: {}",
                bytes.unwrap_or(0),
                most(&listed),
                marks.join(", ")
            ))
        },
    },
    Trait {
        name: "list of an unknown game",
        observe: |ctx| summary_of_list(ctx, &of_game(ctx, &named_game(ctx)).plain()),
    },
    Trait {
        name: "list of an unknown protocol",
        observe: |ctx| {
            summary_of_list(ctx, &Quake3ListRequest { protocol: 7_654_321, ..all(ctx) }.plain())
        },
    },
    Trait {
        name: "request without a protocol",
        observe: |ctx| summary_of_list(ctx, b"\xff\xff\xff\xffgetservers"),
    },
    Trait {
        name: "getserversExt",
        observe: |ctx| summary_of_list(ctx, &of_game(ctx, &named_game(ctx)).extended()),
    },
    Trait {
        name: "getserversExt without a game",
        observe: |ctx| summary_of_list(ctx, &all(ctx).extended()),
    },
    Trait { name: "second infoResponse with a challenge", observe: used_challenge },
    Trait {
        name: "heartbeat of Return to Castle Wolfenstein",
        observe: |ctx| heartbeat(ctx, simulate::families::quake3::messages::WOLF),
    },
    Trait { name: "heartbeat of an unknown tag", observe: |ctx| heartbeat(ctx, "Unheard-1") },
    Trait {
        name: "command in capitals",
        observe: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let packets = client.end.request_all(b"\xff\xff\xff\xffGETSERVERS 68 empty full")?;
            Ok(if packets.is_empty() { SILENCE } else { "answered" }.to_owned())
        },
    },
];

fn question(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = Quake3Server::new(ctx)?;
    server.send_heartbeat()?;
    let request = server.recv_challenge()?;
    let all = server.end.drain()?.iter().map(ReceivedDatagram::named).collect::<Vec<_>>();
    let more = if all.is_empty() { String::new() } else { format!(", and {}", all.join(", ")) };
    let name = request.datagram.entry().map_or("something", |entry| entry.spec.name);
    let with = if request.challenge.is_empty() { "without" } else { "with" };
    Ok(format!("{name} {with} a challenge{more}"))
}

/// The response to a heartbeat with this tag.
fn heartbeat(ctx: &TestContext<'_>, tag: &'static str) -> Result<String, Failure> {
    let server = Quake3Server::new(ctx)?.tagged(tag);
    server.send_heartbeat()?;
    ctx.sync(super::LISTS)?;
    let name = |datagram: &ReceivedDatagram| datagram.entry().map_or("something", |e| e.spec.name);
    Ok(server.end.drain()?.first().map_or(SILENCE, name).to_owned())
}

fn challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let mut lengths = BTreeSet::new();
    let mut digits = true;
    for _ in 0..MANY {
        let server = Quake3Server::new(ctx)?;
        server.send_heartbeat()?;
        let request = server.recv_challenge()?;
        lengths.insert(request.challenge.len());
        digits &= request.challenge.iter().all(|b| b.is_ascii_digit() || *b == b'-');
    }
    let (least, most) = (lengths.first().unwrap_or(&0), lengths.last().unwrap_or(&0));
    let what = if digits { "digits" } else { "characters" };
    Ok(if least == most { format!("{least} {what}") } else { format!("{least} to {most} {what}") })
}

fn order(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = Quake3Server::darkplaces(ctx, &game)?;
        client.setup_listed(&server, of_game(ctx, &game))?;
        servers.push(server.address());
    }
    let list =
        |_| Ok(client.request(of_game(ctx, &game))?.servers().map(|(server, ..)| server).collect());
    list_order::order_of(
        &servers,
        &(0..LIST_REQUESTS).map(list).collect::<Result<Vec<_>, Failure>>()?,
    )
}

/// The effect of a second infoResponse with the same challenge.
fn used_challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let game = named_game(ctx);
    let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
    server.send_heartbeat()?;
    let request = server.recv_challenge()?;
    server.answer_request(&request)?;
    client.wait_listed(&server, of_game(ctx, &game))?;
    let server = server.with("protocol", "4");
    server.answer_with(&request.challenge)?;
    let list = Quake3ListRequest { protocol: 4, ..of_game(ctx, &game) };
    let is_taken = client.expect_unlisted(&server, list).is_err();
    Ok(if is_taken { "taken" } else { "refused" }.to_owned())
}

/// The response to an unknown request.
fn summary_of_list(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let client = Quake3Client::new(ctx)?;
    let packets = client.end.request_all(request)?;
    if packets.is_empty() {
        return Ok(SILENCE.to_owned());
    }
    let listed = ReceivedList::from_packets(&client.end, packets, Quake3Role::read_list_packet)?;
    let servers = listed.count();
    let mark = last_mark(&listed);
    let (packets, s) = (listed.packets.len(), if listed.packets.len() == 1 { "" } else { "s" });
    Ok(format!("{packets} packet{s}, {servers} servers, {mark}"))
}

/// The end mark of a list's last packet.
fn last_mark(listed: &ReceivedList) -> String {
    mark(listed.ends().next_back().map_or(b"", |(.., end)| end))
}

fn mark(end: &[u8]) -> String {
    if end.is_empty() { "no end mark".to_owned() } else { render::quoted(end, usize::MAX) }
}

/// Servers in the fullest packet.
fn most(listed: &ReceivedList) -> usize {
    listed.records.iter().map(|records| records.servers.len()).max().unwrap_or(0)
}
