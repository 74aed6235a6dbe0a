//! The traits of these protocols' masters. Each function gives a value in words, also if the target
//! does not respond.

use std::time::Duration;

use super::super::list_order;
use super::GameMessages;
use crate::{Failure, ReceivedDatagram, TestContext, TestEndpoint};

/// What a target that does not respond does.
pub const SILENCE: &str = "silence";

/// The traits of a game's masters: those that all have, and its own, at the three places where they
/// stand among them.
macro_rules! traits {
    (
        $messages:expr, $requests:expr,
        first: [$($first:expr),*], after_pings: [$($ping:expr),*], after_order: [$($order:expr),*]
    ) => {{
        use $crate::shared::no_challenge::traits;

        &[
            $($first,)*
            Trait {
                name: "reply to pings",
                observe: |ctx| traits::reply_to_pings(ctx, &$messages),
            },
            $($ping,)*
            Trait {
                name: "reply to heartbeats without a ping",
                observe: |ctx| traits::reply_to_heartbeats(ctx, &$messages),
            },
            Trait {
                name: "a ping alone",
                observe: |ctx| traits::listed_by_ping(ctx, &$messages),
            },
            Trait {
                name: "heartbeats without a ping",
                observe: |ctx| traits::listed_without_ping(ctx, &$messages),
            },
            Trait {
                name: "reply to a shutdown",
                observe: |ctx| traits::reply_to_shutdown(ctx, &$messages),
            },
            Trait {
                name: "heartbeats after a shutdown",
                observe: |ctx| traits::listed_after_shutdown(ctx, &$messages),
            },
            Trait { name: "order of servers", observe: |ctx| traits::order(ctx, &$messages) },
            $($order,)*
            Trait {
                name: "requests for a list that are answered",
                observe: |ctx| traits::answered_requests(ctx, &$messages, $requests),
            },
        ]
    }};
}
pub(crate) use traits;

/// Servers that are registered to observe the order of lists.
const FEW: usize = 6;
/// How often the list is requested to observe its order.
const LISTS: usize = 4;
/// Heartbeats after which a server without a ping counts as not listed.
const ENOUGH: usize = 3;
/// How long to wait for a server that may not be listed.
const SPAN: Duration = Duration::from_millis(200);

/// The responses to the first heartbeat of a server that sends no ping, and to its second.
pub fn reply_to_heartbeats(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
) -> Result<String, Failure> {
    let server = messages.new_server(ctx)?;
    let mut replies = Vec::new();
    for _ in 0..2 {
        replies.push(named(messages, &server.request_all(&(messages.heartbeat)())?));
        messages.answer_for(&server, Duration::ZERO)?;
    }
    Ok(replies.join(", then "))
}

/// The responses to the ping of a new server, and to a second ping.
pub fn reply_to_pings(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let server = messages.restarted(ctx)?;
    let first = named(messages, &server.request_all(&messages.ping())?);
    let second = named(messages, &server.request_all(&messages.ping())?);
    Ok(format!("{first}, then {second}"))
}

/// The response to the shutdown message of a listed server.
pub fn reply_to_shutdown(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
) -> Result<String, Failure> {
    let (server, _) = messages.registered(ctx)?;
    messages.answer_for(&server, Duration::ZERO)?;
    Ok(named(messages, &server.request_all(&messages.shutdown())?))
}

/// After how many heartbeats a server without a ping is listed.
pub fn listed_without_ping(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
) -> Result<String, Failure> {
    let server = messages.new_server(ctx)?;
    heartbeats_until_listed(messages, &server)
}

/// Whether a ping alone lists a server.
pub fn listed_by_ping(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let (server, client) = (messages.new_server(ctx)?, messages.client(ctx)?);
    server.send_bytes(&messages.ping())?;
    let is_listed = messages.is_listed(&client, &server, SPAN)?;
    Ok(if is_listed { "listed" } else { "not listed" }.to_owned())
}

/// After how many heartbeats a server is listed again after its shutdown, without a ping.
pub fn listed_after_shutdown(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
) -> Result<String, Failure> {
    let (server, client) = messages.registered(ctx)?;
    server.send_bytes(&messages.shutdown())?;
    ctx.setup(|| messages.wait_unlisted(&client, &server))?;
    heartbeats_until_listed(messages, &server)
}

/// The order of servers in several lists.
pub fn order(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let client = messages.client(ctx)?;
    let mut servers: Vec<TestEndpoint<'_>> = Vec::new();
    for _ in 0..FEW {
        let server = messages.new_server(ctx)?;
        messages.start(&server)?;
        messages.wait_listed(&client, &server)?;
        servers.push(server);
    }
    let addresses: Vec<_> = servers.iter().map(TestEndpoint::address).collect();
    let mut orders = Vec::new();
    for _ in 0..LISTS {
        let listed = messages.list(&client)?;
        orders.push(listed.servers().map(|(server, ..)| server).collect::<Vec<_>>());
    }
    list_order::order_of(&addresses, &orders)
}

/// Which of these requests get a list.
pub fn answered_requests(
    ctx: &TestContext<'_>,
    messages: &GameMessages,
    requests: &[(&'static str, &[u8])],
) -> Result<String, Failure> {
    let mut answered = Vec::new();
    for (name, request) in requests {
        let client = messages.client(ctx)?;
        let datagrams = client.request_all(request)?;
        if datagrams.iter().any(|datagram| messages.read(&datagram.bytes).is_some()) {
            answered.push(*name);
        }
    }
    Ok(if answered.is_empty() { "none".to_owned() } else { answered.join(", ") })
}

fn heartbeats_until_listed(
    messages: &GameMessages,
    server: &TestEndpoint<'_>,
) -> Result<String, Failure> {
    let client = messages.client(server.ctx())?;
    for count in 1..=ENOUGH {
        server.send_bytes(&(messages.heartbeat)())?;
        if messages.is_listed(&client, server, SPAN)? {
            return Ok(format!("listed after heartbeat {count}"));
        }
    }
    Ok(format!("not listed after {ENOUGH} heartbeats"))
}

/// The names of these datagrams, or that there are none.
fn named(messages: &GameMessages, datagrams: &[ReceivedDatagram]) -> String {
    let name = |datagram: &ReceivedDatagram| {
        if (messages.is_ack)(&datagram.bytes) {
            return "an acknowledgement".to_owned();
        }
        let name = datagram.entry().map(|entry| entry.spec.name.to_owned());
        name.unwrap_or_else(|| "an unknown message".to_owned())
    };
    let names: Vec<_> = datagrams.iter().map(name).collect();
    if names.is_empty() { SILENCE.to_owned() } else { names.join(" and ") }
}
