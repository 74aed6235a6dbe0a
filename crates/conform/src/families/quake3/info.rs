//! The required contents of an answer: 004 3) infoResponse, 001 1.2.2.

use super::LISTS;
use super::preconditions::{EXTENDED_ANSWERED, GAME_LISTED_CASE, LISTED_CASE};
use super::roles::{
    Quake3Client, Quake3Role, Quake3Server, all, if_listed, is_refused, named_game, named_protocol,
    next_protocol, of_game, own_game,
};
use crate::shared::registration;
use crate::{CASE, Case, Done, Failure, TestContext};
use protocols::quake3::DARKPLACES;
use simulate::families::quake3::messages::{self, Quake3ListRequest};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/infoResponse/no-gamename",
        title: "a Quake III server answers without the name of a game",
        run: registration::registers::<Quake3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "quake3/infoResponse/other-keys",
        title: "a server answers with keys that no master needs, before and after the others",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::new(ctx)?;
            let first =
                simulate::ServerInfo::from_pairs(&[("punkbuster", "0"), ("hostname", "two words")]);
            let others = server.info.clone().without("hostname").without("mapname");
            let more = others.pairs().fold(first, |all, (key, value)| all.with(key, value));
            let info = more.with("mapname", "q3dm17").with("gametype", "0");
            let server = Quake3Server { info, ..server };
            server.register()?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/protocol-missing",
        title: "a server answers without its protocol",
        run: |ctx| lacking(ctx, "protocol"),
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/sv-maxclients-missing",
        title: "a server answers without sv_maxclients",
        run: |ctx| lacking(ctx, "sv_maxclients"),
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/clients-missing",
        title: "a server answers without clients",
        run: |ctx| lacking(ctx, "clients"),
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-missing",
        title: "a server of a game that names itself answers without gamename",
        run: |ctx| {
            let list = all(ctx);
            let server = Quake3Server::darkplaces(ctx, "x")?.without("gamename");
            let server = server.with("protocol", &list.protocol.to_string());
            let named = [messages::DARKPLACES, DARKPLACES.id, "DarkPlaces-Quake"];
            let lists = named.map(|game| Quake3ListRequest { game, ..list });
            is_refused(&server, &[&lists[..], &[list]].concat())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/no-places",
        title: "a server answers with the value 0 of sv_maxclients",
        run: |ctx| {
            let game = named_game(ctx);
            let server = Quake3Server::darkplaces(ctx, &game)?.with("sv_maxclients", "0");
            is_refused(&server, &[of_game(ctx, &game)])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/no-numbers",
        title: "servers answer with values of protocol, sv_maxclients and clients that are no numbers",
        run: |ctx| {
            let values: [(&str, &[&str]); 3] = [
                ("protocol", &["4TheFun", "", "three"]),
                ("sv_maxclients", &["", "eight", "-8"]),
                ("clients", &["", "one", "-1"]),
            ];
            for (key, values) in values {
                let mut listed = Vec::new();
                for value in values {
                    if is_listed_with(ctx, key, value)? {
                        listed.push(format!("\"{value}\""));
                    }
                }
                let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
                ctx.note(format!("{key}: {listed} listed"));
            }
            Ok(())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/protocol-no-number",
        title: "servers answer with values of protocol that begin with a digit or are no number",
        run: |ctx| {
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            for value in ["4TheFun", "three", "", "3 4"] {
                let server = Quake3Server::darkplaces(ctx, &game)?.with("protocol", value);
                ctx.setup(|| server.register())?;
                for protocol in [3, 4, 0] {
                    let listed = Quake3ListRequest { protocol, ..of_game(ctx, &game) };
                    client.expect_unlisted(&server, listed)?;
                }
            }
            Ok(())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/odd-protocols",
        title: "servers answer that their protocols are -1, 0, 1 and 70000; clients ask for them",
        run: |ctx| {
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            let mut servers = Vec::new();
            for protocol in [-1, 0, 1, 70_000] {
                if_listed(ctx, protocol)?;
                let server = Quake3Server::darkplaces(ctx, &game)?;
                let server = server.with("protocol", &protocol.to_string());
                ctx.setup(|| server.register())?;
                let list = Quake3ListRequest { protocol, ..of_game(ctx, &game) };
                let of = |failure: Failure| Failure {
                    expected: format!("{} (protocol {protocol})", failure.expected),
                    ..failure
                };
                let listed = client.wait_listed(&server, list).map_err(of)?;
                let came = format!("one that holds it, for protocol {protocol}");
                servers.iter().try_for_each(|other| listed.expect_absent(other, &came))?;
                servers.push(server);
            }
            Ok(())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-with-space",
        title: "a server names its game with a space in it",
        run: |ctx| {
            let game = named_game(ctx);
            let server = Quake3Server::darkplaces(ctx, &format!("{game} x"))?;
            is_refused(&server, &[of_game(ctx, &game)])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-with-digit",
        title: "a server names its game with a digit in front",
        run: |ctx| {
            let game = format!("4{}", own_game(ctx)?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(ctx, &game)).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-too-long",
        title: "a server names its game with 64 characters",
        run: |ctx| {
            let game = format!("{:x<64}", own_game(ctx)?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            client.expect_unlisted(&server, of_game(ctx, &game))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/gamename-long",
        title: "a server names its game with 63 characters",
        run: |ctx| {
            let game = format!("{:x<63}", own_game(ctx)?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(ctx, &game)).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getserversExt/game",
        decides: &["dpmaster/extended-answered"],
        title: "a client asks for the servers of its game with getserversExt",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            // Where the target lists one game alone, no server of another one can be there.
            let other = own_game(ctx).ok().map(|game| Quake3Server::darkplaces(ctx, &game));
            let other = other.transpose()?;
            ctx.setup(|| {
                server.register()?;
                other.iter().try_for_each(Quake3Server::register)
            })?;
            ctx.until(|| {
                let listed = client.request_bytes(&server.list().extended())?;
                listed.expect_listed(&server)?;
                other.iter().try_for_each(|other| listed.expect_unlisted(other))
            })
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getserversExt/ipv4",
        title: "a client asks for IPv4 servers alone, then for IPv6 servers alone",
        needs: &[&EXTENDED_ANSWERED],
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            let [mine, other] =
                if ctx.is_over_ipv4() { ["ipv4", "ipv6"] } else { ["ipv6", "ipv4"] };
            let words = |family: &str| format!("empty full {family}");
            ctx.until(|| {
                let list = Quake3ListRequest { words: &words(mine), ..server.list() };
                client.request_bytes(&list.extended())?.expect_listed(&server)
            })?;
            let list = Quake3ListRequest { words: &words(other), ..server.list() };
            client.request_any(&list.extended())?.expect_unlisted(&server)
        },
        ..CASE
    },
    Case {
        id: "dpmaster/getserversExt/both-families",
        title: "a client asks for servers of both families, of which there is one each, and of each \
                family alone",
        needs: &[&EXTENDED_ANSWERED],
        run: |ctx| {
            let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
            let one = Quake3Server::darkplaces(ctx, &game)?;
            let end = ctx.server_of_other_family(LISTS)?;
            let other = Quake3Server { end, ..Quake3Server::darkplaces(ctx, &game)? };
            ctx.setup(|| {
                one.register()?;
                other.register()
            })?;
            ctx.until(|| {
                let list =
                    Quake3ListRequest { words: "empty full ipv4 ipv6", ..of_game(ctx, &game) };
                let listed = client.request_bytes(&list.extended())?;
                listed.expect_listed(&one)?;
                listed.expect_listed(&other)
            })?;
            // Without these words a list has both.
            let listed = client.request_bytes(&of_game(ctx, &game).extended())?;
            listed.expect_listed(&one)?;
            listed.expect_listed(&other)?;
            let [mine, its] = if ctx.is_over_ipv4() { ["ipv4", "ipv6"] } else { ["ipv6", "ipv4"] };
            for (family, there, absent) in [(mine, &one, &other), (its, &other, &one)] {
                let words = &format!("empty full {family}");
                let list = Quake3ListRequest { words, ..of_game(ctx, &game) };
                let listed = client.request_bytes(&list.extended())?;
                listed.expect_listed(there)?;
                listed.expect_unlisted(absent)?;
            }
            // A getserversResponse has no record for IPv6 addresses.
            let plain = client.request_any(&of_game(ctx, &game).plain())?;
            let six = if ctx.is_over_ipv4() { &other } else { &one };
            plain.expect_unlisted(six)
        },
        ..CASE
    },
    Case {
        id: "dpmaster/getserversExt/no-game",
        title: "a client sends a getserversExt with a protocol and no game",
        run: |ctx| {
            let (_server, client) = Quake3Server::listed(ctx)?;
            let packets = client.end.request_all(&all(ctx).extended())?;
            let text = match packets.len() {
                0 => "it is not answered".to_owned(),
                count => format!("it is answered with {count} packets"),
            };
            ctx.report(text)
        },
        ..LISTED_CASE
    },
];

/// A server of a game that names itself, whose infoResponse lacks one key.
fn lacking(ctx: &TestContext<'_>, key: &str) -> Done {
    let game = named_game(ctx);
    let server = Quake3Server::darkplaces(ctx, &game)?.without(key);
    let protocols = [named_protocol(ctx), 68, 0, 1];
    is_refused(
        &server,
        &protocols.map(|protocol| Quake3ListRequest { protocol, ..of_game(ctx, &game) }),
    )
}

/// Whether a server with this value of a key is listed.
fn is_listed_with(ctx: &TestContext<'_>, key: &str, value: &str) -> Result<bool, Failure> {
    let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
    let server = Quake3Server::darkplaces(ctx, &game)?.with(key, value);
    ctx.setup(|| server.register())?;
    for protocol in [named_protocol(ctx), 0, next_protocol(ctx)] {
        let list = Quake3ListRequest { protocol, ..of_game(ctx, &game) };
        if client.expect_unlisted(&server, list).is_err() {
            return Ok(true);
        }
    }
    Ok(false)
}
