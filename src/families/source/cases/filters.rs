//! Which servers a list has: those of the region for which all conditions hold (document 007). What
//! a condition is compared with is known where the server itself has said it.

use super::preconditions::LISTED_CASE;
use super::roles::{SteamClient, SteamServer, Wanted};
use crate::conform::{Case, Done, Failure, TestContext};

/// A server's settings besides the usual ones.
type ServerChanges = [(&'static str, &'static str)];

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/1/gamedir",
        title: "servers of two folders register; a client asks for those of one",
        run: |ctx| {
            let ((server, client), (stranger, _)) =
                (SteamServer::listed(ctx)?, SteamServer::listed(ctx)?);
            client.wait_listed(&server, server.list())?.expect_unlisted(&stranger)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/region",
        title: "servers of two regions register; clients ask for each region, and for all",
        run: |ctx| {
            let (servers, filter) = registered(ctx, [&[("region", "3")], &[("region", "4")]])?;
            let client = SteamClient::new(ctx)?;
            for (region, expected) in [(0xff, [true, true]), (3, [true, false]), (4, [false, true])]
            {
                let wanted = Wanted { region, filter: &filter };
                client.expect_exactly(wanted, servers.iter().zip(expected))?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/map",
        title: "servers with two maps register; a client asks for one map",
        run: |ctx| {
            let servers = [&[("map", "cp_one")][..], &[("map", "cp_two")]];
            expect(ctx, servers, &[(r"\map\cp_one", [true, false]), (r"\map\cp", [false, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/empty-and-full",
        title: "a client asks for servers that are not empty, and for those that are not full",
        run: |ctx| {
            let words: &[_] = &[
                ("", [true, true, true]),
                (r"\empty\1", [false, true, true]),
                (r"\full\1", [true, true, false]),
                (r"\empty\1\full\1", [false, true, false]),
            ];
            expect(ctx, LOADS, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/noplayers",
        title: "a client asks for servers without players",
        run: |ctx| expect(ctx, LOADS, &[(r"\noplayers\1", [true, false, false])]),
        ..LISTED_CASE
    },
    Case {
        id: "source/1/dedicated",
        title: "a dedicated server and a player's register; a client asks for dedicated ones",
        run: |ctx| {
            let servers = [&[("type", "d")][..], &[("type", "l")]];
            expect(ctx, servers, &[(r"\dedicated\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/proxy",
        title: "a server and a relay for spectators register; a client asks for relays",
        run: |ctx| {
            let servers = [&[("type", "d")][..], &[("type", "p"), ("proxy", "1")]];
            expect(ctx, servers, &[(r"\proxy\1", [false, true])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/secure",
        title: "servers with secure 1 and 0 register; a client asks for secure ones",
        run: |ctx| {
            let servers = [&[("secure", "1")][..], &[("secure", "0")]];
            expect(ctx, servers, &[(r"\secure\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/linux",
        title: "servers on Linux and on Windows register; a client asks for those on Linux",
        run: |ctx| {
            let servers = [&[("os", "l")][..], &[("os", "w")]];
            expect(ctx, servers, &[(r"\linux\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/password",
        title: "servers with a password and without register; a client asks for open ones",
        run: |ctx| {
            let servers = [&[("password", "0")][..], &[("password", "1")]];
            expect(ctx, servers, &[(r"\password\0", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/gametype",
        title: "servers with several tags register; a client asks for one tag, and for two",
        run: |ctx| {
            let servers = [&[("gametype", "alltalk,cp")][..], &[("gametype", "cp,nocrits")]];
            let words: &[_] = &[
                (r"\gametype\cp", [true, true]),
                (r"\gametype\alltalk", [true, false]),
                (r"\gametype\cp,nocrits", [false, true]),
                (r"\gametype\alltalk,nocrits", [false, false]),
            ];
            expect(ctx, servers, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/version-match",
        title: "servers of two versions register; a client asks for one, in full and with a star",
        run: |ctx| {
            let servers = [&[("version", "1.0.0.34")][..], &[("version", "2.0.0.1")]];
            let words: &[_] = &[
                (r"\version_match\1.0.0.34", [true, false]),
                (r"\version_match\2.*", [false, true]),
            ];
            expect(ctx, servers, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/gameaddr",
        title: "two servers register; a client asks for the address and port of one",
        run: |ctx| {
            let (servers, filter) = registered(ctx, [&[], &[]])?;
            let [first, _] = &servers;
            let filter = format!(r"{filter}\gameaddr\{}", first.address());
            let wanted = Wanted::everywhere(&filter);
            SteamClient::new(ctx)?.expect_exactly(wanted, servers.iter().zip([true, false]))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/nor",
        title: "servers with three maps register; a client asks with a nor of two maps, and one of \
                a map before a condition",
        run: |ctx| {
            let words: &[_] = &[
                (r"\nor\2\map\cp_one\map\cp_two", [false, false, true]),
                (r"\nor\1\map\cp_one\map\cp_two", [false, true, false]),
            ];
            expect(ctx, MAPS, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/nand",
        title: "servers with three maps, one of them empty, register; a client asks with a nand of \
                a map and noplayers",
        run: |ctx| {
            let words: &[_] = &[
                (r"\nand\2\map\cp_one\noplayers\1", [false, true, true]),
                (r"\nand\2\map\cp_two\noplayers\1", [true, true, true]),
            ];
            expect(ctx, MAPS, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/appid",
        title: "a server of Team Fortress 2's folder registers; clients ask for its application \
                440, and for any other",
        run: |ctx| {
            let map = ctx.game();
            let server = SteamServer::new(ctx)?.with("gamedir", "tf").with("map", &map);
            let client = SteamClient::new(ctx)?;
            ctx.setup(|| {
                server.register()?;
                let filter = format!(r"\gamedir\tf\map\{map}");
                client.wait_listed(&server, Wanted::everywhere(&filter))
            })?;
            let has = |word: &str| {
                let filter = format!(r"\gamedir\tf\map\{map}{word}");
                let listed = client.request_any(&Wanted::everywhere(&filter).behind(ZERO))?;
                Ok::<_, Failure>(if listed.has(&server) { "listed" } else { "not listed" })
            };
            ctx.report(format!(
                "with appid {}, with napp {}",
                has(r"\appid\440")?,
                has(r"\napp\440")?
            ))
        },
        ..LISTED_CASE
    },
];

const ZERO: std::net::SocketAddr = super::roles::ZERO_ADDRESS;
/// Servers without players, with one, and without a free place.
const LOADS: [&ServerChanges; 3] = [
    &[("players", "0"), ("max", "6")],
    &[("players", "1"), ("max", "6")],
    &[("players", "6"), ("max", "6")],
];
/// Servers with three maps; the first has no players.
const MAPS: [&ServerChanges; 3] =
    [&[("map", "cp_one"), ("players", "0")], &[("map", "cp_two")], &[("map", "cp_three")]];

/// Registered servers of one folder with these settings, and its filter.
fn registered<'s, const N: usize>(
    ctx: &'s TestContext<'_>,
    settings: [&ServerChanges; N],
) -> Result<([SteamServer<'s>; N], String), Failure> {
    let game = ctx.game();
    let mut servers = Vec::new();
    for settings in settings {
        let server = SteamServer::new(ctx)?.with("gamedir", &game);
        servers.push(settings.iter().fold(server, |server, (key, value)| server.with(key, value)));
    }
    ctx.setup(|| servers.iter().try_for_each(SteamServer::register))?;
    let servers = servers.try_into().map_err(|_| Failure::error("a server is missing"))?;
    Ok((servers, format!(r"\gamedir\{game}")))
}

/// Of servers with these settings, each of these filters lists exactly the expected ones.
fn expect<const N: usize>(
    ctx: &TestContext<'_>,
    settings: [&ServerChanges; N],
    filters: &[(&str, [bool; N])],
) -> Done {
    let (servers, folder) = registered(ctx, settings)?;
    let client = SteamClient::new(ctx)?;
    // All of them are listed, so a filter leaves out whoever is missing.
    ctx.setup(|| {
        let all = servers.iter().map(|server| (server, true));
        client.expect_exactly(Wanted::everywhere(&folder), all)
    })?;
    for (words, expected) in filters {
        let filter = format!("{folder}{words}");
        client.expect_exactly(Wanted::everywhere(&filter), servers.iter().zip(*expected))?;
    }
    Ok(())
}
