//! What an answer has to hold: 004 3) infoResponse, 001 1.2.2.

use super::LISTS;
use super::ends::{ALL, Client, Server, is_refused, of_game};
use crate::conform::{Case, Done, Failure, INFO, MUST, SHOULD, TestContext};
use crate::peer::voice::quake3::{self as voice, List};
use crate::proto::quake3::DARKPLACES;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/infoResponse/no-gamename",
        title: "a Quake III server answers without the name of a game",
        requires: "all but Quake III's servers have to name their game",
        citation: "001 1.2.2, 004 3) infoResponse",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/infoResponse/other-keys",
        title: "a server answers with keys that no master needs, before and behind the others",
        requires: "servers of different versions tell more or fewer variables",
        citation: "001 1.2.2",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::quake3(ctx)?;
            let persona = voice::persona("68");
            let more = persona.pairs().fold(
                crate::peer::voice::Persona::of(&[("punkbuster", "0"), ("hostname", "two words")]),
                |all, (key, value)| all.with(key, value),
            );
            let persona = more.with("mapname", "q3dm17").with("gametype", "0");
            let server = Server { persona, ..server };
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/protocol-missing",
        title: "a server answers without its protocol",
        requires: "the answer has to hold the protocol",
        citation: "004 3) infoResponse",
        run: |ctx| lacking(ctx, "protocol"),
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/sv-maxclients-missing",
        title: "a server answers without the number of its places",
        requires: "the answer has to hold sv_maxclients",
        citation: "004 3) infoResponse",
        run: |ctx| lacking(ctx, "sv_maxclients"),
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/clients-missing",
        title: "a server answers without the number of its players",
        requires: "the answer has to hold clients",
        citation: "004 3) infoResponse",
        run: |ctx| lacking(ctx, "clients"),
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/gamename-missing",
        title: "a server of DarkPlaces' kind answers without the name of its game",
        requires: "except for Quake III the answer has to hold gamename",
        citation: "004 3) infoResponse",
        run: |ctx| {
            let server = Server::darkplaces(ctx, "x")?.without("gamename").with("protocol", "68");
            let named = [voice::DARKPLACES, DARKPLACES.id, "DarkPlaces-Quake"];
            let lists = named.map(|game| List { game, ..ALL });
            is_refused(&server, &[&lists[..], &[ALL]].concat())
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/no-places",
        title: "a server answers that it has no places for players",
        requires: "sv_maxclients must not be 0",
        citation: "004 3) infoResponse",
        run: |ctx| wrong(ctx, "sv_maxclients", &["0"]),
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/no-numbers",
        title: "servers answer with words where numbers belong",
        requires: "protocol, sv_maxclients and clients are numbers",
        citation: "004 3) infoResponse",
        run: |ctx| {
            wrong(ctx, "protocol", &["4TheFun", "", "three"])?;
            wrong(ctx, "sv_maxclients", &["", "eight", "-8"])?;
            wrong(ctx, "clients", &["", "one", "-1"])
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/infoResponse/odd-protocols",
        title: "servers answer that their protocols are -1, 0 and 1",
        requires: "the documents set no bounds to a protocol's number",
        citation: "004 3) infoResponse",
        run: |ctx| {
            let (game, client) = (ctx.game(), Client::new(ctx)?);
            for protocol in [-1, 0, 1] {
                let server = Server::darkplaces(ctx, &game)?;
                let server = server.with("protocol", &protocol.to_string());
                server.register()?;
                let listed = client.asks(List { protocol, ..of_game(&game) })?;
                let is =
                    if listed.expect_listed(&server).is_ok() { "listed" } else { "not listed" };
                ctx.note(format!("protocol {protocol}: {is}"));
            }
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "dpmaster/infoResponse/gamename-with-space",
        title: "a server names its game with a space in it",
        requires: "the name stands in front of a blank in requests, so no blank is part of it",
        citation: "004 4) getservers",
        run: |ctx| {
            let game = ctx.game();
            let server = Server::darkplaces(ctx, &format!("{game} x"))?;
            is_refused(&server, &[of_game(&game)])
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/gamename-with-digit",
        title: "a server names its game with a digit in front",
        requires: "what follows getservers and is a number is a protocol, so no name begins like one",
        citation: "004 4) getservers",
        run: |ctx| {
            let game = format!("4{}", ctx.game());
            let server = Server::darkplaces(ctx, &game)?;
            is_refused(&server, &[of_game(&game)])
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/infoResponse/gamename-too-long",
        title: "a server names its game with 64 characters",
        requires: "dpmaster's names have 63 characters at most",
        citation: "dpmaster's, in no document",
        run: |ctx| {
            let game = format!("{:x<64}", ctx.game());
            let server = Server::darkplaces(ctx, &game)?;
            is_refused(&server, &[of_game(&game)])
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/infoResponse/gamename-long",
        title: "a server names its game with 63 characters",
        requires: "dpmaster's names have 63 characters at most",
        citation: "dpmaster's, in no document",
        run: |ctx| {
            let game = format!("{:x<63}", ctx.game());
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game)).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/limits/servers-of-an-address",
        title: "one machine registers one server more than an address may have",
        requires: "dpmaster lists 32 servers of an address at most",
        citation: "dpmaster's, in no document",
        run: |ctx| {
            let most = ctx.assumed().settings().max_per_address;
            if most > 256 || !ctx.is_wide() {
                let why = format!("{most} servers of one address are too many to be tried here");
                return Err(Failure::skipped(why));
            }
            let (game, client) = (ctx.game(), Client::new(ctx)?);
            let first = Server::darkplaces(ctx, &game)?;
            let beside = || {
                let end = ctx.server_beside(LISTS, &first.end)?;
                Ok(Server { end, tag: first.tag, persona: first.persona.clone() })
            };
            let others: Result<Vec<_>, Failure> = (1..most).map(|_| beside()).collect();
            let others = others?;
            // One that is not listed, for its answer came too late, would leave room for the last.
            ctx.until(|| {
                let listed = client.asks(of_game(&game))?;
                let mut all = Ok(());
                for server in others.iter().chain([&first]) {
                    if let Err(failure) = listed.expect_listed(server) {
                        server.register()?;
                        all = Err(failure);
                    }
                }
                all
            })?;
            let last = beside()?;
            last.send_heartbeat()?;
            ctx.sync(LISTS)?;
            for asked in last.end.drain()? {
                let answer = voice::answer(&last.persona, &asked.bytes);
                last.end.send_bytes(&answer.unwrap_or_default())?;
            }
            client.asks(of_game(&game))?.expect_unlisted(&last)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getserversExt/game",
        title: "a client asks for the servers of its game with getserversExt",
        requires: "a getserversExt is answered by a getserversExtResponse of the game's servers",
        citation: "dpmaster's and ioquake3's, in no document",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            let other = Server::darkplaces(ctx, &ctx.game())?;
            server.register()?;
            other.register()?;
            ctx.until(|| {
                let listed = client.asks_extended(of_game(&game))?;
                listed.expect_listed(&server)?;
                listed.expect_unlisted(&other)
            })
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getserversExt/ipv4",
        title: "a client asks for servers with IPv4 addresses alone, then for others alone",
        requires: "the words ipv4 and ipv6 say which addresses are asked for",
        citation: "dpmaster's and ioquake3's, in no document",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            let [mine, other] =
                if ctx.is_over_ipv4() { ["ipv4", "ipv6"] } else { ["ipv6", "ipv4"] };
            let words = |family: &str| format!("empty full {family}");
            ctx.until(|| {
                let list = List { words: &words(mine), ..of_game(&game) };
                client.asks_extended(list)?.expect_listed(&server)
            })?;
            let list = List { words: &words(other), ..of_game(&game) };
            client.asks_extended(list)?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getserversExt/both-families",
        title: "a client asks for servers of both families, of which there is one each",
        requires: "a record of an IPv6 address is a slash, sixteen bytes and the port",
        citation: "dpmaster's and ioquake3's, in no document",
        run: |ctx| {
            let (game, client) = (ctx.game(), Client::new(ctx)?);
            let one = Server::darkplaces(ctx, &game)?;
            let end = ctx.server_of_other_family(LISTS)?;
            let other = Server { end, ..Server::darkplaces(ctx, &game)? };
            one.register()?;
            other.register()?;
            ctx.until(|| {
                let list = List { words: "empty full ipv4 ipv6", ..of_game(&game) };
                let listed = client.asks_extended(list)?;
                listed.expect_listed(&one)?;
                listed.expect_listed(&other)
            })?;
            // The old form has no room for it.
            client.asks(of_game(&game))?.expect_unlisted(&other)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getserversExt/no-game",
        title: "a client sends a getserversExt with a protocol and no game",
        requires: "no document says what that means",
        citation: "dpmaster's and ioquake3's, in no document",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            let packets = client.0.request_all(&ALL.extended())?;
            let told = match packets.len() {
                0 => "it is not answered".to_owned(),
                count => format!("it is answered with {count} packets"),
            };
            ctx.note(told);
            Ok(())
        },
        ..INFO
    },
];

/// A server of DarkPlaces' kind that keeps silent of one key.
fn lacking(ctx: &TestContext<'_>, key: &str) -> Done {
    let game = ctx.game();
    let server = Server::darkplaces(ctx, &game)?.without(key);
    let protocols = [3, 68, 0, 1];
    is_refused(&server, &protocols.map(|protocol| List { protocol, ..of_game(&game) }))
}

/// Servers of DarkPlaces' kind that each say something wrong.
fn wrong(ctx: &TestContext<'_>, key: &str, values: &[&str]) -> Done {
    for value in values {
        let game = ctx.game();
        let server = Server::darkplaces(ctx, &game)?.with(key, value);
        let protocols = [3, 0, 4];
        is_refused(&server, &protocols.map(|protocol| List { protocol, ..of_game(&game) }))?;
    }
    Ok(())
}
