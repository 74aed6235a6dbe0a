//! Lists that do not fit into one packet: 001 1.1.2, 000 "response format", 004 5)
//! getserversResponse.

use std::collections::BTreeSet;

use super::LISTS;
use super::list::{ends_with, wrong_end};
use super::preconditions::LISTED;
use super::roles::{Quake3Client, Quake3Server, all};
use crate::list::ReceivedList;
use crate::server::register_again;
use crate::shared::lists;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::ListForm;

/// More servers than any packet holds.
const MANY_SERVERS: usize = 198;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/split",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let servers = register_many(ctx)?;
            ctx.until(|| {
                let listed = client.request(all(ctx))?;
                if listed.packets.len() > 1 {
                    return Ok(());
                }
                register_missing(&servers, &listed)?;
                let came = format!("one packet with {} servers", listed.count());
                Err(Failure::new(format!("several packets with {MANY_SERVERS} servers"), came))
            })
        },
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "quake3/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| expect_at_most(&ctx.setup(|| list_of_many(ctx))?, 1536),
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "quake3/getserversResponse/no-empty-packet",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| lists::expect_no_empty_packet(&ctx.setup(|| list_of_many(ctx))?),
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "quake3/getserversResponse/packets",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            if ctx.assumed().settings().list_form != ListForm::Id {
                return Err(Failure::skipped(
                    "the target is not assumed to pack lists as id's does",
                ));
            }
            let listed = ctx.setup(|| list_of_many(ctx))?;
            expect_at_most(&listed, 810)?;
            let mut ends = listed.ends();
            match ends.find(|(.., end)| *end != b"\\EOT") {
                Some((packet, at, end)) => {
                    Err(wrong_end(packet, at, end, "\\EOT at the end of every packet"))
                }
                None => Ok(()),
            }
        },
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "dpmaster/getserversResponse/end-mark",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            if ctx.assumed().settings().list_form != ListForm::Dpmaster {
                let why = "the target is not assumed to pack lists as dpmaster does";
                return Err(Failure::skipped(why));
            }
            let listed = ctx.setup(|| list_of_many(ctx))?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)?;
            let mut early = listed.ends().rev().skip(1);
            match early.find(|(.., end)| !end.is_empty()) {
                Some((packet, at, end)) => {
                    Err(wrong_end(packet, at, end, "no end mark before the last packet"))
                }
                None => Ok(()),
            }
        },
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "dpmaster/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            expect_at_most(&ctx.setup(|| list_of_many(ctx))?, ctx.assumed().settings().packet_size)
        },
        ..MANY_SERVERS_CASE
    },
];

/// A case with the maximum number of servers: it runs alone, because it uses those of all others.
pub const MANY_SERVERS_CASE: Case = Case { needs: &[&LISTED], exclusive: true, ..CASE };

/// Registers more servers than a packet holds, and returns the list with all of them.
pub fn list_of_many(ctx: &TestContext<'_>) -> Result<ReceivedList, Failure> {
    let client = Quake3Client::new(ctx)?;
    let servers = register_many(ctx)?;
    ctx.until(|| {
        let listed = client.request(all(ctx))?;
        let missing = register_missing(&servers, &listed)?;
        if missing > 0 {
            let what = format!("a list that holds all of {MANY_SERVERS} servers");
            let came = format!("{} packets without {missing} of them", listed.packets.len());
            let failure = Failure::new(what, came);
            return Err(match listed.packets.last() {
                Some(packet) => failure.at(packet),
                None => failure,
            });
        }
        Ok(listed)
    })
}

/// Registers more servers than a packet holds.
fn register_many<'s>(ctx: &'s TestContext<'_>) -> Result<Vec<Quake3Server<'s>>, Failure> {
    let ends = ctx.servers(LISTS, MANY_SERVERS)?;
    let servers: Vec<_> = ends.into_iter().map(Quake3Server::at).collect();
    ctx.setup(|| register_again(&servers.iter().collect::<Vec<_>>()))?;
    Ok(servers)
}

/// Registers servers again that are not in a list, as servers do at their next heartbeat: a master
/// that limits messages drops some of so many. Returns how many were missing.
fn register_missing(servers: &[Quake3Server<'_>], listed: &ReceivedList) -> Result<usize, Failure> {
    let there: BTreeSet<_> = listed.servers().map(|(server, ..)| server).collect();
    let missing = servers.iter().filter(|server| !there.contains(&server.address()));
    let missing: Vec<_> = missing.collect();
    register_again(&missing)?;
    Ok(missing.len())
}

/// No packet of the list is longer.
fn expect_at_most(listed: &ReceivedList, most: usize) -> Done {
    let Some(packet) = listed.packets.iter().find(|packet| packet.bytes.len() > most) else {
        return Ok(());
    };
    let length = packet.bytes.len();
    let failure = Failure::new(format!("packets of {most} bytes at most"), format!("{length}"));
    Err(failure.within(packet, most..length))
}
