//! The traits of Half-Life's masters.

use std::net::SocketAddr;

use super::super::order;
use super::LISTS;
use super::ends::{By, HalfLifeClient, HalfLifeServer};
use crate::conform::{Failure, Implementation, TestContext, Trait};

/// Measured on loopback, with their default settings.
pub(super) static IMPLEMENTATIONS: &[Implementation] = &[
    Implementation {
        name: "hlmaster",
        source: "measured: anzz1/hlmaster at 2ca73fc, built with numbers of 32 bits",
        values: &[
            ("challenges of two servers", "the same"),
            ("second challenge of a server", "the first again"),
            ("list by 1", "yes"),
            ("list by e", "no"),
            ("list by 1 and four bytes", "nothing"),
            ("ping by i", "an answer"),
            ("order of lists", "the latest first"),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured: the reference master",
        values: &[
            ("challenges of two servers", "two"),
            ("second challenge of a server", "the first again"),
            ("list by 1", "yes"),
            ("list by e", "yes"),
            ("list by 1 and four bytes", "an answer"),
            ("ping by i", "nothing"),
            ("order of lists", "as they registered"),
        ],
    },
];

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        look: |ctx| {
            let same = HalfLifeServer::new(ctx)?.asked()? == HalfLifeServer::new(ctx)?.asked()?;
            Ok(if same { "the same" } else { "two" }.to_owned())
        },
    },
    Trait {
        name: "second challenge of a server",
        look: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            let same = server.asked()? == server.asked()?;
            Ok(if same { "the first again" } else { "a new one" }.to_owned())
        },
    },
    Trait { name: "list by 1", look: |ctx| lists(ctx, By::Filter("")) },
    Trait { name: "list by e", look: |ctx| lists(ctx, By::Cursor) },
    // quakestat sends this; no document has it.
    Trait { name: "list by 1 and four bytes", look: |ctx| is_answered(ctx, b"1\0\0\0\0") },
    // anzz1/hlmaster answers a ping with a j.
    Trait { name: "ping by i", look: |ctx| is_answered(ctx, b"i") },
    Trait {
        name: "order of lists",
        look: |ctx| {
            let (servers, lists) = several(ctx)?;
            order::of(&servers, &lists)
        },
    },
];

/// Whether a registered server is listed for this request.
fn lists(ctx: &TestContext<'_>, by: By<'_>) -> Result<String, Failure> {
    let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
    server.register()?;
    let listed = client.wait_listed(&server, by);
    Ok(if listed.is_ok() { "yes" } else { "no" }.to_owned())
}

fn is_answered(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let heard = ctx.client(LISTS)?.request_all(request)?;
    Ok(if heard.is_empty() { "nothing" } else { "an answer" }.to_owned())
}

/// Servers of one modification in the order of registration, and lists of them.
fn several(ctx: &TestContext<'_>) -> Result<(Vec<SocketAddr>, Vec<Vec<SocketAddr>>), Failure> {
    let (game, client) = (ctx.game(), HalfLifeClient::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..order::FEW {
        let server = HalfLifeServer::new(ctx)?.with("gamedir", &game);
        server.register()?;
        client.wait_listed(&server, server.by())?;
        servers.push(server);
    }
    let registered = servers.iter().map(HalfLifeServer::address).collect();
    let list = |_| {
        let listed = client.asks(By::Filter(&format!(r"\gamedir\{game}")))?;
        Ok(listed.servers.into_iter().map(|(server, ..)| server).collect())
    };
    Ok((registered, (0..order::LISTS).map(list).collect::<Result<_, Failure>>()?))
}
