//! The traits of Doom 3's masters.

use super::super::order;
use super::ends::{Doom3Client, Doom3ListRequest, Doom3Server, all};
use super::{LISTS, NOBODYS};
use crate::conform::{Failure, Implementation, Trait};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::Doom3;

/// No other Doom 3 master is public: these are the values of the reference master.
pub(super) static IMPLEMENTATIONS: &[Implementation] = &[Implementation {
    name: "fragshark master",
    source: "measured: the reference master",
    values: &[
        ("challenges of two servers", "two"),
        ("second challenge of a server", "the first again"),
        ("unknown protocol", "an empty list"),
        ("order of lists", "as they registered"),
    ],
}];

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        look: |ctx| {
            let same = Doom3Server::new(ctx)?.asked()? == Doom3Server::new(ctx)?.asked()?;
            Ok(if same { "the same" } else { "two" }.to_owned())
        },
    },
    Trait {
        name: "second challenge of a server",
        look: |ctx| {
            let server = Doom3Server::new(ctx)?;
            let same = server.asked()? == server.asked()?;
            Ok(if same { "the first again" } else { "a new one" }.to_owned())
        },
    },
    Trait {
        name: "unknown protocol",
        look: |ctx| {
            let listed =
                Doom3Client::new(ctx)?.asks(Doom3ListRequest { protocol: NOBODYS, ..all(ctx) })?;
            Ok(if listed.servers.is_empty() { "an empty list" } else { "servers" }.to_owned())
        },
    },
    Trait {
        name: "word to version 1.0",
        look: |ctx| {
            let client = ctx.client(LISTS)?;
            client.send_bytes(&voice::version_check(voice::FIRST, "DOOM 1.0.1262"))?;
            client.expect("a newVersion", |heard| {
                voice::read(&heard.bytes, |message| match message {
                    Doom3::NewVersion(told) => Some(crate::render::quoted(told.text, usize::MAX)),
                    _ => None,
                })?
            })
        },
    },
    Trait {
        name: "order of lists",
        look: |ctx| {
            let (game, client) = (ctx.game(), Doom3Client::new(ctx)?);
            let list = Doom3ListRequest { game: &game, ..all(ctx) };
            let mut servers = Vec::new();
            for _ in 0..order::FEW {
                let server = Doom3Server::new(ctx)?.with("fs_game", &game);
                server.register()?;
                client.wait_listed(&server, list)?;
                servers.push(server);
            }
            let registered: Vec<_> = servers.iter().map(Doom3Server::address).collect();
            let lists = (0..order::LISTS).map(|_| Ok(client.asks(list)?.servers));
            let lists = lists.collect::<Result<Vec<_>, Failure>>()?;
            order::of(&registered, &lists)
        },
    },
];
