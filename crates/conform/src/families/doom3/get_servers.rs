//! Clients request lists: 001 9.1, 002 "Querying the master server".

use super::UNUSED_PROTOCOL;
use super::preconditions::LISTED_CASE;
use super::roles::{Doom3Client, Doom3Server, all, protocol};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::doom3::messages::{self, Doom3ListRequest};

/// The bits of the filter.
const WITH_PASSWORD: u8 = 0x01;
const WITHOUT_PASSWORD: u8 = 0x02;
const NOT_FULL: u8 = 0x04;
const NEITHER: u8 = 0x08;
const DEATHMATCH: u8 = 0x10;
const TOURNAMENT: u8 = 0x20;
const TEAMS: u8 = 0x30;
/// The byte that document 002 has after the protocol and takes for a newline.
const NEWLINE: u8 = b'\n';
/// Marks the protocols of other studios' games.
const ANOTHER_GAME: u32 = 1 << 31;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/getServers/first-document",
        title: "a client sends the request of the first document",
        run: |ctx| {
            let server = Doom3Server::new(ctx)?.of_protocol(messages::FIRST);
            ctx.setup(|| server.register())?;
            let list = Doom3ListRequest { protocol: messages::FIRST, ..all(ctx) };
            Doom3Client::new(ctx)?.wait_listed(&server, list).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/second-document",
        title: "a client sends the four requests of the second document, whose last byte is 0x0A",
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            for protocol in [messages::FIRST, messages::SECOND, messages::THIRD, messages::FOURTH] {
                let server = Doom3Server::new(ctx)?.of_protocol(protocol);
                ctx.setup(|| server.register())?;
                client.wait_listed(
                    &server,
                    Doom3ListRequest { protocol, filter: NEWLINE, ..all(ctx) },
                )?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/protocol",
        title: "servers of four versions register; a client of each version asks",
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            let versions = [messages::FIRST, messages::SECOND, messages::THIRD, messages::FOURTH];
            let versions = versions.map(|version| protocol(ctx, version));
            let server = |protocol| Ok(Doom3Server::new(ctx)?.of_protocol(protocol));
            let servers = versions.map(server).into_iter().collect::<Result<Vec<_>, Failure>>()?;
            ctx.setup(|| servers.iter().try_for_each(Doom3Server::register))?;
            servers.iter().zip(versions).try_for_each(|(own, protocol)| {
                let expected = servers.iter().map(|one| (one, std::ptr::eq(one, own)));
                client.expect_exactly(Doom3ListRequest { protocol, ..all(ctx) }, expected)
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/nobody",
        title: "a client asks for a protocol that no server has",
        run: |ctx| {
            let listed = Doom3Client::new(ctx)?
                .request(Doom3ListRequest { protocol: UNUSED_PROTOCOL, ..all(ctx) })?;
            match listed.servers().next() {
                None => Ok(()),
                Some((_, packet, _)) => {
                    let came = format!("one of {} servers", listed.count());
                    Err(Failure::new("an empty list", came).at(packet))
                }
            }
        },
        ..CASE
    },
    Case {
        id: "doom3/getServers/no-filter",
        title: "an empty, a full and two other servers register; a client asks with the filter 0",
        run: |ctx| each_listed(ctx, &[(0, &[true, true, true, true])]),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/password",
        title: "a client asks for servers with a password, and for those without",
        run: |ctx| {
            each_listed(
                ctx,
                &[
                    (WITH_PASSWORD, &[false, false, false, true]),
                    (WITHOUT_PASSWORD, &[true, true, true, false]),
                ],
            )
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/not-full",
        title: "a client asks for servers that are not full",
        run: |ctx| each_listed(ctx, &[(NOT_FULL, &[true, true, false, true])]),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/neither-full-nor-empty",
        title: "a client asks for servers that are neither full nor empty",
        run: |ctx| each_listed(ctx, &[(NEITHER, &[false, true, false, true])]),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/game-types",
        title: "a client asks for deathmatch, for tournaments, for team deathmatch",
        run: |ctx| {
            let rules = [(DEATHMATCH, "deathmatch"), (TOURNAMENT, "Tourney"), (TEAMS, "Team DM")];
            let client = Doom3Client::new(ctx)?;
            let server = |(_, rules)| Ok(Doom3Server::new(ctx)?.with("si_gameType", rules));
            let servers = rules.map(server).into_iter().collect::<Result<Vec<_>, Failure>>()?;
            ctx.setup(|| servers.iter().try_for_each(Doom3Server::register))?;
            servers.iter().zip(rules).try_for_each(|(own, (filter, _))| {
                let expected = servers.iter().map(|one| (one, std::ptr::eq(one, own)));
                client.expect_exactly(Doom3ListRequest { filter, ..all(ctx) }, expected)
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/filters-together",
        title: "a client asks for servers without a password that are not full and play deathmatch",
        run: |ctx| {
            let filter = WITHOUT_PASSWORD | NOT_FULL | DEATHMATCH;
            each_listed(ctx, &[(filter, &[true, true, false, false])])?;
            let filter = WITHOUT_PASSWORD | NOT_FULL | TEAMS;
            each_listed(ctx, &[(filter, &[false, false, false, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/fs-game",
        title: "a client asks for the servers of a modification",
        run: |ctx| {
            let (own, other) = (ctx.game(), ctx.game());
            let server =
                |game: &str| Ok::<_, Failure>(Doom3Server::new(ctx)?.with("fs_game", game));
            let (server, stranger) = (server(&own)?, server(&other)?);
            let client = Doom3Client::new(ctx)?;
            ctx.setup(|| {
                server.register()?;
                stranger.register()?;
                client.wait_listed(&stranger, all(ctx))
            })?;
            client
                .wait_listed(&server, Doom3ListRequest { game: &own, ..all(ctx) })?
                .expect_unlisted(&stranger)
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/getServers/capitals",
        title: "a client asks with the command in capitals",
        run: |ctx| {
            let request = [b"\xff\xffGETSERVERS\0", &messages::FOURTH.to_le_bytes()[..], b"\0\0"];
            Doom3Client::new(ctx)?.request_bytes(&request.concat())?;
            ctx.report("it takes commands in capitals")
        },
        ..CASE
    },
    Case {
        id: "doom3/getServers/another-game",
        title: "a server registers and a client asks with a protocol whose highest bit is set",
        run: |ctx| {
            let protocol = ANOTHER_GAME | messages::FOURTH;
            // Without players: those of Quake 4 have another form.
            let server = Doom3Server::new(ctx)?.of_protocol(protocol).played_by(0);
            ctx.setup(|| server.register())?;
            Doom3Client::new(ctx)?
                .wait_listed(&server, Doom3ListRequest { protocol, ..all(ctx) })?;
            ctx.report("it lists Quake 4's servers too")
        },
        ..LISTED_CASE
    },
];

/// Registers an empty server, one with a place left, a full one, and one with a password and a
/// place left, all of them for deathmatch; and checks which of them pass each filter.
fn each_listed(ctx: &TestContext<'_>, filters: &[(u8, &[bool; 4])]) -> Done {
    let client = Doom3Client::new(ctx)?;
    let new = || Doom3Server::new(ctx);
    let servers =
        [new()?.played_by(0), new()?, new()?.played_by(8), new()?.with("si_usepass", "1")];
    ctx.setup(|| servers.iter().try_for_each(Doom3Server::register))?;
    filters.iter().try_for_each(|(filter, expected)| {
        let list = Doom3ListRequest { filter: *filter, ..all(ctx) };
        client.expect_exactly(list, servers.iter().zip(**expected))
    })
}
