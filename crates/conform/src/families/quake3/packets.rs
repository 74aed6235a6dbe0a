//! Lists that do not fit into one packet: 001 1.1.2, 000 "response format", 004 5)
//! getserversResponse.

use std::collections::BTreeSet;

use super::LISTS;
use super::list::{ends_with, wrong_end};
use super::preconditions::LISTED;
use super::roles::{Quake3Client, Quake3Server, all, if_listed};
use crate::list::ReceivedList;
use crate::server::register_again;
use crate::shared::lists;
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::ListForm;
use simulate::families::quake3::messages::Quake3ListRequest;

/// More servers than any packet holds.
const MANY_SERVERS: usize = 198;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/split",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let servers = register_many(ctx)?;
            let listed = ctx.until(|| {
                let listed = client.request(all(ctx))?;
                if listed.packets.len() > 1 {
                    return Ok(listed);
                }
                register_missing(&servers, &listed)?;
                let came = format!("one packet with {} servers", listed.count());
                Err(Failure::new(format!("several packets with {MANY_SERVERS} servers"), came))
            })?;
            none_lost(&client, servers, &listed)
        },
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "quake3/getserversResponse/exactly-full",
        title: "a client asks for exactly as many servers as a packet holds, for one less, and for \
                one more",
        requires: "quake3/getserversResponse/split",
        run: exactly_full,
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

/// No server is lost in a long list that is in a list of its own.
fn none_lost(
    client: &Quake3Client<'_>,
    servers: Vec<Quake3Server<'_>>,
    first: &ReceivedList,
) -> Done {
    let ctx = client.end.ctx();
    register_missing(&servers, first)?;
    let mut listed = client.request(all(ctx))?;
    for _ in 0..2 {
        register_missing(&servers, &listed)?;
        listed = client.request(all(ctx))?;
    }
    let Some(lost) = servers.into_iter().find(|server| !listed.has(server)) else { return Ok(()) };
    let failure = listed.without(&lost);
    let protocol = if_listed(ctx, ctx.own_protocol())?;
    let alone = lost.with("protocol", &protocol.to_string());
    ctx.setup(|| {
        alone.register()?;
        client.wait_listed(&alone, Quake3ListRequest { protocol, ..all(ctx) })
    })?;
    let came = format!(
        "{} packets of {} servers without it, three times",
        listed.packets.len(),
        listed.count()
    );
    Err(Failure { came, ..failure })
}

/// Lists of as many servers as the first packet of a long list holds, of one less and of one more,
/// have every server once.
fn exactly_full(ctx: &TestContext<'_>) -> Done {
    let client = Quake3Client::new(ctx)?;
    let long = ctx.setup(|| list_of_many(ctx))?;
    let full = long.records.iter().map(|records| records.servers.len()).max().unwrap_or_default();
    if long.packets.len() < 2 || full + 1 > MANY_SERVERS {
        return Err(Failure::blocked("the list of many servers has one packet"));
    }
    let ends = ctx.servers(LISTS, MANY_SERVERS)?;
    let mut servers: Vec<_> = ends.into_iter().map(Quake3Server::at).collect();
    servers.truncate(full + 1);
    let protocol = if_listed(ctx, ctx.own_protocol())?;
    let elsewhere = ctx.own_protocol().to_string();
    let own = protocol.to_string();
    servers = servers.into_iter().map(|server| server.with("protocol", &own)).collect();
    ctx.setup(|| register_again(&servers.iter().collect::<Vec<_>>()))?;
    let list = Quake3ListRequest { protocol, ..all(ctx) };
    for count in [full + 1, full, full - 1] {
        while servers.len() > count {
            let gone = servers.pop().map(|server| server.with("protocol", &elsewhere));
            ctx.setup(|| gone.map_or(Ok(()), |server| server.register()))?;
        }
        let named = |failure: Failure| {
            let what = format!("for {count} servers, where a packet holds {full}");
            Failure { expected: format!("{} ({what})", failure.expected), ..failure }
        };
        ctx.until(|| {
            let listed = client.request(list)?;
            register_missing(&servers, &listed)?;
            servers.iter().try_for_each(|server| listed.expect_listed_once(server)).map_err(named)
        })?;
    }
    Ok(())
}

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
    // Those that an earlier case has registered so are listed already.
    ctx.setup(|| register_missing(&servers, &Quake3Client::new(ctx)?.request(all(ctx))?))?;
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
