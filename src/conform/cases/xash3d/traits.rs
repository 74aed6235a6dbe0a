//! The traits of Xash3D's masters: xash3d-master 0.2, its later versions, and others.

use super::super::order;
use super::LISTS;
use super::ends::{XashClient, XashServer};
use crate::conform::{Failure, Implementation, TestContext, Trait};
use crate::families::half_life::messages as voice;

/// Measured on loopback, with their default settings.
pub(super) static IMPLEMENTATIONS: &[Implementation] = &[
    Implementation {
        name: "xash3d-master 0.2",
        source: "measured: the crate xash3d-master 0.2.1",
        values: &[
            ("second challenge of a server", "a new one"),
            ("q without FF", "nothing"),
            ("empty list", "nothing"),
            ("list to a client of version 0.1", "a made-up server"),
            ("list to a client without a version", "as to others"),
            ("server that sent b", "listed still"),
            ("order of lists", "its own, the same for each request"),
        ],
    },
    Implementation {
        name: "xash3d-master behind 0.2",
        source: "measured: FWGS/xash3d-master at c669957, 2026-06-24",
        values: &[
            ("second challenge of a server", "the first again"),
            ("q without FF", "nothing"),
            ("empty list", "a list of zeros"),
            ("list to a client of version 0.1", "a made-up server"),
            ("list to a client without a version", "a made-up server"),
            ("server that sent b", "listed still"),
            ("order of lists", "its own, the same for each request"),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured: the reference master",
        values: &[
            ("second challenge of a server", "the first again"),
            ("q without FF", "an answer"),
            ("empty list", "a list of zeros"),
            ("list to a client of version 0.1", "as to others"),
            ("list to a client without a version", "as to others"),
            ("server that sent b", "gone"),
            ("order of lists", "as they registered"),
        ],
    },
];

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "second challenge of a server",
        look: |ctx| {
            let server = XashServer::new(ctx)?;
            let same = server.asked()? == server.asked()?;
            Ok(if same { "the first again" } else { "a new one" }.to_owned())
        },
    },
    Trait { name: "q without FF", look: |ctx| is_answered(ctx, &voice::heartbeat()) },
    Trait {
        name: "empty list",
        look: |ctx| {
            let listed = XashClient::new(ctx)?.asks(&format!(r"\gamedir\{}", ctx.game()))?;
            let is_silent = listed.packets.is_empty();
            Ok(if is_silent { "nothing" } else { "a list of zeros" }.to_owned())
        },
    },
    Trait {
        name: "list to a client of version 0.1",
        look: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let listed = client.lists(&format!(r"\clver\0.1\key\1{}", server.filter()))?;
            let is_there = listed.count(server.address()) > 0;
            Ok(match listed.servers().count() {
                _ if is_there => "as to others",
                0 => "none",
                _ => "a made-up server",
            }
            .to_owned())
        },
    },
    Trait {
        name: "list to a client without a version",
        look: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let listed = client.lists(&format!(r"\key\1{}", server.filter()))?;
            let is_there = listed.count(server.address()) > 0;
            Ok(match listed.servers().count() {
                _ if is_there => "as to others",
                0 => "none",
                _ => "a made-up server",
            }
            .to_owned())
        },
    },
    Trait {
        name: "server that sent b",
        look: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            server.end.send_bytes(&voice::log_off())?;
            ctx.sync(LISTS)?;
            let is_gone = client.asks(&server.filter())?.count(server.address()) == 0;
            Ok(if is_gone { "gone" } else { "listed still" }.to_owned())
        },
    },
    Trait { name: "order of lists", look: list_order },
];

fn is_answered(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let heard = ctx.client(LISTS)?.request_all(request)?;
    Ok(if heard.is_empty() { "nothing" } else { "an answer" }.to_owned())
}

fn list_order(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (game, client) = (ctx.game(), XashClient::new(ctx)?);
    let mut servers = Vec::new();
    for _ in 0..order::FEW {
        let server = XashServer::of(ctx.server(LISTS)?, &game);
        server.register()?;
        client.wait_listed(&server)?;
        servers.push(server);
    }
    let registered: Vec<_> = servers.iter().map(XashServer::address).collect();
    let list = |_| {
        let listed = client.asks(&format!(r"\gamedir\{game}"))?;
        Ok(listed.servers().map(|(server, _)| server).collect())
    };
    let lists = (0..order::LISTS).map(list).collect::<Result<Vec<_>, Failure>>()?;
    order::of(&registered, &lists)
}
