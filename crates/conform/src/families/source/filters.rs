//! Which servers a list has: those of the region for which all conditions hold (document 007). What
//! a condition is compared with is known where the server itself has said it.

use super::preconditions::LISTED_CASE;
use super::roles::{SteamClient, SteamGame, SteamRole, SteamServer};
use crate::families::half_life::lists::{LOADS, ServerChanges, expect_filtered, registered};
use crate::families::half_life::roles::gamedir;
use crate::server::TestRole;
use crate::{Case, Failure};
use simulate::families::half_life::messages::ZERO_ADDRESS;
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/1/region",
        title: "servers of two regions register; clients ask for each region, and for all",
        run: |ctx| {
            let (servers, filter) =
                registered::<SteamGame, _>(ctx, [&[("region", "3")], &[("region", "4")]])?;
            let client = SteamClient::new(ctx)?;
            for (region, expected) in [(0xff, [true, true]), (3, [true, false]), (4, [false, true])]
            {
                let wanted = RegionRequest::Region(region, ServerFilter::Text(&filter));
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
            expect_filtered::<SteamGame, _>(
                ctx,
                servers,
                &[(r"\map\cp_one", [true, false]), (r"\map\cp", [false, false])],
            )
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/noplayers",
        title: "a client asks for servers without players",
        run: |ctx| {
            expect_filtered::<SteamGame, _>(ctx, LOADS, &[(r"\noplayers\1", [true, false, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/dedicated",
        title: "a dedicated server and a player's register; a client asks for dedicated ones",
        run: |ctx| {
            let servers = [&[("type", "d")][..], &[("type", "l")]];
            expect_filtered::<SteamGame, _>(ctx, servers, &[(r"\dedicated\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/proxy",
        title: "a server and a relay for spectators register; a client asks for relays",
        run: |ctx| {
            let servers = [&[("type", "d")][..], &[("type", "p"), ("proxy", "1")]];
            expect_filtered::<SteamGame, _>(ctx, servers, &[(r"\proxy\1", [false, true])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/secure",
        title: "servers with secure 1 and 0 register; a client asks for secure ones",
        run: |ctx| {
            let servers = [&[("secure", "1")][..], &[("secure", "0")]];
            expect_filtered::<SteamGame, _>(ctx, servers, &[(r"\secure\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/linux",
        title: "servers on Linux and on Windows register; a client asks for those on Linux",
        run: |ctx| {
            let servers = [&[("os", "l")][..], &[("os", "w")]];
            expect_filtered::<SteamGame, _>(ctx, servers, &[(r"\linux\1", [true, false])])
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/password",
        title: "servers with a password and without register; a client asks for open ones",
        run: |ctx| {
            let servers = [&[("password", "0")][..], &[("password", "1")]];
            expect_filtered::<SteamGame, _>(ctx, servers, &[(r"\password\0", [true, false])])
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
            expect_filtered::<SteamGame, _>(ctx, servers, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/version-match",
        title: "servers of two versions register; clients ask for one, in full and with stars",
        run: |ctx| {
            let servers = [&[("version", "1.0.0.34")][..], &[("version", "2.0.0.1")]];
            let words: &[_] = &[
                (r"\version_match\1.0.0.34", [true, false]),
                (r"\version_match\2.*", [false, true]),
                (r"\version_match\*.0.*", [true, true]),
                (r"\version_match\*34", [true, false]),
                (r"\version_match\1.*0.0*34", [true, false]),
                (r"\version_match\*0.0*0.0*", [false, false]),
                (r"\version_match\1.0.0", [false, false]),
            ];
            expect_filtered::<SteamGame, _>(ctx, servers, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/gameaddr",
        title: "two servers register; a client asks for the address and port of one",
        run: |ctx| {
            let (servers, filter) = registered::<SteamGame, _>(ctx, [&[], &[]])?;
            let [first, _] = &servers;
            let filter = format!(r"{filter}\gameaddr\{}", first.address());
            let wanted = RegionRequest::everywhere(ServerFilter::Text(&filter));
            SteamClient::new(ctx)?.expect_exactly(wanted, servers.iter().zip([true, false]))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/gameaddr-ip",
        title: "two servers register; a client asks for the address of one without its port",
        requires: "source/1/gameaddr",
        run: |ctx| {
            let (servers, filter) = registered::<SteamGame, _>(ctx, [&[], &[]])?;
            let wanted = servers[0].address().ip();
            let filter = format!(r"{filter}\gameaddr\{wanted}");
            let wanted_servers =
                servers.iter().map(|server| (server, server.address().ip() == wanted));
            let list = RegionRequest::everywhere(ServerFilter::Text(&filter));
            SteamClient::new(ctx)?.expect_exactly(list, wanted_servers)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/collapse",
        title: "two servers of one address register; a client asks for one server of each address",
        run: |ctx| {
            let (first, client) = SteamServer::listed(ctx)?;
            let game = gamedir(&first);
            let end = ctx.server_beside(<SteamRole as TestRole>::SERVICE, &first.end)?;
            let second = SteamServer::at(end).with("gamedir", game);
            ctx.setup(|| {
                second.register()?;
                client.wait_listed(&second, second.list())?.expect_listed(&first)
            })?;
            let filter = format!(r"\gamedir\{game}\collapse_addr_hash\1");
            let list = RegionRequest::everywhere(ServerFilter::Text(&filter));
            let listed = client.request(list)?;
            match [&first, &second].into_iter().filter(|one| listed.has(*one)).count() {
                1 => Ok(()),
                count => Err(Failure::new("one of the two servers", format!("{count} of them"))),
            }
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
            expect_filtered::<SteamGame, _>(ctx, MAPS, words)
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/1/nor-gamedir",
        title: "servers of two gamedirs register; a client asks with a nor of one gamedir",
        requires: "source/1/nor",
        run: |ctx| {
            let map = ctx.game();
            let server = || Ok::<_, Failure>(SteamServer::new(ctx)?.with("map", &map));
            let servers = [server()?, server()?];
            let client = SteamClient::new(ctx)?;
            ctx.setup(|| servers.iter().try_for_each(SteamServer::register))?;
            let all = format!(r"\map\{map}");
            let asked = |words: &str, expected: [bool; 2]| {
                let list = RegionRequest::everywhere(ServerFilter::Text(words));
                client.expect_exactly(list, servers.iter().zip(expected))
            };
            ctx.setup(|| asked(&all, [true, true]))?;
            let [first, _] = &servers;
            let game = gamedir(first);
            asked(&format!(r"{all}\nor\1\gamedir\{game}"), [false, true])
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
            expect_filtered::<SteamGame, _>(ctx, MAPS, words)
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
                client.wait_listed(&server, RegionRequest::everywhere(ServerFilter::Text(&filter)))
            })?;
            let has = |word: &str| {
                let filter = format!(r"\gamedir\tf\map\{map}{word}");
                let listed = client.request_any(
                    &RegionRequest::everywhere(ServerFilter::Text(&filter)).behind(ZERO_ADDRESS),
                )?;
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

/// Servers with three maps; the first has no players.
const MAPS: [&ServerChanges; 3] =
    [&[("map", "cp_one"), ("players", "0")], &[("map", "cp_two")], &[("map", "cp_three")]];
