//! The list: 001 9.3, 002 "Querying the master server".

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{Doom3Client, Doom3Role, Doom3Server, all};
use crate::server::register_all;
use crate::shared::boundaries::boundary_cases;
use crate::shared::lists;
use crate::{Case, Failure, TestContext};
use simulate::families::doom3::messages::Doom3ListRequest;

/// Servers of one list, as many as a run may register, less a few.
const MANY: usize = 150;
/// Servers of one modification.
const FEW: usize = 3;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/servers/form",
        title: "three servers of one modification register; a client asks for that modification",
        run: |ctx| {
            let (game, client) = (ctx.game(), Doom3Client::new(ctx)?);
            let servers = few(ctx, &game)?;
            ctx.setup(|| register_all(&servers))?;
            ctx.until(|| {
                let listed = client.list(Doom3ListRequest { game: &game, ..all(ctx) })?;
                let (packet, records) = listed.single("a list in one packet")?;
                let rest = packet.bytes.len() - records.end;
                if rest != 0 {
                    let what = "records of six bytes to the packet's end";
                    let failure = Failure::new(what, format!("{rest} bytes more"));
                    return Err(failure.within(packet, records.end..packet.bytes.len()));
                }
                let is_ours = |found| servers.iter().any(|one| one.address() == found);
                let are_there = servers.iter().all(|server| listed.has(server));
                match listed.servers().find(|(found, ..)| !is_ours(*found)) {
                    // A master that ignores modifications lists others besides them.
                    Some((other, packet, bytes)) if !are_there => {
                        let what = format!("records of the {FEW} servers that registered");
                        Err(Failure::new(what, other.to_string()).within(packet, bytes))
                    }
                    _ => Ok(()),
                }
            })
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/servers/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        run: lists::byte_order::<Doom3Role>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/servers/no-doubles",
        title: "a server registers twice; a client asks for the list",
        run: lists::once_each::<Doom3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "doom3/servers/steady",
        title: "a server registers; a client asks for the list six times",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let game = ctx.game();
            let list = Doom3ListRequest { game: &game, ..all(ctx) };
            lists::steady(ctx, &few(ctx, &game)?, list, |client| client.request(list))
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/servers/one-packet",
        title: "150 servers register, or as many as may; a client asks for the list",
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            let many = MANY.min(ctx.most_servers(super::LISTS)?);
            let servers = ctx.servers(super::LISTS, many)?;
            let servers = servers.into_iter().map(Doom3Server::at).collect::<Vec<_>>();
            ctx.setup(|| register_all(&servers))?;
            ctx.until(|| {
                let listed = client.request(all(ctx))?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        exclusive: true,
        ..LISTED_CASE
    },
];

/// Addresses, several servers of one, and answers to each request.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!("doom3/servers/"; "byte-order", "no-doubles"; Doom3Server<'_>, LISTED_CASE; boundaries::one_listed_each_time::<Doom3Role>);

/// Servers of this modification.
fn few<'s>(ctx: &'s TestContext<'_>, game: &str) -> Result<Vec<Doom3Server<'s>>, Failure> {
    (0..FEW).map(|_| Ok(Doom3Server::new(ctx)?.with("fs_game", game))).collect()
}
