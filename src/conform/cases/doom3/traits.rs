//! What tells Doom 3's masters apart.

use super::ends::{ALL, Client, List, Server};
use super::{LISTS, NOBODYS};
use crate::conform::Trait;
use crate::peer::voice::doom3 as voice;
use crate::proto::doom3::Doom3;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "question to servers",
        look: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            let sign = if challenge < 0 { "below zero" } else { "of zero or above" };
            Ok(format!("getInfo with a challenge {sign}"))
        },
    },
    Trait {
        name: "unknown protocol",
        look: |ctx| {
            let listed = Client::new(ctx)?.asks(List { protocol: NOBODYS, ..ALL })?;
            Ok(format!("a list of {} servers", listed.servers.len()))
        },
    },
    Trait {
        name: "word to version 1.0",
        look: |ctx| {
            let client = ctx.client(LISTS)?;
            client.send_bytes(&voice::version_check(voice::FIRST, "DOOM 1.0.1262"))?;
            client.expect("a newVersion", |heard| {
                voice::read(&heard.bytes, |message| match message {
                    Doom3::NewVersion(told) => Some(crate::dump::shown(told.text)),
                    _ => None,
                })?
            })
        },
    },
];
