//! The traits of Teeworlds' masters.

use super::roles::TeeServer;
use crate::Trait;
use simulate::families::teeworlds::messages;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "where checks come from",
        observe: |ctx| {
            let server = TeeServer::new(ctx)?;
            let (from, master) = (server.checked()?.from.port(), server.end.target().port());
            Ok(match from.checked_sub(master) {
                Some(0) => "the port that was asked",
                Some(1) => "the port above",
                _ => "another port",
            }
            .to_owned())
        },
    },
    Trait {
        name: "heartbeat of version 0.5",
        observe: |ctx| {
            let server = TeeServer::new(ctx)?;
            server.end.send_bytes(&messages::old_heartbeat(server.end.address().port()))?;
            let is_checked = server.recv_check().is_ok();
            Ok(if is_checked { "checked" } else { "nothing" }.to_owned())
        },
    },
    Trait {
        name: "list of version 0.5",
        observe: |ctx| {
            let (server, client) = TeeServer::listed(ctx)?;
            let listed = client.old_list()?;
            Ok(match listed.packets.len() {
                0 => "nothing",
                _ if listed.has(&server) => "with servers of version 0.6",
                _ => "without servers of version 0.6",
            }
            .to_owned())
        },
    },
    Trait {
        name: "message to a listed server",
        observe: |ctx| {
            let server = TeeServer::new(ctx)?;
            server.register()?;
            Ok(if server.recv_listed().is_ok() { "fwok" } else { "nothing" }.to_owned())
        },
    },
];
