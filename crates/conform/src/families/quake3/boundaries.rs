//! Both sides of what separates servers in lists: protocols, numbers of players, game types and
//! names of games (001 1.1.1, 004 3) infoResponse, 4) getservers).

use std::time::Duration;

use super::LISTS;
use super::preconditions::{GAME_LISTED_CASE, LISTED_CASE};
use super::roles::{
    Quake3Client, Quake3Server, all, if_listed, named_game, next_protocol, of_game, of_protocol,
    own_game,
};
use crate::shared::boundaries;
use crate::{Case, Done, Failure, TestContext};
use protocols::quake3::game_of;
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// The longest game type of a server, in characters.
const LONGEST_GAMETYPE: usize = 31;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getservers/neighbours",
        title: "a client asks for the protocols beside that of a server, and for others with its \
                digits",
        requires: "quake3/getservers/protocol",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            let list = all(ctx);
            let own = list.protocol;
            let others = [own - 1, own + 1, own / 10, own * 10, own + 256, own + 65_536, -own];
            for protocol in others {
                expect_none(&client, &server, Quake3ListRequest { protocol, ..list })?;
            }
            client.wait_listed(&server, list).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/last-place",
        title: "servers with one free place, and with none, of 1, 8 and 64 places; clients ask \
                with neither word, with empty and with full",
        requires: "quake3/getservers/full",
        run: last_place,
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/similar-words",
        title: "a client asks with words that begin as empty and full do, and with both in capitals",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = |clients: &str| Ok(Quake3Server::new(ctx)?.with("clients", clients));
            let (open, empty, full) = (server("1")?, server("0")?, server("8")?);
            for server in [&open, &empty, &full] {
                client.setup_listed(server, all(ctx))?;
            }
            for words in ["emptyx fullx", "emp ful", "xempty xfull", "EMPTY FULL"] {
                let list = Quake3ListRequest { words, ..all(ctx) };
                let listed = client.wait_listed(&open, list)?;
                listed
                    .expect_absent(&empty, &format!("one with an empty server for \"{words}\""))?;
                listed.expect_absent(&full, &format!("one with a full server for \"{words}\""))?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/odd-addresses",
        title: "servers register whose addresses and ports look like separators and end marks",
        requires: "quake3/getserversResponse/backslash-in-address",
        run: |ctx| boundaries::listed_at::<Quake3Server<'_>>(ctx, boundaries::ODD),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/high-addresses",
        title: "servers register whose addresses have bytes above 127",
        requires: "quake3/getserversResponse/records",
        run: |ctx| boundaries::listed_at::<Quake3Server<'_>>(ctx, boundaries::HIGH),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/one-port",
        title: "servers of one port register whose addresses differ in one byte",
        requires: "quake3/getserversResponse/doubles",
        run: |ctx| boundaries::listed_at::<Quake3Server<'_>>(ctx, boundaries::ONE_PORT),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/one-machine",
        title: "three servers of one address register, and one of them again",
        requires: "quake3/getserversResponse/doubles",
        run: |ctx| boundaries::of_one_machine::<Quake3Server<'_>>(ctx),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/heartbeat/new-protocol",
        title: "a listed server answers with another protocol after its next heartbeat",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            let (old, new) = (all(ctx), of_protocol(ctx, 66));
            if_listed(ctx, new.protocol)?;
            let server = server.with("protocol", &new.protocol.to_string());
            server.send_heartbeat()?;
            let request = ctx.setup(|| server.recv_challenge())?;
            let too_soon = "one without it, before it has answered";
            let listed = client.request(old)?;
            if !listed.has(&server) {
                let what = format!("a list that holds {}", server.address());
                return Err(Failure::new(what, too_soon));
            }
            server.answer_request(&request)?;
            client.wait_listed(&server, new)?;
            client
                .request_any(&client.encode(old))?
                .expect_absent(&server, "one that holds it, by the protocol that it had before")
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/gametype",
        title: "a client asks with gametype=tdm, and with gametype=classicduel; servers have these \
                types and others like them",
        run: |ctx| {
            let types = ["tdm", "td", "tdmx", "xtdm", "TDM", "0"];
            game_types(ctx, "gametype=tdm", &types)?;
            game_types(ctx, "gametype=classicduel", &["classicduel", "classicd"])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/gametype-long",
        title: "servers have a game type of 31 characters and its first 30; clients ask for each",
        requires: "dpmaster/getservers/gametype",
        run: |ctx| {
            let long = "longest".repeat(5).chars().take(LONGEST_GAMETYPE).collect::<String>();
            let shorter = long.get(..LONGEST_GAMETYPE - 1).unwrap_or_default();
            game_types(ctx, &format!("gametype={long}"), &[&long, shorter])?;
            game_types(ctx, &format!("gametype={shorter}"), &[shorter, &long])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getserversResponse/named-once",
        title: "a Quake III server names its game too; a client asks for its protocol",
        requires: "quake3/getserversResponse/doubles",
        run: |ctx| {
            own_game(ctx)?;
            let game = game_of(68).unwrap_or_default();
            let server = Quake3Server::new(ctx)?.with("gamename", game);
            let client = Quake3Client::new(ctx)?;
            client.setup_listed(&server, all(ctx))?.expect_listed_once(&server)?;
            client.request(all(ctx))?.expect_listed_once(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/gametype-number",
        title: "a client asks with gametype=1; servers have this type and others with its digit",
        requires: "dpmaster/getservers/gametype",
        run: |ctx| game_types(ctx, "gametype=1", &["1", "10", "11", "-1", "01", "0", "3", "4"]),
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/gametype-words",
        title: "clients ask with ffa, tourney, team and ctf; servers have all types",
        requires: "dpmaster/getservers/gametype",
        run: |ctx| {
            game_types(ctx, "ffa", &["0", "1", "2", "3", "4", "00"])?;
            game_types(ctx, "tourney", &["1", "0", "3", "4", "10"])?;
            game_types(ctx, "team", &["3", "0", "1", "4", "30"])?;
            game_types(ctx, "ctf", &["4", "0", "1", "3", "40"])
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/no-gametype",
        title: "a server answers without gametype; clients ask with ffa and with tourney",
        run: |ctx| {
            let (server, client) =
                Quake3Server::named(ctx)?.without("gametype").with_client(ctx)?;
            let with = |words| Quake3ListRequest { words, ..server.list() };
            client.wait_listed(&server, with("empty full ffa"))?;
            client.wait_listed(&server, with("empty full gametype=0"))?;
            client.expect_unlisted(&server, with("empty full tourney"))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/similar-games",
        title: "a client asks for games whose names begin like a server's, are longer, or are \
                spelled in capitals",
        requires: "dpmaster/getservers/game",
        run: |ctx| {
            let assumed = ctx.assumed().game().name.clone();
            let game = assumed.unwrap_or_else(|| format!("{}Name", ctx.game()));
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::darkplaces(ctx, &game)?;
            client.setup_listed(&server, of_game(ctx, &game))?;
            let (_, cut) = game.split_at(1);
            let short = game.get(..game.len() - 1).unwrap_or_default();
            let longer = format!("{game}s");
            let [upper, lower] = [game.to_uppercase(), game.to_lowercase()];
            let others = [short, &longer, cut, &upper, &lower].into_iter();
            for other in others.filter(|other| *other != game) {
                expect_none(&client, &server, of_game(ctx, other))?;
                let extended = client.request_any(&of_game(ctx, other).extended())?;
                extended.expect_absent(&server, &format!("one that holds it, for {other}"))?;
            }
            Ok(())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/new-state",
        title: "a listed server answers with another protocol, then with another name of the game, \
                then with another game type",
        run: new_state,
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/wrong-renewal",
        title: "a listed server answers with a wrong challenge and another protocol",
        requires: "dpmaster/infoResponse/wrong",
        run: |ctx| {
            let game = named_game(ctx);
            let server = Quake3Server::darkplaces(ctx, &game)?;
            let (server, client) = server.with_client(ctx)?;
            let request = server.challenged()?;
            let server = server.with("protocol", &next_protocol(ctx).to_string());
            let longer = [request.challenge.as_slice(), b"x"].concat();
            for challenge in [&b"wrong"[..], &longer] {
                server.answer_with(challenge)?;
                expect_none(&client, &server, server.list())?;
            }
            client.request(of_game(ctx, &game))?.expect_listed(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/in-time",
        title: "a server answers when most of its time is over",
        requires: "dpmaster/infoResponse/right",
        waits: 2,
        run: |ctx| {
            let time = ctx.time("challenge-timeout")?;
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            let request = client.setup_request(&server, &[server.list()])?;
            ctx.wait((time * 3 / 5).min(Duration::from_secs(2)));
            server.answer_request(&request)?;
            client.wait_listed(&server, server.list()).map(drop)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/heartbeat/flatline",
        title: "servers of Return to Castle Wolfenstein and Enemy Territory send their last \
                heartbeats; then another server registers",
        early: true,
        run: |ctx| {
            for (tag, last) in [
                (messages::WOLF, messages::WOLF_GOES),
                (messages::TERRITORY, messages::TERRITORY_GOES),
            ] {
                let server = Quake3Server::new(ctx)?.tagged(tag);
                server.end.send_bytes(&messages::heartbeat(last))?;
                server.send_heartbeat()?;
                server.end.send_bytes(&messages::heartbeat(last))?;
                ctx.sync(LISTS)?;
            }
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, server.list()).map(drop)
        },
        ..GAME_LISTED_CASE
    },
];

/// The server is in no list of this request, which need not be answered.
fn expect_none(
    client: &Quake3Client<'_>,
    server: &Quake3Server<'_>,
    list: Quake3ListRequest<'_>,
) -> Done {
    let request = client.encode(list);
    let of = [list.game, &list.protocol.to_string()].join(" ");
    let came = format!("one that holds it, for {}", of.trim());
    client.request_any(&request)?.expect_absent(server, &came)
}

/// Of servers with these game types, a client that sends the word gets the first alone.
fn game_types(ctx: &TestContext<'_>, word: &str, types: &[&str]) -> Done {
    let (game, client) = (named_game(ctx), Quake3Client::new(ctx)?);
    let mut servers = Vec::new();
    for gametype in types {
        let server = Quake3Server::darkplaces(ctx, &game)?.with("gametype", gametype);
        client.setup_listed(&server, of_game(ctx, &game))?;
        servers.push((server, *gametype));
    }
    let Some(((first, _), others)) = servers.split_first() else { return Ok(()) };
    for words in [format!("empty full {word}"), format!("{word} full empty")] {
        let list = Quake3ListRequest { words: &words, ..of_game(ctx, &game) };
        let listed = client.wait_listed(first, list).map_err(|failure| Failure {
            expected: format!("{} (\"{words}\")", failure.expected),
            ..failure
        })?;
        others.iter().try_for_each(|(server, gametype)| {
            let came = format!("one with a server of gametype {gametype}, for \"{words}\"");
            listed.expect_absent(server, &came)
        })?;
    }
    Ok(())
}

/// A server with one free place is not full, and one with one player is not empty.
fn last_place(ctx: &TestContext<'_>) -> Done {
    let client = Quake3Client::new(ctx)?;
    // Players, places, and whether it is listed with neither word, with empty, with full.
    let servers = [
        ("0", "1", [false, true, false]),
        ("1", "1", [false, false, true]),
        ("1", "2", [true, true, true]),
        ("7", "8", [true, true, true]),
        ("8", "8", [false, false, true]),
        ("1", "64", [true, true, true]),
        ("63", "64", [true, true, true]),
        ("64", "64", [false, false, true]),
    ];
    let mut listed = Vec::new();
    for (clients, places, expected) in servers {
        let server = Quake3Server::new(ctx)?.with("clients", clients).with("sv_maxclients", places);
        let load = format!("{clients} players on {places} places");
        ctx.setup(|| server.register())?;
        client.wait_listed(&server, all(ctx)).map_err(|failure| Failure {
            expected: format!("{} ({load}, for \"empty full\")", failure.expected),
            ..failure
        })?;
        listed.push((server, load, expected));
    }
    for (n, words) in ["", "empty", "full"].into_iter().enumerate() {
        let list = Quake3ListRequest { words, ..all(ctx) };
        let is_in = |expected: &[bool; 3]| expected.get(n).copied().unwrap_or_default();
        let answer = client.request(list)?;
        for (server, load, expected) in &listed {
            let what = format!("{load}, for \"{words}\"");
            if is_in(expected) {
                let named = |failure: Failure| Failure {
                    expected: format!("{} ({what})", failure.expected),
                    ..failure
                };
                answer.expect_listed(server).map_err(named)?;
            } else {
                answer.expect_absent(server, &format!("one that holds it ({what})"))?;
            }
        }
    }
    Ok(())
}

/// A changed value counts with the next answer, and the one before no more.
fn new_state(ctx: &TestContext<'_>) -> Done {
    let (game, other) = (own_game(ctx)?, own_game(ctx)?);
    let next = if_listed(ctx, 4)?;
    let client = Quake3Client::new(ctx)?;
    let server = Quake3Server::darkplaces(ctx, &game)?;
    client.setup_listed(&server, of_game(ctx, &game))?;
    let moved = |server: &Quake3Server<'_>, old: Quake3ListRequest<'_>, new| {
        ctx.setup(|| server.register())?;
        client.wait_listed(server, new)?;
        expect_none(&client, server, old)
    };
    let server = server.with("protocol", &next.to_string());
    let changed = Quake3ListRequest { protocol: next, ..of_game(ctx, &game) };
    moved(&server, of_game(ctx, &game), changed)?;
    let server = server.with("gamename", &other);
    let renamed = Quake3ListRequest { protocol: next, ..of_game(ctx, &other) };
    moved(&server, changed, renamed)?;
    let with = |words| Quake3ListRequest { words, ..renamed };
    let server = server.with("gametype", "1");
    moved(&server, with("empty full ffa"), with("empty full tourney"))
}
