//! Lists. No document has the request; these cases follow open-source programs, and a master that
//! differs gets a warning, not a failure.

use super::ends::{By, HalfLifeClient, HalfLifeList, HalfLifeServer, NOBODY, register};
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Done, Failure, INFO, Proven, SHOULD, Sentence, TestContext};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// Servers that a master with small packets lists in more than one.
const MANY: usize = 150;
/// Servers of one modification.
const FEW: usize = 3;
/// How often a list is requested that has to stay the same.
const TIMES: usize = 6;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/e/listed",
        title: "a server registers; a client asks with e and the cursor 0",
        requires: "quakestat asks with e and a cursor; no document has it",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let listed =
                client.asks(By::Cursor).is_ok_and(|list| list.expect_listed(&server).is_ok());
            ctx.note(if listed { "it lists by e" } else { "it does not list by e" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "half-life/1/answered",
        title: "a client asks with 1, all regions, 0.0.0.0:0 and an empty filter",
        requires: "1 asks for the servers of a region behind one of them, and f is the answer \
                   (observed)",
        citation: "001 10",
        needs: &[&ANSWERS],
        run: |ctx| {
            // Some masters do not respond if they have no server to list.
            let server = HalfLifeServer::new(ctx)?;
            if server.send_heartbeat().is_ok()
                && let Ok(asked) = server.recv_challenge()
            {
                server.answer(asked.challenge)?;
            }
            HalfLifeClient::new(ctx)?.asks(By::Filter("")).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/1/gamedir",
        title: "servers of two modifications register; a client asks for those of one",
        requires: "the filter's gamedir leaves only that modification's servers in (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let ((server, client), (stranger, _)) =
                (HalfLifeServer::listed(ctx)?, HalfLifeServer::listed(ctx)?);
            client.wait_listed(&server, server.by())?.expect_unlisted(&stranger)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/1/empty-and-full",
        title: "a client asks for servers that are not empty, and for those that are not full",
        requires: "the filter's empty=1 leaves empty servers out, full=1 full ones, and without \
                   them all are listed (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let game = ctx.game();
            let server = |players: &str| {
                let server = HalfLifeServer::new(ctx)?.with("gamedir", &game);
                Ok::<_, Failure>(server.with("players", players))
            };
            let servers = [server("0")?, server("1")?, server("6")?];
            ctx.setup(|| servers.iter().try_for_each(HalfLifeServer::register))?;
            let client = HalfLifeClient::new(ctx)?;
            for (words, expected) in [
                ("", [true, true, true]),
                (r"\empty\1", [false, true, true]),
                (r"\full\1", [true, true, false]),
                (r"\empty\1\full\1", [false, true, false]),
            ] {
                let filter = format!(r"\gamedir\{game}{words}");
                let both = || servers.iter().zip(expected);
                for (server, _) in both().filter(|(_, is)| *is) {
                    client.wait_listed(server, By::Filter(&filter))?;
                }
                let listed = client.list(By::Filter(&filter))?;
                both()
                    .filter(|(_, is)| !*is)
                    .try_for_each(|(server, _)| listed.expect_unlisted(server))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        requires: "addresses and ports are in network order (observed)",
        citation: "001 10",
        needs: &[&ASKED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            ctx.setup(|| server.register())?;
            let client = HalfLifeClient::new(ctx)?;
            let Err(failure) = client.wait_listed(&server, server.by()) else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            let what = format!("a list that holds {}", server.address());
            client
                .list(server.by())?
                .not(swapped, Failure::new(what, "its port with swapped bytes"))?;
            // Another case tests whether it is listed at all.
            Err(failure.in_setup())
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/whole-records",
        title: "three servers of one modification register; a client asks for that modification",
        requires: "the list has a record of six bytes for each of them and one of zeros, and \
                   nothing else (observed)",
        citation: "001 10",
        needs: &[&ASKED],
        run: |ctx| {
            let few = FewServers::new(ctx)?;
            let listed = ctx.setup(|| few.client.asks(By::Filter(&few.filter)))?;
            if listed.servers.is_empty() {
                return Err(Failure::blocked("no server is listed"));
            }
            listed.expect_whole(FEW)?;
            ctx.setup(|| few.servers.iter().try_for_each(|server| listed.expect_listed(server)))
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/no-doubles",
        title: "a server registers twice; a client asks for the list",
        requires: "each server stands in the list once (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            ctx.setup(|| server.register())?;
            client.list(server.by())?.expect_once(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/steady",
        title: "three servers register; a client asks for them six times",
        requires: "a list holds the same servers each time while nothing changes (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let few = FewServers::new(ctx)?;
            for server in &few.servers {
                ctx.setup(|| few.client.wait_listed(server, By::Filter(&few.filter)))?;
            }
            let other = HalfLifeClient::new(ctx)?;
            for n in 0..TIMES {
                if n % 2 == 1 {
                    // Other clients' requests between those of the client change nothing.
                    other.0.send_bytes(&voice::get_region(NOBODY, &few.filter))?;
                }
                let listed = few.client.list(By::Filter(&few.filter))?;
                few.servers.iter().try_for_each(|server| listed.expect_listed(server))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/complete",
        title: "a client asks for a list to its end",
        requires: "the last record of a list is all zeros (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let listed = client.list(server.by())?;
            if listed.complete {
                return Ok(());
            }
            let came = format!("{} packets without it", listed.packets.len());
            Err(Failure::new("a last record of zeros", came))
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/goes-on",
        title: "a client asks for a list of more servers than fit into a packet",
        requires: "a packet that does not complete the list ends with a server, and the request \
                   that names it is answered with those behind it (observed)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(super::LISTS)?);
            let game = ctx.game();
            let servers = ctx.servers(super::LISTS, many)?.into_iter();
            let servers: Vec<_> = servers.map(|end| HalfLifeServer::of(end, &game)).collect();
            ctx.setup(|| register(&servers))?;
            let client = HalfLifeClient::new(ctx)?;
            let filter = format!(r"\gamedir\{game}");
            let listed = client.list(By::Filter(&filter))?;
            servers.iter().try_for_each(|server| listed.expect_listed(server))?;
            servers.iter().try_for_each(|server| listed.expect_once(server))?;
            if listed.packets.len() > 1 {
                return Ok(());
            }
            let count = listed.servers.len();
            Err(Failure::skipped(format!(
                "all {count} servers fit into one packet of the target's"
            )))
        },
        // The list must not change between its packets.
        exclusive: true,
        ..SHOULD
    },
];

/// Servers of their own modification.
struct FewServers<'s> {
    servers: Vec<HalfLifeServer<'s>>,
    client: HalfLifeClient<'s>,
    filter: String,
}

impl<'s> FewServers<'s> {
    fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let game = ctx.game();
        let server = |_| Ok(HalfLifeServer::new(ctx)?.with("gamedir", &game));
        let servers = (0..FEW).map(server).collect::<Result<Vec<_>, Failure>>()?;
        ctx.setup(|| servers.iter().try_for_each(HalfLifeServer::register))?;
        Ok(Self { servers, client: HalfLifeClient::new(ctx)?, filter: format!(r"\gamedir\{game}") })
    }
}

impl HalfLifeList {
    /// The list is one packet with this many records and one of zeros.
    fn expect_whole(&self, count: usize) -> Done {
        let expected = format!("{} records of 6 bytes, the last of zeros", count + 1);
        let Some(packet) = self.packets.first().filter(|_| self.packets.len() == 1) else {
            return Err(Failure::new(expected, format!("{} packets", self.packets.len())));
        };
        let bytes = Self::records_at(packet);
        if bytes.len() == (count + 1) * Self::RECORD && self.complete {
            return Ok(());
        }
        let came = format!("{} bytes", bytes.len());
        Err(Failure::new(expected, came).within(packet, bytes))
    }
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "clients ask for the list with 1, a region, the last server that they know and a \
               filter (observed; the document has no lists)",
        proven: Proven::By(&["half-life/1/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "f lists servers in six bytes each, and at last zeros, or the server behind which \
               the list goes on (observed)",
        proven: Proven::By(&["half-life/f/*"]),
    },
];
