//! The traits of the Quake III family's masters: id's and dpmaster differ in how they pack lists,
//! in their requests to servers, and in how they handle unknown games.

use std::collections::BTreeSet;

use super::ends::{Quake3Client, Quake3List, Quake3Server, all, of_game};
use super::packets::crowd;
use crate::conform::{Failure, Implementation, ReceivedDatagram, TestContext, Trait};
use crate::families::quake3::messages::Quake3ListRequest;
use crate::render;

/// Servers that are registered to observe the order of lists.
const FEW: usize = 16;
/// How often a list is requested to observe changes of its order.
const LISTS_ASKED: usize = 24;
/// Challenges that are checked for their length.
const MANY: usize = 32;

// The names of the traits.
const QUESTION: &str = "question to servers";
const CHALLENGE: &str = "challenge";
const SHORT_END: &str = "end mark of a short list";
const END_OF_43: &str = "end mark for protocol 43";
const LONG_LIST: &str = "packets of a long list";
const ORDER: &str = "order of servers";
const UNKNOWN_GAME: &str = "list of an unknown game";
const UNKNOWN_PROTOCOL: &str = "list of an unknown protocol";
const NO_PROTOCOL: &str = "request without a protocol";
const EXTENDED: &str = "getserversExt";
const EXTENDED_NO_GAME: &str = "getserversExt without a game";
const SECOND_ANSWER: &str = "second infoResponse with a challenge";
const WOLF_TAG: &str = "heartbeat of Return to Castle Wolfenstein";
const UNKNOWN_TAG: &str = "heartbeat of an unknown tag";
const CAPITALS: &str = "command in capitals";
/// Values of several.
const SILENCE: &str = "silence";
const DPMASTER_END: &str = "\\EOT\\0\\0\\0";
const EMPTY_DPMASTER: &str = "1 packet, 0 servers, \\EOT\\0\\0\\0";

/// The values of released masters, measured or read from their own documents.
pub(super) static IMPLEMENTATIONS: &[Implementation] = &[
    Implementation {
        name: "dpmaster 2.2",
        source: "measured",
        values: &[
            (QUESTION, "getinfo with a challenge"),
            (CHALLENGE, "8 to 11 characters"),
            (SHORT_END, DPMASTER_END),
            (END_OF_43, DPMASTER_END),
            (
                LONG_LIST,
                "1394 bytes at most, 196 servers at most, ends: \\EOT\\0\\0\\0, no end mark",
            ),
            (ORDER, "another for each request"),
            (UNKNOWN_GAME, EMPTY_DPMASTER),
            (UNKNOWN_PROTOCOL, EMPTY_DPMASTER),
            (NO_PROTOCOL, SILENCE),
            (EXTENDED, EMPTY_DPMASTER),
            (EXTENDED_NO_GAME, SILENCE),
            (SECOND_ANSWER, "taken"),
            (WOLF_TAG, "getinfo"),
            (UNKNOWN_TAG, SILENCE),
            (CAPITALS, SILENCE),
        ],
    },
    Implementation {
        name: "dpmaster 2.0 or 2.1",
        source: "from its list of changes: before 2.2 unknown tags were answered",
        values: &[
            (QUESTION, "getinfo with a challenge"),
            (CHALLENGE, "8 to 11 characters"),
            (SHORT_END, DPMASTER_END),
            (ORDER, "another for each request"),
            (UNKNOWN_GAME, EMPTY_DPMASTER),
            (NO_PROTOCOL, SILENCE),
            (EXTENDED, EMPTY_DPMASTER),
            (UNKNOWN_TAG, "getinfo"),
            (CAPITALS, SILENCE),
        ],
    },
    Implementation {
        name: "dpmaster 1.6 or 1.7",
        source: "from its list of changes: before 2.0 no getserversExt, an end mark in each packet",
        values: &[
            (QUESTION, "getinfo with a challenge"),
            (CHALLENGE, "8 to 11 characters"),
            (SHORT_END, DPMASTER_END),
            (UNKNOWN_GAME, EMPTY_DPMASTER),
            (EXTENDED, SILENCE),
            (UNKNOWN_TAG, "getinfo"),
            (CAPITALS, SILENCE),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured",
        values: &[
            (QUESTION, "getinfo with a challenge"),
            (CHALLENGE, "9 to 11 characters"),
            (SHORT_END, DPMASTER_END),
            (END_OF_43, "\\\\0"),
            (
                LONG_LIST,
                "1387 bytes at most, 195 servers at most, ends: \\EOT\\0\\0\\0, no end mark",
            ),
            (ORDER, "as they registered"),
            (UNKNOWN_GAME, EMPTY_DPMASTER),
            (UNKNOWN_PROTOCOL, EMPTY_DPMASTER),
            (NO_PROTOCOL, SILENCE),
            (EXTENDED, EMPTY_DPMASTER),
            (EXTENDED_NO_GAME, SILENCE),
            (SECOND_ANSWER, "refused"),
            (WOLF_TAG, "getinfo"),
            (UNKNOWN_TAG, SILENCE),
            (CAPITALS, "answered"),
        ],
    },
];

pub(super) static TRAITS: &[Trait] = &[
    // First, while few servers are registered: a random start of the order shows among few.
    Trait { name: ORDER, look: order },
    Trait { name: QUESTION, look: question },
    Trait { name: CHALLENGE, look: challenge },
    Trait {
        name: SHORT_END,
        look: |ctx| {
            let listed = Quake3Client::new(ctx)?.asks(all(ctx))?;
            Ok(mark(listed.ends.last()))
        },
    },
    Trait {
        name: END_OF_43,
        look: |ctx| {
            let listed =
                Quake3Client::new(ctx)?.asks(Quake3ListRequest { protocol: 43, ..all(ctx) })?;
            Ok(mark(listed.ends.last()))
        },
    },
    Trait {
        name: LONG_LIST,
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
    Trait { name: UNKNOWN_GAME, look: |ctx| unheard(ctx, &of_game(&ctx.game()).plain()) },
    Trait {
        name: UNKNOWN_PROTOCOL,
        look: |ctx| unheard(ctx, &Quake3ListRequest { protocol: 7_654_321, ..all(ctx) }.plain()),
    },
    Trait { name: NO_PROTOCOL, look: |ctx| unheard(ctx, b"\xff\xff\xff\xffgetservers") },
    Trait { name: EXTENDED, look: |ctx| unheard(ctx, &of_game(&ctx.game()).extended()) },
    Trait { name: EXTENDED_NO_GAME, look: |ctx| unheard(ctx, &all(ctx).extended()) },
    Trait { name: SECOND_ANSWER, look: used_challenge },
    Trait { name: WOLF_TAG, look: |ctx| heartbeat(ctx, crate::families::quake3::messages::WOLF) },
    Trait { name: UNKNOWN_TAG, look: |ctx| heartbeat(ctx, "Unheard-1") },
    Trait {
        name: CAPITALS,
        look: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let packets = client.0.request_all(b"\xff\xff\xff\xffGETSERVERS 68 empty full")?;
            Ok(if packets.is_empty() { SILENCE } else { "answered" }.to_owned())
        },
    },
];

fn question(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = Quake3Server::quake3(ctx)?;
    server.send_heartbeat()?;
    let asked = server.recv_challenge()?;
    let all = server.end.drain()?.iter().map(ReceivedDatagram::named).collect::<Vec<_>>();
    let more = if all.is_empty() { String::new() } else { format!(", and {}", all.join(", ")) };
    let name = asked.heard.entry().map_or("something", |entry| entry.spec.name);
    let with = if asked.challenge.is_empty() { "without" } else { "with" };
    Ok(format!("{name} {with} a challenge{more}"))
}

/// The response to a heartbeat with this tag.
fn heartbeat(ctx: &TestContext<'_>, tag: &'static str) -> Result<String, Failure> {
    let server = Quake3Server { tag, ..Quake3Server::quake3(ctx)? };
    server.send_heartbeat()?;
    ctx.sync(super::LISTS)?;
    let name = |datagram: &ReceivedDatagram| datagram.entry().map_or("something", |e| e.spec.name);
    Ok(server.end.drain()?.first().map_or(SILENCE, name).to_owned())
}

fn challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let mut lengths = BTreeSet::new();
    let mut digits = true;
    for _ in 0..MANY {
        let server = Quake3Server::quake3(ctx)?;
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
    let (game, client) = (ctx.game(), Quake3Client::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = Quake3Server::darkplaces(ctx, &game)?;
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

/// The effect of a second infoResponse with the same challenge.
fn used_challenge(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let game = ctx.game();
    let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
    server.send_heartbeat()?;
    let asked = server.recv_challenge()?;
    server.answer(&asked)?;
    client.wait_listed(&server, of_game(&game))?;
    let server = server.with("protocol", "4");
    server.answer_with(&asked.challenge)?;
    let list = Quake3ListRequest { protocol: 4, ..of_game(&game) };
    let is_taken = client.expect_unlisted(&server, list).is_err();
    Ok(if is_taken { "taken" } else { "refused" }.to_owned())
}

/// The response to an unknown request.
fn unheard(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let client = Quake3Client::new(ctx)?;
    let packets = client.0.request_all(request)?;
    if packets.is_empty() {
        return Ok(SILENCE.to_owned());
    }
    let listed = Quake3List::read(packets)?;
    let servers = listed.servers.len();
    let mark = mark(listed.ends.last());
    let (packets, s) = (listed.packets.len(), if listed.packets.len() == 1 { "" } else { "s" });
    Ok(format!("{packets} packet{s}, {servers} servers, {mark}"))
}

fn mark(end: Option<&Vec<u8>>) -> String {
    match end.map(Vec::as_slice) {
        None | Some(b"") => "no end mark".to_owned(),
        Some(end) => render::quoted(end, usize::MAX),
    }
}

/// Servers in the fullest packet.
fn most(listed: &Quake3List) -> usize {
    let packets = 0..listed.packets.len();
    let count = |packet| listed.servers.iter().filter(|(_, of, _)| *of == packet).count();
    packets.map(count).max().unwrap_or(0)
}
