//! Requests and heartbeats that are answered each time, although none is sent twice.

use std::collections::BTreeSet;
use std::time::Duration;

use super::LISTS;
use super::list::LONG;
use super::preconditions::LISTED_CASE;
use super::roles::{Quake3Client, Quake3Role, Quake3Server, all};
use crate::server::TestRole as _;
use crate::shared::boundaries;
use crate::{Case, Done, Failure, TestContext, TestEndpoint};
use simulate::families::quake3::messages;

/// Servers that are asked for again and again.
const FEW: usize = 3;
/// Servers that send heartbeats, and how often each: as often as the target answers in a second, but
/// at least twice.
const SENDERS: usize = 8;
const MOST_HEARTBEATS: u32 = 16;
const LEAST_HEARTBEATS: u32 = 2;
const HEARTBEATS_FOR: Duration = Duration::from_secs(1);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/each-time",
        title: "three servers register; clients ask many times for the list, and send no request \
                twice: it has these servers, and those of the run that were listed at first",
        exclusive: true,
        run: |ctx| {
            let (client, list) = (Quake3Client::new(ctx)?, all(ctx));
            let servers =
                (0..FEW).map(|_| Quake3Server::new(ctx)).collect::<Result<Vec<_>, _>>()?;
            servers.iter().try_for_each(|server| client.setup_listed(server, list).map(drop))?;
            let mut all: BTreeSet<_> = servers.iter().map(Quake3Server::address).collect();
            // As long as none of them is forgotten meanwhile.
            let is_kept = ctx.time("server-timeout")? > ctx.since_begin() + LONG;
            for _ in 0..if is_kept { 2 } else { 0 } {
                let listed = ctx.setup(|| client.request(list))?;
                let of_run = listed.servers().map(|(at, ..)| at);
                all.extend(of_run.filter(|at| ctx.is_server(LISTS, *at)));
            }
            let all: Vec<_> = all.into_iter().collect();
            let request = client.encode(list);
            boundaries::answered_each_time(ctx, LISTS, &request, &all, Quake3Role::read_list_packet)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/heartbeat/each-time",
        title: "eight servers send heartbeats for a second, each after an answer, and none twice",
        run: heartbeats_each_time,
        ..LISTED_CASE
    },
];

/// Each heartbeat is answered.
fn heartbeats_each_time(ctx: &TestContext<'_>) -> Done {
    // Few servers may share an address.
    let senders = if ctx.is_wide() { SENDERS } else { 1 };
    let servers = (0..senders).map(|_| Quake3Server::new(ctx)).collect::<Result<Vec<_>, _>>()?;
    let ends: Vec<_> = servers.iter().map(|server| &server.end).collect();
    let Some(first) = servers.first() else { return Ok(()) };
    let heartbeat = messages::heartbeat(first.state.tag);
    let begun = ctx.now();
    for n in 1..=MOST_HEARTBEATS {
        if n > LEAST_HEARTBEATS && ctx.now().duration_since(begun) > HEARTBEATS_FOR {
            break;
        }
        let what = format!("a getinfo for each heartbeat, and so for heartbeat {n} of each server");
        for (nth, requests) in TestEndpoint::request_each_once(&ends, &what, &heartbeat)? {
            let Some(server) = servers.get(nth) else { break };
            let is_challenge = |bytes: &[u8]| messages::challenge(bytes).is_some();
            if !requests.iter().any(|request| is_challenge(&request.bytes)) {
                return Err(Failure::new(what, "another message"));
            }
            for request in &requests {
                let answer = messages::answer(&server.info, &request.bytes);
                answer.map_or(Ok(()), |answer| server.end.send_bytes(&answer))?;
            }
        }
    }
    Ok(())
}
