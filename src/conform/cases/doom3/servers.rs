//! The list: 001 9.3, 002 "Querying the master server".

use std::net::SocketAddr;

use super::ends::{Doom3Client, Doom3ListRequest, Doom3Server, all, register};
use super::preconditions::{ASKED, LISTED};
use crate::conform::{Case, Failure, MUST, Proven, SHOULD, Sentence};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::DOOM3;

/// Servers of one list, as many as a run may register, less a few.
const MANY: usize = 150;
/// Servers of one modification.
const FEW: usize = 3;
/// How often a list is requested that has to stay the same.
const TIMES: usize = 6;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/servers/form",
        title: "three servers of one modification register; a client asks for that modification",
        requires: "behind the command's NUL stand records of six bytes to the packet's end, \
                   without a count, delimiters or an end mark",
        citation: "001 9.3, 002 Querying the master server",
        needs: &[&ASKED],
        run: |ctx| {
            let game = ctx.game();
            let server = |_| Ok(Doom3Server::new(ctx)?.with("fs_game", &game));
            let servers = (0..FEW).map(server).collect::<Result<Vec<_>, Failure>>()?;
            let client = Doom3Client::new(ctx)?;
            ctx.setup(|| register(&servers))?;
            ctx.until(|| {
                let listed = client.list(Doom3ListRequest { game: &game, ..all(ctx) })?;
                let length = listed.packet.bytes.len();
                let rest = (length - b"\xff\xffservers\0".len()) % 6;
                if rest != 0 {
                    let what = "records of six bytes to the packet's end";
                    let failure = Failure::new(what, format!("{rest} bytes more"));
                    return Err(failure.within(&listed.packet, length - rest..length));
                }
                let ours = |found: &SocketAddr| servers.iter().any(|one| one.address() == *found);
                let are_there = servers.iter().all(|server| listed.count(server.address()) > 0);
                match listed.servers.iter().find(|found| !ours(found)) {
                    // A master that ignores modifications lists others besides them.
                    Some(other) if !are_there => {
                        let what = format!("records of the {FEW} servers that registered");
                        let bytes = listed.place(*other).unwrap_or_default();
                        Err(Failure::new(what, other.to_string()).within(&listed.packet, bytes))
                    }
                    _ => Ok(()),
                }
            })
        },
        ..MUST
    },
    Case {
        id: "doom3/servers/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        requires: "addresses are in network order, ports little-endian: the bytes 12 6C are 27666",
        citation: "002 Querying the master server",
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server, all(ctx)) else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            let listed = client.list(all(ctx))?;
            Err(match listed.place(swapped) {
                Some(bytes) => {
                    let what = format!("a list that holds {}", server.address());
                    let bytes = bytes.end - 2..bytes.end;
                    let came = "its port with swapped bytes";
                    Failure::new(what, came).within(&listed.packet, bytes)
                }
                // Another case tests whether it is listed at all.
                None => failure.in_setup(),
            })
        },
        ..MUST
    },
    Case {
        id: "doom3/servers/no-doubles",
        title: "a server registers twice; a client asks for the list",
        requires: "the list has a pair of address and port for a server, and so each server once",
        citation: "001 9.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = Doom3Server::listed(ctx)?;
            ctx.setup(|| server.register())?;
            client.list(all(ctx))?.expect_once(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/servers/steady",
        title: "a server registers; a client asks for the list six times",
        requires: "a list holds the same servers each time while nothing changes",
        citation: "001 9.3",
        needs: &[&LISTED],
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let game = ctx.game();
            let list = Doom3ListRequest { game: &game, ..all(ctx) };
            let server = |_| Ok(Doom3Server::new(ctx)?.with("fs_game", &game));
            let servers = (0..FEW).map(server).collect::<Result<Vec<_>, Failure>>()?;
            let client = Doom3Client::new(ctx)?;
            ctx.setup(|| {
                register(&servers)?;
                servers.iter().try_for_each(|one| client.wait_listed(one, list).map(drop))
            })?;
            let other = Doom3Client::new(ctx)?;
            for n in 0..TIMES {
                if n % 2 == 1 {
                    // Other clients' requests between those of the client change nothing.
                    other.0.send_bytes(&voice::get_servers(list.protocol, list.game, 0))?;
                }
                let listed = client.list(list)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "doom3/servers/one-packet",
        title: "150 servers register, or as many as may; a client asks for the list",
        requires: "a list is one packet, whose length has no limit",
        citation: "001 9.3",
        needs: &[&LISTED],
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            let many = MANY.min(ctx.most_servers(super::LISTS)?);
            let servers = ctx.servers(super::LISTS, many)?;
            let servers = servers.into_iter().map(Doom3Server::at).collect::<Vec<_>>();
            ctx.setup(|| register(&servers))?;
            ctx.until(|| {
                let listed = client.asks(all(ctx))?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        exclusive: true,
        ..MUST
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.3",
        says: "the list has no delimiters: four bytes of address and two of port, one behind the \
               other",
        proven: Proven::By(&[
            "doom3/servers/form",
            "doom3/servers/no-doubles",
            "doom3/servers/steady",
        ]),
    },
    Sentence {
        game: &DOOM3,
        citation: "002 Querying the master server",
        says: "ports are little-endian; the first document says that they are in network order, \
               and its own example disproves it",
        proven: Proven::By(&["doom3/servers/byte-order"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.3",
        says: "the packet's length has no limit",
        proven: Proven::By(&["doom3/servers/one-packet"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "002 Querying the master server",
        says: "servers are read to the packet's end; nothing says how many there are",
        proven: Proven::By(&["doom3/servers/form"]),
    },
];
