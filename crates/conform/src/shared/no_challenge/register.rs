//! Cases about servers that register and stay registered.

use std::time::Duration;

use super::GameMessages;
use super::lists::are_whole;
use crate::{Done, Failure, TestContext};

/// How long a quick run waits to check that a server stays listed.
const QUICK: Duration = Duration::from_millis(6_500);
/// A timeout below which that is too long.
const LONG: Duration = Duration::from_secs(8);

/// A started server is listed.
pub fn registers(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = (messages.new_server(ctx)?, messages.client(ctx)?);
    messages.start(&server)?;
    let Err(failure) = messages.wait_listed(&client, &server) else { return Ok(()) };
    // If its bytes are in the list, it is registered: the records are at fault, not the
    // registration.
    let is_there = messages.list(&client)?.find_block(server.address()).is_some();
    Err(if is_there { failure.in_setup() } else { failure })
}

/// So are servers whose heartbeats have other contents.
pub fn register_all(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    for heartbeat in (messages.heartbeats)() {
        let server = messages.new_server(ctx)?;
        messages.start_with(&server, &heartbeat)?;
        messages.wait_listed(&client, &server)?;
    }
    Ok(())
}

/// A listed server that sends heartbeats with other contents stays listed.
pub fn again(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    for heartbeat in (messages.heartbeats)() {
        server.send_bytes(&heartbeat)?;
        ctx.sync(messages.service)?;
        messages.expect_listed(&client, &server)?;
    }
    Ok(())
}

/// Two servers are still listed some seconds after their heartbeats.
pub fn still_listed(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    if ctx.time("server-timeout")? < LONG {
        let why = "the target is assumed to forget servers sooner (server-timeout)";
        return Err(Failure::skipped(why));
    }
    let (server, client) = messages.registered(ctx)?;
    let (other, _) = messages.registered(ctx)?;
    messages.answer_for(&other, QUICK / 2)?;
    messages.answer_for(&server, QUICK / 2)?;
    [&server, &other].into_iter().try_for_each(|server| messages.expect_listed(&client, server))
}

/// A server stays listed for part of the time-out.
pub fn kept(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    messages.answer_for(&server, ctx.time("server-timeout")? * 2 / 5)?;
    messages.expect_listed(&client, &server)
}

/// A heartbeat renews the time-out.
pub fn renewed(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    let part = ctx.time("server-timeout")? * 3 / 5;
    messages.answer_for(&server, part)?;
    server.send_bytes(&(messages.heartbeat)())?;
    messages.answer_for(&server, part)?;
    messages.expect_listed(&client, &server)
}

/// A server that sends and answers nothing is not listed for ever. Masters remove such servers from
/// time to time, and q2master first sends seven requests in 60 s: a quarter of the timeout is
/// added.
pub fn forgotten(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let (server, client) = messages.registered(ctx)?;
    ctx.wait(ctx.time("server-timeout")? * 5 / 4);
    ctx.until(|| messages.list(&client)?.expect_unlisted(&server))
}

/// Which heartbeats of other games get their sender listed. Each is sent twice, as by a server.
pub fn other_games(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    heartbeats: &[(&str, Vec<u8>)],
) -> Done {
    let mut listed = Vec::new();
    for (name, heartbeat) in heartbeats {
        if lists_other(ctx, messages, heartbeat)? {
            listed.push(*name);
        }
    }
    ctx.report(match listed.as_slice() {
        [] => "no heartbeat of another game lists its sender".to_owned(),
        names => format!("listed by heartbeats of {}", names.join(", ")),
    })
}

/// No heartbeat of another game gets its sender listed.
pub fn other_games_unlisted(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    heartbeats: &[(&str, Vec<u8>)],
) -> Done {
    for (name, heartbeat) in heartbeats {
        if lists_other(ctx, messages, heartbeat)? {
            let what = "a list without servers of other games";
            return Err(Failure::new(what, format!("one with a server of {name}")));
        }
    }
    Ok(())
}

/// Whether two heartbeats of another game get their sender listed.
fn lists_other(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    heartbeat: &[u8],
) -> Result<bool, Failure> {
    let (server, client) = (messages.new_server(ctx)?, messages.client(ctx)?);
    server.send_bytes(heartbeat)?;
    server.send_bytes(heartbeat)?;
    messages.is_listed(&client, &server, Duration::ZERO)
}

/// Two started servers are in one list, in records of 6 bytes.
pub fn listed(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let client = messages.client(ctx)?;
    let servers = [messages.server(ctx)?, messages.server(ctx)?];
    servers.iter().try_for_each(|server| messages.start(server))?;
    for server in &servers {
        let listed = messages.wait_listed(&client, server)?;
        are_whole(&listed, &servers)?;
    }
    Ok(())
}
