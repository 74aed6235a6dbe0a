//! Clients request lists: 001 9.1, 002 "Querying the master server".

use super::NOBODYS;
use super::ends::{Doom3Client, Doom3ListRequest, Doom3Server, all, protocol};
use super::preconditions::{ANSWERS, LISTED};
use crate::conform::{Case, Done, Failure, INFO, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::DOOM3;

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
        requires: "the list is asked for with getServers, a protocol of four bytes and a filter",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            let server = Doom3Server { protocol: voice::FIRST, ..Doom3Server::new(ctx)? };
            ctx.setup(|| server.register())?;
            let list = Doom3ListRequest { protocol: voice::FIRST, ..all(ctx) };
            Doom3Client::new(ctx)?.wait_listed(&server, list).map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/second-document",
        title: "a client sends the four requests of the second document, whose last byte is 0x0A",
        requires: "the game's versions 1.0, 1.1, 1.2 and 1.3 ask so, and the last byte is the filter",
        citation: "002 Querying the master server, 001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            for protocol in [voice::FIRST, voice::SECOND, voice::THIRD, voice::FOURTH] {
                let server = Doom3Server { protocol, ..Doom3Server::new(ctx)? };
                ctx.setup(|| server.register())?;
                client.wait_listed(
                    &server,
                    Doom3ListRequest { protocol, filter: NEWLINE, ..all(ctx) },
                )?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/protocol",
        title: "servers of four versions register; a client of each version asks",
        requires: "the list holds servers of the protocol that the request names, and no others",
        citation: "001 9.1, 002 Querying the master server",
        needs: &[&LISTED],
        run: |ctx| {
            let client = Doom3Client::new(ctx)?;
            let versions = [voice::FIRST, voice::SECOND, voice::THIRD, voice::FOURTH];
            let versions = versions.map(|version| protocol(ctx, version));
            let server = |protocol| Ok(Doom3Server { protocol, ..Doom3Server::new(ctx)? });
            let servers = versions.map(server).into_iter().collect::<Result<Vec<_>, Failure>>()?;
            ctx.setup(|| servers.iter().try_for_each(Doom3Server::register))?;
            for own in &servers {
                let listed = client
                    .wait_listed(own, Doom3ListRequest { protocol: own.protocol, ..all(ctx) })?;
                let others = servers.iter().filter(|other| other.protocol != own.protocol);
                others.into_iter().try_for_each(|other| listed.expect_unlisted(other))?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/nobody",
        title: "a client asks for a protocol that no server has",
        requires: "getServers asks for the list, and is answered where that is empty too",
        citation: "001 9.1",
        needs: &[&ANSWERS],
        run: |ctx| {
            let listed =
                Doom3Client::new(ctx)?.asks(Doom3ListRequest { protocol: NOBODYS, ..all(ctx) })?;
            if listed.servers.is_empty() {
                return Ok(());
            }
            let came = format!("one of {} servers", listed.servers.len());
            Err(Failure::new("an empty list", came).at(&listed.packet))
        },
        ..SHOULD
    },
    Case {
        id: "doom3/getServers/no-filter",
        title: "an empty, a full and two other servers register; a client asks with the filter 0",
        requires: "a filter of zero leaves all servers in, empty and full ones and those with a \
                   password too",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| each_listed(ctx, &[(0, &[true, true, true, true])]),
        ..MUST
    },
    Case {
        id: "doom3/getServers/password",
        title: "a client asks for servers with a password, and for those without",
        requires: "the filter 1 leaves servers with a password in, 2 those without",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            each_listed(
                ctx,
                &[
                    (WITH_PASSWORD, &[false, false, false, true]),
                    (WITHOUT_PASSWORD, &[true, true, true, false]),
                ],
            )
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/not-full",
        title: "a client asks for servers that are not full",
        requires: "the filter 4 leaves full servers out",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| each_listed(ctx, &[(NOT_FULL, &[true, true, false, true])]),
        ..MUST
    },
    Case {
        id: "doom3/getServers/neither-full-nor-empty",
        title: "a client asks for servers that are neither full nor empty",
        requires: "the filter 8 leaves full and empty servers out",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| each_listed(ctx, &[(NEITHER, &[false, true, false, true])]),
        ..MUST
    },
    Case {
        id: "doom3/getServers/game-types",
        title: "a client asks for deathmatch, for tournaments, for team deathmatch",
        requires: "the filters 0x10, 0x20 and 0x30 leave only servers with these rules in",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            let rules = [(DEATHMATCH, "deathmatch"), (TOURNAMENT, "Tourney"), (TEAMS, "Team DM")];
            let client = Doom3Client::new(ctx)?;
            let server = |(_, rules)| Ok(Doom3Server::new(ctx)?.with("si_gameType", rules));
            let servers = rules.map(server).into_iter().collect::<Result<Vec<_>, Failure>>()?;
            ctx.setup(|| servers.iter().try_for_each(Doom3Server::register))?;
            for ((filter, _), own) in rules.iter().zip(&servers) {
                let listed =
                    client.wait_listed(own, Doom3ListRequest { filter: *filter, ..all(ctx) })?;
                let others = servers.iter().filter(|other| other.address() != own.address());
                others.into_iter().try_for_each(|other| listed.expect_unlisted(other))?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/filters-together",
        title: "a client asks for servers without a password that are not full and play deathmatch",
        requires: "the low bits of the filter are about servers, the high ones about rules, and \
                   both hold",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            let filter = WITHOUT_PASSWORD | NOT_FULL | DEATHMATCH;
            each_listed(ctx, &[(filter, &[true, true, false, false])])?;
            let filter = WITHOUT_PASSWORD | NOT_FULL | TEAMS;
            each_listed(ctx, &[(filter, &[false, false, false, false])])
        },
        ..MUST
    },
    Case {
        id: "doom3/getServers/fs-game",
        title: "a client asks for the servers of a modification",
        requires: "the text in front of the filter is the modification whose servers are wanted",
        citation: "001 9.1",
        needs: &[&LISTED],
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
        ..SHOULD
    },
    Case {
        id: "doom3/getServers/capitals",
        title: "a client asks with the command in capitals",
        requires: "the released game compares commands without case; no document says so",
        citation: "001 9.1",
        needs: &[&ANSWERS],
        run: |ctx| {
            let request = [b"\xff\xffGETSERVERS\0", &voice::FOURTH.to_le_bytes()[..], b"\0\0"];
            Doom3Client::new(ctx)?.lists(&request.concat())?;
            ctx.note("it takes commands in capitals");
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "doom3/getServers/another-game",
        title: "a server registers and a client asks with a protocol whose highest bit is set",
        requires: "Quake 4 marks its protocols so; no document says so",
        citation: "001 9.1",
        needs: &[&LISTED],
        run: |ctx| {
            let protocol = ANOTHER_GAME | voice::FOURTH;
            // Without players: those of Quake 4 have another form.
            let server = Doom3Server { protocol, ..Doom3Server::new(ctx)? }.played_by(0);
            ctx.setup(|| server.register())?;
            Doom3Client::new(ctx)?
                .wait_listed(&server, Doom3ListRequest { protocol, ..all(ctx) })?;
            ctx.note("it lists Quake 4's servers too");
            Ok(())
        },
        ..INFO
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
    for (filter, expected) in filters {
        let list = Doom3ListRequest { filter: *filter, ..all(ctx) };
        let both = || servers.iter().zip(*expected);
        for (server, _) in both().filter(|(_, is)| **is) {
            client.wait_listed(server, list)?;
        }
        let listed = client.list(list)?;
        both()
            .filter(|(_, is)| !**is)
            .try_for_each(|(server, _)| listed.expect_unlisted(server))?;
    }
    Ok(())
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.1",
        says: "a client asks the master for servers with getServers, NUL, a protocol, a text and a \
               filter",
        proven: Proven::By(&["doom3/getServers/first-document", "doom3/getServers/nobody"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "002 Querying the master server",
        says: "versions 1.0 to 1.3 ask with the protocols 1.33, 1.35, 1.39 and 1.40, and 0x0A last",
        proven: Proven::By(&["doom3/getServers/second-document"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.1",
        says: "the list holds servers of the protocol that was asked for",
        proven: Proven::By(&["doom3/getServers/protocol"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.1",
        says: "a text stands in front of the filter; the document takes its NUL for a delimiter",
        proven: Proven::By(&["doom3/getServers/fs-game"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.1",
        says: "the filter's low bits ask for a password or none, for servers that are not full, or \
               neither full nor empty",
        proven: Proven::By(&[
            "doom3/getServers/no-filter",
            "doom3/getServers/password",
            "doom3/getServers/not-full",
            "doom3/getServers/neither-full-nor-empty",
        ]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.1",
        says: "its high bits ask for deathmatch, tournaments or team deathmatch",
        proven: Proven::By(&["doom3/getServers/game-types", "doom3/getServers/filters-together"]),
    },
];
