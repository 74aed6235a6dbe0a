//! Cases about the list: its records, and its servers.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use super::GameMessages;
use crate::list::ReceivedList;
use crate::shared::boundaries;
use crate::{Done, Failure, FailureKind, TestContext, TestEndpoint};

/// Bytes of a record.
const RECORD: usize = 6;
/// Servers that are registered to check their records.
const FEW: usize = 4;
/// Servers that are registered to be in one list.
const SEVERAL: usize = 8;
/// How often the list is requested while nothing changes.
const REQUESTS: usize = 8;

/// A listed server that requests the list from its own port gets it, and stays listed.
pub fn requested_by_a_server(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    messages.answer_for(&server, std::time::Duration::ZERO)?;
    messages.ask(&server)?.expect_listed(&server)?;
    messages.expect_listed(&client, &server)
}

/// All servers that started are in one list.
pub fn all(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    let servers = ctx.servers(messages.service, SEVERAL)?;
    servers.iter().try_for_each(|server| messages.start(server))?;
    for server in &servers {
        messages.wait_listed(&client, server)?;
    }
    ctx.until(|| {
        let listed = messages.list(&client)?;
        servers.iter().try_for_each(|server| listed.expect_listed(&server))
    })
}

/// Of two started servers of one machine, each is in the list once.
pub fn once_each(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    let (beside, listed) = ctx.setup(|| {
        let beside = messages.new_server_beside(&server)?;
        messages.start(&beside)?;
        let listed = messages.wait_listed(&client, &beside)?;
        listed.expect_listed(&server)?;
        Ok((beside, listed))
    })?;
    [&server, &beside].into_iter().try_for_each(|server| listed.expect_listed_once(&server))
}

/// The address and port of a listed server are in network byte order.
pub fn byte_order(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = (messages.new_server(ctx)?, messages.client(ctx)?);
    messages.start(&server)?;
    let Err(failure) = messages.wait_listed(&client, &server) else { return Ok(()) };
    // If it is not listed at all, its port is not the problem.
    let swapped = messages.list(&client)?.has_swapped(&server);
    Err(if swapped { failure } else { failure.in_setup() })
}

/// Records are blocks of 6 bytes that fill each datagram to its end. The bytes of known servers are
/// searched at all positions, to distinguish records of another length from missing ones.
pub fn whole_records(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    let mut servers: Vec<TestEndpoint<'_>> = Vec::new();
    // One more server for each request: the lengths of the lists differ.
    for _ in 0..FEW {
        let server = messages.new_server(ctx)?;
        messages.start(&server)?;
        let listed = ctx.until(|| {
            messages.answer_for(&server, std::time::Duration::ZERO)?;
            let listed = messages.list(&client)?;
            match listed.find_block(server.address()) {
                Some(_) => Ok(listed),
                None => Err(listed.without(&server).in_setup()),
            }
        })?;
        servers.push(server);
        are_whole(&listed, &servers)?;
    }
    Ok(())
}

/// The blocks of these servers are aligned to 6 bytes, and no datagram has a remainder.
pub(super) fn are_whole(listed: &ReceivedList, servers: &[TestEndpoint<'_>]) -> Done {
    for server in servers {
        let Some((datagram, records, at)) = listed.find_block(server.address()) else {
            continue;
        };
        let behind = at.saturating_sub(records.at);
        if !behind.is_multiple_of(RECORD) {
            let came = format!("{} {behind} bytes behind the first block", server.address());
            let what = "blocks of 6 bytes with nothing between them";
            return Err(Failure::new(what, came).within(datagram, at..at + RECORD));
        }
    }
    match listed.ends().find(|(.., end)| !end.is_empty()) {
        None => Ok(()),
        Some((datagram, bytes, end)) => {
            let came = format!("{} more", end.len());
            Err(Failure::new("blocks of 6 bytes to the end", came).within(datagram, bytes))
        }
    }
}

/// While nothing changes, no server is missing in one list that is in those before and after it.
pub fn unchanged(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    let servers = ctx.setup(|| {
        let mut servers = Vec::new();
        for _ in 0..FEW {
            let server = messages.new_server(ctx)?;
            messages.start(&server)?;
            messages.wait_listed(&client, &server)?;
            servers.push(server);
        }
        Ok(servers)
    })?;
    let other = messages.client(ctx)?;
    let mut lists = Vec::new();
    for n in 0..REQUESTS {
        if n % 2 == 1 {
            // A barrier follows each checked list, and may be a list too: this additional one
            // detects a master that varies every second list.
            other.send_bytes(&messages.query())?;
        }
        lists.push(messages.list(&client)?);
    }
    for listed in &lists {
        servers.iter().try_for_each(|server| listed.expect_listed(&server))?;
    }
    let Some((gap, server)) = first_gap(&lists) else { return Ok(()) };
    let came = format!("list {} without it, and the ones before and behind it with it", gap + 1);
    let failure = Failure::new(format!("{server} in each list while nothing changes"), came);
    Err(match lists.get(gap).and_then(|listed| listed.packets.first()) {
        Some(datagram) => failure.at(datagram),
        None => failure,
    })
}

/// Servers at these addresses are listed, each once.
pub fn listed_at(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    addresses: &[([u8; 4], u16)],
) -> Done {
    let client = messages.client(ctx)?;
    for server in boundaries::servers_at(ctx, messages.service, addresses)? {
        messages.shut_down(&server)?;
        messages.start(&server)?;
        let listed = messages.wait_listed(&client, &server);
        let listed = listed.map_err(|failure| Failure { kind: FailureKind::Failed, ..failure });
        let named = |failure| boundaries::with_bytes(failure, server.address());
        listed.map_err(named)?.expect_listed_once(&server)?;
    }
    Ok(())
}

/// Every one of many requests is answered, although none is sent twice, with a listed server.
pub fn listed_each_time(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, _client) = messages.registered(ctx)?;
    let servers = [server];
    let request = messages.query();
    boundaries::answered_each_time(ctx, messages.service, &request, &servers, |packet| {
        messages.read(packet)
    })
}

/// The first list that lacks a server which an earlier and a later one have.
fn first_gap(lists: &[ReceivedList]) -> Option<(usize, SocketAddr)> {
    let sets: Vec<BTreeSet<_>> =
        lists.iter().map(|listed| listed.servers().map(|(server, ..)| server).collect()).collect();
    let mut last_seen = BTreeMap::new();
    for (n, set) in sets.iter().enumerate() {
        for server in set {
            match last_seen.insert(*server, n) {
                Some(before) if before + 1 < n => return Some((before + 1, *server)),
                _ => {}
            }
        }
    }
    None
}
