//! The list: 001 9.3, 002 "Querying the master server".

use super::ends::{ALL, Client, Server, register};
use crate::conform::{Case, Failure, MUST, Proven, SHOULD, Sentence};
use crate::proto::doom3::DOOM3;

/// Servers that make a list longer than 1400 bytes, at which other masters split theirs.
const MANY: usize = 240;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/servers/form",
        title: "a client asks for a list with a server in it",
        requires: "behind the command's NUL stand records of six bytes to the packet's end, \
                   without a count, delimiters or an end mark",
        citation: "001 9.3, 002 Querying the master server",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            let listed = Client::new(ctx)?.wait_listed(&server, ALL)?;
            let length = listed.packet.bytes.len();
            let records = length - b"\xff\xffservers\0".len();
            if records.is_multiple_of(6) {
                return Ok(());
            }
            let came = format!("{records}");
            let failure = Failure::new("a multiple of six bytes behind the command", came);
            Err(failure.within(&listed.packet, length - records % 6..length))
        },
        ..MUST
    },
    Case {
        id: "doom3/servers/byte-order",
        title: "a client asks for a list with a server in it whose port reads otherwise backwards",
        requires: "addresses are in network order, ports little-endian: the bytes 12 6C are 27666",
        citation: "002 Querying the master server",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            let client = Client::new(ctx)?;
            let done = client.wait_listed(&server, ALL);
            let Err(failure) = done else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            let listed = client.asks(ALL)?;
            Err(match listed.place(swapped) {
                Some(bytes) => {
                    let what = format!("a list that holds {}", server.address());
                    let bytes = bytes.end - 2..bytes.end;
                    Failure::new(what, "its port backwards").within(&listed.packet, bytes)
                }
                None => failure,
            })
        },
        ..MUST
    },
    Case {
        id: "doom3/servers/no-doubles",
        title: "a server registers twice and a client asks for the list",
        requires: "the list has a pair of address and port for a server, and so each server once",
        citation: "001 9.3",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            let client = Client::new(ctx)?;
            client.wait_listed(&server, ALL)?;
            server.register()?;
            let listed = client.asks(ALL)?;
            match listed.count(server.address()) {
                1 => Ok(()),
                count => {
                    let what = format!("{} once", server.address());
                    let bytes = listed.place(server.address()).unwrap_or_default();
                    Err(Failure::new(what, format!("{count} times")).within(&listed.packet, bytes))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "doom3/servers/one-packet",
        title: "a client asks for a list of more than 1400 bytes",
        requires: "a list is one packet, whose length has no limit",
        citation: "001 9.3",
        run: |ctx| {
            let client = Client::new(ctx)?;
            // Those of other cases count too, so that each run needs few more.
            let there = client.asks(ALL)?.servers.len();
            let missing = MANY.saturating_sub(there).max(1);
            let servers = ctx.servers(super::LISTS, missing)?;
            let servers = servers.into_iter().map(Server::at).collect::<Vec<_>>();
            register(&servers)?;
            ctx.until(|| {
                let listed = client.asks(ALL)?;
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
        proven: Proven::By(&["doom3/servers/form", "doom3/servers/no-doubles"]),
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
