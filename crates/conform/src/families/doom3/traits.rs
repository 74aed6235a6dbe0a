//! The traits of Doom 3's masters.

use super::roles::{Doom3Client, Doom3Role, Doom3Server, all};
use super::{LISTS, UNUSED_PROTOCOL};
use crate::Trait;
use crate::shared::registration;
use protocols::doom3::Doom3;
use simulate::families::doom3::messages::{self, Doom3ListRequest};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        observe: registration::challenges_of_two::<Doom3Role>,
    },
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<Doom3Role>,
    },
    Trait {
        name: "unknown protocol",
        observe: |ctx| {
            let listed = Doom3Client::new(ctx)?
                .request(Doom3ListRequest { protocol: UNUSED_PROTOCOL, ..all(ctx) })?;
            Ok(if listed.count() == 0 { "an empty list" } else { "servers" }.to_owned())
        },
    },
    Trait {
        name: "word to version 1.0",
        observe: |ctx| {
            let client = ctx.client(LISTS)?;
            client.send_bytes(&messages::version_check(messages::FIRST, "DOOM 1.0.1262"))?;
            client.expect("a newVersion", |datagram| {
                messages::with_message(&datagram.bytes, |message| match message {
                    Doom3::NewVersion(reply) => Some(render::quoted(reply.text, usize::MAX)),
                    _ => None,
                })
            })
        },
    },
    Trait {
        name: "order of lists",
        observe: |ctx| {
            let game = ctx.game();
            registration::order_of_lists(ctx, || Ok(Doom3Server::new(ctx)?.with("fs_game", &game)))
        },
    },
];
